"""The calls of a program with their types: each `CallType` is made when it is asked for, anew each time.

Of a long program they would take as much room as its types do; this is a list of the nodes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import accumulate, chain
from typing import Any, overload

from ...host.governor import governed, paced
from ...host.once import cached_property
from ...infer.results.result import CallType
from ...ir import Call, Expr, Function, GlobalVar, Op, children, post_order
from ...ir import Var as LocalVar
from ...ir.short import callee_name

__all__ = ["Calls"]


class Calls(Sequence[CallType]):
    """The calls of some functions, in post-order, a shared one once for each function; equal to a list of the same,
    which they are when they are copied or pickled.

    `type_of` gives the type of a call, which stays what it is; `made_up` are the calls of which it is assumed, by
    identity.
    """

    def __init__(
        self,
        functions: Iterable[tuple[GlobalVar, Function]],
        type_of: Callable[[Any], Any],
        made_up: Collection[int] = (),
    ) -> None:
        self._type_of = type_of
        self._made_up = made_up
        self._functions = list(functions)

    @cached_property
    def _nodes(self) -> list[list[Call]]:
        """The nodes of each function, looked for when somebody asks for a call. Raises LimitReached."""

        def look() -> list[list[Call]]:
            walks = (paced(post_order(function, _branches)) for _, function in self._functions)
            return [[node for node in walk if type(node) is Call] for walk in walks]

        return governed(look)

    @cached_property
    def _starts(self) -> list[int]:
        """Where the calls of each function begin among all, and where the last ones end."""
        return list(accumulate(map(len, self._nodes), initial=0))

    def __len__(self) -> int:
        return self._starts[-1]

    def __iter__(self) -> Iterator[CallType]:
        each = zip(self._functions, self._nodes, strict=True)
        return chain.from_iterable(
            (self._made(variable.name_hint, node) for node in nodes) for (variable, _), nodes in each
        )

    @overload
    def __getitem__(self, index: int) -> CallType: ...

    @overload
    def __getitem__(self, index: slice) -> list[CallType]: ...

    def __getitem__(self, index: int | slice) -> CallType | list[CallType]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        at = range(len(self))[index]
        which = bisect_right(self._starts, at) - 1
        return self._made(self._functions[which][0].name_hint, self._nodes[which][at - self._starts[which]])

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, (Calls, list)) else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        return (list, (list(self),))

    def __repr__(self) -> str:
        return repr(list(self))

    def _made(self, owner: str, node: Call) -> CallType:
        return CallType(owner, callee_name(node), self._type_of(node), node.span, id(node) in self._made_up)


def _branches(expr: Expr) -> tuple[Expr, ...]:
    """The children of a node that may hold calls: most have none but variables and operators."""
    return tuple([child for child in children(expr) if type(child) is not LocalVar and type(child) is not Op])

"""The calls of a program with their types: each `CallType` is made when it is asked for, anew each time.

Of a long program they would take as much room as its types do; this is a list of the nodes.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, overload

from ..governor import paced
from ..infer.driver import callee_name
from ..infer.result import CallType
from ..ir import Call, Expr, Function, GlobalVar, Op, children, post_order
from ..ir import Var as LocalVar

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
        self._owners: list[str] = []
        self._nodes: list[list[Call]] = []
        self._starts: list[int] = []  # of each function's calls among all
        self._count = 0
        for variable, function in functions:
            found = [node for node in paced(post_order(function, _branches)) if type(node) is Call]
            self._owners.append(variable.name_hint)
            self._nodes.append(found)
            self._starts.append(self._count)
            self._count += len(found)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[CallType]:
        each = zip(self._owners, self._nodes, strict=True)
        return chain.from_iterable((self._made(owner, node) for node in nodes) for owner, nodes in each)

    @overload
    def __getitem__(self, index: int) -> CallType: ...

    @overload
    def __getitem__(self, index: slice) -> list[CallType]: ...

    def __getitem__(self, index: int | slice) -> CallType | list[CallType]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self._count))]
        at = range(self._count)[index]
        which = bisect_right(self._starts, at) - 1
        return self._made(self._owners[which], self._nodes[which][at - self._starts[which]])

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

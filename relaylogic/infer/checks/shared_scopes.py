"""Whether what stands in several places of an expression uses only what is in scope at each of them.

A node that is met a second time may stand where a scope that it was first met in is closed. It is right there unless it
uses what that scope binds. As in the parser, each node has the innermost scope that it uses; a second place is
right if that scope is open there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ...errors import IllFormed
from ...ir import Call, Function, Let, Match, Var, parts, pattern_vars
from ...text.scopes import Reach
from ...types import Type
from .kinds import loose

__all__ = ["check_shared"]

_OPEN, _CLOSE, _DONE = range(3)


def check_shared(root: Any) -> None:
    """Check an expression that is else well-formed. Raises IllFormed for what is used outside of its scope."""
    serials = [0]  # of the open scopes, the outermost first; it tells a scope from all others of its depth
    opened = 0
    depth_of: dict[Any, int] = {}  # of variables and type parameters, open or closed
    uses = [Reach()]  # of the nodes that are being looked at
    done: dict[int, tuple[int, int]] = {}  # the depth and the serial number of the innermost scope that a node uses
    agenda: list[Any] = [root]
    while agenda:
        item = agenda.pop()
        if type(item) is tuple:
            what, node, bound = item
            if what == _OPEN:
                opened += 1
                serials.append(opened)
                depth_of.update(dict.fromkeys(bound, len(serials) - 1))
                _use(uses[-1], depth_of, _types_of(node, bound))
            elif what == _CLOSE:
                serials.pop()
            else:
                reach = uses.pop()
                depth = reach.innermost(len(serials) - 1)
                done[id(node)] = depth, serials[depth]
                uses[-1].join(reach)
        elif type(item) is Var:
            _use(uses[-1], depth_of, (item,))
        elif id(item) in done:
            depth, serial = done[id(item)]
            if depth >= len(serials) or serials[depth] != serial:
                message = "what stands in several places uses, in one of them, what is bound in another only"
                raise IllFormed(message, item.span)
            uses[-1].use(depth)
        else:
            uses.append(Reach())
            agenda.append((_DONE, item, ()))
            agenda.extend(reversed(list(_parts(item))))
            if type(item) is Call and item.explicit_type_args:
                _use(uses[-1], depth_of, _parameters(item.explicit_type_args))


def _use(reach: Reach, depth_of: dict[Any, int], used: Iterable[Any]) -> None:
    for name in used:
        depth = depth_of.get(name)
        if depth is not None:
            reach.use(depth)


def _parts(node: Any) -> Iterator[Any]:
    """What a node consists of, between the beginning and the end of the scopes of what it binds."""
    if type(node) is Function:
        yield from _within(node, (*node.params, *node.type_params), [node.body])
    elif type(node) is Let and type(node.value) is Function:
        yield from _within(node, (node.var,), [node.value, node.body])
    elif type(node) is Let:
        yield node.value
        yield from _within(node, (node.var,), [node.body])
    elif type(node) is Match:
        yield node.data
        for clause in node.clauses:
            yield from _within(node, pattern_vars(clause.lhs), [clause.rhs])
    else:
        yield from parts(node)


def _within(node: Any, bound: Iterable[Any], inner: list[Any]) -> list[Any]:
    names = tuple(bound)
    return [(_OPEN, node, names), *inner, (_CLOSE, node, names)]


def _types_of(node: Any, bound: Iterable[Any]) -> Iterator[Any]:
    """The type parameters in what a binder says of types."""
    yield from _parameters(v.type_annotation for v in bound if type(v) is Var)
    if type(node) is Function:
        yield from _parameters((node.ret_type, *node.type_constraints))


def _parameters(types: Iterable[Any]) -> Iterator[Any]:
    for term in types:
        if isinstance(term, Type):
            yield from loose(term, ())

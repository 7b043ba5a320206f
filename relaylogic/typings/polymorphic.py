"""Functions that no typing gives one type, since they are used at several.

A typing gives each binding one type. That says nothing of a program that uses a function at several types, as generic
ones are: it is typed all the same where each use of the function has a type of its own. Then nothing that is bound in
the function is one of the holes of the program: it is of another type at each use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

from ..infer.components import mentions
from ..infer.program import Inference
from ..infer.sites.places import NAMES
from ..ir import Call, Function, IRModule, Let, children, post_order
from ..logic.control import FREE
from ..logic.terms.terms import is_ground
from ..rulebase import RuleBase
from ..types import FuncType
from .holes import Nodes

__all__ = ["Polymorphic", "bound_in", "polymorphic_in"]


class Polymorphic(NamedTuple):
    """The functions that inference gives type parameters, and that something else uses, with their names; and the names
    of those with several uses that need not be of one type."""

    names: dict[Function, str]
    at_several: tuple[str, ...]


_NONE = Polymorphic({}, ())


def polymorphic_in(module: IRModule, nodes: Nodes, rules: RuleBase) -> Polymorphic:
    """The polymorphic functions of a program, whose `nodes` are known; none if it is refuted even so."""
    users = mentions(nodes.items())
    bound: dict[Any, Function] = {v: f for v, f in module.functions.items() if users.get(v, set()) - {v}}
    used = {f: f"@{v.name_hint}" for v, f in bound.items()}
    for node in chain.from_iterable(nodes.values()):
        if type(node) is Let and type(node.value) is Function:
            bound[node.var] = node.value
            used[node.value] = f"%{node.var.name_hint}"
    if all(map(_is_annotated, used)):
        return _NONE
    inference = Inference(module, rules, defaults=FREE)
    if inference.driver.failed:
        return _NONE
    types = inference.generator.types
    names = {function: name for function, name in used.items() if _is_generalised(types.get(id(function)), function)}
    if not names:
        return _NONE
    uses = _uses(module, {v: f for v, f in bound.items() if f in names}, inference)
    return Polymorphic(names, tuple(names[f] for f, taken in uses.items() if _may_differ(taken)))


def _uses(module: IRModule, bound: Mapping[Any, Function], inference: Inference) -> dict[Function, list[Any]]:
    """What functions, given by what they are bound to, take at each use but those in themselves; None where they are
    not called."""
    own = {id(node): function for function in bound.values() for node in post_order(function)}
    found: dict[Function, list[Any]] = {}
    for whole in module.functions.values():
        for node in post_order(whole):
            for child in children(node):
                function = bound.get(child) if isinstance(child, NAMES) else None
                if function is not None and own.get(id(node)) is not function:
                    is_called = type(node) is Call and child is node.op
                    taken = [inference.type_of(part) for part in children(node)[1:]] if is_called else None
                    found.setdefault(function, []).append(taken)
    return found


def _may_differ(uses: list[Any]) -> bool:
    """Whether some uses of a function need not be of one type."""
    first = uses[0]
    return len(uses) > 1 and (first is None or not is_ground(tuple(first)) or any(taken != first for taken in uses))


def _is_annotated(function: Function) -> bool:
    """Whether all is written that a function is given."""
    return all(p.type_annotation is not None and is_ground(p.type_annotation) for p in function.params)


def _is_generalised(known: Any, function: Function) -> bool:
    """Whether a function has more type parameters than are declared."""
    return type(known) is FuncType and len(known.type_params) > len(function.type_params)


def bound_in(functions: Iterable[Function]) -> Iterator[Any]:
    """Some functions, and all variables and functions that stand in them."""
    for function in functions:
        for node in post_order(function):
            if type(node) is Let:
                yield node.var
            elif type(node) is Function:
                yield node
                yield from node.params

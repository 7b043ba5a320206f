"""Functions that no typing gives one type, since they are used at several.

A typing gives each binding one type. That says nothing of a program that uses a function at several types, as generic
ones are: it is typed all the same where each use of the function has a type of its own. Then nothing that is bound in
the function is one of the holes of the program: it is of another type at each use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ..infer.components import mentions
from ..infer.program import Inference
from ..ir import Function, IRModule, Let, post_order
from ..logic.control import FREE
from ..logic.terms.terms import is_ground
from ..rulebase import RuleBase
from ..types import FuncType

__all__ = ["bound_in", "polymorphic_in"]


def polymorphic_in(module: IRModule, rules: RuleBase) -> dict[Function, str]:
    """The functions that inference gives type parameters, and that something else uses, with their names; none if the
    program is refuted even so."""
    users = mentions((variable, post_order(function)) for variable, function in module.functions.items())
    used = {f: f"@{v.name_hint}" for v, f in module.functions.items() if users.get(v, set()) - {v}}
    for function in module.functions.values():
        for node in post_order(function):
            if type(node) is Let and type(node.value) is Function:
                used[node.value] = f"%{node.var.name_hint}"
    if all(map(_is_annotated, used)):
        return {}
    inference = Inference(module, rules, defaults=FREE)
    if inference.driver.failed:
        return {}
    types = inference.generator.types
    return {function: name for function, name in used.items() if _is_generalised(types.get(id(function)), function)}


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

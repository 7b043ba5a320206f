"""The library's front door: parse, infer, infer one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .explain.report import infer_call as _infer_call
from .explain.report import infer_module
from .infer.result import Result
from .ir import IRModule
from .rulebase import RuleBase
from .text import parse, parse_type

__all__ = ["infer", "infer_call", "parse"]


def infer(program: IRModule | str, *, closed: bool = False, rules: RuleBase | None = None) -> Result:
    """Infer the types of a module, or of a program in Relay text.

    What a function leaves open is generalised; with `closed=True` it makes the verdict "incomplete", as in TVM.
    Raises ParseError for text that is no program.
    """
    module = parse(program) if isinstance(program, str) else program
    return infer_module(module, rules, closed)


def infer_call(
    op: str, arguments: Sequence[Any], attrs: Mapping[str, Any] | None = None, *, rules: RuleBase | None = None
) -> Result:
    """Infer the type of one call of an operator.

    `arguments` are types, as terms or as text (`_` for a hole); `attrs` maps attributes to values (None: undefined).
    The call's type is `result.calls[0].type`; the arguments' types are those of the parameters of `functions["main"]`.
    Raises ParseError for a text that is no type.
    """
    types = [parse_type(argument) if isinstance(argument, str) else argument for argument in arguments]
    return _infer_call(op, types, attrs, rules)

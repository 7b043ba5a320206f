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
    if any(isinstance(argument, str) and "Storage" in argument for argument in arguments):
        return _infer_call(op, *_with_storage(arguments), attrs, rules)
    types = [parse_type(argument) if isinstance(argument, str) else argument for argument in arguments]
    return _infer_call(op, types, IRModule(), attrs, rules)


def _with_storage(arguments: Sequence[Any]) -> tuple[list[Any], IRModule]:
    """Types that speak of `Storage`, the opaque data type of the memory operators, and the module that defines it."""
    texts = (argument if isinstance(argument, str) else "_" for argument in arguments)
    parameters = ", ".join(f"%p{i}: {text}" for i, text in enumerate(texts))
    module = parse(f"type Storage {{ }}\ndef @types({parameters}) {{ () }}")
    written = [parameter.type_annotation for parameter in module["types"].params]
    given = [w if isinstance(a, str) else a for w, a in zip(written, arguments, strict=True)]
    return given, IRModule(type_definitions=module.type_definitions)

"""The library's front door: parse, infer, infer one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from unification import Var

from .errors import IllFormed, said, truth
from .explain.report import infer_call as _infer_call
from .explain.report import infer_module
from .host.governor import LimitReached, governed
from .infer.checks.well_formed import check_well_formed
from .infer.results.result import Result, unknown
from .ir import Call, Expr, IRModule, Op
from .rulebase import RuleBase
from .text import parse, parse_type
from .types import Type

__all__ = ["infer", "infer_call", "parse"]


def infer(program: IRModule | str, *, closed: bool = False, rules: RuleBase | None = None) -> Result:
    """Infer the types of a module, or of a program in Relay text.

    What a function leaves open is generalised; with `closed=True` it makes the verdict "incomplete", as in TVM.
    If a limit is reached (`relaylogic.limits`), the verdict is "unknown" and `limit` its name.
    Raises ParseError for text that is no program, IllFormed for a module that no text could say, or for neither.
    """
    closed = truth("closed", closed)
    try:
        return governed(lambda: _infer(program, closed, rules))
    except LimitReached as reached:
        return unknown(reached, program if isinstance(program, IRModule) else None)


def _infer(program: IRModule | str, closed: bool, rules: RuleBase | None) -> Result:
    if isinstance(program, str):
        return infer_module(parse(program), rules, closed)
    if not isinstance(program, IRModule):
        hints = ("IRModule.from_expr makes a module of an expression",) if isinstance(program, Expr) else ()
        raise IllFormed(f"a program is an IRModule or Relay text, which {said(program)} is not", None, hints)
    check_well_formed(program)
    # A module can be changed afterwards; what is said of it, some of it when it is asked for, is of what it was.
    return infer_module(program.shallow_copy(), rules, closed)


def infer_call(
    op: str, arguments: Sequence[Any], attrs: Mapping[str, Any] | None = None, *, rules: RuleBase | None = None
) -> Result:
    """Infer the type of one call of an operator.

    `arguments` are types, as terms or as text (`_` for a hole); `attrs` maps attributes to values (None: undefined).
    The call's type is `result.calls[0].type`; the arguments' types are those of the parameters of `functions["main"]`.
    Raises ParseError for a text that is no type, IllFormed for what is neither a type nor text.
    """
    if not isinstance(op, str):
        raise IllFormed(f"an operator is called by its name, which {said(op)} is not")
    if isinstance(arguments, str) or not isinstance(arguments, Sequence):
        raise IllFormed(f"the types of the arguments are a list, which {said(arguments)} is not")
    for argument in arguments:
        if not isinstance(argument, (str, Type, Var)):
            raise IllFormed(f"an argument is a type or the text of one, which {said(argument)} is not")
    if attrs is not None and not isinstance(attrs, Mapping):
        raise IllFormed(f"attributes are a mapping from names to values, which {said(attrs)} is not")
    check_well_formed(Call(Op(op), (), dict(attrs or {})))

    def inferred() -> Result:
        types = [parse_type(argument) if isinstance(argument, str) else argument for argument in arguments]
        return _infer_call(op, types, IRModule(), attrs, rules)

    try:
        return governed(inferred)
    except LimitReached as reached:
        return unknown(reached)

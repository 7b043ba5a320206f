"""Passes: `InferType`, which gives a view of a module whose expressions know their types, and what goes with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..errors import RelayLogicError, rendered
from ..ir import Expr, Function, IRModule
from ..ir.checked import TYPES
from ..ir.publish import publish
from .absent import absent
from .passes import (
    FunctionPass,
    ModulePass,
    Pass,
    PassContext,
    PassError,
    PassInfo,
    PrintIR,
    Sequential,
    function_pass,
    module_pass,
)

if TYPE_CHECKING:
    from ..infer.results.result import Result

__all__ = [
    "AnnotateSpans",
    "FunctionPass",
    "InferType",
    "InferTypeLocal",
    "ModulePass",
    "Pass",
    "PassContext",
    "PassError",
    "PassInfo",
    "PrintIR",
    "Sequential",
    "TypeInferenceError",
    "function_pass",
    "module_pass",
]


class TypeInferenceError(RelayLogicError):
    """A program is refuted; the message shows every refusal at its place, `result` holds all that was found."""

    def __init__(self, result: Result) -> None:
        problems = result.errors
        super().__init__(problems[0].message, problems[0].span, problems[0].hints)
        self.result = result

    def render(self) -> str:
        """All refusals, each with its source line and a caret, and with the places that it contradicts."""
        return "\n".join(
            rendered(p.message, p.span, p.hints, related=[(label.span, label.message) for label in p.related])
            for p in self.result.errors
        )


def InferType() -> ModulePass:
    """The pass that infers all types of a module.

    It returns another module with the same definitions; its `result` is the `Result` of inference, and its expressions
    (which are those of the given module) have a `checked_type` from now on. Raises TypeInferenceError if the program is
    refuted, LimitReached.
    """
    return ModulePass(_infer_type, PassInfo(0, "InferType"))


def _infer_type(module: IRModule, context: Any = None) -> IRModule:
    from ..explain.report import infer_module
    from ..infer.checks.well_formed import check_well_formed

    check_well_formed(module)
    result = infer_module(module).whole()
    if result.verdict == "refuted":
        raise TypeInferenceError(_with_places(result))
    view = module.shallow_copy()
    view.result = result
    publish(view.functions.values(), result.type_of)
    for variable, function in view.functions.items():
        TYPES[variable] = TYPES[function] = result.functions[variable.name_hint]
    return view


def _with_places(result: Result) -> Result:
    """The result of the same program read from its text, if it was built without one, so that refusals have places."""
    from ..explain.report import infer_module
    from ..text import parse

    if any(problem.span is not None for problem in result.errors):
        return result
    try:
        printed = infer_module(parse(result.module.astext(), "<printed>"))
    except (RelayLogicError, ValueError):
        return result
    return printed if len(printed.errors) == len(result.errors) else result


def InferTypeLocal(expr: Expr) -> Any:
    """The type of an expression on its own, which has a `checked_type` from now on.

    Variables that are free in it are known by their annotations, or inferred. Raises TypeInferenceError, LimitReached.
    """
    module = IRModule.from_expr(expr)
    _infer_type(module)
    main: Function = module["main"]
    return (main if expr is main else expr).checked_type


def AnnotateSpans() -> ModulePass:
    """The pass that gives all expressions a place in a text.

    Refusals find their place in the printed program by themselves here, so the module is returned as it is.
    """
    return ModulePass(_as_it_is, PassInfo(0, "AnnotateSpans"))


def _as_it_is(module: IRModule, context: Any) -> IRModule:
    return module


def __getattr__(name: str) -> Any:
    raise absent("relay.transform", name)


PASSES: dict[str, Callable[[], Pass]] = {"InferType": InferType, "AnnotateSpans": AnnotateSpans}
"""What makes the passes that others may require by name."""

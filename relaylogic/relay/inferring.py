"""The view of a module whose expressions know their types, or why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import RelayLogicError, rendered
from ..ir import IRModule
from ..ir.checked import TYPES
from ..ir.publish import publish

if TYPE_CHECKING:
    from ..infer.results.result import Result

__all__ = ["TypeInferenceError", "with_types"]


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


def with_types(module: IRModule, context: Any = None) -> IRModule:
    """Another module with the same definitions, whose expressions have a `checked_type` from now on.

    Its `result` is the `Result` of inference. Raises TypeInferenceError if the program is refuted, LimitReached.
    """
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

"""Relations given by a function from the types of the inputs to that of the result, as TVM's are.

Such a function cannot be asked backward: the goal waits until all inputs are known, then runs it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...logic.constraints.comparisons import Post
from ...logic.states.state import Constraint
from ...logic.states.work import Work
from ...logic.terms.mistakes import MISTAKES, is_mistake, misasked
from ...logic.terms.rebuilding import reify_term
from ...logic.terms.terms import is_ground
from ...rulebase import Relation
from ...rulebase.relation import Clause

__all__ = ["Computed", "computed"]


class Computed(Constraint):
    """The constraint that `result` is `function` of the types `inputs`."""

    __slots__ = ()

    def __repr__(self) -> str:
        function, inputs, result, _ = self.args
        return f"{result} = {function.__name__}({', '.join(map(str, inputs))})"

    def propagate(self, work: Work) -> bool | None:
        """Wait while an input is open; then the result is what the function says. None from it means it waits too.

        Raises RuleError if the function fails; an assertion of it that does is shown as it is."""
        function, inputs, wanted, attrs = self.args
        inputs = reify_term(inputs, work.bindings)
        if not is_ground(inputs):
            return None
        try:
            result = function(list(inputs), attrs)
        except MISTAKES as problem:
            if not is_mistake(problem):
                raise
            raise misasked(function.__name__, problem, function) from problem
        return None if result is None else work.unify(wanted, result)


def computed(name: str, inputs: Sequence[str], function: Callable[..., Any]) -> Relation:
    """A relation of one clause, `computed`."""
    doc = f"The result's type is `{function.__name__}` of the inputs' types."
    relation = Relation(name, (*inputs, "out", "attrs"), doc)

    def build(*arguments: Any) -> Any:
        *given, out, attrs = arguments
        return Post(Computed.draft((function, tuple(given), out, attrs)))

    relation.add(Clause(relation, build, "computed"))
    return relation

"""Relations given by a function from the types of the inputs to that of the result, as TVM's are.

Such a function cannot be asked backward: the goal waits until all inputs are known, then runs it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...logic.arithmetic import Post
from ...logic.state import Work
from ...logic.terms import is_ground, reify_term, variables_of
from ...rulebase import Relation
from ...rulebase.relation import Clause

__all__ = ["Computed", "computed"]


class Computed:
    """The constraint that `result` is `function` of the types `inputs`."""

    __slots__ = ("attrs", "function", "inputs", "result")

    def __init__(self, function: Callable[..., Any], inputs: tuple[Any, ...], result: Any, attrs: Any) -> None:
        self.function = function
        self.inputs = inputs
        self.result = result
        self.attrs = attrs

    def __repr__(self) -> str:
        return f"{self.result} = {self.function.__name__}({', '.join(map(str, self.inputs))})"

    def variables(self, bindings: Mapping[Any, Any]) -> list[Any]:
        """The unbound variables of the inputs."""
        return variables_of(self.inputs, bindings)

    def reified(self, bindings: Mapping[Any, Any]) -> Computed:
        """The constraint with bound variables replaced."""
        inputs, result = reify_term((self.inputs, self.result), bindings)
        return Computed(self.function, inputs, result, self.attrs)

    def propagate(self, work: Work) -> bool | None:
        """Wait while an input is open; then the result is what the function says. None from it means it waits too."""
        inputs = reify_term(self.inputs, work.bindings)
        if not is_ground(inputs):
            return None
        result = self.function(list(inputs), self.attrs)
        return None if result is None else work.unify(self.result, result)


def computed(name: str, inputs: Sequence[str], function: Callable[..., Any]) -> Relation:
    """A relation of one clause, `computed`."""
    doc = f"The result's type is `{function.__name__}` of the inputs' types."
    relation = Relation(name, (*inputs, "out", "attrs"), doc)

    def build(*arguments: Any) -> Any:
        *given, out, attrs = arguments
        return Post(Computed(function, tuple(given), out, attrs))

    relation.add(Clause(relation, build, "computed"))
    return relation

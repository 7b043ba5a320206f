"""From which inputs of an operator's calls the dtype of the result is, whatever else is known of a call.

That is so where no call has a result of another dtype than that input, whatever the shapes, the other inputs and the
attributes are: a search for one tells. It is made when the package is installed, and what it has found is kept as
programs are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...logic.mistakes import RuleError
from ...logic.terms import slot
from ...types import TensorType
from ..attributes import Attrs
from ..operators import Operator
from .compiled import DTYPES, spec_of
from .general import STEPS
from .question import with_another_dtype

__all__ = ["program_of_dtypes", "programs_of_dtypes"]


def programs_of_dtypes(rules: Any) -> Iterator[tuple[str, str, str]]:
    """The programs that say it of the operators of a rule base, as they are kept."""
    for operator in rules.operators.values():
        asked = f"# of which inputs of {operator.name} the result has the dtype"
        yield DTYPES, repr((operator.name, None)), f"{asked}\n{program_of_dtypes(rules, operator)}"


def program_of_dtypes(rules: Any, operator: Operator) -> str:
    """The text of the program that says the numbers of these inputs."""
    inputs = range(0 if operator.variadic else operator.relation.arity - 1)
    found = tuple([place for place in inputs if _has_dtype_of(rules, operator, place)])
    return f"def answer(numbers):\n    return {found}\n"


def _has_dtype_of(rules: Any, operator: Operator, place: int) -> bool:
    """Whether no call of an operator is known to have a result of another dtype than one of its inputs."""
    relation, inputs = operator.relation, operator.relation.arity - 1
    opened = tuple(operator.attributes.values()) if relation.takes_attrs else ()
    if relation.takes_attrs:
        relation = rules.asking(relation, spec_of(Attrs({}), opened))
    dtype, shape, *others = [slot(number) for number in range(2 + inputs + len(opened))]
    terms = (*others[:place], TensorType(shape, dtype), *others[place:])
    try:
        found = rules.solve(relation, (*terms, dtype), None, with_another_dtype, STEPS, most=1, types_only=True)
    except RuleError:
        return False
    return bool(found.exhausted and not found.answers)

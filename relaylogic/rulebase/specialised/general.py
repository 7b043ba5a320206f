"""What a relation says of all calls of a mode: its answers where the numbers are open, each with what it demands.

This is the engine's own answer to an open question. Each number of the mode is a variable that is known to be natural,
each dtype one of which nothing is known, and neither is a default; what holds of them is left over as the residue of an
answer, of which `mode_programs` makes a program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from ...logic.constraints.free_choices import without_free_choices
from ...logic.constraints.gradual import completed
from ...logic.constraints.natural import is_natural_number
from ...logic.control import KEPT, Budget, Search, StepLimit
from ...logic.search.search import Answer, answer_of
from ...logic.states.goals import goal, lall
from ...logic.states.state import State
from ...logic.states.unknown import may_be_unknown
from ...logic.terms.mistakes import RuleError
from ...logic.terms.rebuilding import instantiate
from ...logic.terms.terms import slot
from ..attrs import Attrs
from .reading import Noting

__all__ = ["NO_SYMBOL", "STEPS", "WHATEVER", "answers_of", "noting_of", "remarks_of"]

STEPS = 5_000
"""So many steps a program is worth."""
MOST_ANSWERS = 16
"""Answers are tried one after the other; a mode with more of them is not worth it."""
NO_SYMBOL = "# what is open is taken to be no symbol"
"""Said of answers that are not those of a call with symbols in place of what is open."""
WHATEVER = "# whatever these attributes are: "
"""Said, with their names, of answers that are found without looking at some attributes."""


def answers_of(
    rules: Any,
    relation: Any,
    arguments: tuple[Any, ...],
    attrs: Any,
    least: Sequence[int],
    dtypes: int = 0,
    most: int = MOST_ANSWERS,
    types_only: bool = False,
) -> tuple[list[Answer] | None, list[str]]:
    """The answers of a relation for `arguments` whose first slots are numbers, each with the `least` that it may be,
    and behind them so many `dtypes`; and what is to be said of them all. `types_only`: what open attributes may be does
    not matter.

    None if they are not all found, are more than `most`, or if the rule must look at a number.
    """
    variables: dict[int, Any] = {}
    terms = instantiate(arguments, variables)
    known = tuple([variables[i] for i in range(len(least) + dtypes)])
    numbers = known[: len(least)]
    first = [is_natural_number(number) for number in numbers]
    lows = [(number, low) for number, low in zip(numbers, least, strict=True) if low]
    first.append(goal(lambda work: all(work.narrow(number, low, None) for number, low in lows)))
    gradual = may_be_unknown((arguments, attrs)) or rules.profiles.of(relation).makes_unknown
    relation, attrs, noting = noting_of(relation, attrs)
    budget = Budget(STEPS, governed=False)
    control = Search(budget, gradual=gradual, defaults=KEPT, known=known, rules=rules, types_only=types_only)
    budget.asked = tuple([variable for i, variable in variables.items() if i >= len(known)])
    start = State({}, None, control)
    numbering = {variable: slot(index) for index, variable in sorted(variables.items())}
    found: list[Answer] = []
    try:
        for name, case in relation.cases(terms, attrs):
            for complete in _completed(lall(*first, case)(start)):
                left = without_free_choices(complete, tuple(variables.values()))
                found.append(answer_of(terms, left, name, dict(numbering)))
                if len(found) > most:
                    return None, []
    except (StepLimit, RuleError, RecursionError):
        return None, []
    remarks = [NO_SYMBOL] * budget.no_symbol
    return None if budget.cut else found, [*remarks, *remarks_of(noting)]


def remarks_of(noting: Noting | None) -> list[str]:
    """What is to be said of the attributes that nobody has looked at."""
    left_alone = [] if noting is None else noting.left_alone()
    return [f"{WHATEVER}{', '.join(left_alone)}"] if left_alone else []


def noting_of(relation: Any, attrs: Any) -> tuple[Any, Any, Noting | None]:
    """A relation and the attributes that it is asked with, these or those that are fixed as they note what is read."""
    if relation.asked is not None:
        original, spec = relation.asked
        noting = Noting(spec.fixed)
        return original.asking(replace(spec, fixed=noting)), attrs, noting
    if isinstance(attrs, Attrs):
        noting = Noting(attrs)
        return relation, noting, noting
    return relation, attrs, None


def _completed(found: Iterable[Any]) -> Iterator[State]:
    for state in found:
        yield from completed(state)

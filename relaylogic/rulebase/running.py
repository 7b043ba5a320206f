"""What is known of a call by running the clauses of its relation: the way that needs nothing made beforehand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ..logic.control import Search
from ..logic.search.resolution import Resolution
from ..logic.search.search import Solution, search
from ..logic.search.sketch import Outline, Sketch
from ..logic.states.goals import Goal, lall, succeed
from ..logic.terms.mistakes import MISTAKES, blame
from ..logic.terms.rebuilding import canonical, instantiate
from ..logic.terms.terms import variables_of
from ..types.possible import are_possible
from .relation import Relation

__all__ = ["FEW", "Also", "apart", "by_clauses"]

FEW = 5_000
"""Steps after which it is asked whether a relation calls itself: tables end where it alone would go on."""

Also = Callable[..., tuple[tuple[Any, ...], Goal]]
"""From the arguments of a question, those for the relation, and one more goal."""


def by_clauses(
    rules: Any,
    relation: Relation,
    arguments: tuple[Any, ...],
    attrs: Any,
    also: Also | None,
    steps: int,
    defaults: str,
    most: int,
    types_only: bool = False,
    by_rows: bool = False,
) -> Solution:
    """As `RuleBase.solve`, whatever is in the table."""
    with _blaming(relation):
        terms = given = instantiate(arguments, {})
        more: Goal = succeed
        if also is not None:
            given, more = also(terms)

        def searched(tabled: bool) -> Solution:
            few = steps if tabled else min(FEW, steps)
            more_steps = None if tabled else after_a_few
            control: Search = rules.control(
                few,
                relation,
                arguments,
                attrs,
                defaults=defaults,
                more=more_steps,
                types_only=types_only,
                by_rows=by_rows and not tabled,
            )
            cases = _tabled(rules, relation, given, attrs, control) if tabled else relation.cases(given, attrs)
            if also is not None:
                return search(_with(more, cases), terms, control, max_answers=most, admits=are_possible)
            sketch: Sketch | None = None
            if relation.asked is None:
                # Of the clauses: the answers from tables come one by one, and are gone then.
                sketch = Outline(relation.cases(given, attrs), terms, control, ())
            elif not tabled:
                sketch = Sketch(cases, terms, control, _types_of(relation) if types_only else ())
            return search(cases, terms, control, max_answers=most, sketch=sketch, admits=are_possible)

        def after_a_few() -> int:
            return 0 if rules.profiles.may_call_itself(relation) else max(0, steps - FEW)

        try:
            found = searched(False)
            if found.limit == "step limit" and rules.profiles.may_call_itself(relation):
                found = searched(True)
        except RecursionError:
            found = searched(True)
    return found


def apart(
    relation: Relation, arguments: tuple[Any, ...], attrs: Any, also: Also | None, control: Search
) -> tuple[Solution, tuple[tuple[Any, Any], ...]] | None:
    """As `RuleBase.apart`, with what the search is given."""
    control.gradual = True  # what becomes known by and by may be a symbol
    pairs = control.budget.apart = {}
    terms = instantiate(arguments, {})
    given, more = (terms, succeed) if also is None else also(terms)
    with _blaming(relation):
        try:
            found = search(_with(more, relation.cases(given, attrs)), terms, control, admits=are_possible)
        except RecursionError:
            return None
    return (found, tuple(pairs)) if found.exhausted else None


def _tabled(
    rules: Any, relation: Relation, arguments: tuple[Any, ...], attrs: Any, control: Search
) -> Iterator[tuple[str, Goal]]:
    """The answers of a relation that calls itself without an end, one goal for each."""
    given = (relation, *arguments, attrs) if relation.takes_attrs else (relation, *arguments)
    postponing = control.but(postpones=True)
    known = variables_of(given[1:])
    for option in Resolution(postponing, rules.options).forest(canonical(given, {})).answers():
        yield option.clause, option.goal(known)


def _with(more: Goal, cases: Iterable[tuple[str, Goal]]) -> Iterator[tuple[str, Goal]]:
    """Each case, with one more goal."""
    return ((name, lall(more, run)) for name, run in cases)


def _types_of(relation: Relation) -> tuple[int, ...]:
    """The places of the types among the arguments of a relation of which attributes are asked for."""
    assert relation.asked is not None
    inputs = relation.arity - 1 - len(relation.asked[1].open)
    return (*range(inputs), relation.arity - 1)


@contextmanager
def _blaming(relation: Relation) -> Iterator[None]:
    """Turn what a rule's own Python raises into an error about the rule."""
    try:
        yield
    except MISTAKES as problem:
        blame(relation.name, problem)

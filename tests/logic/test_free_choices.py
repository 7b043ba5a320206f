"""What a hidden variable can always be chosen to satisfy is not told, and says nothing of what is seen: against brute
force over small numbers, and lists of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, product
from random import Random
from typing import Any

import pytest

from relaylogic.clauses.load import load_clauses
from relaylogic.logic.constraints.compare import Compare
from relaylogic.logic.constraints.equations import divisors_of
from relaylogic.logic.constraints.free_choices import free_choices
from relaylogic.logic.constraints.lengths import Length
from relaylogic.logic.control import Search
from relaylogic.logic.states.state import State
from relaylogic.logic.states.work import Work
from relaylogic.logic.terms.numbers import Arith
from relaylogic.logic.terms.rebuilding import reify_term
from relaylogic.logic.terms.variables import fresh
from relaylogic.rulebase import RuleBase
from relaylogic.typings.query import query
from tests.effort import some

CASES = 3_000
SEEN, HIDDEN = [fresh() for _ in range(2)], [fresh() for _ in range(2)]
LIST = fresh()
MOST = 4  # what is seen is tried up to this
LISTS = [(), *((n,) for n in range(9)), (2, 3), *((1,) * n for n in range(2, 9))]
NEAR, FAR = (8, LISTS), (40, [*LISTS, *((n,) for n in range(9, 40))])  # where to look for what is hidden
OPERATORS = ("+", "+", "-", "*", "//", "%", "min", "max")


def expression(random: Random, depth: int) -> Any:
    """A number that is made of what is seen and hidden."""
    if not depth or random.random() < 0.3:
        folds = [Arith.draft((random.choice(("sum", "prod")), (LIST,)))]
        return random.choice([*SEEN, *HIDDEN, *HIDDEN, *folds, random.randrange(4)])
    operands = expression(random, depth - 1), expression(random, depth - 1)
    return Arith.draft((random.choice(OPERATORS), operands))


def constraints(random: Random) -> Iterator[Any]:
    """Something that is said of numbers, behind that what is divided by is positive, or of how long the list is."""
    if random.random() < 0.1:
        yield Length.make((LIST, random.choice([*SEEN, *HIDDEN])))
        return
    sides = expression(random, random.randrange(3)), expression(random, random.randrange(2))
    for divisor in chain.from_iterable(map(divisors_of, sides)):
        yield Compare.draft(("<=", 1, divisor))
    yield Compare.draft((random.choice(("=", "=", "!=", "<=")), *sides))


def value_of(number: Any, values: dict[Any, Any]) -> Any:
    """The number that an expression is. Raises ZeroDivisionError."""
    if type(number) is not Arith:
        return values.get(number, number)
    operator, operands = number.args
    if operator in ("sum", "prod"):
        items = reify_term(operands[0], values)
        return sum(items) if operator == "sum" else Arith.computed("*", items)
    numbers = [value_of(operand, values) for operand in operands]
    if operator in ("//", "%") and numbers[1] < 1:
        raise ZeroDivisionError
    return Arith.computed(operator, tuple(numbers))


def holds(said: Any, values: dict[Any, Any]) -> bool:
    """Whether a constraint holds of values; not where something is divided by 0 in it."""
    if type(said) is Length:
        return len(reify_term(said.items, values)) == value_of(said.length, values)
    relation, left, right = said.args
    try:
        a, b = value_of(left, values), value_of(right, values)
    except ZeroDivisionError:
        return False
    return bool({"=": a == b, "!=": a != b, "<=": a <= b}[relation])


def holds_of(seen: tuple[int, ...], state: State, said: list[Any], most: int, lists: list[Any]) -> bool:
    """Whether constraints hold of what is seen, and something hidden, within the bounds of a state."""
    for hidden in product(*(range(most + 1) for _ in HIDDEN), lists):
        values = dict(zip((*SEEN, *HIDDEN, LIST), (*seen, *hidden), strict=True))
        within = all(_within(values[v], *state.bounds(v)) for v in (*SEEN, *HIDDEN))
        if within and all(holds(c, values) for c in said):
            return True
    return False


def _within(value: int, low: int, high: int | None) -> bool:
    return low <= value and (high is None or value <= high)


@pytest.mark.parametrize("part", range(10))
def test_what_is_dropped_says_nothing_of_what_is_seen(part: int) -> None:
    dropped = 0
    for number in some(range(part, CASES, 10), 30):
        random = Random(f"free:{number}")
        drafts = [draft for _ in range(random.randrange(1, 4)) for draft in constraints(random)]
        work = Work(State({}, None, Search()))
        state = work.finish() if all(work.post(draft) for draft in drafts) else None
        if state is None or state.bindings or state.store is None:
            continue
        said = list(state.constraints())
        free = free_choices(said, state, {*SEEN})
        if not free:
            continue
        dropped += 1
        left = [c for c in said if c not in free]
        for seen in product(range(MOST + 1), repeat=len(SEEN)):
            if holds_of(seen, state, left, *NEAR):
                assert any(holds_of(seen, state, said, *where) for where in (NEAR, FAR)), (said, free, seen)
    assert dropped


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("sum(s) - m = n", "true"),
        ("prod(s) = n", "true"),
        ("len(s) = n", "true"),
        ("n = sum(s) + prod(u)", "true"),
        ("n <= prod([3 | s])", "true"),
        ("n - k = m, k <= 3", "true"),
        ("prod(s) = m, m * k != n", "true"),
        ("n - 1 = sum(s)", "n >= 1"),
        ("2 * n - 5 = sum(s) + 1", "n >= 3"),
        ("n = 2 * sum(s)", "2 * m = n"),
        ("prod(u) = n, u = [k, 2]", "2 * m = n"),
        ("sum(s) = n, prod(s) = 6", "sum(m) = n, prod(m) = 6"),
    ],
)
def test_what_is_hidden_is_told_only_where_it_says_something(body: str, told: str) -> None:
    base = RuleBase()
    load_clauses(base, f"P(n) :- {body}.")
    assert list(map(str, query("P(n)", rules=base))) == [told]

"""Lists that element-wise relations make one: what is said of open lists is what brute force finds of known ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from random import Random
from typing import Any, NamedTuple

import pytest

from relaylogic.api import infer
from relaylogic.clauses.load import load_clauses
from relaylogic.rulebase import RuleBase
from relaylogic.typings.query import query
from tests.effort import some

CLAUSES = """
same: Wide(n, n, n).
left: Wide(1, n, n) :- n != 1.
right: Wide(n, 1, n) :- n != 1.
Top(n, m, k) :- k = max(n, m).
Sum(n, m, k) :- k = n + m.
Next(n, m) :- m = n + 1.
Below(n, m) :- n <= m.
Never(n, m) :- n = m, n != m.
Half(n, m) :- n = 2 * m.
Flip(0, 1). Flip(1, 0).
Whatever(n, m).
"""

ROWS: dict[str, Callable[..., bool]] = {
    "Wide": lambda n, m, k: k in (n, m) and (n == m or (1 in (n, m) and k == (m if n == 1 else n))),
    "Top": lambda n, m, k: k == max(n, m),
    "Sum": lambda n, m, k: k == n + m,
    "Next": lambda n, m: m == n + 1,
    "Below": lambda n, m: n <= m,
    "Never": lambda n, m: False,
    "Half": lambda n, m: n == 2 * m,
    "Flip": lambda n, m: {n, m} == {0, 1},
    "Whatever": lambda n, m: True,
}

NAMES = "suvwo"
MOST, RANK = 2, 2
LISTS = [items for rank in range(RANK + 1) for items in product(range(MOST + 1), repeat=rank)]
CASES, STEPS = 1_000, 5_000
LEAST_DECIDED = 0.9
BOUNDS: dict[str, Any] = {"max_rank": RANK, "max_dim": MOST, "min_dim": 0, "ground": True}

List = tuple[int, ...]


class Said(NamedTuple):
    """A goal about lists: its text, their names, and whether it holds of some."""

    text: str
    names: tuple[str, ...]
    holds: Callable[..., bool]


def said_of_rows(relation: str, names: tuple[str, ...]) -> Said:
    """That a relation holds of each row of lists."""

    def holds(*lists: List) -> bool:
        return len(set(map(len, lists))) == 1 and all(ROWS[relation](*row) for row in zip(*lists, strict=True))

    return Said(f"map({relation}, {', '.join(names)})", names, holds)


def random_goals(random: Random) -> list[Said]:
    """Goals about few lists, mostly about rows."""
    own = NAMES[: random.randint(2, 5)]
    goals = []
    for _ in range(random.randint(2, 5)):
        chosen = random.random()
        if chosen < 0.6:
            relation = random.choice(["Wide", "Wide", "Wide", *ROWS])
            places = ROWS[relation].__code__.co_argcount
            goals.append(said_of_rows(relation, tuple(random.choices(own, k=places))))
        elif chosen < 0.8:
            a, b, c = random.choices(own, k=3)
            goals.append(Said(f"append({a}, {b}, {c})", (a, b, c), lambda a, b, c: a + b == c))
        elif chosen < 0.95:
            a, b = random.choices(own, k=2)
            goals.append(Said(f"len({a}) = len({b})", (a, b), lambda a, b: len(a) == len(b)))
        else:
            a, b = random.choices(own, k=2)
            goals.append(Said(f"reverse({a}, {b})", (a, b), lambda a, b: a[::-1] == b))
    return goals


def by_force(goals: Sequence[Said], names: Sequence[str]) -> set[tuple[List, ...]]:
    """The lists of which all goals hold, by name."""
    rows: list[dict[str, List]] = [{}]
    for number, name in enumerate(names):
        rows = [{**row, name: items} for row in rows for items in LISTS]
        known = set(names[: number + 1])
        for goal in goals:
            if name in goal.names and known.issuperset(goal.names):
                rows = [row for row in rows if goal.holds(*(row[n] for n in goal.names))]
    return {tuple(row[name] for name in names) for row in rows}


def instances(texts: Sequence[str], names: Sequence[str]) -> Iterator[tuple[List, ...]]:
    """The lists of which some open answers hold, as often as they do."""
    for text in texts:
        base = RuleBase()
        bounds = ", ".join(f"sum({name}) >= 0" for name in names)
        load_clauses(
            base, f"{CLAUSES}\nInstance({', '.join(names)}) :- {'' if text == 'true' else f'{text}, '}{bounds}."
        )
        found = query(f"Instance({', '.join(names)})", rules=base, **BOUNDS)
        yield from (tuple(answer.bindings[name] for name in names) for answer in found)
        assert found.status == "exhausted", text


def test_open_answers_are_what_brute_force_finds() -> None:
    base = RuleBase()
    load_clauses(base, CLAUSES)
    cases = some(range(CASES), 25)
    decided = 0
    for number in cases:
        goals = random_goals(Random(f"lists:{number}"))
        names = sorted({name for goal in goals for name in goal.names})
        text = ", ".join(goal.text for goal in goals)
        answers = query(text, rules=base, steps=STEPS, limit=20)
        texts = [str(answer) for answer in answers]
        if answers.status == "exhausted":
            decided += 1
            found = list(instances(texts, names))
            assert len(set(found)) == len(found), f"{text}: an instance comes twice in {texts}"
            assert set(found) == by_force(goals, names), f"{text}: {texts}"
    assert decided > LEAST_DECIDED * len(cases)


ASKED = {
    "Broadcast(A, A, B)": ["A = Tensor[s, t], B = Tensor[s, t]"],
    "map(BroadcastDim, s, u, v), map(BroadcastDim, u, s, w)": ["w = v, map(BroadcastDim, s, u, v)"],
    "map(BroadcastDim, s, u, v), map(BroadcastDim, v, s, w)": ["w = v, map(BroadcastDim, s, u, v)"],
    "append(s, u, v), append(w, o, v), len(s) = len(w)": ["w = s, o = u, append(s, u, v), len(s) = n"],
    "append([n | s], u, v), append([n | s], u, w)": ["w = v, append((n, ...s), u, v)"],
    "append([n | s], u, v), same_length(u, w), append(v, o, w)": [],
    "append(s, u, v), append(s, w, o), map(BroadcastDim, u, x, w), map(BroadcastDim, v, o, y)": [
        "y = o, append(s, u, v), map(BroadcastDim, u, x, w), append(s, w, o)"
    ],
}
"""What is asked of the shipped rules, and all answers."""


@pytest.mark.parametrize("asked", ASKED)
def test_what_is_one_is_said_to_be(asked: str) -> None:
    answers = query(asked)
    assert ([str(answer) for answer in answers], answers.status) == (ASKED[asked], "exhausted")


def test_a_program_that_broadcasts_again_what_it_broadcast_says_that_it_is_one() -> None:
    """It had answers without end that said less, one for each order of the ranks."""
    again = query("where(A, P, A) = B, where(B, A, B) = C, where(C, C, C) = D")
    assert all(a.bindings["B"] is a.bindings["C"] is a.bindings["D"] for a in again) and again.status == "exhausted"
    assert str(infer("def @main(%x) { add(nn.relu(%x), %x) }").functions["main"]) == (
        "fn [t1: Shape, t2: BaseType](Tensor[t1, t2]) -> Tensor[t1, t2]"
    )


def test_what_may_be_unknown_agrees_and_is_not_one() -> None:
    """That lists agree makes them one only where nothing in them can be `?`."""
    unknown = "collapse_sum_like(A, Tensor[(3, ?), bool]) = B"
    first, second, *longer = map(str, query(unknown))
    assert (first, second) == (
        "A = Tensor[(3, ?), bool], B = Tensor[(3, ?), bool]",
        "A = Tensor[(3, n), bool], B = Tensor[(3, ?), bool]",
    )
    assert len(longer) == 2 and all("append((n, ...u), (3, " in answer for answer in longer)
    for shape in ("(3, 1)", "(3, 7)", "(3, ?)", "(2, 3, 1)"):
        assert len(list(query(f"{unknown}, A = Tensor[{shape}, bool]"))) == 1

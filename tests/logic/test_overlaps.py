"""Lists that are put together with what they are put together to, against brute force over words."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from relaylogic.typings.query import query

WORDS = [word for length in range(5) for word in product((1, 2), repeat=length)]


def _written(letters: list[int], is_open: bool) -> str:
    return f"[{', '.join(map(str, letters))}{' | t' if is_open and letters else ''}]" if letters or not is_open else "t"


@pytest.mark.parametrize("ends", [(True, False), (False, True), (True, True)])
@pytest.mark.parametrize("seed", range(3))
def test_what_overlaps_is_decided(ends: tuple[bool, bool], seed: int) -> None:
    """The answers are the words up to a length that satisfy an equation, and it is refuted if none does."""
    rng = Random(f"{ends}{seed}")
    refuted = 0
    for _ in range(40):
        front, back, whole = ([rng.randint(1, 2) for _ in range(rng.randint(0, most))] for most in (2, 3, 4))
        text = f"append({_written(front, ends[0])}, {_written(back, ends[1])}, {_written(whole, True)})"
        expected = {t for t in WORDS if (*front, *t * ends[0], *back, *t * ends[1]) == (*whole, *t)}
        found = query(f"{text}, sum(t) <= 8", ground=True, max_rank=4, min_dim=1, max_dim=2)
        assert {answer.bindings["t"] for answer in found} == expected and found.status == "exhausted", text
        assert bool(list(query(text))) is bool(expected), text
        refuted += not expected
    assert refuted >= 10


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("append(t, s, [2, 1 | t]), s = [2, 2]", []),
        ("s = [2, 2], append(t, s, [2, 1 | t])", []),
        ("append(t, t, [2 | t])", ["t = (2,)"]),
        ("append(s, [m | t], [1, 2 | t])", ["s = (1,), m = 2"]),
        ("append(t, s, [n | t])", ["s = (n,), append(t, (n,), (n, ...t))"]),
        ("append(t, [n, 2, 2], [2, 1, 2 | t])", ["n = 1, append(t, (1, 2, 2), (2, 1, 2, ...t))"]),
        ("append(t, [A, B], [B, int8 | t]), A = Tensor[(2), int8]", []),
    ],
)
def test_what_follows_of_the_rest(text: str, answers: list[str]) -> None:
    found = query(text)
    assert (list(map(str, found)), found.status) == (answers, "exhausted")

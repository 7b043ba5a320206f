"""The names that somebody may have meant: those that `difflib` finds among all that there are."""

from __future__ import annotations

import difflib
from random import Random

import pytest

from relaylogic.rulebase import default_rules, nearest

NAMES = list(default_rules().operators)


def misspelt(random: Random) -> str:
    """The name of an operator, or several in a row, with some letters more or less; or a piece of that."""
    letters = list(random.choice(NAMES) * random.choice([1, 1, 1, 2, 3]))
    for _ in range(random.randrange(5)):
        at = random.randrange(len(letters) + 1)
        letters[at : at + random.randrange(3)] = random.choice(["", "x", "nn.", "2"])
    return "".join(letters)[: random.choice([2, 5, 100, 100])]


@pytest.mark.parametrize("seed", range(4))
def test_they_are_the_close_matches_among_all_names(seed: int) -> None:
    random = Random(seed)
    found = 0
    for name in [random.choice(NAMES), *(misspelt(random) for _ in range(40))]:
        close = difflib.get_close_matches(name, NAMES, n=3, cutoff=0.6)
        assert not close or nearest(name, NAMES) == f"; did you mean {' or '.join(f'`{c}`' for c in close)}?"
        found += bool(close)
    assert found > 10


def test_the_last_part_of_a_name_is_enough() -> None:
    assert nearest("some.other.module.relu", NAMES) == "; did you mean `nn.relu`?"


def test_a_word_of_megabytes_is_like_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not even compared: that looks at each of its letters."""
    compared: list[str] = []
    monkeypatch.setattr(difflib, "get_close_matches", lambda word, *_, **__: compared.append(word) or [])
    assert nearest("a" * 10_000_000, NAMES) == "" and not compared
    assert nearest("nn.relo", NAMES) == "" and compared == ["nn.relo"]

"""Cases that are tried together are all tried, and each that fails is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.together import together

TRIED: list[int] = []


@together("number", range(5))
def tried(number: int, tmp_path: Path) -> None:
    assert tmp_path.is_dir()
    TRIED.append(number)
    if number == 4:
        raise KeyError("four")
    assert number % 2 == 0, f"{number} is odd"


def test_all_cases_are_tried_and_all_that_fail_are_named(tmp_path: Path) -> None:
    TRIED.clear()
    with pytest.raises(AssertionError) as caught:
        tried(tmp_path=tmp_path)
    assert TRIED == [0, 1, 2, 3, 4]
    told = str(caught.value)
    assert told.startswith("3 of 5 cases fail:\n1: AssertionError: 1 is odd")
    assert "\n3: AssertionError: 3 is odd" in told and "\n4: KeyError: 'four'" in told
    assert caught.value.__cause__ is not None and "1 is odd" in str(caught.value.__cause__)


def test_there_are_cases(tmp_path: Path) -> None:
    @together("number", [])
    def untried(number: int) -> None: ...

    with pytest.raises(AssertionError, match="no cases"):
        untried()


@together("one, other", [(1, 2), (3, 4)])
def test_a_case_of_several_parameters(one: int, other: int, tmp_path: Path) -> None:
    assert one + 1 == other and tmp_path.is_dir()

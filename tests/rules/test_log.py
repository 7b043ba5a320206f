"""A file that processes append to: what was written whole is there, what is damaged or of another origin never is."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from relaylogic.rulebase.specialised.log import Log


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "a.log"


def written(path: Path, origin: str = "these", **texts: str) -> None:
    log = Log(path, origin)
    for key, text in texts.items():
        log.add("R", key, text)
    log.write()


def texts(path: Path | None, origin: str = "these") -> dict[str, str]:
    return {key: text for name, key, text in Log(path, origin) if name == "R"}


def test_the_last_text_for_a_key_counts(path: Path) -> None:
    written(path, a="1", b="2")
    written(path, a="3")
    assert texts(path) == {"a": "3", "b": "2"}
    assert Log(path, "these").get("R", "a") == "3" and Log(path, "these").get("R", "c") is None


@pytest.mark.parametrize("text", ["", "two\nlines\n", "\ttab", "ä\x00\u2028\r", "\\n'\""])
def test_names_and_texts_may_be_any(path: Path, text: str) -> None:
    log = Log(path, "these")
    log.add("R", text, text)
    log.write()
    assert Log(path, "these").get("R", text) == text


def test_what_is_of_another_origin_counts_for_nothing(path: Path) -> None:
    written(path, a="1")
    assert texts(path, "others") == {}
    written(path, "others", a="2")
    assert (texts(path), texts(path, "others")) == ({"a": "1"}, {"a": "2"})


def test_a_file_that_is_mostly_useless_is_written_anew(path: Path) -> None:
    written(path, "others", a="1", b="2", c="3")
    written(path, a="4")
    assert texts(path, "others") == {} and texts(path) == {"a": "4"}
    for number in range(50):
        written(path, a=str(number))
        assert texts(path) == {"a": str(number)}
    assert len(path.read_text().split()) < 50
    assert [file.name for file in path.parent.iterdir()] == ["a.log"]


def test_damage_costs_what_is_damaged(path: Path) -> None:
    said = {"a": "first", "b": "second", "c": "third"}
    written(path, **said)
    whole = path.read_bytes()
    for at in range(len(whole)):
        for content in (whole[:at], bytes([*whole[:at], whole[at] ^ 1, *whole[at + 1 :]])):
            path.write_bytes(content)
            found = texts(path)
            assert found.items() <= said.items() and len(found) >= (1 if len(content) == len(whole) else 0)
            written(path, d="fourth")
            assert texts(path) == {**found, "d": "fourth"}


def test_without_a_file_it_is_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (None, tmp_path / "file" / "a.log"):
        log = Log(path, "these")
        log.add("R", "a", "1")
        log.write()
        assert log.get("R", "a") == "1" and texts(path) == {}


def test_what_is_dropped_is_gone_from_the_file_with_what_is_added_next(path: Path) -> None:
    log = Log(path, "these")
    for number in range(9):
        log.add("R", str(number), "even" if number % 2 == 0 else "odd")
    log.add("S", "0", "odd")
    log.write()
    log.drop(text="even")
    assert sorted(key for name, key, _ in log if name == "R") == ["1", "3", "5", "7"] and log.names == {"R": 4, "S": 1}
    log.drop(name="S")
    log.add("R", "10", "even")
    log.write()
    assert sorted(key for _, key, _ in Log(path, "these")) == ["1", "10", "3", "5", "7"]


def test_threads_append_at_the_same_time(path: Path) -> None:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)

    def work(worker: int) -> None:
        for number in range(30):
            written(path, **{f"k{worker}_{number}": "x" * 500})

    try:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(work, range(8)))
    finally:
        sys.setswitchinterval(interval)
    assert texts(path) == {f"k{worker}_{number}": "x" * 500 for worker in range(8) for number in range(30)}

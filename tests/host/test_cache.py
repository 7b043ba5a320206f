"""What is kept from one process to the next: it is made once, it is never wrong, and it is never needed."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from relaylogic.host.cache import kept

PROGRAM = "def @main(%x: Tensor[(2, 3), float32]) { nn.relu(%x) }"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RELAYLOGIC_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


class Maker:
    """Counts how often it is asked."""

    def __init__(self, data: object = None) -> None:
        self.data = {"a": [1, -2, "é"]} if data is None else data
        self.asked = 0

    def __call__(self) -> object:
        self.asked += 1
        return self.data


def test_it_is_made_once(folder: Path) -> None:
    make = Maker()
    assert [kept("x", "origin", make) for _ in range(3)] == [make.data] * 3
    assert make.asked == 1 and [path.name for path in folder.iterdir()] == ["x.json"]


def test_another_origin_is_made_anew(folder: Path) -> None:
    kept("x", "old", Maker("old"))
    make = Maker("new")
    assert kept("x", "new", make) == kept("x", "new", make) == "new"
    assert make.asked == 1


def test_what_is_damaged_is_made_again(folder: Path) -> None:
    kept("x", "origin", Maker())
    path = folder / "x.json"
    whole = path.read_bytes()
    damaged = [whole[:n] for n in range(len(whole))]
    damaged += [bytes([*whole[:n], whole[n] ^ 1, *whole[n + 1 :]]) for n in range(len(whole))]
    for content in [*damaged, b"[" * 100_000, whole + b" "]:
        path.write_bytes(content)
        make = Maker()
        assert kept("x", "origin", make) == make.data and make.asked == 1
        assert path.read_bytes() == whole


def test_many_write_at_once(folder: Path) -> None:
    data = list(range(20_000))

    def one(number: int) -> object:
        if number % 3 == 0:
            (folder / "x.json").unlink(missing_ok=True)
        return kept("x", "origin", lambda: data)

    with ThreadPoolExecutor(8) as threads:
        assert all(found == data for found in threads.map(one, range(100)))
    assert [path.name for path in folder.iterdir()] in (["x.json"], [])


def test_where_nothing_can_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.write_text("")
    for place in (str(file / "folder"), "", str(tmp_path / "long" / ("x" * 300))):
        monkeypatch.setenv("RELAYLOGIC_CACHE", place)
        make = Maker()
        assert kept("x", "origin", make) == kept("x", "origin", make) == make.data
        assert make.asked == 2


def _inferred(environment: dict[str, str]) -> tuple[int, str, str]:
    inherited = {k: v for k, v in os.environ.items() if k not in ("RELAYLOGIC_CACHE", "XDG_CACHE_HOME", "HOME")}
    done = subprocess.run(
        [sys.executable, "-m", "relaylogic", "infer", "-"],
        input=PROGRAM,
        env={**inherited, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout.rpartition(",")[0], done.stderr


def test_a_command_says_the_same_whatever_is_kept(tmp_path: Path) -> None:
    without = _inferred({"RELAYLOGIC_CACHE": ""})
    assert without[0] == 0 and not without[2]
    home = {"HOME": str(tmp_path)}
    assert _inferred(home) == _inferred(home) == without
    files = list((tmp_path / ".cache" / "relaylogic").iterdir())
    assert files
    for file in files:
        file.write_text("damaged")
    assert _inferred(home) == without
    for file in files:
        file.unlink()
        file.mkdir()
    assert _inferred(home) == without == _inferred({"HOME": "/proc"})

"""The schemas and templates are in what is installed."""

from __future__ import annotations

import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def data_files() -> set[str]:
    """The files of the package that are no Python and that its modules read."""
    package = ROOT / "relaylogic"
    found = {path.relative_to(ROOT).as_posix() for path in package.glob("schema/*.json")}
    return found | {path.relative_to(ROOT).as_posix() for path in package.glob("report/assets/*")}


def test_the_wheel_and_the_source_distribution_have_them(tmp_path, monkeypatch):
    """What the build makes ahead (tests/test_ahead.py) is asked for, and not made: other tests use what is there."""
    wheel = pytest.importorskip("hatchling.builders.wheel", reason="hatchling is missing: pip install -e '.[dev]'")
    sdist = pytest.importorskip("hatchling.builders.sdist")
    expected = data_files()
    assert "relaylogic/schema/infer.schema.json" in expected
    asked = []

    def asks(command, **_):
        asked.append(command[1:])
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(subprocess, "run", asks)
    (built,) = wheel.WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    assert asked == [["-m", "relaylogic.ahead"]]
    assert expected <= set(zipfile.ZipFile(built).namelist())
    (packed,) = sdist.SdistBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    with tarfile.open(packed) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert expected <= names

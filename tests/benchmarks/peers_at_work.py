"""Runs the peers' programs, where the peers are installed."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

__all__ = ["measured_peers"]

PEERS = Path(__file__).parent / "peers"
Measured = dict[str, tuple[int, float]]


def measured_peers(program: str) -> dict[str, Measured]:
    """What SWI-Prolog and Z3 say of a program's problems: how many answers, in how many CPU seconds.

    Z3 is run if this Python has it, or the one that RELAYLOGIC_Z3_PYTHON names.
    """
    found = {}
    if shutil.which("swipl"):
        found["swi"] = _measured(["swipl", "-q", str(PEERS / f"{program}.pl")])
    python = os.environ.get("RELAYLOGIC_Z3_PYTHON") or (sys.executable if importlib.util.find_spec("z3") else None)
    if python:
        found["z3"] = _measured([python, str(PEERS / f"{program}_z3.py")])
    return found


def _measured(command: list[str]) -> Measured:
    lines = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout.split("\n")
    rows = (line.split() for line in lines if line.strip())
    return {name: (int(answers), float(spent)) for name, answers, spent in rows}

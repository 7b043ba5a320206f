"""The saved network is what its builder builds, and comes out typed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from relaylogic.api import infer

ROOT = Path(__file__).resolve().parents[1]


def test_resnet50_is_what_its_builder_builds():
    built = subprocess.run(
        [sys.executable, "examples/build_resnet.py"],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    saved = (ROOT / "examples" / "resnet50.relay").read_text()
    assert built.stdout == saved
    result = infer(saved)
    assert result.verdict == "typed"
    assert str(result.functions["main"].ret_type) == "Tensor[(1, 1000), float32]"
    assert str(result.functions["main"].arg_types[1]) == "Tensor[(64, 3, 7, 7), float32]"

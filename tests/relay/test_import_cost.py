"""Importing the package is cheap and pulls in nothing that is not needed yet."""

from __future__ import annotations

import subprocess
import sys
import time

HEAVY = ["lark", "numpy", "rich", "click", "onnx", "prompt_toolkit"]


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60).stdout


def seconds(code):
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        run(code)
        best = min(best, time.perf_counter() - start)
    return best


def test_what_importing_loads():
    code = f"import sys, relaylogic; print([m for m in {HEAVY!r} if m in sys.modules])"
    assert run(code).strip() == "[]"


def test_what_building_and_inferring_loads():
    code = (
        "import sys\nfrom relaylogic import relay\n"
        "x = relay.var('x', shape=(2,))\n"
        "relay.transform.InferTypeLocal(relay.nn.relu(x) + relay.const([1.0, 2.0]))\n"
        f"print([m for m in {HEAVY!r} if m in sys.modules])"
    )
    assert run(code).strip() == "[]"


def test_import_takes_at_most_twice_that_of_kanren():
    nothing, kanren = seconds("pass"), seconds("import kanren")
    assert seconds("import relaylogic") - nothing <= 2 * (kanren - nothing) + 0.05
    assert seconds("from relaylogic import relay") <= 2 * kanren + 0.1

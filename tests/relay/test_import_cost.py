"""Importing the package is cheap and pulls in nothing that is not needed yet."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ["lark", "numpy", "rich", "click", "onnx", "prompt_toolkit"]


def run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60).stdout


COUNTED = """
import sys
calls = 0
def called(frame, event, argument):
    global calls
    calls += event == "call"
sys.setprofile(called)
{code}
sys.setprofile(None)
print(calls)
"""


def work(code):
    """The calls of functions that it takes: as many on each machine, however busy that is."""
    return int(run(COUNTED.format(code=code)))


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
    kanren = work("import kanren")
    assert 4 * work("import relaylogic") <= kanren  # what is not needed yet is not loaded yet
    assert work("from relaylogic import relay") <= 2 * kanren

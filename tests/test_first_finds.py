"""What the first fuzzing found and no other test is named for: limits that did not hold, programs that hung.

What else it found has its tests where it belongs:

1. crashes that were verdicts, broken pipes, full disks, closed streams: tests/cli/test_endings.py and test_faults.py;
2. rules in Python that ran without a word, or ended the command: tests/rules/test_trust.py, tests/cli/test_endings.py;
3. limits of commands and of the library: tests/cli/test_limits.py and tests/host/test_governor.py;
4. types that share their parts: tests/types/test_sharing.py; constants and functions of ONNX that double:
   tests/frontend/test_onnx_limits.py;
5. tracebacks from texts: tests/text/test_errors.py and tests/types/test_sharing.py; from clauses:
   tests/clauses/test_errors.py; from the top level: tests/cli/test_listing.py and tests/cli/test_queries.py; from
   encodings: tests/cli/test_endings.py;
6. printing that lost scopes: tests/text/test_round_trip.py and tests/infer/test_shared_scopes.py;
7. what the API was given: tests/infer/test_well_formed.py, tests/infer/test_pickling.py, tests/relay/test_misuse.py;
8. windows that do not fit: tests/rules/test_windows.py and tests/rules/test_image.py;
9. byte order marks: tests/clauses/test_files.py; extents outside of the universe: tests/typings/test_programs.py.

What later fuzzing found is in tests/fuzz/test_what_broke.py.
"""

from __future__ import annotations

import subprocess
import sys
from itertools import islice

import pytest

import relaylogic
from relaylogic.host.governor import LimitReached
from relaylogic.types.universe import UniverseError
from relaylogic.typings.query import count_query
from tests.cli.running import run
from tests.counted import at_most

SIXTY = "100433627766186892221372630609062766858404681029709092356097"
DOUBLED = ", ".join(f"X{i} = (X{i + 1}, X{i + 1})" for i in range(60))


@pytest.fixture(autouse=True)
def little_work():
    """Each of these ended long after any limit, or never."""
    with at_most(10_000_000):
        yield


def test_factoring_is_charged():
    assert run("query", "--steps", 10, f"n * m = {SIXTY}").code == 3
    with relaylogic.limits(steps=10_000):
        answers = relaylogic.query(f"n * m = {SIXTY}, n > 1, m > 1")
        assert list(islice(answers, 3)) == [] and answers.status == "unknown: step limit"


def test_a_relation_that_grows_for_ever_is_charged(tmp_path):
    (tmp_path / "grow.rel").write_text("R(A) :- R((A, A)).\n")
    done = run("query", "--steps", 500, "--rules", tmp_path, "R(A)")
    assert done.code == 3 and "step limit" in done.out + done.err


def test_a_product_of_ones_is_computed_in_time():
    assert run("query", f"n = {'1*' * 40}1").out.startswith("n = 1\n")
    assert run("query", f"n = {'(' * 40}1{'*1)' * 40}").out.startswith("n = 1\n")


def test_answers_that_share_are_printed_in_linear_length():
    done = run("query", DOUBLED)
    assert done.code == 0 and len(done.out) < 20_000
    shown = run("query", "--format", "json", DOUBLED)
    assert shown.code == 0 and len(shown.out) < 40_000


def test_counts_are_charged():
    with pytest.raises(LimitReached, match="step limit"), relaylogic.limits(steps=100_000):
        square = "A = Tensor[(a, b, c, d), int8], a * a * a + b * b * b + c * c * c = d * d * d"
        count_query(square, max_dim=10**6, ground=True, steps=10**15)


def test_inference_has_limits():
    for limit, value in (("--steps", 2), ("--time", 0.000001), ("--output", 5)):
        done = run("infer", limit, value, "-", given="def @main(%x, %y) { add(%x, %y) }")
        assert done.code == 3, (limit, done)


@pytest.mark.parametrize("form", ["text", "json"])
def test_sixty_tuples_of_twice_the_last(form: str):
    lets = "".join(f"let %t{i + 1} = (%t{i}, %t{i}); " for i in range(60))
    done = run("infer", "--format", form, "-", given=f"def @main(%t0: int8) {{ {lets}%t60 }}")
    assert done.code == 0 and len(done.out) < 50_000


def test_fifteen_hundred_fields_of_fields():
    done = run("infer", "--quiet", "-", given=f"def @main(%x: int8) {{ %x{'.0' * 1_500} }}")
    assert done.code == 1
    assert relaylogic.infer(f"def @main(%x) {{ %x{'.0' * 1_500} }}").verdict == "typed"


MEASURED = """
import relaylogic
axes = ", ".join(["2"] * {rank})
text = f"def @main(%x: Tensor[({{axes}}), int8], %y: Tensor[({{axes}}), int8]) {{{{ add(%x, %y) }}}}"
assert relaylogic.infer(text).verdict == "typed"
print(*[line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")])
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the resident size is read from /proc")
def test_addition_of_rank_ten_thousand_takes_less_than_a_hundred_megabytes():
    done = subprocess.run(
        [sys.executable, "-c", MEASURED.format(rank=10_000)], capture_output=True, text=True, check=True
    )
    assert int(done.stdout) < 100_000


def test_dtypes_are_no_letters():
    with pytest.raises(UniverseError, match="is a list of dtypes"):
        relaylogic.query("Broadcast(A, B, C)", dtypes="float32")


def test_loading_rules_leaves_no_modules_behind():
    from relaylogic.rulebase import load_rules

    load_rules()
    before = set(sys.modules)
    for _ in range(3):
        load_rules()
    assert set(sys.modules) == before

"""Cases with a fixed seed (two thousand in a thorough run), and every find that was kept: no invariant is broken."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

import relaylogic.explain.examples as described
from tests import effort
from tests.effort import some
from tests.fuzz import rule_files
from tests.fuzz.broken import TOO_SLOW
from tests.fuzz.campaign import FOUND, PATIENCE, case_of, compare_hash_seeds, keep, run_case, run_cases
from tests.fuzz.kinds import Kind, all_kinds
from tests.fuzz.limited import alike, stopped_within
from tests.fuzz.reduce import reduced, shorter_texts

SEED = "1"
CASES = {"text": 490, "clauses": 340, "rules": 150, "onnx": 580, "api": 300, "commands": 90, "lines": 50}
EVERY = {"text": 60, "clauses": 50, "rules": 60, "onnx": 20, "api": 40, "commands": 30, "lines": 20}
SLOW = {"text", "onnx"}  # of which half as many are run
LEAST_MEANINGFUL = 0.4  # of the cases of each kind are no errors of syntax or of building; of a few, one is none
MEANINGLESS = {"parse error", "refused", "not converted", "ill-formed", "half raised", "code 2", "errors alone"}
KINDS = all_kinds()


def kind_of(name: str) -> Kind:
    if name not in KINDS:
        pytest.skip(f"the package {name} is not installed: its cases are not run")
    return KINDS[name]


def cases_of(name: str) -> Sequence[int]:
    """The numbers of the cases of a kind that are run."""
    return some(range(CASES[name]), 40 if name in SLOW else 20)


@pytest.mark.parametrize("name", CASES)
def test_cases_of_a_fixed_seed(name: str) -> None:
    kind, cases = kind_of(name), cases_of(name)
    tally, _ = run_cases(kind, SEED, cases, EVERY[name])
    assert not tally.finds, "\n\n".join(f"{find.law}\n{find.detail}\n{find.case!r}" for find in tally.finds)
    assert tally.cases == len(cases)
    meaningful = tally.cases - sum(tally.outcomes[outcome] for outcome in MEANINGLESS)
    assert meaningful >= (LEAST_MEANINGFUL * tally.cases if effort.THOROUGH else 1), str(tally)


def test_hash_seeds_do_not_matter_for_a_sample() -> None:
    """One process is asked about all kinds: each takes as long to begin as its cases take."""
    kinds = [KINDS[name] for name in CASES if name in KINDS]
    sample = {kind.name: [case_of(kind, SEED, n) for n in cases_of(kind.name)[1 :: EVERY[kind.name]]] for kind in kinds}
    assert all(sample.values())
    assert not compare_hash_seeds(kinds, sample, 7)


@pytest.mark.parametrize("path", sorted(p for p in FOUND.glob("*") if p.suffix != ".json"), ids=lambda path: path.name)
def test_finds_that_were_kept(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a usual run, calls of what was too slow take a fifth of the steps, for which there is a fifth of the time."""
    kind = kind_of(path.name.partition("-")[0])
    data = path.read_bytes()
    was_slow = json.loads(path.with_suffix(".json").read_text())["law"] == TOO_SLOW
    less = 5 if was_slow and not effort.THOROUGH else 1
    for module, name in ((rule_files, "INFERRED"), (described, "STEPS"), (described, "ALL_STEPS")):
        monkeypatch.setattr(module, name, getattr(module, name) // less)
    case = data if kind.name == "onnx" else data.decode("utf-8", "surrogatepass")
    _, broken = run_case(kind, case, effort.THOROUGH or not was_slow, PATIENCE / less)
    assert broken is None, broken


# ---- the fuzzer itself


def test_a_find_is_made_small_and_kept(tmp_path: Path) -> None:
    def check(case: str | bytes, thorough: bool) -> str:
        if "nn.dense" in str(case):
            raise KeyError("weird")
        return "typed"

    kind = KINDS["text"]._replace(
        check=check, make=lambda random: f"def @main(%x) {{ nn.dense(%x, {random.random()}) }}"
    )
    tally, _ = run_cases(kind, "0", range(3), 2)
    assert tally.outcomes == {"broken": 3} and len(tally.finds) == 3
    assert tally.finds[0].law.startswith("only documented errors: KeyError")
    path = keep(kind, tally.finds[0], 5, tmp_path)
    assert path.read_text() == "nn.dense" and path.suffix == ".relay" and path.with_suffix(".json").exists()


def test_a_case_that_never_ends_is_a_find() -> None:
    def check(case: str | bytes, thorough: bool) -> str:
        while True:
            try:
                while True:
                    pass
            except Exception:
                pass

    outcome, broken = run_case(KINDS["text"]._replace(check=check), "x", seconds=0.2)
    assert outcome == "broken" and broken is not None and broken.law == "limits hold: time"


def test_cases_can_be_made_again() -> None:
    for kind in KINDS.values():
        first, second = (
            run_cases(kind._replace(check=lambda case, _: str(hash(case))), "5", range(3), 9) for _ in "ab"
        )
        assert first[0].outcomes == second[0].outcomes


def test_reduction_keeps_brackets_together() -> None:
    text = "def @main(%x) {\n  let %y = (add(%x, (1, 2)), 3);\n  %y\n}\n"
    small = reduced(
        text, lambda case: "add(" in str(case) and str(case).count("(") == str(case).count(")"), shorter_texts
    )
    assert small == "add()"


def test_a_case_that_is_slow_once_is_no_find() -> None:
    """A machine may be busy, and a first use makes tables."""
    runs = []

    def check(case: str | bytes, thorough: bool) -> str:
        runs.append(case)
        while len(runs) == 1:
            pass
        return "typed"

    assert run_case(KINDS["text"]._replace(check=check, own_limits=True), "x", seconds=0.2) == ("typed", None)
    assert len(runs) == 2


def test_waiting_for_the_machine_is_not_being_slow() -> None:
    """A process that is not run for a while leaves its limit late by the clock on the wall alone."""
    stopped_within("time", 0.01, lambda: time.sleep(1.5) or "done")


def test_summaries_are_alike_if_steps_ended_one_earlier() -> None:
    ended = '[["A = B"], "unknown: step limit"]'
    assert alike(ended, '[["A = B", "A = C"], "exhausted"]') and alike('[["A = B", "A = C"], "exhausted"]', ended)
    assert not alike(ended, '[["A = C"], "exhausted"]')
    assert not alike('[["A = B"], "exhausted"]', '[["A = C"], "exhausted"]')
    assert not alike('[["A = B"], "unknown: time limit"]', '[["A = B", "A = C"], "exhausted"]')

"""Threads that are the first to use the library find what one thread finds."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import islice
from pathlib import Path

import pytest

import relaylogic
from relaylogic.explain import explained
from relaylogic.host.once import cached_property, once
from relaylogic.rulebase import load_rules
from relaylogic.text import ParseError
from tests.conformance.programs import lines, networks
from tests.effort import examples, some

WORKER = Path(__file__).with_name("in_threads.py")
OWN_RULES = """
Doubled(Tensor[(n, ...rest), bt], Tensor[(2 * n, ...rest), bt]).
operator doubled (data) : Doubled.
"""
CALLS_OF_IT = [
    "def @main(%x: Tensor[(2, 3), float32]) { doubled(%x) }",
    "def @main(%x) -> Tensor[(8, 3), float32] { doubled(%x) }",
    "def @main(%x) -> Tensor[(7, 3), float32] { doubled(%x) }",
    "def @main(%x) { doubled(doubled(%x)) }",
]
FIRST_USES = """
import sys
import threading
import traceback

import relaylogic

TEXT = "def @main(%x: Tensor[(2, 3), float32]) { nn.relu(%x) }"
OPEN = "def @main(%x, %y: Tensor[(2, 2), float32]) -> Tensor[(2, 2), float32] { add(%x, %y) }"
USES = [
    lambda: relaylogic.infer(TEXT).verdict,
    lambda: relaylogic.relay.transform.InferTypeLocal(relaylogic.relay.nn.relu(relaylogic.relay.var("x", shape=(2,)))),
    lambda: next(iter(relaylogic.query("Broadcast(A, B, Tensor[(5, 3), float32])"))),
    lambda: relaylogic.parse('import "prelude"' + TEXT),
    lambda: relaylogic.infer_call("nn.dense", ["Tensor[(2, 3), float32]", "_"], {"units": 3}).residue,
    lambda: list(relaylogic.typings(relaylogic.parse(OPEN))),
    lambda: relaylogic.relay.op.get("add").num_inputs,
    lambda: relaylogic.tir.Any(),
    lambda: relaylogic.relay.transform.InferType()(relaylogic.relay.fromtext(TEXT)),
    lambda: relaylogic.relay.var("x", shape=(2,)) + relaylogic.relay.const(1.0),
]
failures = []

def work(use):
    try:
        use()
    except BaseException:
        failures.append(traceback.format_exc())

sys.setswitchinterval(1e-6)
threads = [threading.Thread(target=work, args=(use,)) for use in USES]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
sys.exit("".join(failures) or 0)
"""


@pytest.fixture(scope="module")
def programs():
    """Every second of the thousand smallest programs, and some networks."""
    texts = sorted((entry["text"] for entry in lines("programs")), key=len)[:1000:2]
    texts += sorted((entry["text"] for entry in networks().values()), key=len)[:46]
    return [*some(texts, 30), *CALLS_OF_IT]


def test_eight_threads_find_what_one_finds(programs, tmp_path):
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules" / "own.rel").write_text(OWN_RULES, encoding="utf-8")
    (tmp_path / "programs.json").write_text(json.dumps(programs), encoding="utf-8")
    runs = {}
    for count in (1, 8):
        command = [sys.executable, str(WORKER), str(tmp_path / "programs.json"), str(count), str(tmp_path / "rules")]
        with open(tmp_path / f"{count}.jsonl", "wb") as out:
            runs[count] = subprocess.Popen(command, stdout=out, stderr=subprocess.PIPE)
    for count, run in runs.items():
        _, problems = run.communicate(timeout=300)
        assert run.returncode == 0, (count, problems.decode())
    said = [(tmp_path / f"{count}.jsonl").read_text(encoding="utf-8") for count in (1, 8)]
    alone, together = ([json.loads(line) for line in text.splitlines()] for text in said)
    assert len(alone) == len(together) == len(programs) == len(some(range(546), 30)) + len(CALLS_OF_IT)
    different = [(text, a, b) for text, a, b in zip(programs, alone, together, strict=True) if a != b]
    assert not different, f"{len(different)} differ; the first: {different[0]}"
    assert [own[0] for _, own in alone[-4:]] == ["typed", "typed", "refuted", "typed"]
    assert all(default[0] == "refuted" for default, _ in alone[-4:])


@pytest.mark.parametrize("attempt", range(3))
def test_eight_first_uses_at_the_same_time(attempt):
    run = subprocess.run([sys.executable, "-c", FIRST_USES], capture_output=True, text=True, timeout=120, check=False)
    assert run.returncode == 0, run.stderr


def test_what_is_made_once_is_made_once():
    made = []

    @once
    def thing():
        time.sleep(0.02)
        made.append(object())
        return made[-1]

    found = []
    threads = [threading.Thread(target=lambda: found.append(thing())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1
    assert found == made * 8


def in_eight_threads(ask):
    """What eight threads that ask at the same time get, as often as they switch."""
    begin = threading.Barrier(8)

    def asked(_):
        begin.wait()
        return ask()

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            return list(pool.map(asked, range(8)))
    finally:
        sys.setswitchinterval(interval)


def all_of(result):
    """All that a result works out when it is asked."""
    weight = result.module["main"].params[1]
    found = [result.conflicts(), result.corrections(), result.errors, result.trace]
    derivation = result.derivations().of(weight)
    return [*map(list, found), result.why(weight, "rank").places, derivation, result.to_json(most=9)]


def test_threads_share_a_result():
    """They were told that a generator was running already, and that a weight has its type from nowhere."""
    text = """def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(4, 5), float32]) {
      let %y = nn.dense(%x, %w, units=4);
      add(add(%y, %x), %w)
    }"""
    expected = all_of(relaylogic.infer(text))
    for _ in range(3):
        result = relaylogic.infer(text)
        assert in_eight_threads(lambda: all_of(result)) == [expected] * 8  # noqa: B023


def test_a_thread_does_not_wait_for_the_errors_of_another_program(monkeypatch):
    """Before Python 3.12 what is worked out lazily was worked out under one lock for all results."""
    slow, quick = (
        relaylogic.infer(f"def @main(%x: Tensor[({n}, 3), int8], %y: Tensor[(4, 3), int8]) {{ add(%x, %y) }}")
        for n in (2, 3)
    )
    begun, goes_on = threading.Event(), threading.Event()

    def diagnosed(said):
        if not begun.is_set():
            begun.set()
            goes_on.wait(60)
        return explained_by(said)

    explained_by = explained.diagnosed
    monkeypatch.setattr(explained, "diagnosed", diagnosed)
    with ThreadPoolExecutor(2) as pool:
        try:
            first = pool.submit(lambda: slow.errors)
            assert begun.wait(60)
            assert len(pool.submit(lambda: quick.errors).result(timeout=60)) == 1
            assert not first.done()
        finally:
            goes_on.set()
        assert len(first.result(timeout=60)) == 1


def test_all_threads_get_the_same_of_what_an_object_keeps():
    class Thing:
        @cached_property
        def part(self):
            """Its part."""
            time.sleep(0.01)
            return object()

    for _ in range(3):
        thing = Thing()
        found = in_eight_threads(lambda: thing.part)  # noqa: B023
        assert len(set(found)) == 1 and found[0] is thing.part
    assert Thing.part.__doc__ == "Its part."


AT_ONCE = [
    "def @main(%x: Tensor[(2, 3), float32], %w) { nn.dense(nn.relu(%x), %w, units=4) }",
    "def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(4, 5), float32]) { nn.dense(nn.relu(%x), %w) }",
    "def @main(%x: Tensor[(_, 3), float32]) { match (C(nn.relu(%x), N)) { C(%h, _) => add(%h, %x), N => %x } }\n"
    "type L[A] { C(A, L[A]), N }",
    "def @f(%x) { nn.relu(%x) } def @main(%x: Tensor[(2, _), float32]) -> Tensor[(_, 4), float32] { doubled(@f(%x)) }",
]


def asked_in_turn(text, rules):
    """What a program is inferred to be and why, its first typings, and what it is after an edit and the next one."""
    result = relaylogic.infer(text, rules=rules)
    said = [result.to_json(most=3)]
    if result.verdict == "typed":
        said.append([str(place) for place in result.why(result.module["main"].params[0], "shape").places])
        bounds = {"max_dim": 4, "max_rank": 2, "dtypes": ["float32"]}
        said += map(str, islice(relaylogic.typings(text, rules=rules, **bounds), examples(20, 3)))
    session = relaylogic.Session(text, rules=rules)
    for old, new in (("nn.relu", "exp"), ("exp", "nosuch"), ("nosuch", "tanh")):
        session.edit((session.text.index(old), session.text.index(old) + len(old)), new)
        with suppress(ParseError):
            session.infer()
        said += [str(session.functions), list(map(str, session.errors))]
    return said


def test_threads_infer_explain_list_and_edit_at_once(tmp_path):
    (tmp_path / "own.rel").write_text(OWN_RULES, encoding="utf-8")
    alone = load_rules(tmp_path / "own.rel")
    expected = [asked_in_turn(text, alone) for text in AT_ONCE]
    shared = load_rules(tmp_path / "own.rel")
    found = in_eight_threads(lambda: [asked_in_turn(text, shared) for text in AT_ONCE])
    assert found == [expected] * 8


def test_threads_share_answers():
    found = relaylogic.query("n * m * k * i = 720", ground=True)
    shares = in_eight_threads(lambda: list(map(str, found)))
    assert sorted(answer for share in shares for answer in share) == sorted(
        map(str, relaylogic.query("n * m * k * i = 720", ground=True))
    )
    assert found.status == "exhausted"


REFUTED = "def @main(%x: Tensor[(2, 3), float32], %y: Tensor[(4, 3), float32]) { add(%x, %y) }"


@pytest.mark.parametrize(
    "ask",
    [
        lambda held: held["result"].errors,
        lambda held: next(held["result"].conflicts()),
        lambda held: held["result"].trace,
        lambda held: held["session"].infer(),
        lambda held: next(held["answers"]),
    ],
    ids=["errors", "conflicts", "trace", "session", "answers"],
)
def test_who_waits_for_another_thread_sees_its_own_limits(ask):
    held = {
        "result": relaylogic.infer(REFUTED),
        "session": relaylogic.Session(REFUTED),
        "answers": relaylogic.query("Broadcast(A, B, Tensor[(5, 3), float32])"),
    }
    taken, leave = threading.Event(), threading.Event()

    def hold():
        with held["result"]._lock, held["session"]._lock, held["answers"]._lock:
            taken.set()
            leave.wait(60)

    holder = threading.Thread(target=hold)
    holder.start()
    assert taken.wait(60)
    try:
        with pytest.raises(relaylogic.LimitReached), relaylogic.limits(time=0.05):
            ask(held)
    finally:
        leave.set()
        holder.join()
    assert ask(held)

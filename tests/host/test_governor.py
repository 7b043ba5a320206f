"""Limits in the library: what they end in, how they nest, and that nothing is broken afterwards."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import relaylogic
import relaylogic.infer.program
from relaylogic import limits
from relaylogic.host import governor, watcher
from relaylogic.host.governor import current
from relaylogic.logic.control import Budget, StepLimit
from relaylogic.logic.large import LONGEST, product_of, quotient_of
from relaylogic.rulebase import RuleBase, default_rules, load_rules
from tests.effort import examples

LONG = 20.0  # seconds of the processor: what is stopped after a fraction of one ends by then

FIRST = "def @a_first(%x: Tensor[(2, 3), float32]) { nn.relu(%x) }\n"


def chain(length: int) -> str:
    """A program of so many calls, one after the other."""
    lines = [f"let %v{i + 1} = nn.relu(%v{i});" for i in range(length)]
    return f"def @main(%v0: Tensor[(2, 3), float32]) {{ {' '.join(lines)} %v{length} }}"


def distinct(number: int) -> str:
    """A program of so many functions, each with calls that no other one has."""
    return "\n".join(
        f"def @f{i}(%x: Tensor[({i + 1}, 3, 2), float32]) {{ nn.batch_flatten(transpose(%x, axes=[2, 0, 1])) }}"
        for i in range(number)
    )


SQUARINGS = "x0 = 1234567, " + ", ".join(f"x{i + 1} = x{i} * x{i}" for i in range(60))
PRODUCT = "*".join(f"(a{i} + b{i} + 1)" for i in range(30))
FACTORED = "n * m = " + "7" * 250 + "3"
LISTS = "Tensor[s, t] = A, " + ", ".join(f"len(s{i or ''}) = 150000" for i in range(20))  # each takes a second
ENDLESS = "n * m = k"


LATE = 1000.0


class Clock:
    """A clock for limits that stands until somebody sets it: how busy the machine is does not matter."""

    now = 0.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of all limits that a test sets."""
    stands = Clock()
    monkeypatch.setattr(governor, "_now", lambda: stands.now)
    return stands


@pytest.fixture(scope="module")
def rules() -> RuleBase:
    """A rule base of its own, whose tables tests may empty."""
    return load_rules()


# --- what a limit ends in ---------------------------------------------------------------------------------------------


def test_inference_that_reaches_its_time_is_unknown() -> None:
    started = time.process_time()
    with relaylogic.limits(time=0.2):
        result = relaylogic.infer(chain(200_000))
    assert time.process_time() - started < LONG
    assert (result.verdict, result.limit) == ("unknown", "time limit")
    assert [item.limit for item in result.residue] == ["time limit"]
    assert result.to_dict()["limit"] == "time limit"
    assert result.to_dict()["residue"][0]["limit"] == "time limit"


def test_what_was_done_before_a_limit_is_found(rules: RuleBase) -> None:
    rules.forget()
    module = relaylogic.parse(FIRST + distinct(2000))
    with relaylogic.limits(steps=300):
        result = relaylogic.infer(module, rules=rules)
    assert (result.verdict, result.limit) == ("unknown", "step limit")
    assert str(result.functions["a_first"]) == "fn (Tensor[(2, 3), float32]) -> Tensor[(2, 3), float32]"
    assert 1 < len(result.functions) < 2000
    assert {call.function for call in result.calls} == set(result.functions)
    again = pickle.loads(pickle.dumps(result))
    assert (again.limit, again.reached.value) == ("step limit", 300)


def test_reading_takes_steps() -> None:
    with pytest.raises(relaylogic.LimitReached, match="step limit"), relaylogic.limits(steps=1000):
        relaylogic.parse(chain(300_000))


def test_a_call_may_reach_a_limit(rules: RuleBase) -> None:
    rules.forget()
    with relaylogic.limits(steps=1):
        assert relaylogic.infer_call("add", ["_", "Tensor[(2, 3), int8]"], rules=rules).limit == "step limit"


def test_memory() -> None:
    with relaylogic.limits(memory=7_000_000):
        result = relaylogic.infer(chain(100_000))
    assert (result.verdict, result.limit) == ("unknown", "memory limit")


def test_what_is_charged_before_it_is_made_is_never_made() -> None:
    numbers = ", ".join(["1"] * 300_000)
    program = f"def @main(%x: Tensor[(2, 3), float32]) {{ reshape(%x, newshape=[{numbers}]) }}".replace(", 1", ",1")
    with relaylogic.limits(memory=5_000_000):
        assert relaylogic.infer(program).limit == "memory limit"


def test_a_memory_error_is_the_limit_of_memory() -> None:
    def fails() -> None:
        raise MemoryError

    with relaylogic.limits(memory=10**12), pytest.raises(relaylogic.LimitReached) as caught:
        governor.governed(fails)
    assert caught.value.limit == "memory"
    with pytest.raises(MemoryError):
        governor.governed(fails)


def test_parsing_raises_a_documented_error() -> None:
    with relaylogic.limits(time=0.1), pytest.raises(relaylogic.LimitReached) as caught:
        relaylogic.parse(chain(300_000))
    assert isinstance(caught.value, relaylogic.RelayLogicError)
    assert (caught.value.limit, caught.value.value) == ("time", 0.1)
    assert "unknown: time limit of 0.1 s reached" in str(caught.value) and "--time" in str(caught.value)
    assert pickle.loads(pickle.dumps(caught.value)).limit == "time"


@pytest.mark.parametrize("query", [SQUARINGS, f"x = {PRODUCT}", FACTORED, LISTS])
def test_queries(query: str) -> None:
    started = time.process_time()
    with relaylogic.limits(time=0.3):
        answers = relaylogic.query(query, steps=10**12)
        found = list(answers)
    assert time.process_time() - started < LONG
    assert (found, answers.status) == ([], "unknown: time limit")


def test_a_search_without_an_end_gives_what_it_found(clock: Clock) -> None:
    with relaylogic.limits(time=0.5):
        answers = relaylogic.query(ENDLESS, ground=True)
        found = [next(answers) for _ in range(3)]
        clock.now = LATE
        found += answers
    assert len(found) >= 3 and answers.status == "unknown: time limit"
    assert answers.limit is not None and answers.limit.value == 0.5


def test_output() -> None:
    result = relaylogic.infer(distinct(20))
    with relaylogic.limits(output=100), pytest.raises(relaylogic.LimitReached, match="output limit of 100 characters"):
        result.to_json()
    assert "f19" in result.to_json()
    assert json.loads(result.to_json("f.relay")) == result.to_dict("f.relay")


@pytest.mark.parametrize(
    "shown",
    [
        repr,
        lambda result: result.to_json(),
        lambda result: result.module.astext(),
        lambda result: str(result.module),
        lambda result: result._repr_html_(),
        lambda result: result._repr_mimebundle_(),
        lambda result: relaylogic.relay.transform.InferType()(result.module)._repr_html_(),
    ],
)
def test_what_is_shown_is_charged(shown: Callable[[relaylogic.Result], object]) -> None:
    result = relaylogic.infer(distinct(20))
    with relaylogic.limits(output=100), pytest.raises(relaylogic.LimitReached, match="output limit of 100 characters"):
        shown(result)
    with relaylogic.limits(output=100_000):
        assert shown(result)


def test_a_limit_that_is_reached_while_inference_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    def stops(*_: object, **__: object) -> None:
        governor.spend(10)

    monkeypatch.setattr(relaylogic.infer.program, "Driver", stops)
    module = relaylogic.parse(FIRST)
    with relaylogic.limits(steps=5):
        assert relaylogic.infer(module).limit == "step limit"


@pytest.mark.parametrize("steps", [1, 2, 3, 5, 8, 13, 21, 34])
def test_what_needs_a_whole_inference_raises(steps: int) -> None:
    """A pass, and the conversion of a model, have no use for the types that were found until then."""
    module = relaylogic.parse(distinct(5))
    expr = relaylogic.relay.nn.batch_flatten(relaylogic.relay.var("x", shape=(2, 3, steps)))
    default_rules().forget()
    with relaylogic.limits(steps=steps), pytest.raises(relaylogic.LimitReached, match="step limit"):
        relaylogic.relay.transform.InferType()(module)
    default_rules().forget()
    with relaylogic.limits(steps=1), pytest.raises(relaylogic.LimitReached, match="step limit"):
        relaylogic.relay.transform.InferTypeLocal(expr)
    assert str(relaylogic.relay.transform.InferTypeLocal(expr)) == f"Tensor[(2, {3 * steps}), float32]"


@pytest.mark.parametrize("steps", [1, 20, 60])
def test_conflicts_that_a_limit_has_stopped_are_found_later(steps: int) -> None:
    """There were said to be none, or no more than had been found."""
    text = """def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(4, 5), float32]) {
      let %y = nn.dense(%x, %w, units=4);
      add(add(%y, %x), %w)
    }"""
    expected, result = relaylogic.infer(text), relaylogic.infer(text)
    stopped = 0
    for ask in (result.conflicts, result.corrections):
        try:
            with relaylogic.limits(steps=steps):
                list(ask())
        except relaylogic.LimitReached:
            stopped += 1
    assert stopped
    assert list(result.conflicts()) == list(expected.conflicts())
    assert list(result.corrections()) == list(expected.corrections())


def test_a_model_that_is_stopped_is_not_malformed() -> None:
    parser = pytest.importorskip("onnx.parser")
    from relaylogic.frontend import from_onnx

    model = parser.parse_model(
        '<ir_version: 8, opset_import: ["" : 17]> '
        "agraph (float[2, 3] x, float[3, 4] w) => (float[2, 4] y) { z = MatMul(x, w) s = Relu(z) y = Flatten(s) }"
    )
    rules, verdicts = default_rules(), set()
    for steps in [*range(1, 40), 10_000]:
        rules.forget()
        try:
            with relaylogic.limits(steps=steps):
                module = from_onnx(model)
        except relaylogic.LimitReached as reached:
            verdicts.add(reached.limit)
        else:
            verdicts.add(relaylogic.infer(module).verdict)
    assert verdicts == {"steps", "typed"}


@pytest.mark.parametrize("wrong", [{"time": 0}, {"steps": -1}, {"memory": 1.5}, {"output": True}, {"time": "1"}])
def test_a_limit_is_a_positive_number(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        relaylogic.limits(**wrong)  # type: ignore[arg-type]


# --- nesting, threads -------------------------------------------------------------------------------------------------


def test_an_inner_block_gives_no_more_than_the_outer_one(rules: RuleBase) -> None:
    rules.forget()
    with relaylogic.limits(steps=50), relaylogic.limits(steps=10**9, time=100):
        result = relaylogic.infer(distinct(2000), rules=rules)
    assert result.limit == "step limit" and result.reached is not None and result.reached.value == 50


def test_what_is_spent_inside_is_spent_outside(rules: RuleBase) -> None:
    program = distinct(30)
    with relaylogic.limits(steps=10**9) as one:
        rules.forget()
        assert relaylogic.infer(program, rules=rules).verdict == "typed"
    needed = 10**9 - one.steps_left
    with relaylogic.limits(steps=needed + needed // 2):
        rules.forget()
        with relaylogic.limits(steps=2 * needed):
            assert relaylogic.infer(program, rules=rules).verdict == "typed"
        rules.forget()
        assert relaylogic.infer(program, rules=rules).limit == "step limit"


def test_a_block_that_is_over_limits_nothing(rules: RuleBase) -> None:
    with relaylogic.limits(steps=1):
        answers = relaylogic.query("member(n, (1, 2, 3))", rules=rules)
        assert list(answers) == [] and answers.status == "unknown: step limit"
        later = relaylogic.query("member(n, (1, 2, 3))", rules=rules)
    assert governor.current() is None
    assert later.status  # it was stopped in there
    with relaylogic.limits(steps=10**6):
        begun = relaylogic.query("member(n, (1, 2, 3))", rules=rules)
        next(begun)
    assert [str(answer) for answer in begun] == ["n = 2", "n = 3"]


def test_threads_have_their_own_limits(rules: RuleBase) -> None:
    found: dict[str, str] = {}

    def limited() -> None:
        with relaylogic.limits(steps=20):
            found["limited"] = relaylogic.infer(distinct(500), rules=load_rules()).verdict

    def free() -> None:
        found["free"] = relaylogic.infer(distinct(100), rules=rules).verdict

    threads = [threading.Thread(target=work) for work in (limited, free)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {"limited": "unknown", "free": "typed"}


def test_what_never_looks_is_stopped_from_outside() -> None:
    def works() -> None:
        while True:
            pass

    with relaylogic.limits(time=0.2), pytest.raises(relaylogic.LimitReached):
        governor.governed(works)


class Mortal:
    """Something that a weak reference may speak of."""


def test_what_is_lost_where_nobody_listens_is_raised_again(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time is over in a callback of a weak reference, where Python ignores what is raised."""
    lost: list[object] = []

    def waits(_: object) -> None:
        clock.now = LATE
        while not lost:
            pass

    def works() -> None:
        mortal = Mortal()
        reference = weakref.ref(mortal, waits)
        del mortal
        while reference:
            pass

    monkeypatch.setattr(sys, "unraisablehook", lambda ignored: lost.append(ignored.exc_type))
    for _ in range(5):
        clock.now = 0.0
        lost.clear()
        with relaylogic.limits(time=0.1), pytest.raises(relaylogic.LimitReached):
            governor.governed(works)
        assert lost


def test_who_swallows_what_is_raised_is_stopped_all_the_same(clock: Clock) -> None:
    swallowed = 0

    def goes_on() -> None:
        while True:
            pass

    def works() -> None:
        nonlocal swallowed
        while swallowed < 5:
            try:
                clock.now = LATE
                goes_on()  # of its own: Python 3.13 does not take the end of a loop to be within the `try` around it
            except BaseException:
                swallowed += 1
        goes_on()

    with relaylogic.limits(time=0.1), pytest.raises(relaylogic.LimitReached):
        governor.governed(works)
    assert swallowed  # mostly five; what is raised may arrive between two attempts to swallow it


def test_what_cleans_up_is_not_stopped_again(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless that takes so long that it may be somebody who goes on working."""
    cleaned: list[str] = []
    monkeypatch.setattr(watcher, "_LONGEST", LATE)

    def works() -> None:
        try:
            clock.now = LATE
            while True:
                pass
        finally:
            until = time.monotonic() + 10 * watcher.POLL
            while time.monotonic() < until:
                pass
            cleaned.append("wholly")

    with relaylogic.limits(time=0.1), pytest.raises(relaylogic.LimitReached):
        governor.governed(works)
    assert cleaned == ["wholly"]


def test_nothing_is_raised_behind_what_was_stopped(clock: Clock) -> None:
    with relaylogic.limits(time=0.1):
        clock.now = LATE  # the user's own work is not relaylogic's to stop
        assert relaylogic.infer(FIRST).limit == "time limit"
        until = time.monotonic() + 10 * watcher.POLL
        while time.monotonic() < until:
            pass


# --- budgets, large numbers -------------------------------------------------------------------------------------------


@given(st.integers(0, 5000), st.integers(1, 5000), st.lists(st.integers(1, 1500), max_size=12))
def test_a_budget_gives_what_was_granted_with_limits_or_without(granted: int, allowed: int, paid: list[int]) -> None:
    """With limits a budget ends where it does without them, or where the limit of steps is, up to a slice."""

    def spent(budget: Budget) -> int:
        total = 0
        for steps in paid:
            try:
                budget.charge(steps)
            except StepLimit:
                return total
            total += steps
        return total

    alone = spent(Budget(granted))
    with relaylogic.limits(time=1000):
        assert spent(Budget(granted)) == alone
    total = 0
    try:
        with relaylogic.limits(steps=allowed):
            budget = Budget(granted)
            for steps in paid:
                budget.charge(steps)
                total += steps
    except relaylogic.LimitReached:
        assert sum(paid) + 1 > allowed
    except StepLimit:
        assert total == alone
    assert total <= min(alone, allowed)


@settings(max_examples=examples(30))
@given(st.integers(0, 40_000), st.integers(0, 40_000), st.booleans())
def test_large_numbers_are_computed_rightly(left: int, right: int, negative: bool) -> None:
    a, b = (-1 if negative else 1) * ((1 << left) - 3), (1 << right) + 1
    assert product_of(a, b) == a * b
    assert quotient_of(a, b) == a // b


def test_a_product_has_a_length() -> None:
    with pytest.raises(StepLimit):
        product_of(1 << LONGEST, 1 << LONGEST)


# --- afterwards -------------------------------------------------------------------------------------------------------

PROGRAMS = [
    "def @main(%x, %w: Tensor[(16, 3, 3, 3), float32]) { nn.relu(nn.conv2d(%x, %w, padding=[1, 1])) }",
    "def @f(%x, %y) { add(%x, %y) }\n"
    "def @main(%a: Tensor[(2, 1), float32], %b: Tensor[(1, 5), float32]) { let %z = @f(%a, %b); nn.dense(%z, %z) }",
    "def @main(%x, %y) { let %c = concatenate((%x, %y), axis=1); (nn.batch_flatten(%c), sum(%c, axis=[1])) }",
    "def @main(%x: Tensor[(2, 3), int8], %y: Tensor[(4, 5), int8]) { (add(%x, %y), transpose(%x, axes=[0, 1, 2])) }",
]
QUERIES = ["Broadcast(A, B, Tensor[(2, 3), int8])", "n * m = 360, n < m", "append(s, u, (1, 2, 3))"]


def told(rules: RuleBase) -> list[object]:
    """All that is said of the programs and queries."""
    said: list[object] = []
    for program in PROGRAMS:
        said.append(relaylogic.infer(program, rules=rules).to_dict())
    for text in QUERIES:
        answers = relaylogic.query(text, rules=rules, limit=40)
        said += [[str(answer) for answer in answers], answers.status]
    return said


@pytest.fixture(scope="module")
def expected(rules: RuleBase) -> list[object]:
    """What is said where no limit was ever reached."""
    return told(load_rules())


def attempt(case: int, rules: RuleBase) -> None:
    """Work on one of the programs and queries."""
    if case < len(PROGRAMS):
        relaylogic.infer(PROGRAMS[case], rules=rules).to_dict()
    else:
        for answer in relaylogic.query(QUERIES[case - len(PROGRAMS)], rules=rules, limit=40):
            str(answer)


CASES = st.integers(0, len(PROGRAMS) + len(QUERIES) - 1)


@settings(max_examples=examples(25))
@given(st.lists(st.tuples(CASES, st.integers(1, 2000)), min_size=1, max_size=8))
def test_what_was_stopped_leaves_nothing_behind(
    rules: RuleBase, expected: list[object], attempts: list[tuple[int, int]]
) -> None:
    """Whatever steps ran out before: without limits, the same rule base says what a fresh one says."""
    rules.forget()
    for case, steps in attempts:
        try:
            with relaylogic.limits(steps=steps):
                attempt(case, rules)
        except relaylogic.LimitReached:
            pass
    assert told(rules) == expected


@settings(max_examples=examples(15))
@given(st.lists(st.tuples(CASES, st.floats(0.0005, 0.05)), min_size=1, max_size=8))
def test_what_was_stopped_from_outside_leaves_nothing_behind(
    rules: RuleBase, expected: list[object], attempts: list[tuple[int, float]]
) -> None:
    """The same for what is stopped somewhere, since it does not look itself."""
    looks, governor.Governor.check = governor.Governor.check, lambda self: None  # type: ignore[method-assign]
    try:
        rules.forget()
        for case, seconds in attempts:
            try:
                with relaylogic.limits(time=seconds):
                    attempt(case, rules)
            except relaylogic.LimitReached:
                pass
    finally:
        governor.Governor.check = looks  # type: ignore[method-assign]
    assert told(rules) == expected


def test_a_block_ends_though_one_in_it_was_stopped_where_it_ends():
    """What is raised in a thread for the outer block may arrive while the inner one is being left."""
    assert current() is None
    same = limits(steps=10)
    with limits(steps=100) as outer, same:
        limits(time=60).__enter__()
        with same:
            pass
        assert current() is not None and current() is not outer
    assert current() is None


TRACED = """
import sys, relaylogic
for trace in (sys.setprofile, sys.settrace):
    trace(lambda *event: None)
    with relaylogic.limits(time=60):
        print(relaylogic.infer("def @main(%x: Tensor[(2, 3), float32]) { nn.relu(%x) }").verdict, flush=True)
    trace(None)
"""


def test_work_within_limits_goes_on_where_it_is_traced_or_profiled() -> None:
    done = subprocess.run([sys.executable, "-c", TRACED], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, ["typed", "typed"], "")


PROFILED = """
import cProfile, time, relaylogic
from relaylogic.host.governor import governed
def busy():
    end = time.monotonic() + 20
    while time.monotonic() < end:
        sum(range(1000))
cProfile.Profile().enable()
for each in range(5):
    try:
        with relaylogic.limits(time=0.02):
            governed(busy)
    except relaylogic.LimitReached as reached:
        print(reached.limit, flush=True)
"""


def test_work_that_is_stopped_ends_where_it_is_profiled() -> None:
    done = subprocess.run([sys.executable, "-c", PROFILED], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, ["time"] * 5, "")


def test_the_limit_of_a_block_around_is_the_one_that_is_named():
    with relaylogic.limits(time=50.0) as outer, relaylogic.limits(memory=8 * 10**9):

        def work():
            outer._tell("time")  # as the watcher of the outer block does, before it raises in this thread
            raise governor.Stopped

        with pytest.raises(relaylogic.LimitReached) as reached:
            governor.governed(work)
    assert (reached.value.limit, reached.value.value) == ("time", 50.0)


AGAIN = """
from relaylogic.rulebase import operator, relation

@relation
def Endless(data, out):
    '''A goal that gives the same state for ever, and takes no step.'''

@Endless.clause
def again(data, out):
    def goal(state):
        while True:
            yield state
    return goal

operator("endless", "data", Endless)
"""


def test_a_goal_in_python_that_gives_states_for_ever_takes_steps(tmp_path: Path) -> None:
    (tmp_path / "endless.py").write_text(AGAIN)
    rules = load_rules(tmp_path, python=True)
    found = relaylogic.query("endless(Tensor[(n), int8]) = Tensor[(n), int8]", rules=rules, steps=1000)
    assert [str(answer) for answer in found] == ["true"] and found.status == "unknown: step limit"
    text = "def @main(%x: Tensor[(2), int8]) -> Tensor[(2), int8] { endless(%x) }"
    with relaylogic.limits(steps=20_000):
        assert relaylogic.infer(text, rules=rules).verdict in ("typed", "unknown")

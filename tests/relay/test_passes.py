"""Passes: what they require runs before them, contexts enable them, and belong to who opened them."""

from __future__ import annotations

import asyncio
import itertools
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import relaylogic as tvm
from relaylogic import relay
from relaylogic.relay.transform import (
    ModulePass,
    PassContext,
    PassError,
    PassInfo,
    Sequential,
    function_pass,
    module_pass,
)
from tests.effort import examples


def module():
    x = relay.var("x", shape=(2, 3))
    return tvm.IRModule.from_expr(relay.Function([x], relay.nn.relu(x)))


def logged(log, name, level=0, required=None, changes=False):
    @module_pass(opt_level=level, name=name, required=required)
    def run(mod, ctx):
        assert isinstance(ctx, PassContext)
        log.append(name)
        return mod.shallow_copy() if changes else mod

    return run


# ---- what is known of a pass


def test_what_infer_type_says_of_itself():
    info = relay.transform.InferType().info
    assert (info.name, info.opt_level, list(info.required)) == ("InferType", 0, [])
    assert str(info) == "The meta data of the pass - pass name: InferType, opt_level: 0, required passes: []"
    assert repr(info) == 'PassInfo(0, "InferType", {})'
    assert repr(relay.transform.InferType()) == "Run Module pass: InferType at the optimization level 0"


def test_what_a_pass_says_of_itself():
    made = logged([], "mine", 3, ["InferType", "other"])
    assert isinstance(made, ModulePass) and made.info.opt_level == 3 and made.info.required == ["InferType", "other"]
    assert str(made.info).endswith("pass name: mine, opt_level: 3, required passes: [InferType, other]")
    assert repr(PassInfo(1, "a", ["b"])) == 'PassInfo(1, "a", {"b"})'
    assert str(Sequential([made, made], 2, "both")) == (
        "Run Sequential pass: both at the optimization level 2. The passes will be executed are: [mine mine]"
    )


def test_decorators():
    @module_pass
    def bare(mod, ctx):
        return mod

    assert bare.name == "bare" and bare(mod := module()) is mod

    @module_pass(opt_level=1)
    class Named:
        """Renames."""

        def __init__(self, name):
            self.target = name

        def transform_module(self, mod, ctx):
            made = mod.shallow_copy()
            made[self.target] = mod["main"]
            return made

    made = Named("copy")
    assert isinstance(made, ModulePass) and made.target == "copy" and Named.__doc__ == "Renames."
    assert made.info.opt_level == 1 and made.name == "Named" and "copy" in str(made(module()))
    with pytest.raises(AttributeError):
        _ = made.nothing
    for wrong in (lambda: module_pass(3), lambda: Sequential([3]), lambda: PassInfo(0, "a", "InferType")):
        with pytest.raises(TypeError):
            wrong()


def test_a_function_pass_changes_every_function_and_types_it():
    seen = []

    @relay.transform.function_pass(opt_level=1)
    def to_int8(func, mod, ctx):
        seen.append([v.name_hint for v in mod.functions])
        return relay.Function(func.params, relay.cast(func.body, "int8"), None, func.type_params, func.attrs)

    mod = module()
    mod["other"] = relay.Function([y := relay.var("y", shape=(4,))], y)
    mod["external"] = relay.Function([z := relay.var("z", shape=(4,))], z, None, (), {"Compiler": "elsewhere"})
    made = to_int8(mod)
    assert isinstance(to_int8, relay.transform.FunctionPass) and seen == [["main", "other", "external"]] * 2
    assert {v.name_hint: str(f.checked_type.ret_type) for v, f in made.functions.items()} == {
        "main": "Tensor[(2, 3), int8]",
        "other": "Tensor[(4), int8]",
        "external": "Tensor[(4), float32]",
    }
    assert "cast" not in str(mod)

    @function_pass(opt_level=1)
    class Replaced:
        def __init__(self, new):
            self.new = new

        def transform_function(self, func, mod, ctx):
            return self.new

    new = relay.Function([], relay.const(1))
    assert Replaced(new)(module())["main"] is new
    with pytest.raises(PassError, match="for `@main`, no Function"):
        Replaced(None)(module())


def test_under_the_names_of_tvm():
    for name in ("ModulePass", "Pass", "PassContext", "PassInfo", "Sequential", "module_pass"):
        assert getattr(tvm.transform, name) is getattr(relay.transform, name)


def test_what_gives_no_module():
    with pytest.raises(PassError, match="`nothing` gives None, which is no IRModule"):
        module_pass(lambda mod, ctx: None, 0, "nothing")(module())
    with pytest.raises(PassError, match="runs on an IRModule"):
        relay.transform.InferType()(relay.const(1))


# ---- what a pass requires


def test_infer_type_runs_before_who_requires_it():
    seen = []

    @module_pass(opt_level=0, required=["InferType"])
    def look(mod, ctx):
        seen.append(str(mod["main"].body.checked_type))
        return mod

    look(module())
    Sequential([look])(module())
    assert seen == ["Tensor[(2, 3), float32]"] * 2


def test_each_runs_once():
    log = []
    first = logged(log, "first")
    second, third = (logged(log, name, required=["first"]) for name in ("second", "third"))
    fourth = logged(log, "fourth", required=["third", "second"])
    for passes, expected in (
        ([first, second], "first second"),
        ([second, first], "first second"),
        ([first, second, third], "first second third"),
        ([fourth, third, second, first], "first third second fourth"),
        ([first, first], "first first"),
    ):
        log.clear()
        Sequential(passes)(module())
        assert log == expected.split()
    log.clear()
    logged(log, "alone", required=[first, first])(module())
    Sequential([], required=[first, logged(log, "more", required=[first])])(module())
    assert log == ["first", "alone", "first", "more"]


def test_it_runs_again_on_what_has_changed():
    log = []
    first, second = logged(log, "first"), logged(log, "second", required=["first"], changes=True)

    @module_pass(opt_level=0, required=["first"])
    def in_place(mod, ctx):
        mod["main"] = relay.Function([], relay.const(1))
        return mod

    Sequential([first, second, second])(module())
    assert log == ["first", "second", "first", "second"]
    log.clear()
    Sequential([first, in_place, in_place, logged(log, "last", required=["first"])])(module())
    assert log == ["first", "first", "first", "last"]


def test_what_cannot_be_required():
    log = []
    with pytest.raises(PassError, match="`mine` requires `Nothing`, and there is no such pass"):
        logged(log, "mine", required=["Nothing"])(module())
    one, two = logged(log, "one", required=["two"]), logged(log, "two", required=["one"])
    with pytest.raises(PassError, match="requires itself"):
        Sequential([one, two])(module())
    assert log == []


@settings(max_examples=examples(200))
@given(st.data())
def test_requirements_run_first_whatever_they_are(data):
    count = data.draw(st.integers(1, 7))
    required = [data.draw(st.sets(st.integers(0, i - 1))) if i else set() for i in range(count)]
    levels = [data.draw(st.integers(0, 3)) for _ in range(count)]
    disabled = {f"p{i}" for i in data.draw(st.sets(st.integers(0, count - 1)))}
    wanted = {f"p{i}" for i in data.draw(st.sets(st.integers(0, count - 1)))}
    level = data.draw(st.integers(0, 3))
    log = []
    passes = [logged(log, f"p{i}", levels[i], [f"p{j}" for j in required[i]]) for i in range(count)]
    order = data.draw(st.permutations(range(count)))
    with PassContext(opt_level=level, required_pass=wanted, disabled_pass=disabled):
        Sequential([passes[i] for i in order])(module())
    enabled = {i for i in range(count) if f"p{i}" not in disabled and (f"p{i}" in wanted or level >= levels[i])}
    needed = set(enabled)
    for i in reversed(range(count)):
        needed |= required[i] if i in needed else set()
    assert sorted(log) == sorted(f"p{i}" for i in needed)  # once each, and no other
    for i, j in itertools.product(needed, repeat=2):
        assert j not in required[i] or log.index(f"p{j}") < log.index(f"p{i}")


def test_long_chains_of_requirements():
    log = []
    passes = [logged(log, f"p{i}", required=[f"p{i - 1}"] if i else []) for i in range(2_000)]
    Sequential(passes[::-1])(module())
    assert log == [f"p{i}" for i in range(2_000)]


# ---- contexts


def test_who_is_enabled():
    log = []
    low, high = logged(log, "low", 1), logged(log, "high", 3)
    both = Sequential([low, high])
    both(module())
    with PassContext(opt_level=3):
        both(module())
        with PassContext(opt_level=0, required_pass={"high"}, disabled_pass=["low"]):
            both(module())
            low(module())  # what is called by itself runs
        assert PassContext.current().opt_level == 3
    with PassContext(disabled_pass=["sequential"]):
        Sequential([both])(module())
    assert log == ["low", "low", "high", "high", "low"] and PassContext.current().opt_level == 2
    for wrong in ({"disabled_pass": "low"}, {"required_pass": "low"}):
        with pytest.raises(TypeError):
            PassContext(**wrong)


def test_a_context_is_closed_by_an_error():
    with pytest.raises(KeyError), PassContext(opt_level=1):
        raise KeyError
    assert PassContext.current().opt_level == 2


def test_threads_have_contexts_of_their_own():
    count, found, barrier = 8, {}, threading.Barrier(8)

    def work(number):
        found[number] = [PassContext.current().opt_level]
        with PassContext(opt_level=100 + number):
            barrier.wait()
            log = []
            Sequential([logged(log, "mine", 100 + number), logged(log, "other", 101 + number)])(module())
            found[number] += [PassContext.current().opt_level, *log]
            barrier.wait()
        found[number].append(PassContext.current().opt_level)
        barrier.wait()

    with PassContext(opt_level=7):
        threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert PassContext.current().opt_level == 7
    assert found == {number: [2, 100 + number, "mine", 2] for number in range(count)}


def test_tasks_have_contexts_of_their_own():
    async def work(number):
        with PassContext(opt_level=number):
            await asyncio.sleep(0)
            return PassContext.current().opt_level

    async def both():
        return await asyncio.gather(*map(work, range(5)))

    assert asyncio.run(both()) == [0, 1, 2, 3, 4]


# ---- instruments


class Watching:
    """Takes down all that an instrument is told."""

    def __init__(self, name, allows=lambda info: True, fails=""):
        self.name, self.allows, self.fails, self.told = name, allows, fails, []

    def tell(self, what):
        self.told.append(what)
        if what == self.fails:
            raise ValueError(f"{self.name} fails")

    def enter_pass_ctx(self):
        self.tell("enter")

    def exit_pass_ctx(self):
        self.tell("exit")

    def should_run(self, mod, info):
        self.tell(f"should {info.name}")
        return self.allows(info)

    def run_before_pass(self, mod, info):
        self.tell(f"before {info.name}")

    def run_after_pass(self, mod, info):
        self.tell(f"after {info.name}")


def passes_named(*names):
    return [module_pass(lambda mod, ctx: mod.shallow_copy(), opt_level=0, name=name) for name in names]


def test_instruments_are_told_of_every_pass():
    seen = Watching("seen")
    with PassContext(instruments=[seen]) as context:
        Sequential(passes_named("a", "b"))(module())
        assert context.instruments == [seen]
    around = ["should sequential", "before sequential"], ["after sequential"]
    each = [f"{when} {name}" for name in "ab" for when in ("should", "before", "after")]
    assert seen.told == ["enter", *around[0], *each, *around[1], "exit"]


def test_an_instrument_may_keep_passes_from_running():
    no_b, all_of_them = Watching("no_b", lambda info: info.name != "b"), Watching("all_of_them")
    with PassContext(instruments=[no_b, all_of_them]):
        ran = passes_named("a", "b")
        kept = ran[1](mod := module())
        assert kept is mod and ran[0](mod) is not mod
    assert "before b" not in [*no_b.told, *all_of_them.told] and "should b" in all_of_them.told
    with PassContext(instruments=[again := Watching("again", lambda info: False)], required_pass=["b"]):
        assert passes_named("b")[0](mod) is not mod
    assert again.told == ["enter", "before b", "after b", "exit"]


def test_an_instrument_that_fails_is_heard():
    first, second, third = Watching("first"), Watching("second", fails="enter"), Watching("third")
    context = PassContext(instruments=[first, second, third])
    with pytest.raises(ValueError, match="second fails"), context:
        raise AssertionError
    assert (first.told, second.told, third.told) == (["enter", "exit"], ["enter"], [])
    assert context.instruments == [] and PassContext.current() is not context
    context = PassContext(instruments=[Watching("leaves", fails="exit"), first])
    with pytest.raises(ValueError, match="leaves fails"), context:
        pass
    assert context.instruments == [] and PassContext.current() is not context
    with PassContext(instruments=[Watching("runs", fails="after a")]), pytest.raises(ValueError, match="runs fails"):
        passes_named("a")[0](module())


def test_instruments_can_be_replaced():
    before, after = Watching("before"), Watching("after")
    with PassContext(instruments=[before]):
        PassContext.current().override_instruments([after])
        relay.transform.InferType()(module())
    assert before.told == ["enter", "exit"]
    assert after.told == ["enter", "should InferType", "before InferType", "after InferType", "exit"]


def test_what_is_no_instrument_is_refused():
    for wrong in (3, [3], "timing", [object()], relay.cast(relay.var("x"), "int8")):
        with pytest.raises(TypeError, match="instrument"):
            PassContext(instruments=wrong)
    with pytest.raises(TypeError, match="run_before_pass"):

        @tvm.instrument.pass_instrument
        class Nothing:
            pass

    @tvm.instrument.pass_instrument
    class Counting:
        def run_before_pass(self, mod, info):
            self.count = getattr(self, "count", 0) + 1

    with PassContext(instruments=[counting := Counting(), tvm.instrument.PassInstrument()]):
        relay.transform.InferType()(module())
    assert counting.count == 1

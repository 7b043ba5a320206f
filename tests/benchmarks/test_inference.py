"""How fast inference is, in units of one stock `unification.unify(var(), 1, {})` measured in the same process.

`pytest tests/benchmarks --benchmark-enable` prints times; `extra_info` holds the ratios. Nothing here asserts a time.
"""

from __future__ import annotations

import time
import timeit
from pathlib import Path

import pytest
from unification import unify, var

from relaylogic.explain.report import report as result_of
from relaylogic.infer.program import Inference
from relaylogic.rulebase import default_rules, load_rules
from relaylogic.text import parse

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture(scope="module")
def unit():
    """Seconds of one stock unification."""
    return min(timeit.repeat(lambda: unify(var(), 1, {}), number=5000, repeat=5)) / 5000


@pytest.fixture(scope="module")
def resnet():
    """The text of ResNet-50."""
    return (EXAMPLES / "resnet50.relay").read_text()


def chain(length):
    """A chain of lets, each of which calls an operator on the one before."""
    lines = ["def @main(%x0: Tensor[(4, 8), float32]) {"]
    lines += [f"  let %x{i + 1} = nn.relu(%x{i});" for i in range(length)]
    return parse("\n".join([*lines, f"  %x{length}", "}"]))


def report(benchmark, unit, calls):
    """Note how many units a call took."""
    if benchmark.stats is not None:
        benchmark.extra_info["units_per_call"] = round(benchmark.stats.stats.min / unit / calls, 2)


def test_resnet50_for_the_first_time(benchmark, unit, resnet):
    module, rules = parse(resnet), default_rules()

    def forget():
        rules.table.clear()
        rules.results.clear()
        rules.attrs_table.clear()

    inference = benchmark.pedantic(lambda: Inference(module, rules), setup=forget, rounds=5)
    calls = result_of(inference).calls
    assert len(calls) == 177 and inference.verdict() == "typed"
    report(benchmark, unit, len(calls))


IMAGES = {
    "unknown": ("(1, 3, _, _)", ""),
    "named": ("(1, 3, h, w)", "<h: ShapeVar, w: ShapeVar>"),
}
"""The image of a network, and the parameters of its function: extents are holes, or shape variables."""


@pytest.mark.parametrize("image", IMAGES)
def test_resnet50_of_every_image(benchmark, resnet, image):
    """`ratio` is its time to that of the ground one: the least of ten runs each, in turn, nothing remembered."""
    shape, parameters = IMAGES[image]
    text = resnet.replace("(1, 3, 224, 224)", shape, 1).replace("def @main(", f"def @main{parameters}(", 1)
    ground, opened = parse(resnet), parse(text)
    best = {}

    def run(name, module):
        rules = load_rules()
        started = time.process_time()
        inference = Inference(module, rules)
        best[name] = min(best.get(name, started), time.process_time() - started)
        return inference

    def both():
        run("ground", ground)
        return run("open", opened)

    inference = benchmark.pedantic(both, rounds=10 if benchmark.enabled else 1)
    assert inference.verdict() == "typed" and len(result_of(inference).calls) == 177
    benchmark.extra_info["ratio"] = round(best["open"] / best["ground"], 2)


def test_resnet50_a_second_time(benchmark, unit, resnet):
    module, rules = parse(resnet), default_rules()
    calls = result_of(Inference(module, rules)).calls
    result = result_of(benchmark(lambda: Inference(module, rules)))
    assert [str(c.type) for c in result.calls] == [str(c.type) for c in calls]
    report(benchmark, unit, len(calls))


@pytest.mark.parametrize("length", [1_000, 100_000])
def test_a_chain_of_calls(benchmark, unit, length):
    if benchmark.disabled and length > 1_000:
        pytest.skip("tests/infer/test_invariants.py types as long a chain")
    module, rules = chain(length), default_rules()
    inference = benchmark.pedantic(lambda: Inference(module, rules), rounds=3)
    assert str(inference.type_of(module["main"])).endswith("-> Tensor[(4, 8), float32]")
    report(benchmark, unit, length)


def test_parsing_resnet50(benchmark, unit, resnet):
    parse("def @main() { 1 }")
    module = benchmark(lambda: parse(resnet))
    assert next(iter(module.functions)).name_hint == "main"
    report(benchmark, unit, 177)

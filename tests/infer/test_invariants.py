"""The invariants of the architecture, on generated and on written programs."""

from __future__ import annotations

import random
import sys
from itertools import permutations
from pathlib import Path

import kanren
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from unification import Var, var

from relaylogic.api import infer, infer_call, parse
from relaylogic.infer.program import Inference
from relaylogic.infer.sites.driver import Driver
from relaylogic.infer.sites.relation_site import RelationSite
from relaylogic.infer.sites.site import UNNAMED
from relaylogic.ir import Function, IRModule, post_order
from relaylogic.logic.terms.rebuilding import canonical
from relaylogic.rulebase import default_rules
from relaylogic.text import astext
from relaylogic.types import ANY, TensorType, TupleType, scalar_type
from tests.effort import examples, some

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

PROGRAMS = [
    "def @main(%x: Tensor[(2, 3), float32], %w, %b) { nn.bias_add(nn.dense(%x, %w, units=4), %b) }",
    "def @main(%x, %y) { add(%x, %y) }",
    "def @main(%c: bool, %x: Tensor[(3), float32], %y: Tensor[(?), float32]) { if (%c) { %x } else { %y } }",
    """type List[A] { Cons(A, List[A]), Nil, }
    def @map[A, B](%f: fn (A) -> B, %l: List[A]) -> List[B] {
      match (%l) { Cons(%h, %t) => Cons(%f(%h), @map(%f, %t)), Nil => Nil }
    }
    def @double(%l) { @map(fn (%x) { %x * 2 }, %l) }
    def @main() { @double(Cons(1, Nil)) }""",
    """type nat { Z, S(nat), }
    def @even(%n) { match (%n) { Z => True, S(%m) => @odd(%m) } }
    def @odd(%n) { match (%n) { Z => False, S(%m) => @even(%m) } }
    def @main() { (@even(S(Z)), @odd(Z)) }""",
    "def @main(%x: Tensor[(2, 3), float32]) { add(%x, nn.dense(%x, 1f, units=2)) }",
    "def @f(%x) { %x }  def @main() { (@f(1), @f((2f, ()))) }",
    "def @main(%t: (Tensor[(2, 3), int8], Tensor[(_, 3), int8])) -> Tensor[(7, 3), int8] { concatenate(%t) }",
]


def summary(result):
    """What must not depend on any order."""
    functions = {name: str(t) for name, t in result.functions.items()}
    residue = sorted((r.relation, r.arguments) for r in result.residue)
    return result.verdict, functions, residue, sorted(str(c.type) for c in result.calls)


class Shuffled(Driver):
    """A driver that tries sites in a random order."""

    seed = 0

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.random = random.Random(self.seed)
        self.pending = []

    def add(self, site):
        if isinstance(site, RelationSite) and site.arguments[-1] is UNNAMED:
            site.arguments = (*site.arguments[:-1], Var())
        self.pending.append(site)

    def run(self, final=True):
        while self.pending:
            site = self.pending.pop(self.random.randrange(len(self.pending)))
            super().add(site)
            self.random.shuffle(self.store.woken)
        super().run(final)
        if self.pending:
            self.run(final)


@pytest.mark.parametrize("text", PROGRAMS)
def test_the_order_of_call_sites_does_not_matter(text, monkeypatch):
    expected = summary(infer(text))
    monkeypatch.setattr(sys.modules["relaylogic.infer.program"], "Driver", Shuffled)
    for seed in range(12):
        monkeypatch.setattr(Shuffled, "seed", seed)
        assert summary(infer(text)) == expected, f"seed {seed}"


@pytest.mark.parametrize("text", PROGRAMS)
def test_the_order_of_functions_does_not_matter(text):
    module = parse(text)
    expected = summary(infer(module))
    for seed in range(6):
        items = list(module.functions.items())
        random.Random(seed).shuffle(items)
        assert summary(infer(IRModule(dict(items), module.type_definitions))) == expected, f"seed {seed}"


OPERATORS = [
    ("nn.relu", 1, ""),
    ("add", 2, ""),
    ("multiply", 2, ""),
    ("nn.batch_flatten", 1, ""),
    ("transpose", 1, ", axes=[1, 0]"),
    ("nn.softmax", 1, ""),
    ("sum", 1, ", axis=[1], keepdims=True"),
    ("nn.dense", 2, ", units=None"),
]


@st.composite
def dataflows(draw):
    """Lets over two parameters; each uses what is bound before it."""
    names = ["x", "y"]
    lets = []
    for i in range(draw(st.integers(1, 7))):
        operator, arity, attrs = draw(st.sampled_from(OPERATORS))
        used = [draw(st.sampled_from(names)) for _ in range(arity)]
        lets.append((f"v{i}", used, f"{operator}({', '.join('%' + n for n in used)}{attrs})"))
        names.append(f"v{i}")
    shapes = st.sampled_from(["Tensor[(2, 3), float32]", "Tensor[(3, 3), float32]", "Tensor[(?, 3), float32]", None])
    return draw(shapes), draw(shapes), lets, draw(st.integers(0, 1000))


def program(x, y, lets):
    params = ", ".join(f"%{n}" + (f": {t}" if t else "") for n, t in (("x", x), ("y", y)))
    bindings = "".join(f"  let %{name} = {value};\n" for name, _, value in lets)
    fields = ", ".join(f"%v{i}" for i in range(len(lets)))
    return f"def @main({params}) {{\n{bindings}  ({fields},)\n}}"


@settings(max_examples=examples(60))
@given(dataflows())
def test_independent_lets_may_be_permuted(flow):
    x, y, lets, seed = flow
    choose = random.Random(seed)
    remaining, bound, permuted = list(lets), {"x", "y"}, []
    while remaining:
        ready = [item for item in remaining if set(item[1]) <= bound]
        chosen = choose.choice(ready)
        remaining.remove(chosen)
        permuted.append(chosen)
        bound.add(chosen[0])
    first, second = (infer(program(x, y, order), closed=True) for order in (lets, permuted))
    assert first.verdict == second.verdict
    if first.verdict == "typed":
        assert str(first.functions["main"]) == str(second.functions["main"])


@settings(max_examples=examples(60))
@given(dataflows())
def test_every_call_that_is_typed_satisfies_its_relation_on_its_own(flow):
    x, y, lets, _ = flow
    inference = Inference(parse(program(x, y, lets)), closed=True)
    if inference.verdict() != "typed":
        return
    rules = default_rules()
    for node in post_order(inference.module["main"]):
        if type(node).__name__ == "Call":
            operator = rules.operators[node.op.name]
            arguments = [inference.type_of(a) for a in node.args]
            again = infer_call(operator.name, arguments, node.attrs)
            assert again.verdict == "typed" and again.calls[0].type is inference.type_of(node)


@pytest.mark.parametrize("text", [*PROGRAMS, (EXAMPLES / "resnet50.relay").read_text()])
def test_inference_is_idempotent_and_changes_nothing(text):
    module = parse(text)
    before = astext(module)
    first = infer(module)
    assert astext(module) == before
    assert summary(infer(module)) == summary(first)
    if first.verdict == "typed":
        printed = parse(astext(module, show_types=first.type_of))
        assert summary(infer(printed)) == summary(first)


def test_a_chain_of_100_000_lets_is_typed():
    count = 100_000
    lines = ["def @main(%x0: Tensor[(4), float32]) {", *(f"let %x{i + 1} = exp(%x{i});" for i in range(count))]
    result = infer("\n".join([*lines, f"%x{count} }}"]))
    assert (result.verdict, len(result.calls)) == ("typed", count)


def test_a_chain_of_100_000_calls_in_reverse_order_of_binding_is_typed():
    count = 100_000
    value = parse("def @main(%x: Tensor[(4), float32]) { %x }")["main"]
    body = value.params[0]
    relu = parse("def @main(%x: Tensor[(4), float32]) { nn.relu(%x) }")["main"].body
    for _ in range(count):
        body = type(relu)(relu.op, [body])
    module = IRModule()
    module.add("main", Function(value.params, body))
    result = infer(module)
    assert (result.verdict, len(result.calls)) == ("typed", count)


def test_types_nested_10_000_deep_are_unified_and_printed():
    deep = scalar_type("float32")
    for _ in range(10_000):
        deep = TupleType((deep,))
    result = infer_call("copy", [deep])
    assert result.calls[0].type is deep
    assert str(deep) == "(" * 10_000 + "float32" + ",)" * 10_000


def test_a_shape_of_rank_500_is_typed():
    shape = tuple(range(1, 501))
    result = infer_call("add", [TensorType(shape, "float32"), TensorType(shape[3:], "float32")])
    assert result.calls[0].type is TensorType(shape, "float32")


@pytest.mark.parametrize("count", [1_000])
def test_deep_lets_of_tuples_are_typed(count):
    lines = ["def @main(%x: int32) {", "let %t0 = %x;", *(f"let %t{i + 1} = (%t{i}, %x);" for i in range(count))]
    result = infer("\n".join([*lines, f"%t{count} }}"]))
    assert result.verdict == "typed"


@pytest.mark.parametrize(
    ("operator", "arguments", "attrs"),
    [
        ("add", ["Tensor[(4, 1), float32]", "Tensor[(3), float32]"], {}),
        ("nn.dense", ["Tensor[(2, 3), float32]", "Tensor[(4, 3), float32]"], {"units": 4}),
        ("nn.conv2d", ["Tensor[(1, 3, 8, 8), float32]", "Tensor[(4, 3, 3, 3), float32]"], {}),
        ("reshape", ["Tensor[(2, 6), float32]"], {"newshape": (3, -1)}),
        ("nn.batch_flatten", ["Tensor[(2, 3, 4), float32]"], {}),
    ],
)
def test_rules_run_unchanged_under_kanren(operator, arguments, attrs):
    from relaylogic.text import parse_type

    found = default_rules().operators[operator]
    out = var()
    terms = [*map(parse_type, arguments), out]
    if found.relation.takes_attrs:
        terms.append(found.attrs(attrs))
    expected = infer_call(operator, arguments, attrs).calls[0].type
    assert set(kanren.run(0, out, found.relation(*terms))) == {expected}


def test_a_call_that_is_not_decided_is_in_the_verdict_with_what_it_could_be():
    result = infer_call("add", ["Tensor[(3), float32]", "Tensor[(_), float32]"])
    assert result.verdict == "incomplete"
    assert result.residue[0].relation == "Broadcast"
    alternatives = {a[1] for a in result.residue[0].alternatives}
    assert {"Tensor[(1), float32]", "Tensor[(3), float32]"} <= alternatives


def test_names_of_variables_do_not_matter_to_the_table():
    rules = default_rules()
    a, b = (canonical((TensorType((var(), ANY), "int8"), var()), {}) for _ in range(2))
    assert a == b
    assert rules.solve(rules.relations["Identity"], a, None) is rules.solve(rules.relations["Identity"], b, None)



def test_the_storage_of_the_memory_operators_is_known_without_a_module():
    result = infer_call("memory.kill", ["Storage[]"])
    assert result.verdict == "typed"
    assert str(result.functions["main"]) == "fn (Storage[]) -> ()"


REFUSED_AND_WIDENED = """
type List[A] { Cons(A, List[A]), Nil }
def @f(%x: float32) -> Tensor[(?, 3), float32] { equal(sum(%x), if (%x) { %x.1 } else { %x(%x) }) }
def @g<A>(%x) { %x }
def @h<A>(%x) { %x }
def @main(%x, %y: Tensor[(2, 3), float32], %z) { maximum(@f(@g(match (fn (%x: _) { %x.1 }) { Nil => (%y, fn (%a) {
%a }).2, Cons(%h, %tl) => let %f = %x; %x })), maximum((if (if (%x) { %z } else { %z(%z) }) { @g } else { fn (%z:
float32) { ref(%x) } }, match ((Cons(%y, Nil), Cons(%y, Nil)).0) { Nil => let %x = fn (%a) { Nil }; @f(%y), Cons(%h,
%tl) => let %z = %x; %h }), let %y = fn (%a) { nn.dense(let %z = %y; @g, nn.dense(ref(%y), fn (%a) { %a },
units=-1), units=4) }; fn (%t: ((),)) { fn (%x: float32) { %t(%y) } })) }
"""


def test_what_was_made_to_be_refused_is_refused_again_when_types_are_widened():
    for closed in some((False, True), 2):
        result = infer(REFUSED_AND_WIDENED, closed=closed)
        assert result.verdict == "refuted" and result.errors and result.to_json()


EACH_OTHER = [
    ("@f(%n) { @g(%n) }", "@g(%n) { @f(%n, %n) }"),
    ("@f(%n: Tensor[(3), int8]) { @g(%n) }", "@g(%n) { @f(1f) }"),
    ("@f(%n) { @g(%n) }", "@g(%n) { if (True) { False } else { @f } }"),
    ("@f(%n) { @g(%n); 1 }", "@g(%n) { add(@f(%n), 1f) }"),
]


@pytest.mark.parametrize("functions", EACH_OTHER)
@pytest.mark.parametrize("more", ["", "@h(%n) { %n }", "@h(%n) { @f(@g(%n)) }"])
def test_functions_that_call_each_other_are_what_their_bodies_say_whichever_comes_first(functions, more):
    """The first of them was anything to the others: nobody had asked for its type when its body was known."""
    texts = [" ".join(f"def {text}" for text in order if text) for order in permutations((*functions, more))]
    assert {infer(text).verdict for text in texts} == {"refuted"}

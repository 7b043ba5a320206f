"""Open types say all that follows: ranks, dtypes, extents as expressions over the inputs' extents, what must hold."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path

import pytest

from relaylogic.api import infer
from relaylogic.rulebase import load_rules
from relaylogic.text import astext, parse_type

HOLES = """def @main(%x: Tensor[(1, 3, _, _), float32], %w: Tensor[(8, 3, 3, 3), float32]) {
  let %a = nn.conv2d(%x, %w, padding=[1,1]);
  let %b = nn.max_pool2d(%a, pool_size=[2,2], strides=[2,2]);
  nn.batch_flatten(%b)
}"""

TYPES = {
    "a convolution, a pool, a row": (
        HOLES,
        "fn [t1: ShapeVar, t2: ShapeVar](Tensor[(1, 3, t1, t2), float32], Tensor[(8, 3, 3, 3), float32])"
        " -> Tensor[(1, 8 * (t1 // 2) * (t2 // 2)), float32]"
        " where Pool2D(Tensor[(1, 8, t1, t2), float32], Tensor[(1, 8, t1 // 2, t2 // 2), float32],"
        " pool_size=[2, 2], strides=[2, 2])",
    ),
    "nothing but what the relation says of any call": (
        "def @main(%x, %y) { add(%x, %y) }",
        "fn [t1, t2, t3](t1, t2) -> t3 where Broadcast(t1, t2, t3)",
    ),
    "the same of one argument": (
        "def @main(%x) { nn.batch_flatten(%x) }",
        "fn [t1, t2](t1) -> t2 where Flatten(t1, t2)",
    ),
    "an attribute tells the result": (
        "def @main(%x) { reshape(%x, newshape=[6]) }",
        "fn [t1: Shape, t2: BaseType](Tensor[t1, t2]) -> Tensor[(6), t2]"
        " where Reshape(Tensor[t1, t2], Tensor[(6), t2], newshape=[6])",
    ),
    "another argument tells dtype and shape": (
        "def @main(%x) { add(%x, 1) }",
        "fn [t1: Shape](Tensor[t1, int32]) -> Tensor[t1, int32]",
    ),
    "a weight without annotation": (
        "def @main(%x: Tensor[(_, 3), _], %w) { nn.dense(%x, %w) }",
        "fn [t1: ShapeVar, t2: BaseType, t3: ShapeVar]"
        "(Tensor[(t1, 3), t2], Tensor[(t3, 3), t2]) -> Tensor[(t1, t3), t2]",
    ),
    "two calls of the same arguments": (
        "def @main(%x, %y) { (add(%x, %y), multiply(%x, %y)) }",
        "fn [t1, t2, t3](t1, t2) -> (t3, t3) where Broadcast(t1, t2, t3)",
    ),
    "two calls of the same arguments, of which one is annotated": (
        "def @main(%x: Tensor[(_), int8], %y) { let %a: Tensor[(2), int8] = add(%x, %y); (%a, multiply(%x, %y)) }",
        "fn [t1: ShapeVar, t2: Shape](Tensor[(t1), int8], Tensor[t2, int8]) -> (Tensor[(2), int8], Tensor[(2), int8])"
        " where Broadcast(Tensor[(t1), int8], Tensor[t2, int8], Tensor[(2), int8])",
    ),
    "extents beside a type that is open": (
        "def @main(%x: Tensor[(_, 3), _], %y) { nn.pad(%x, %y, pad_width=[[-1, -1], [0, 2]]) }",
        "fn [t1: ShapeVar, t2: BaseType, t3](Tensor[(t1, 3), t2], t3) -> Tensor[(t1 - 2, 5), t2]",
    ),
    "a tuple of which nothing is known": (
        "def @main(%x) { concatenate(%x) }",
        "fn [t1, t2](t1) -> t2 where Concatenate(t1, t2)",
    ),
    "a tuple of which the result is known better": (
        "def @main(%x, %y: Tensor[(2), int8]) { add(concatenate(%x, axis=1), %y) }",
        "fn [t1, t2: Shape, t3: ShapeVar, t4: ShapeVar, t5: Shape](t1, Tensor[(2), int8]) -> Tensor[t2, int8]"
        " where Concatenate(t1, Tensor[(t3, t4, ...t5), int8], axis=1),"
        " Broadcast(Tensor[(t3, t4, ...t5), int8], Tensor[(2), int8], Tensor[t2, int8])",
    ),
    "a tuple that a closure brought back": (
        "def @main(%x) { let %s = stack(%x, axis=0); let %k = fn (%y) { (%x, %y) }; %k(%x) }",
        "fn [t2, t4: ShapeVar, t5: Shape, t6: BaseType](t2) -> (t2, t2) where Stack(t2, Tensor[(t4, ...t5), t6])",
    ),
    "two tuples that are one": (
        "def @main(%x, %y) { let %a = concatenate(%x); let %b = add(stack(%y, axis=0), 1i8);"
        " (%a, %b, if (True) { %x } else { %y }) }",
        "fn [t1, t2, t3: ShapeVar, t4: Shape](t1, t1) -> (t2, Tensor[(t3, ...t4), int8], t1)"
        " where Concatenate(t1, t2), Stack(t1, Tensor[(t3, ...t4), int8])",
    ),
    "a result that is an argument": (
        "def @main(%x) { if (True) { %x } else { add(%x, add(%x, %x)) } }",
        "fn [t1: Shape, t2: BaseType](Tensor[t1, t2]) -> Tensor[t1, t2]",
    ),
    "an argument that is a result": (
        "def @main(%x) { if (True) { add(%x, add(%x, %x)) } else { %x } }",
        "fn [t1: Shape, t2: BaseType](Tensor[t1, t2]) -> Tensor[t1, t2]",
    ),
    "arguments of two calls that are one": (
        "def @main(%x, %y, %z) { (add(%x, %y), add(%z, %y), if (True) { %x } else { %z }) }",
        "fn [t1, t2, t3](t1, t2, t1) -> (t3, t3, t1) where Broadcast(t1, t2, t3)",
    ),
    "arguments in another order, and once more": (
        "def @main(%x, %y) { (add(%x, %y), multiply(%y, %x), add(add(%x, %y), %y), add(%x, %x)) }",
        "fn [t1: Shape, t2: BaseType, t3: Shape, t4: Shape](Tensor[t1, t2], Tensor[t3, t2])"
        " -> (Tensor[t4, t2], Tensor[t4, t2], Tensor[t4, t2], Tensor[t1, t2])"
        " where Broadcast(Tensor[t1, t2], Tensor[t3, t2], Tensor[t4, t2])",
    ),
    "arguments in another order, of known rank": (
        "def @main(%x: Tensor[(_, _), int8], %y: Tensor[(_, _), int8]) { (add(%x, %y), add(%x, add(%y, %x))) }",
        "fn [t1: ShapeVar, t2: ShapeVar, t3: ShapeVar, t4: ShapeVar, t5: ShapeVar, t6: ShapeVar]"
        "(Tensor[(t1, t2), int8], Tensor[(t3, t4), int8]) -> (Tensor[(t5, t6), int8], Tensor[(t5, t6), int8])"
        " where Broadcast(Tensor[(t1, t2), int8], Tensor[(t3, t4), int8], Tensor[(t5, t6), int8])",
    ),
    "a residual network": (
        "def @main(%x) { let %a = add(nn.relu(%x), %x); nn.softmax(add(nn.relu(%a), %x)) }",
        "fn [t1: ShapeVar, t2: Shape, t3: BaseType](Tensor[(t1, ...t2), t3]) -> Tensor[(t1, ...t2), t3]",
    ),
    "a field that a let-bound function takes of what is open": (
        "def @main(%x, %y) { let %f = fn (%z) { %x.1 }; %y }",
        "fn [t2, t3, t4](t2, t3) -> t3 where Projection1(t2, t4)",
    ),
    "a result that is annotated with less": (
        "def @main(%x: Tensor[(_), int8], %y: Tensor[(2), int8]) {"
        " let %a: Tensor[(?), int8] = add(%x, %y); let %b: Tensor[(2), int8] = multiply(%x, %y); (%a, %b) }",
        "fn [t1: ShapeVar](Tensor[(t1), int8], Tensor[(2), int8]) -> (Tensor[(?), int8], Tensor[(2), int8])"
        " where Broadcast(Tensor[(t1), int8], Tensor[(2), int8], Tensor[(2), int8])",
    ),
    "a sum": (
        "def @main(%x: Tensor[(_), int8], %y: Tensor[(_), int8]) { concatenate((%x, %y), axis=0) }",
        "fn [t1: ShapeVar, t2: ShapeVar](Tensor[(t1), int8], Tensor[(t2), int8]) -> Tensor[(t1 + t2), int8]",
    ),
    "inputs that depend on each other": (
        """def @main(%x: Tensor[(_), int8], %y: Tensor[(_), int8]) -> Tensor[(7), int8] {
          concatenate((%x, %y), axis=0)
        }""",
        "fn [t1: ShapeVar](Tensor[(t1), int8], Tensor[(7 - t1), int8]) -> Tensor[(7), int8]",
    ),
    "a product has one solution": (
        "def @main(%x: Tensor[(_, 3), int8]) -> Tensor[(12), int8] { reshape(%x, newshape=[-1]) }",
        "fn (Tensor[(4, 3), int8]) -> Tensor[(12), int8]",
    ),
    "a square has one solution": (
        "def @main(%x: Tensor[(_, 3), int8]) -> Tensor[(49), int8] { reshape(nn.dense(%x, %x), newshape=[-1]) }",
        "fn (Tensor[(7, 3), int8]) -> Tensor[(49), int8]",
    ),
    "two ways to one extent, (n - 1) // 2 + 1 and (n + 1) // 2": (
        """def @main(%x: Tensor[(1, 4, _, 8), int8], %a: Tensor[(4, 4, 3, 3), int8], %b: Tensor[(4, 4, 1, 1), int8]) {
          let %l = nn.conv2d(%x, %a, strides=[2, 2], padding=[1, 1, 1, 1]);
          let %r = nn.conv2d(%x, %b, strides=[2, 2]);
          add(%l, %r)
        }""",
        "fn [t1: ShapeVar](Tensor[(1, 4, t1, 8), int8], Tensor[(4, 4, 3, 3), int8], Tensor[(4, 4, 1, 1), int8])"
        " -> Tensor[(1, 4, (t1 + 1) // 2, 4), int8] where Conv2D(Tensor[(1, 4, t1, 8), int8],"
        " Tensor[(4, 4, 3, 3), int8], Tensor[(1, 4, (t1 + 1) // 2, 4), int8], strides=[2, 2], padding=[1, 1, 1, 1])",
    ),
    "halves of halves": (
        """def @main(%x: Tensor[(1, 1, 1, _), int8]) {
          let %a = nn.max_pool2d(%x, pool_size=[1, 1], strides=[1, 2]);
          nn.max_pool2d(%a, pool_size=[1, 1], strides=[1, 2])
        }""",
        "fn [t1: ShapeVar](Tensor[(1, 1, 1, t1), int8]) -> Tensor[(1, 1, 1, (t1 + 3) // 4), int8] where"
        " Pool2D(Tensor[(1, 1, 1, t1), int8], Tensor[(1, 1, 1, (t1 + 1) // 2), int8],"
        " pool_size=[1, 1], strides=[1, 2])",
    ),
    "a window that fits since a product says so": (
        """def @main(%x: Tensor[(1, 2, _, _), int8]) -> Tensor[(1, 98), int8] {
          nn.batch_flatten(nn.max_pool2d(%x, pool_size=[2, 2], strides=[2, 2]))
        }""",
        "fn [t1: ShapeVar, t2: ShapeVar](Tensor[(1, 2, t1, t2), int8]) -> Tensor[(1, 98), int8] where"
        " Flatten(Tensor[(1, 2, t1 // 2, t2 // 2), int8], Tensor[(1, 98), int8])",
    ),
    "branches of one demand": (
        "def @main(%c: bool, %x) { if (%c) { fn (%a) { add(%a, %x) } } else { fn (%b) { multiply(%b, %x) } } }",
        "fn [t1, t2, t3](bool, t1) where Broadcast(t2, t1, t3) -> fn (t2) -> t3",
    ),
    "sections of an unknown extent": (
        "def @main(%x: Tensor[(_, 2), int8]) { split(%x, indices_or_sections=3, axis=0).1 }",
        "fn [t1: ShapeVar](Tensor[(t1, 2), int8]) -> Tensor[(t1 // 3, 2), int8] where"
        " Split(Tensor[(t1, 2), int8], (Tensor[(t1 // 3, 2), int8], Tensor[(t1 // 3, 2), int8],"
        " Tensor[(t1 // 3, 2), int8]), indices_or_sections=3)",
    ),
    "declared extents": (
        "def @main<h: ShapeVar>(%x: Tensor[(1, 2, h, h), int8]) { nn.max_pool2d(%x, pool_size=[3, 3]) }",
        "fn [h: ShapeVar](Tensor[(1, 2, h, h), int8]) -> Tensor[(1, 2, h - 2, h - 2), int8] where"
        " Pool2D(Tensor[(1, 2, h, h), int8], Tensor[(1, 2, h - 2, h - 2), int8], pool_size=[3, 3])",
    ),
    "of two batches one may be 1, and all cases come to the same": (
        "def @main(%x: Tensor[(_, _), int8]) { add(%x, reshape(%x, newshape=[-1, 16])) }",
        "fn [t1: ShapeVar, t2: ShapeVar](Tensor[(t1, t2), int8]) -> Tensor[(t1, 16), int8] where"
        " Reshape(Tensor[(t1, t2), int8], Tensor[(t1 * t2 // 16, 16), int8], newshape=[-1, 16]),"
        " Broadcast(Tensor[(t1, t2), int8], Tensor[(t1 * t2 // 16, 16), int8], Tensor[(t1, 16), int8])",
    ),
    "of two batches one may be 1": (
        "def @main(%x: Tensor[(_), int8], %y: Tensor[(_), int8]) { add(%x, %y) }",
        "fn [t1: ShapeVar, t2: ShapeVar, t3: ShapeVar](Tensor[(t1), int8], Tensor[(t2), int8]) -> Tensor[(t3), int8]"
        " where Broadcast(Tensor[(t1), int8], Tensor[(t2), int8], Tensor[(t3), int8])",
    ),
    "a function in a function": (
        "def @main(%x) { let %f = fn (%y) { reshape(%y, newshape=[2]) }; %f(%x) }",
        "fn [t1: Shape, t2: BaseType](Tensor[t1, t2]) -> Tensor[(2), t2]"
        " where Reshape(Tensor[t1, t2], Tensor[(2), t2], newshape=[2])",
    ),
}


@pytest.mark.parametrize("name", TYPES)
def test_an_open_function_has_the_most_informative_type(name):
    text, type_ = TYPES[name]
    result = infer(text)
    assert (result.verdict, str(result.functions["main"])) == ("typed", type_)


@pytest.mark.parametrize("name", TYPES)
def test_an_open_type_reads_back(name):
    type_ = infer(TYPES[name][0]).functions["main"]
    assert str(parse_type(str(type_))) == str(type_)


@pytest.mark.parametrize("name", TYPES)
def test_text_and_json_and_notebook_say_the_same(name):
    result = infer(TYPES[name][0])
    type_ = str(result.functions["main"])
    assert f"/* ty={type_} */" in astext(result.module, result.type_of)
    assert json.loads(result.to_json())["functions"]["main"] == type_
    assert f'title="{escape(type_, quote=True)[:390]}' in result._repr_html_()
    assert str(infer(astext(result.module, result.type_of)).functions["main"]) == type_


REFUTED = {
    "a list of 6 and of 10 elements": """def @main(%x) {
      let %a = reshape(%x, newshape=[6]); let %b = reshape(nn.relu(%x), newshape=[2, 5]); (%a, %b)
    }""",
    "an extent that is one more than itself": """def @main(%x: Tensor[(_), int8]) {
      if (True) { concatenate((%x, zeros(shape=[1], dtype="int8")), axis=0) } else { %x }
    }""",
    "three sums of two that are odd together": """def @main(%x: Tensor[(_), int8], %y: Tensor[(_), int8],
                 %z: Tensor[(_), int8]) -> (Tensor[(3), int8], Tensor[(4), int8], Tensor[(6), int8]) {
      (concatenate((%x, %y), axis=0), concatenate((%y, %z), axis=0), concatenate((%x, %z), axis=0))
    }""",
    "a square of 50": """def @main(%x: Tensor[(_, 3), float32]) -> Tensor[(50), float32] {
      reshape(nn.dense(%x, %x), newshape=[-1])
    }""",
    "a window that fits nowhere": """def @main(%x: Tensor[(1, 1, _, 8), float32]) -> Tensor[(1, 1, 2, 4), float32] {
      let %a = nn.max_pool2d(%x, pool_size=[2, 2], strides=[2, 2]);
      let %b = nn.max_pool2d(%x, pool_size=[4, 4], strides=[4, 4]);
      let %c: Tensor[(1, 1, 2, 2), float32] = %b;
      %a
    }""",
}


@pytest.mark.parametrize("name", REFUTED)
def test_what_no_types_satisfy_is_refuted(name):
    result = infer(REFUTED[name])
    assert result.verdict == "refuted"
    assert all(error.line is not None for error in result.errors)
    assert not any("unknown" in error.message for error in result.errors)


def test_the_calls_that_cannot_hold_together_are_named():
    (error,) = infer(REFUTED["a list of 6 and of 10 elements"]).errors
    assert "`reshape` at 2:16" in error.message


def test_what_is_cut_off_again_and_again_is_told_once():
    """Its text doubled with each slice."""
    slices = "".join(f"let %x{i + 1} = strided_slice(%x{i}, begin=[1], end=[1000], strides=[1]);\n" for i in range(16))
    result = infer(f"def @main(%x0: Tensor[(_, 6), float32]) {{ {slices} %x16 }}")
    assert "Tensor[(min(1000, t1) - min(16, t1), 6), float32]" in str(result.functions["main"])


def test_what_is_not_found_out_is_unknown():
    # x * x = 61 * y * y + 1 has its first solution for positive numbers at y = 226,153,980.
    text = """def @square(%x: Tensor[(_), float32]) {
      let %a = reshape(%x, newshape=[-1, 1]);
      reshape(nn.dense(%a, %a), newshape=[-1])
    }
    def @main(%x: Tensor[(_), float32], %y: Tensor[(_), float32]) {
      let %one = zeros(shape=[1], dtype="float32");
      let %z = @square(concatenate((%y, %one), axis=0));
      let %rows = zeros(shape=[61, 1], dtype="float32");
      let %many = reshape(nn.dense(reshape(%z, newshape=[-1, 1]), %rows), newshape=[-1]);
      if (True) { @square(%x) } else { concatenate((%many, %one), axis=0) }
    }"""
    result = infer(text)
    assert (result.verdict, result.errors) == ("unknown", [])
    assert "satisfiability" in {item.limit for item in result.residue}


def test_the_readme_shows_what_is_inferred():
    root = Path(__file__).parents[2]
    shown = root.joinpath("README.md").read_text(encoding="utf-8")
    _, _, block = shown.partition("$ relaylogic infer examples/open.relay\n")
    result = infer(root.joinpath("examples/open.relay").read_text(encoding="utf-8"))
    assert block.partition("```")[0] == astext(result.module, result.type_of)


def test_an_equation_that_is_left_stands_in_the_where(tmp_path):
    tmp_path.joinpath("mine.rel").write_text(
        "Square(Tensor[(n,), d], Tensor[(n * n,), d]).\noperator square(x): Square.\n"
        "Triple(Tensor[(n,), d], Tensor[(3 * n,), d]).\noperator triple(x): Triple.\n",
        encoding="utf-8",
    )
    text = """def @f(%x: Tensor[(_), int8]) { square(%x) }
    def @g(%x: Tensor[(_), int8]) { triple(%x) }
    def @main(%x: Tensor[(_), int8], %y: Tensor[(_), int8], %b: bool) { if (%b) { @f(%x) } else { @g(%y) } }"""
    rules = load_rules(tmp_path)
    result = infer(text, rules=rules)
    assert (result.verdict, str(result.functions["main"])) == (
        "typed",
        "fn [t1: ShapeVar, t2: ShapeVar](Tensor[(t1), int8], Tensor[(t2), int8], bool) -> Tensor[(t1 * t1), int8]"
        " where Identity(t1 * t1, 3 * t2)",
    )
    for extent, verdict in [(6, "typed"), (5, "refuted")]:
        zeros = 'zeros(shape=[12], dtype="int8")'
        call = f"def @call(%x: Tensor[({extent}), int8], %b: bool) {{ @main(%x, {zeros}, %b) }}"
        assert infer(f"{text}\n{call}", rules=rules).verdict == verdict
    # A rule base without that relation cannot say it.
    del rules.relations["Identity"]
    assert infer(text, rules=rules).verdict == "unknown"


def test_a_declared_extent_that_can_have_one_value_only_does_not_keep_inference_going():
    # 8 * 8 + 10 * 1 * 1 is the only way to 74; b may be 2 or 3.
    result = infer(
        """@f: fn [a: ShapeVar, b: ShapeVar](Tensor[(a), int8], Tensor[(b), int8])
          -> Tensor[(a * a + 10 * (b // 2) * (b // 2)), int8]
        def @main[h: ShapeVar](%x: Tensor[(h), int8], %y: Tensor[(_), int8]) -> Tensor[(74), int8] { @f(%x, %y) }"""
    )
    assert result.verdict == "typed"
    (constraint,) = result.functions["main"].type_constraints
    assert constraint.name == "Identity"


NAMES = {
    "a closure over an argument": (
        "def @main(%x) { let %f = fn (%y) { (%y, %x) }; (%f, 1) }",
        "fn [t2](t2) -> (fn [t1](t1) -> (t1, t2), int32)",
    ),
    "a closure over what is declared": (
        "def @main<t1>(%x: t1) { let %f = fn (%y) { (%y, %x) }; (%f, 1) }",
        "fn [t1](t1) -> (fn [t2](t2) -> (t2, t1), int32)",
    ),
    "an instance at a parameter that has the name of another": (
        "@f: fn<a>(a) -> (fn<b>(b) -> (b, a), int32) def @main<b>(%x: b) { @f(%x) }",
        "fn [b](b) -> (fn [b1](b1) -> (b1, b), int32)",
    ),
    "a name that is bound again where the first does not occur": (
        "def @main<a>(%x: a, %f: fn<a>(a) -> a) { (%f, %x) }",
        "fn [a](a, fn [a](a) -> a) -> (fn [a](a) -> a, a)",
    ),
}


@pytest.mark.parametrize("name", NAMES)
def test_type_parameters_of_one_name_are_not_taken_for_each_other(name):
    text, type_ = NAMES[name]
    result = infer(text)
    assert (result.verdict, str(result.functions["main"])) == ("typed", type_)
    assert str(parse_type(type_)) == type_


FILLED = 'fn (%x) { zeros(shape=[_], dtype="int8") }'


@pytest.mark.parametrize("bound", [f"let %f = {FILLED}; ", ""])
@pytest.mark.parametrize(("extent", "verdict"), [(3, "typed"), (4, "refuted")])
def test_an_attribute_that_nobody_knows_is_one_value_whoever_calls_the_function(bound, extent, verdict):
    """It was a type parameter where all answers were one; the `where` spoke of it, and every call was malformed."""
    head = "" if bound else f"def @f{FILLED.removeprefix('fn ')}\n"
    calls = f"let %a: Tensor[(3), int8] = %f(1); let %b: Tensor[({extent}), int8] = %f(2f); (%a, %b)"
    result = infer(f"{head}def @main() {{ {bound}{calls if bound else calls.replace('%f', '@f')} }}")
    assert result.verdict == verdict
    assert "relates" not in "".join(error.message for error in result.errors)


def test_what_no_attribute_tells_may_differ_from_call_to_call():
    result = infer("def @f(%x) { nn.dropout(%x, rate=_).0 } def @main() { (@f(1), @f(2f)) }")
    assert (result.verdict, str(result.functions["main"].ret_type)) == ("typed", "(int32, float32)")

"""What might be meant at a place that is wrong: a mend leaves what the program leaves in which it is written."""

from __future__ import annotations

import random
import re
from itertools import product

import pytest

import relaylogic
from relaylogic.explain.blame.behind import going_on
from relaylogic.explain.blame.edits import known_of
from relaylogic.explain.blame.faults import diagnosed
from relaylogic.explain.blame.mends import may_be
from relaylogic.explain.conflicts.minimal import Conflicts
from relaylogic.explain.places.said import Said
from relaylogic.infer.program import Inference
from relaylogic.rulebase import load_rules
from relaylogic.types import TensorType, show_type
from tests.effort import some


def inferred(text):
    return Inference(relaylogic.parse(text), None, True)


def said_by(text):
    inference = inferred(text)
    return Said(inference, inference.what_if, going_on(inference))


def layers(draw, faults):
    """A chain of layers, and the same with some numbers of the annotations changed."""
    sizes = [draw.randint(2, 9) for _ in range(draw.randint(3, 5))]
    shapes = [(2, sizes[0])]
    lines, last = [], "%x"
    for i, (rows, columns) in enumerate(zip(sizes[1:], sizes, strict=False)):
        shapes += [(rows, columns), (rows,)]
        lines += [f"  %{2 * i} = nn.dense({last}, %w{i}, units=None);"]
        lines += [f"  %{2 * i + 1} = nn.bias_add(%{2 * i}, %b{i});"]
        last = f"%{2 * i + 1}"
    names = ["%x", *(f"%{kind}{i}" for i in range(len(sizes) - 1) for kind in "wb")]

    def text(shapes):
        inputs = ", ".join(
            f"{n}: Tensor[({', '.join(map(str, s))}), float32]" for n, s in zip(names, shapes, strict=True)
        )
        return "\n".join([f"def @main({inputs}) {{", *lines, f"  nn.relu({last})", "}"])

    wrong = list(shapes)
    for at in draw.sample(range(len(shapes)), faults):
        axis = draw.randrange(len(shapes[at]))
        wrong[at] = tuple(n + 10 if i == axis else n for i, n in enumerate(shapes[at]))
    return text(shapes), text(wrong)


@pytest.mark.parametrize("seed", some(range(20), 6))
def test_a_mend_leaves_what_the_edited_program_leaves(seed):
    """Of an annotation; not if something else is changed with it, as the name of another parameter."""
    _, text = layers(random.Random(seed), 1 + seed % 2)
    said = said_by(text)
    if said.whole.verdict() != "refuted":
        return
    for diagnosis in diagnosed(said):
        for candidate in diagnosis.ranked:
            if candidate.mend is None or candidate.place.kind != "annotation" or diagnosis.said.all != said.all:
                continue
            if candidate.mend.beside:
                continue
            span = candidate.place.span
            edited = text[: span.start] + show_type(candidate.mend.type) + text[span.end :]
            assert len(inferred(edited).failed()) == len(candidate.mend.left)


@pytest.mark.parametrize("seed", some(range(60), 15))
def test_the_program_is_right_when_all_that_is_blamed_is_mended(seed):
    _, text = layers(random.Random(seed), 2)
    said = said_by(text)
    if said.whole.verdict() != "refuted":
        return
    found = diagnosed(said)
    if len(found) == 1:
        return  # one place may be all that is wrong, if several of its parts are
    mended = said
    for diagnosis in found:
        assert diagnosis.best.mend is not None
        mended = diagnosis.best.mend.made(mended, diagnosis.best.place.index)
    assert not mended.refused(mended.all)
    assert len(found) <= 2


def test_what_is_mended_is_beyond_doubt():
    said = said_by("def @main(%x: Tensor[(3), float32], %y: Tensor[(4), float32]) { add(%x, %y) }")
    (place,) = [p for p in said.places if p.kind == "annotation" and p.node.name_hint == "y"]
    right = next(p.node.type_annotation for p in said.places if p.kind == "annotation" and p is not place)
    mended = said.mended(place.index, right)
    assert place.index not in mended.all and not mended.refused(mended.all)
    assert said.refused(said.all), "the program itself is as it was"
    wrong = said.mended(place.index, place.node.type_annotation)
    assert place.index not in Conflicts(wrong).coarse(wrong.all)
    opened = said.opened([place.index])
    assert not opened.refused(opened.all)


def test_of_two_faults_of_which_one_hides_the_other_both_are_found():
    conv, last, lines = "nn.conv2d({}, {}, padding=[{}], channels=4, kernel_size=[{}, {}])", "%x", []
    for i in range(4):
        first = conv.format(last, f"%w{i}", "1, 0, 0, 0" if i == 1 else "0, 0, 0, 0", 1, 1)
        inputs = (f"%v{i}", f"%{3 * i + 1}") if i == 2 else (f"%{3 * i + 1}", f"%v{i}")
        lines += [f"  %{3 * i} = {first};", f"  %{3 * i + 1} = add(%{3 * i}, {last});"]
        lines += [f"  %{3 * i + 2} = {conv.format(*inputs, '1, 1, 1, 1', 3, 3)};"]
        last = f"%{3 * i + 2}"
    blocks = "\n".join(lines)
    weights = ", ".join(f"%w{i}: Tensor[(4, 4, 1, 1), float32], %v{i}: Tensor[(4, 4, 3, 3), float32]" for i in range(4))
    text = f"def @main(%x: Tensor[(1, 4, 8, 8), float32], {weights}) {{\n{blocks}\n  nn.relu(%11)\n}}"
    errors = relaylogic.infer(text, closed=True).errors
    assert [error.line for error in errors] == [5, 10]


def test_what_nothing_tells_is_open_not_a_type_parameter():
    module = relaylogic.parse("def @main[n: ShapeVar](%x: Tensor[(n), float32], %w) { (%x, nn.relu(%w)) }")
    inference = Inference(module, None, False)
    (function,) = module.functions.values()
    x, w = function.params
    assert show_type(known_of(x, inference)) == "Tensor[(n), float32]"
    assert not inference.type_of(w) or not getattr(known_of(w, inference), "ground", False)


@pytest.mark.parametrize("seed", some(range(20), 3))
def test_a_type_that_the_rest_of_a_conflict_denies_does_not_cure_it(seed):
    _, text = layers(random.Random(seed), 1 + seed % 2)
    said = said_by(text)
    if said.whole.verdict() != "refuted":
        return
    conflict = Conflicts(said).coarse(said.all)
    members = conflict.union(said.places.attributes(conflict))
    for index in conflict:
        place = said.places.all[index]
        opened = said.opened([index])
        rest = opened.inferred(opened.all & members)
        written = place.node.type_annotation.shape if place.kind == "annotation" else ()
        for i, size in product(range(len(written)), range(2, 20)):
            type_ = TensorType((*written[:i], size, *written[i + 1 :]), "float32")
            mended = said.mended(index, type_)
            assert mended.refused(mended.all & members) or may_be(type_, place, rest)


def test_arguments_are_not_said_to_be_exchanged_where_the_callee_demands_that_they_differ(tmp_path):
    """A function has demands besides the types of its parameters, and those are refused in either order."""
    (tmp_path / "apart.rel").write_text(
        "Apart(Tensor[s, t], Tensor[s, u], Tensor[s, t]) :- t != u.\noperator apart(left, right) : Apart.\n"
    )
    rules = load_rules(tmp_path)
    text = """def @f(%x: Tensor[(2), int8], %y) { apart(%x, %y) }
def @main(%x: Tensor[(2), int8], %y: Tensor[(2), int8]) { @f(%x, %y) }"""
    together = """def @f(%x, %y) { (take(%x, %x, axis=0), apart(%y, take(%x, %x, axis=0))) }
def @main(%p: int8, %q: Tensor[(0), int8]) { @f(%p, %q) }"""
    for refuted in (text, together):
        result = relaylogic.infer(refuted, rules=rules)
        assert result.verdict == "refuted"
        assert not any("exchanged" in hint for error in result.errors for hint in error.hints)


@pytest.mark.parametrize(
    "bound",
    [
        "let %f = fn (%z: Tensor[(3, 2), float32]) { %y };",
        "let %f = if (True) { let %z = full(1f, shape=[3, 2]); nn.relu(%z) } else { %w };",
        "let %f = match ((%w, %w)) { (%z, %v) => nn.relu(%z) };",
    ],
)
def test_what_is_bound_elsewhere_is_not_meant(bound):
    """What an inner scope binds can be used there only."""
    text = f"""def @main(%x: Tensor[(4, 2), float32], %y: Tensor[(3, 5), float32], %w: Tensor[(3, 2), float32]) {{
  {bound}
  nn.dense(%x, %y)
}}"""
    (error,) = relaylogic.infer(text).errors
    assert any(" as argument 2" in hint for hint in error.hints)
    assert not any(name in hint for hint in error.hints for name in ("%z", "%v"))


def test_a_variable_is_not_meant_in_what_it_is_bound_to():
    text = """def @main(%x: Tensor[(4, 2), float32], %y: Tensor[(1), int8]) {
  let %v = nn.dense(%y, %x);
  let %w = nn.dense(%v, %v);
  nn.relu(%w)
}"""
    (error,) = relaylogic.infer(text).errors
    assert error.hints and not any("%v" in hint for hint in error.hints)


def test_another_attribute_of_a_call_of_open_inputs_fits_these():
    text = """def @main(%a: Tensor[(_), float32], %b: Tensor[(2), float32]) {
  let %c = concatenate((%a, %b), axis=0);
  reshape(concatenate((%c, %b), axis=0), newshape=[3])
}"""
    (found,) = relaylogic.infer(text).errors
    assert found.message == "the rest of the program is consistent with `newshape=[4]` here"
    assert relaylogic.infer(text.replace("[3]", "[4]")).verdict == "typed"


def test_a_field_may_be_meant_of_another_tuple():
    text = "def @main(%s: (int8, Tensor[(2), int8]), %w: Tensor[(3), int8]) { (add(add(%s.0, %w.1), %s.1), %w) }"
    (found,) = relaylogic.infer(text).errors
    assert found.hints == ("the rest of the program is consistent with field .1 of `%s` here",)


def test_a_written_dtype_is_meant_to_be_another_one_sooner_than_none():
    text = """def @main(%x: Tensor[(2), float32], %c: Tensor[(2), bool]) {
  where(%c, %x, full(1f, shape=[], dtype="float16"))
}"""
    (found,) = relaylogic.infer(text).errors
    assert '`dtype="float32"`' in f"{found.message} {found.hints}"


def test_a_field_may_be_meant_of_what_a_graph_binds_and_nobody_uses():
    (found,) = relaylogic.infer("""def @main(%x: Tensor[(2, 8), float32]) -> Tensor[(2, 4), float32] {
  %0 = nn.relu(%x);
  %1 = split(%0, indices_or_sections=2, axis=1);
  add(%0.0, mean(%0))
}""").errors
    assert (found.line, found.hints) == (4, ("the rest of the program is consistent with field .0 of `%1` here",))


LISTS = "type List[A] { Cons(A, List[A]), Nil }\n"


def test_nothing_is_put_around_a_call_that_refuses_what_is_given_to_it():
    (found,) = relaylogic.infer(
        LISTS
        + """type Tree[A] { Leaf(A), Node(Tree[A], A, Tree[A]) }
def @walk(%t: Tree[int8]) -> Tree[int8] { %t }
def @main(%x: int8) -> Tree[int8] { @walk(Cons(Leaf(%x), %x, Leaf(%x))) }"""
    ).errors
    assert "`Cons` takes 2 arguments, but 3 are given" in found.message
    assert not any("around this" in hint for hint in found.hints)


def test_of_a_constructor_around_a_value_it_is_said_that_it_takes_more():
    (found,) = relaylogic.infer(LISTS + "def @main(%x: int8, %l: List[int8]) { (Cons(%x, %x), %l) }").errors
    words = "`Cons` around argument 2, with another field"
    assert found.hints == (f"the rest of the program is consistent with {words}",)


def test_an_axis_too_many_is_thought_of_though_many_other_extents_may_be_meant():
    (found,) = relaylogic.infer("""
def @main(%x: Tensor[(1, 3, 2, 2), float32], %w: Tensor[(1, 15, 2), float32], %r: Tensor[(1, 15, 5), float32]) {
  let %h = zeros(shape=[3, 5], dtype="float32");
  let %parts = split(nn.dense(squeeze(%x, axis=[0]), squeeze(%w, axis=[0])), indices_or_sections=3, axis=1);
  let %rs = split(squeeze(%r, axis=[0]), indices_or_sections=3);
  add(%parts.0, nn.dense(%h, %rs.0))
}""").errors
    assert found.line == 2
    assert found.hints == ("the rest of the program is consistent with Tensor[(1, 3, 2), float32] here",)


def test_an_axis_too_many_is_thought_of_where_the_rest_contradicts_itself():
    """What one of two calls needs was taken for what all need: the other one, and what it gives, were blamed, too."""
    result = relaylogic.infer(
        """def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(3, 4, 2), float32], %b: Tensor[(4), float32]) {
  %0 = transpose(%w, axes=[1, 0]);
  %1 = nn.dense(%x, transpose(%w, axes=[1, 0]), units=4);
  %2 = nn.dense(%x, %0, units=9);
  add(%2, add(%1, %b))
}""",
        closed=True,
    )
    assert [error.line for error in result.errors] == [1, 4]
    assert "needs Tensor[(3, 4), float32]" in result.errors[0].message
    assert "the rest of the program is consistent with `units=4` here" in result.errors[1].hints


def test_a_call_of_which_an_attribute_is_mended_follows_what_is_given_to_it():
    """It was taken to be of the dtype that it has where what is given to it is wrong, too."""
    result = relaylogic.infer(
        """def @main(%x: Tensor[(1, 3, 24, 12), float64], %w: Tensor[(12, 12), float32], %b: Tensor[(3), float32]) {
  let %y = nn.dense(reshape(%x), %w);
  let %z = nn.bias_add(add(reshape_like(%y, %x), nn.softmax(%x)), %b);
  nn.dense(reshape(%z, newshape=[-1, 12]), %w)
}""",
        closed=True,
    )
    places = [(error.span.line, error.span.text) for error in result.errors]
    assert places == [(1, "Tensor[(1, 3, 24, 12), float64]"), (2, "reshape(%x)")]


@pytest.mark.parametrize(
    ("call", "needed", "value"),
    [
        ("cast(%k)", "Tensor[(2), uint8]", 'dtype="uint8"'),
        ("reshape(%k)", "Tensor[(2, 1), int32]", "newshape=[2, 1]"),
        ("expand_dims(%k)", "Tensor[(2, 1), int32]", "axis=1"),
    ],
)
def test_what_a_left_out_attribute_should_be_is_told_by_what_is_needed(call, needed, value):
    (error,) = relaylogic.infer(f"def @main(%k: Tensor[(2), int32]) -> {needed} {{ {call} }}").errors
    assert error.malformed and error.hints == (f"the rest of the program is consistent with `{value}` here",)


def test_a_number_was_left_out_if_no_other_goes_with_what_is_given():
    """The weight was blamed: of groups, 2 is the only number that goes with 4 channels of which it takes 2."""
    result = relaylogic.infer(
        "def @main(%x: Tensor[(2, 4, 6, 5), float32], %w: Tensor[(6, 2, 3, 2), float32]) { nn.conv2d(%x, %w) }"
    )
    (error,) = result.errors
    assert "the rest of the program is consistent with `groups=2` here" in error.hints


@pytest.mark.parametrize(
    ("used", "hint"),
    [("%w", "a tuple of argument 1 and `%b`"), ("(%b, %w)", "a tuple with argument 1 as its only field")],
)
def test_where_a_tensor_stands_in_place_of_a_tuple_the_call_that_takes_it_is_wrong(used, hint):
    """Brackets make no tuple: the call of `nn.relu` was blamed, which can give none."""
    (found,) = relaylogic.infer(f"""def @main(%a: Tensor[(2, 3), int8], %b: Tensor[(2, 3), int8], %w: int8) {{
  let %d = nn.relu(%a);
  let %c = concatenate((%d), axis=0);
  (tanh(%c), {used})
}}""").errors
    assert found.line == 3 and f"the rest of the program is consistent with {hint}" in found.hints


PICKED = """type Option[A] { Some(A), None }
def @or[A](%o: Option[A], %d: A) -> A { match (%o) { Some(%v) => %v, None => %d } }
"""


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        ("@or(%o, %t)", "`%b` as argument 2"),
        ("@or(Some(%o), %b)", "`%b` as argument 1"),
        ("@join(%a, %t)", "`%b` as argument 2"),
    ],
)
def test_what_a_polymorphic_function_takes_is_told_by_the_other_arguments(call, hint):
    """Nothing denied an argument of a type that is a parameter of the function: two other calls were blamed."""
    (found,) = relaylogic.infer(f"""{PICKED}def @join(%x, %y) {{ add(%x, %y) }}
def @main(%a: Tensor[(2), int8], %b: Tensor[(2), int8], %t: (int8, int8)) -> (Tensor[(2), int8], int8) {{
  let %o = Some(nn.relu(%a));
  let %r = {call};
  (add(%r, @or(%o, %a)), %t.0)
}}""").errors
    assert found.line == 6 and any(hint in said for said in found.hints)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("(Tensor[(2, 3), int8], Tensor[(3, 5), int8], bool)", "(Tensor[(2, 3), int8], Tensor[(2, 5), int8], bool)"),
        ("(Tensor[(4, 3), int8], Tensor[(2, 5), int8], bool)", "(Tensor[(2, 3), int8], Tensor[(2, 5), int8], bool)"),
    ],
)
def test_a_field_of_a_tuple_is_meant_to_be_as_those_want_it_who_take_it(written, meant):
    """Nothing was thought of: the tuple of the fields was blamed, of which nobody knew what was meant."""
    (found,) = relaylogic.infer(f"""
def @main(%t: {written}, %x: Tensor[(2, 8), int8]) -> (Tensor[(2, 8), int8], bool) {{
  (add(concatenate((%t.0, %t.1), axis=1), %x), %t.2)
}}""").errors
    assert found.message.startswith(f"`%t` is annotated {written}")
    assert found.hints == (f"the rest of the program is consistent with {meant} here",)


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        ("@or(%o)", "one more argument here, argument 2, of type Tensor[(2), int8]"),
        ("@or(%a)", "one more argument here, argument 1, of type Option[Tensor[(2), int8]]"),
    ],
)
def test_what_is_said_of_an_argument_too_few_is_what_it_is_here(call, hint):
    """Its type was told as the function declares it."""
    (found,) = relaylogic.infer(f"""{PICKED}
def @main(%o: Option[Tensor[(2), int8]], %a: Tensor[(2), int8]) -> Tensor[(2), int8] {{ {call} }}""").errors
    assert found.hints == (f"the rest of the program is consistent with {hint}",)


def test_types_that_were_made_up_are_not_told_of_what_contradicts_the_rest():
    """It was told that a tuple has type (Tensor[(t14, t6, ...t15), t2], ...), which stands nowhere in the program."""
    (found,) = relaylogic.infer("""def @net(%x, %w, %b) { nn.bias_add(nn.dropout(nn.dense(%x, %w), rate=0.5f), %b) }
def @main(%x: Tensor[(2, 8), float32], %w: Tensor[(4, 8), float32], %b: Tensor[(4), float32]) { @net(%x, %w, %b) }
""").errors
    assert "nn.dropout" in found.message and not re.search(r"\bt\d", found.message)


@pytest.mark.parametrize("called", ["%x()", "(if (True) { %x } else { 1f })()", "zeros(shape=[2], dtype=\"int8\")()"])
def test_what_is_called_without_arguments_and_is_no_function_was_a_fault_of_ours(called):
    (found, *_) = relaylogic.infer(f"def @main(%x: int8) {{ {called} }}").errors
    assert "no function" in found.message or "needs fn ()" in found.message


def test_an_annotation_of_a_dtype_of_the_wrong_kind_is_told_one_of_another_kind():
    text = "def @main(%i: Tensor[(2, 7), float32], %t: Tensor[(9, 4), float32]) { take(%t, %i, axis=0) }"
    (found,) = relaylogic.infer(text).errors
    assert found.hints == ("the rest of the program is consistent with Tensor[(2, 7), int32] here",)

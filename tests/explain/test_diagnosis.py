"""One error for each fault: which place of a conflict is blamed, what it says, and where the others are."""

from __future__ import annotations

import re

import pytest

import relaylogic
from relaylogic.clauses.load import load_clauses
from relaylogic.explain.blame.diagnosis import Diagnosis
from relaylogic.explain.places.said import Said
from relaylogic.explain.render import render_problem
from relaylogic.infer.program import Inference
from relaylogic.rulebase import load_rules

HEADER = '#[version = "0.0.5"]\n'


def errors(text, closed=True):
    """(line, message) of the errors of a program whose first line is line 1."""
    return [(error.line - 1, error.message) for error in problems(text, closed)]


def problems(text, closed=True):
    """The errors of a program, one line below where they are in the text."""
    return relaylogic.infer(relaylogic.parse(HEADER + text), closed=closed).errors


def related(problem):
    """(line, message) of the other places of an error."""
    return [(label.span.line - 1, label.message) for label in problem.related]


def test_an_annotation_is_blamed_for_which_the_rest_says_what_it_should_be():
    (found,) = problems("""def @main(%x: Tensor[(2, 784), float32], %w: Tensor[(64, 783), float32], %b) {
  nn.bias_add(nn.dense(%x, %w, units=64), %b)
}""")
    assert found.line == 2
    assert "`%w` is annotated Tensor[(64, 783), float32]" in found.message
    assert "needs Tensor[(64, 784), float32]" in found.message
    (refused, other) = related(found)
    assert refused[0] == 2 and "`nn.dense` refuses" in refused[1]
    assert other == (1, "`%x` is annotated Tensor[(2, 784), float32]")


def test_several_witnesses_stand_against_one():
    found = errors("""def @f(%x: int32, %y: float32) -> int32 { %x }
def @main() {
  let %a = @f(1, 2);
  let %b = @f(3, 4);
  %a + %b
}""")
    assert [line for line, _ in found] == [1]
    assert "`%y` is annotated float32" in found[0][1]


def test_what_could_be_otherwise_at_the_call_itself_is_blamed_there():
    found = errors("""def @main(%x: Tensor[(1, 3, 8, 8), float32], %w: Tensor[(16, 3, 3, 3), float32])
    -> Tensor[(1, 16, 6, 6), float32] {
  nn.conv2d(%x, %w, channels=17, kernel_size=[3, 3])
}""")
    assert [line for line, _ in found] == [3]


def test_a_call_unlike_all_others_is_blamed():
    convolutions = "\n".join(
        f"  %{i} = nn.conv2d({'%x' if not i else f'%{i - 1}'}, %w{i},"
        f"{'' if i == 1 else ' padding=[1, 1, 1, 1],'} channels=4, kernel_size=[3, 3]);"
        for i in range(5)
    )
    weights = ", ".join(f"%w{i}: Tensor[(4, 4, 3, 3), float32]" for i in range(5))
    found = errors(f"def @main(%x: Tensor[(1, 4, 8, 8), float32], {weights}) {{\n{convolutions}\n  add(%4, %x)\n}}")
    assert [line for line, _ in found] == [3]
    assert "`padding=[1, 1, 1, 1]` here, as 4 other calls have" in found[0][1]


def test_swapped_arguments_are_blamed_at_their_call():
    found = errors("""def @main(%x: Tensor[(3), float32]) {
  let %f = fn (%a: Tensor[(3), float32], %b: bool) { if (%b) { %a } else { exp(%a) } };
  %f(True, %x)
}""")
    assert {line for line, _ in found} == {3}


def test_a_missing_arm_is_missed_where_the_match_ends():
    found = errors("""type Color {
  Red,
  Green,
}
def @code(%c: Color) -> int32 {
  match (%c) {
    Red => 0,
  }
}""")
    assert [line for line, _ in found] == [8]


@pytest.mark.parametrize("closed", [True, False])
def test_nothing_is_written_into_the_program(closed):
    module = relaylogic.parse(HEADER + "def @main(%x: Tensor[(3), float32], %y: Tensor[(4), float32]) { add(%x, %y) }")
    first = relaylogic.infer(module, closed=closed)
    again = relaylogic.infer(module, closed=closed)
    assert [e.message for e in first.errors] == [e.message for e in again.errors]
    assert [str(p.type_annotation) for f in module.functions.values() for p in f.params] == [
        "Tensor[(3), float32]",
        "Tensor[(4), float32]",
    ]


def test_independent_faults_are_all_reported_and_echoes_are_not():
    found = errors("""def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(4, 3), float32], %b: Tensor[(4), float32]) {
  let %a = nn.dense(%x, %w, units=5);
  let %c = nn.relu(nn.bias_add(%a, %b));
  let %d = concatenate((%c, %x), axis=1);
  (%d, transpose(%b, axes=[0, 1]))
}""")
    assert [line for line, _ in found] == [2, 5]


def test_what_would_fit_is_said_only_where_it_differs():
    (found,) = problems("def @main(%x: Tensor[(3), float32], %y: Tensor[(4), float32]) { add(%x, %y) }")
    assert not any("would fit" in hint for hint in found.hints)
    result = relaylogic.infer_call("nn.dense", ["Tensor[(2, 3), float32]", "Tensor[(4, 5), float32]"])
    hints = [hint for error in result.errors for hint in error.hints]
    assert all("Tensor[(2, 3), float32]" not in hint and "Tensor[(4, 5), float32]" not in hint for hint in hints)


def test_the_places_of_a_conflict_stand_in_one_listing():
    text = """def @main(%x: Tensor[(2, 784), float32],
          %w: Tensor[(64, 783), float32]) {
  nn.dense(%x, %w, units=64)
}"""
    (found,) = relaylogic.infer(text).errors
    shown = render_problem(found).splitlines()
    assert shown[0].startswith("<text>:2:15: error: `%w` is annotated Tensor[(64, 783), float32], but")
    assert [line.split("|")[0].strip() for line in shown[1:]] == ["1", "", "2", "", "3", ""]
    assert shown[2].endswith("------------------------- `%x` is annotated Tensor[(2, 784), float32]")
    assert set(shown[4].split("|")[1].strip()) == {"^"}
    assert "--- `nn.dense` refuses (Tensor[(2, 784), float32], Tensor[(64, 783), float32])" in shown[6]


def test_an_annotation_that_is_ill_kinded_in_several_parts_has_an_error_for_each():
    found = errors("""type L[A] { N, C(A, L[A]), }
def @main[t: Type, s: Shape](%x: (Tensor[(t), float32], Tensor[(2), s]), %y: (L[int8, int8], L[])) { 1 }""")
    assert [line for line, _ in found] == [2] * 4
    wrong = ["parameter `t` is of kind Type", "parameter `s` is of kind Shape", "but 2 are given", "but none is given"]
    assert all(any(part in message for _, message in found) for part in wrong)


def test_an_attribute_is_shown_where_it_stands():
    text = """def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(4, 3), float32]) -> Tensor[(2, 4), float32] {
  nn.dense(%x, %w,
    units=5)
}"""
    (found,) = problems(text)
    assert (4, "`units` is 5") in [(label.span.line, label.message) for label in found.related]
    assert any("`units=4` here" in hint for hint in found.hints)


OWN = """relation Halves(a, b).
even: Halves(Tensor[(n), d], Tensor[(m), d]) :- "the length is even": n = 2 * m.
pair: Halves(Tensor[(n, k), d], Tensor[(m, k), d]) :- n = 2 * m, k > 2, d != bool.
operator halve(a): Halves.
relation Twins(a, b).
twins: Twins((A, B), C) :- A = B, C = A.
operator pick(a): Twins.
relation Outer(a, b, c).
vectors: Outer(Tensor[(n), d], Tensor[(m), d], Tensor[(n, m), d]).
operator outer(a, b): Outer."""


@pytest.fixture(scope="module")
def own_rules():
    rules = load_rules()
    load_clauses(rules, OWN)
    return rules


def test_the_clause_is_named_that_came_furthest(own_rules):
    result = relaylogic.infer("def @main(%x: Tensor[(6, 3), bool]) { halve(%x) }", rules=own_rules)
    (error,) = result.errors
    said = [error.message, *(label.message for label in error.related)]
    assert any(text.endswith("bool must be something else than bool [Halves, clause pair]") for text in said)


def test_what_would_fit_is_not_told_where_it_denies_nothing(own_rules):
    result = relaylogic.infer("def @main(%p: (Tensor[(3), int8], Tensor[(4), int8])) { pick(%p) }", rules=own_rules)
    (error,) = result.errors
    assert not any("would fit" in hint for hint in error.hints)
    assert relaylogic.infer("def @main(%p: Tensor[(3), int8]) { pick(%p) }", rules=own_rules).errors[0].related


def test_a_refusal_is_told_with_the_types_of_the_text(own_rules):
    text = """def @main(%x: Tensor[(5), float32], %y: Tensor[(4, 2), bool]) {
  let %a = halve(%x);
  let %b = outer(%x, %y);
  let %c = halve(%y);
  (%a, %b, %c)
}"""
    result = relaylogic.infer(text, rules=own_rules)
    told = [message for e in result.errors for message in (e.message, *(label.message for label in e.related))]
    refused = [message for message in told if "`halve` refuses" in message]
    assert refused
    assert all("(Tensor[(5), float32])" in m or "(Tensor[(4, 2), bool])" in m for m in refused)


def test_another_variable_than_the_one_that_is_meant_is_matched():
    """The use was no place: the annotation of the variable was blamed, which is right."""
    (found,) = problems("""type List[A] { Cons(A, List[A]), Nil }
def @first(%xs: List[Tensor[(2), int8]], %d: Tensor[(2), int8], %n: Tensor[(4), int8]) {
  let %e = nn.relu(%n);
  let %m = Cons(%d, %xs);
  (%e, match (%n) {
    Cons(%h, %t) => add(%h, %d),
    Nil => %d
  })
}""")
    assert found.line == 6 and found.col == 15
    assert "`%n` has type Tensor[(4), int8], but the rest of the program needs List[" in found.message
    assert [line for line, _ in related(found)] == [6, 2]


CONST = """
def @const[A, B](%x: A, %y: B) -> A { %x }
"""


@pytest.mark.parametrize(
    ("text", "line"),
    [
        # The arguments of a function are exchanged.
        (
            """def @main(%x: Tensor[(3), float32], %n: int64) -> (Tensor[(3), float32], int64) {
  let %c = @const(%n, %x);
  let %d = @const(%n, %c);
  (add(%c, %c), add(%d, %n))
}""",
            4,
        ),
        # An axis is missing.
        (
            """def @main(%x: Tensor[(1, 16, 8, 8), int8], %w: Tensor[(10, 16), int8]) -> Tensor[(1, 10), int8] {
  let %p = nn.global_avg_pool2d(%x);
  let %s = squeeze(%p, axis=[3]);
  nn.dense(%s, %w, units=10)
}""",
            5,
        ),
        # What is taken to be the result does not fit where the call would if it were right.
        (
            """def @main(%x: Tensor[(4, 784), float32], %w: Tensor[(128, 784), float32]) {
  let %h: Tensor[(4, 128), float32] = nn.matmul(%x, %w);
  nn.relu(%h)
}""",
            4,
        ),
    ],
)
def test_one_slip_is_one_error_where_it_is(text, line):
    assert [found for found, _ in errors(CONST + text)] == [line]


@pytest.mark.parametrize(("extent", "axes"), [(6, [2, 3]), (7, [2, 3]), (90, [2, 3]), (90, [1, 2])])
def test_nothing_is_said_to_make_the_program_right_that_does_not(extent, axes):
    """No pooling leaves one channel."""
    text = f"""def @main(%x: Tensor[(1, 9, {extent}, 6), int8], %w: Tensor[(5, 9), int8]) -> Tensor[(1, 5), int8] {{
  let %a = nn.relu(%x);
  let %p = nn.max_pool2d(%a, pool_size=[2, 2], strides=[2, 2]);
  let %s = squeeze(%p, axis={axes});
  nn.dense(%s, %w, units=5)
}}"""
    (found,) = problems(text)
    said = re.findall(r"consistent with `(\w+)=(.+)` here", " ".join((found.message, *found.hints)))
    assert bool(said) == (axes == [2, 3])
    for name, value in said:
        assert relaylogic.infer(re.sub(rf"{name}=\[[^]]*\]", f"{name}={value}", text)).verdict == "typed"


CAST = 'cast(%c, dtype="int32")'


@pytest.mark.parametrize(("condition", "blamed"), [("%c", "int32"), (CAST, CAST)])
def test_a_condition_and_branches_that_are_both_wrong_are_two_errors(condition, blamed):
    text = f"""def @main(%x: Tensor[(3), float32], %y: Tensor[(4), float32], %c: int32) -> Tensor[(3), float32] {{
  if ({condition}) {{ nn.relu(%x) }} else {{ nn.relu(%y) }}
}}"""
    found = [text[error.span.start : error.span.end] for error in relaylogic.infer(text).errors]
    assert found == ["Tensor[(4), float32]", blamed]


PAIR = "def @pair[A, B](%x: A, %y: B) -> A { (%x, %y) }\n"


@pytest.mark.parametrize(
    "main",
    [
        "def @main(%a: Tensor[(3), float32], %b: int64) -> (Tensor[(3), float32], int64) { @pair(%a, %b) }",
        "def @main(%a: int8, %b: int64) { let %p: (int8, int64) = @pair(%a, %b); %p }",
        "def @main(%a: int8, %b: int64) { @pair(@pair(%a, %b).0, %b).1 }",
    ],
)
def test_the_result_of_a_polymorphic_function_is_what_its_body_comes_to(main):
    """One user of it wanted what only an instance is; so the body stayed wrong, and the user was blamed, too."""
    (found,) = problems(PAIR + main)
    assert found.span.text == "A" and found.line == 2
    assert "needs (A, B)" in found.message


@pytest.mark.parametrize(
    "text",
    [
        "def @main(%x: Tensor[(3), int8]) -> Tensor[(5), int8] { let %y: Tensor[(4), int8] = nn.relu(%x); abs(%y) }",
        "def @main(%x: Tensor[(3), int8], %y: (int8, int16)) -> Tensor[(4), int8] { let %z: int8 = %y.1; nn.relu(%x) }",
        "def @main(%x: Tensor[(3), int8], %y: Tensor[(4), int8]) { let %z: bool = nn.relu(%x); (%z, add(%x, %y)) }",
    ],
)
def test_a_replacement_leaves_nothing_refused_but_other_faults(text):
    found = relaylogic.infer(text).errors
    for fix in (fix for error in found for fix in error.fixes):
        fixed = text[: fix.span.start] + fix.text + text[fix.span.end :]
        assert len(relaylogic.infer(fixed).errors) == len(found) - 1


LIST = "type List[A] { Cons(A, List[A]), Nil }\n"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("def @main(%x: Tensor[(2, 8), int8], %b: Tensor[(8), int8]) { nn.bias_add(%b, %x) }", "arguments 1 and 2"),
        (
            "def @f(%a: int8, %b: int16, %c: bool) { %a } "
            "def @main(%a: int8, %b: bool, %c: int16) { @f(%a, %b, %c) }",
            "arguments 2 and 3",
        ),
        (LIST + "def @main(%a: int8, %l: List[int8]) -> List[int8] { Cons(%l, %a) }", "arguments 1 and 2"),
        ("def @main(%x: int8, %y: int16) -> (int8, int16) { (%y, %x) }", "fields .0 and .1"),
        ("def @f(%p: (int8, bool, int16)) { %p.0 } def @main(%x: int8) { @f((%x, 1i16, True)) }", "fields .1 and .2"),
    ],
)
def test_that_exchanged_arguments_would_do_is_said(text, what):
    (found,) = relaylogic.infer(text).errors
    assert found.hints[-1] == f"the rest of the program is consistent with {what} exchanged here"


def test_exchanged_arguments_are_no_cure_where_something_else_is_refused_then():
    found = relaylogic.infer("def @main(%x: int8, %y: int16) -> (int16, int16) { let %t: (int8, int8) = (%y, %x); %t }")
    assert not any("exchanged" in hint for error in found.errors for hint in error.hints)


TYPES = LIST + "type Option[A] { Some(A), None }\ntype Either[A, B] { Left(A), Right(B) }\n"
OR = "def @or[A](%o: Option[A], %d: A) -> A { match (%o) { Some(%v) => %v, None => %d } }\n"


@pytest.mark.parametrize(
    ("text", "what", "old", "new"),
    [
        ("def @main(%x: int8) { add(@or(%x, 1i8), %x) }", "`Some` around argument 1", "@or(%x", "@or(Some(%x)"),
        ("def @main(%x: int8) -> Option[int8] { copy(%x) }", "`Some` around this", "copy(%x)", "Some(copy(%x))"),
        ("def @main(%x: int8, %y: int8) { @or(Some(%x), Some(%y)) }", "", "Some(%y)", "%y"),
        (
            "def @main(%x: int8, %y: int16) -> (Either[int16, int8], int8) { let %z = add(%x, 1i8); (Left(%z), %x) }",
            "`Right` in place of `Left` here",
            "Left(%z)",
            "Right(%z)",
        ),
        (
            "def @main(%x: Tensor[(2, 3, 4), int8]) -> Tensor[(2, 3, 4), int8] { nn.batch_flatten(nn.relu(%x)) }",
            "its argument in place of this call",
            "nn.batch_flatten(nn.relu(%x))",
            "nn.relu(%x)",
        ),
        (
            "def @half(%x: Tensor[(4, 6), int8]) -> Tensor[(4, 3), int8] { split(%x, indices_or_sections=2, axis=1) } "
            "def @main(%x: Tensor[(4, 6), int8], %y: Tensor[(4, 3), int8]) { add(add(@half(%x), %y), @half(%x)) }",
            "field .0 of this",
            "axis=1)",
            "axis=1).0",
        ),
        (
            "def @main(%x: Tensor[(2, 3, 4), float32], %w: Tensor[(5, 12), float32]) -> Tensor[(2, 5), float32] "
            "{ nn.dense(nn.relu(%x), %w) }",
            "`nn.batch_flatten` around argument 1",
            "nn.relu(%x)",
            "nn.batch_flatten(nn.relu(%x))",
        ),
        (
            "def @main(%x: Tensor[(9, 4), float32], %y: Tensor[(9, 6), float32]) -> (Tensor[(4, 6), float32], "
            "Tensor[(9, 4), float32]) { (nn.dense(%x, transpose(%y, axes=[1, 0])), tanh(%x)) }",
            "`transpose` with axes=[1, 0] around argument 1",
            "nn.dense(%x,",
            "nn.dense(transpose(%x, axes=[1, 0]),",
        ),
        (
            "def @main(%x: Tensor[(4, 6), int8]) -> Tensor[(4, 3), int8] "
            "{ let %t = split(%x, indices_or_sections=2, axis=1); let %y = abs(%t); negative(%y) }",
            "",
            "abs(%t)",
            "abs(%t.0)",
        ),
        (
            "def @main(%x: int8, %y: bool, %c: bool) -> (bool, int8) { if (%c) { %x } else { (%y, %x) } }",
            "a tuple with this as field .1",
            "{ %x }",
            "{ (%c, %x) }",
        ),
        (
            "def @main(%x: int8, %y: bool) -> (bool, int8, bool) { let %a = negative(%x); (%y, %a) }",
            "",
            "(%y, %a)",
            "(%y, %a, %y)",
        ),
        (
            "def @compose[A, B, C](%f: fn (B) -> C, %g: fn (A) -> B) -> fn (A) -> C { fn (%x: A) -> C { %g(%f(%x)) } }",
            "the two functions that are called here exchanged",
            "%g(%f(%x))",
            "%f(%g(%x))",
        ),
        (
            "def @f(%a: Tensor[(2, 4), int8], %v: Tensor[(5, 4), int8]) -> Tensor[(2, 5), int8] { nn.dense(%a, %v) } "
            "def @g(%a: Tensor[(2, 3), int8], %v: Tensor[(4, 3), int8]) -> Tensor[(2, 4), int8] { nn.dense(%a, %v) } "
            "def @main(%x: Tensor[(2, 3), int8], %w: Tensor[(4, 3), int8], %v: Tensor[(5, 4), int8]) "
            "-> Tensor[(2, 5), int8] { @g(@f(%x, %v), %w) }",
            "the two calls here exchanged, each with its other arguments",
            "@g(@f(%x, %v), %w)",
            "@f(@g(%x, %w), %v)",
        ),
        (
            "def @main(%x: Tensor[(2, 64, 7, 7), float32], %w: Tensor[(10, 64), float32]) -> Tensor[(2, 10), float32] "
            "{ nn.dense(nn.relu(%x), %w) }",
            "`mean` with axis=[2, 3] around argument 1",
            "nn.relu(%x)",
            "mean(nn.relu(%x), axis=[2, 3])",
        ),
        (
            "def @main(%x: Tensor[(1, 3, 8, 8), int8], %b: Tensor[(3), int8]) -> Tensor[(1, 3, 8, 8), int8] "
            "{ add(nn.relu(%x), nn.relu(%b)) }",
            "`expand_dims` with axis=1, num_newaxis=2 around argument 2",
            "nn.relu(%b)",
            "expand_dims(nn.relu(%b), axis=1, num_newaxis=2)",
        ),
        (
            "def @main(%x: Tensor[(2, 3), int8], %y: Tensor[(4), int8]) { nn.relu(add(%x, %y)) }",
            "Tensor[(3), int8] here",
            "%y: Tensor[(4)",
            "%y: Tensor[(3)",
        ),
        (
            "def @main(%x: Tensor[(2, 3, 4, 4), float32], %g: Tensor[(3), float32]) -> Tensor[(2, 3, 4, 4), float32] "
            "{ let %n = nn.batch_flatten(nn.batch_norm(%x, %g, %g, %g, %g)); nn.relu(%n.0) }",
            "its argument in place of this call",
            "nn.batch_flatten(nn.batch_norm(%x, %g, %g, %g, %g))",
            "nn.batch_norm(%x, %g, %g, %g, %g)",
        ),
        (
            "def @main(%x: Tensor[(2, 3), int8], %w: Tensor[(4, 3), int8]) -> (Tensor[(2, 4), int8], Tensor[(2, 3), "
            "int8]) { let %r = nn.relu(%x); (nn.dense(%x, %r, units=4), add(%r, %x)) }",
            "`%w` as argument 2",
            "nn.dense(%x, %r,",
            "nn.dense(%x, %w,",
        ),
        (
            "def @main(%x: Tensor[(2, 3), int8], %y: Tensor[(2, 3), int8]) -> (Tensor[(2, 3), int8], Tensor[(2, 3), "
            "bool]) { let %l = less(%x, %y); let %s = add(%l, %y); (add(%s, %l), less(%s, %y)) }",
            "`add` in place of `less` here",
            "= less(",
            "= add(",
        ),
        (
            "type Shape { Circle(int8), Line(Tensor[(2), int8]), Box(int8, int8) } "
            "def @main(%s: Shape) -> Shape { match? (%s) { Line(%r) => Box(%r, %r), Box(%a, %b) => Circle(%a) } }",
            "`Circle` in place of `Line` in this pattern",
            "{ Line(%r)",
            "{ Circle(%r)",
        ),
        (
            "def @f(%w: Tensor[(2, 3), int8], %x: Tensor[(4, 3), int8]) -> Tensor[(2, 4), int8] { "
            "let %h = nn.relu(%x); add(nn.dense(%h, %w), nn.dense(%x, nn.relu(%w))) } "
            "def @main(%w: Tensor[(4, 3), int8], %x: Tensor[(2, 3), int8]) { @f(%w, %x) }",
            "the types of the parameters `%w` and `%x` exchanged",
            "%w: Tensor[(2, 3), int8], %x: Tensor[(4, 3), int8]",
            "%w: Tensor[(4, 3), int8], %x: Tensor[(2, 3), int8]",
        ),
        (
            "def @cell(%s: Tensor[(1, 20), int8], %i: Tensor[(1, 5), int8], %wh: Tensor[(20, 5), int8], "
            "%wi: Tensor[(20, 20), int8]) { add(nn.dense(%i, %wi), nn.dense(%s, %wh)) } "
            "def @main(%s: Tensor[(1, 20), int8], %i: Tensor[(1, 5), int8], %wi: Tensor[(20, 5), int8], "
            "%wh: Tensor[(20, 20), int8]) { (@cell(%s, %i, %wi, %wh), 1) }",
            "the names of the parameters `%wi` and `%wh` exchanged",
            "%wh: Tensor[(20, 5), int8], %wi: Tensor[(20, 20), int8]) { add",
            "%wi: Tensor[(20, 5), int8], %wh: Tensor[(20, 20), int8]) { add",
        ),
        (
            "def @step(%c: Tensor[(1, 4), int8], %w: Tensor[(4, 4), int8]) -> Tensor[(1, 4), int8] { nn.dense(%c, %w) }"
            " def @main(%w: Tensor[(1, 4), int8], %c: Tensor[(4, 4), int8]) { "
            "let %a = @step(%c, %w); let %b = @step(%a, %w); @step(%b, %w) }",
            "the names of the parameters `%w` and `%c` exchanged",
            "@main(%w: Tensor[(1, 4), int8], %c:",
            "@main(%c: Tensor[(1, 4), int8], %w:",
        ),
        (
            "def @map[A, B](%l: fn (A) -> B, %f: List[A]) -> List[B] "
            "{ match (%l) { Nil => Nil, Cons(%h, %t) => Cons(%f(%h), @map(%f, %t)) } } "
            "def @main(%l: List[int8]) -> List[bool] { @map(fn (%x: int8) { less(%x, 1i8) }, %l) }",
            "the names of the parameters `%l` and `%f` exchanged",
            "%l: fn (A) -> B, %f: List[A]",
            "%f: fn (A) -> B, %l: List[A]",
        ),
        (
            "def @evens[A](%l: List[A]) -> List[A] { match (%l) { Nil => Nil, Cons(%t, %h) => Cons(%h, @odds(%t)) } } "
            "def @odds[A](%l: List[A]) -> List[A] { match (%l) { Nil => Nil, Cons(_, %t) => @evens(%t) } }",
            "fields .0 and .1 exchanged here",
            "Cons(%t, %h)",
            "Cons(%h, %t)",
        ),
        (
            "def @main(%p: (Tensor[(2, 3), int8], Tensor[(3), bool]), %x: Tensor[(2, 3), int8]) "
            "-> (Tensor[(2, 3), int8], Tensor[(2, 3), int8], Tensor[(3), bool]) { match (%p) "
            "{ (%m, %y) => (add(%x, %y), add(%y, %x), logical_and(%m, %m)) } }",
            "fields .0 and .1 exchanged here",
            "(%m, %y) =>",
            "(%y, %m) =>",
        ),
        (
            "def @fold[A, B](%f: fn (B, A) -> B, %z: B, %l: List[A]) -> B "
            "{ match (%l) { Nil => %z, Cons(%h, %t) => @fold(%f, %f(%z, %h), %t) } } "
            "def @last[A](%d: A, %l: A) -> A { @fold(fn (%z: A, %h: A) -> A { %h }, %d, %l) } "
            "def @both[A](%d: A, %l: List[A]) -> (A, A) { (@last(%d, %l), @last(%d, %l)) }",
            "",
            "%l: A)",
            "%l: List[A])",
        ),
        (
            "def @main(%x: Tensor[(3, 2, 4), int8]) "
            "{ (reshape(%x, newshape=[0, 12]), reshape(%x, newshape=[-4, 1, 2, -2]), nn.relu(%x)) }",
            "Tensor[(2, 3, 4), int8] here",
            "(3, 2, 4)",
            "(2, 3, 4)",
        ),
        (
            "def @main(%x: Tensor[(2, 8, 9, 9), int8], %w: Tensor[(8, 8, 3, 3), int8]) "
            "{ let %c = nn.conv2d(%w, %w, padding=[1, 1, 1, 1]); add(nn.relu(%c), %x) }",
            "`%x` as argument 1",
            "nn.conv2d(%w, %w",
            "nn.conv2d(%x, %w",
        ),
        (
            "def @main(%x: Tensor[(2, 8, 9, 9), int8], %w: Tensor[(4), int8], %g: Tensor[(8), int8]) "
            "{ let %n = nn.batch_norm(%x, %g, %g, %g, %g); let %r = nn.relu(%w); (add(%r, %x), nn.relu(%w)) }",
            "`%n.0` as argument 1",
            "%r = nn.relu(%w)",
            "%r = nn.relu(%n.0)",
        ),
        (
            "def @main(%x: Tensor[(12, 32), int8], %y: Tensor[(4, 12, 8), int8]) "
            "{ let %r = reshape(%x, newshape=[12, 4]); add(transpose(%r, axes=[1, 0, 2]), %y) }",
            "",
            "[12, 4]",
            "[12, 4, -1]",
        ),
    ],
)
def test_what_is_told_to_make_the_program_right_does(text, what, old, new):
    text = TYPES + OR + text
    (found,) = relaylogic.infer(text).errors
    assert not what or f"the rest of the program is consistent with {what}" in found.hints
    assert relaylogic.infer(text.replace(old, new)).verdict == "typed"


def test_an_annotation_may_have_the_wrong_type_parameter():
    """What its users make of a parameter was taken for what is meant; a parameter counted as two parts that differ."""
    (found,) = relaylogic.infer(LIST + """def @map[A, B](%f: fn (A) -> B, %l: List[B]) -> List[B] {
  match (%l) {
    Cons(%h, %t) => Cons(%f(%h), @map(%f, %t)),
    Nil => Nil,
  }
}
def @main(%l: List[int8]) { @map(fn (%x: int8) { negative(%x) }, %l) }""").errors
    assert found.message == "`%l` is annotated List[B], but the rest of the program needs List[A]"


@pytest.mark.parametrize("wrong", ["sum(%y)", "(%y, %y)", "Nil"])
def test_the_wrong_branch_is_blamed_and_not_the_if(wrong):
    (found,) = relaylogic.infer(LIST + f"""def @main(%x: Tensor[(4), int8], %y: Tensor[(4), int8], %c: bool) {{
  let %z = if (%c) {{
    nn.relu(%x)
  }} else {{
    {wrong}
  }};
  let %a: Tensor[(4), int8] = add(%z, %y);
  %a
}}""").errors
    assert found.line == 6


def test_one_call_is_blamed_that_explains_all_though_nobody_knows_what_is_meant():
    """Only members with a mend began a hypothesis: an annotation and a function were blamed, without a word."""
    found = relaylogic.infer("""def @main(%x: Tensor[(2, 3, 8, 8), float32], %w: Tensor[(4, 3, 1, 1), float32]) {
  let %h = nn.batch_flatten(nn.relu(%x));
  let %f = fn (%a: Tensor[(2, 3, 8, 8), float32]) {
    tanh(add(%a, %h))
  };
  nn.conv2d(%f(%h), %w, channels=4, kernel_size=[1, 1])
}""").errors
    assert [error.line for error in found] == [2]


def test_a_shared_node_is_blamed_where_it_is_used():
    text = """type Either[A, B] { Left(A), Right(B) }
def @main(%x: Tensor[(4), int8], %e: Either[Tensor[(4), int8], bool]) {
  %0 = nn.relu(%x);
  %1 = match (%e) {
    Left(_) => True,
    Right(_) => %0,
  };
  let %c = logical_not(%1);
  (%0, %c)
}"""
    (found,) = relaylogic.infer(text).errors
    spans = [found.span, *(label.span for label in found.related)]
    assert (6, 17) in [(span.line, span.column) for span in spans]


def test_a_condition_stands_in_its_brackets():
    text = "def @f(%x: Tensor[(3), int8]) -> Tensor[(3), int8] { if (%x) { %x } else { abs(%x) } }"
    (found,) = relaylogic.infer(text).errors
    assert found.span.text == "%x" and found.span.start == text.index("(%x) {") + 1


def test_one_call_of_which_the_type_is_known_is_likelier_than_two_annotations():
    found = errors("""def @main(%x: Tensor[(3, 6), float32]) -> Tensor[(3, 6), float32] {
  let %h: Tensor[(3, 6), float32] = tanh(%x);
  let %k: Tensor[(3, 6), float32] = less(%h, %x);
  %k
}""")
    assert [line for line, _ in found] == [3]


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        ("@f(%a)", "one more argument here, argument 2, of type bool"),
        ("@f(%b)", "one more argument here, argument 1, of type int8"),
        ("@f(%a, %a, %b)", ""),
        ("@f(%a, 1i64, %b)", "this call without argument 2"),
    ],
)
def test_an_argument_too_many_or_too_few_is_named(call, hint):
    text = f"def @f(%x: int8, %y: bool) {{ (%x, %y) }} def @main(%a: int8, %b: bool) {{ {call} }}"
    (found,) = relaylogic.infer(text).errors
    assert found.hints == ((f"the rest of the program is consistent with {hint}",) if hint else ())


TREE = """type Tree[a] { Leaf(a), Node(Tree[a], int32, Tree[a]) }
def @total(%t: Tree[float32]) -> float32 {
  match (%t) {
    Leaf(%v) => %v,
    Node(%l, %v, %r) => add(add(@total(%l), %v), @total(%r))
  }
}
def @main() -> float32 { @total(Node(Leaf(1f), 2f, Leaf(3f))) }"""
LISTED = """type List[A] { Cons(A, A), Nil }
def @main(%x: int8) { Cons(%x, Cons(%x, Nil)) }"""
STATE = """type State { Pair(Tensor[(2, 8), int8], Tensor[(2, 4), int8]) }
def @step(%x: Tensor[(2, 8), int8], %s: State) -> State {
  match (%s) {
    Pair(%h, %c) => {
      let %next = add(multiply(%x, %c), %h);
      Pair(multiply(%x, %next), %next)
    }
  }
}
def @main(%x: Tensor[(2, 8), int8]) -> State { @step(%x, Pair(%x, %x)) }"""


@pytest.mark.parametrize(
    ("text", "field", "declared", "needed"),
    [
        (LISTED, "field 2 of `Cons`", "A", "List[A]"),
        (TREE, "field 2 of `Node`", "int32", "a"),
        (STATE, "field 2 of `Pair`", "Tensor[(2, 4), int8]", "Tensor[(2, 8), int8]"),
    ],
)
def test_a_field_that_is_declared_wrongly_is_one_error_where_it_is_declared(text, field, declared, needed):
    """Each use of the constructor was blamed."""
    (found,) = relaylogic.infer(text).errors
    assert found.line == 1 and found.span.text == declared
    assert found.message == f"{field} is declared {declared}, but the rest of the program needs {needed}"
    assert found.related
    (fix,) = found.fixes
    fixed = text[: fix.span.start] + fix.text + text[fix.span.end :]
    assert relaylogic.infer(fixed).verdict == "typed"


def test_one_wrong_use_of_a_constructor_is_no_fault_of_its_declaration():
    found = relaylogic.infer(TREE.replace("int32", "a").replace("2f", "2"))
    assert [error.span.text for error in found.errors] == ["2"]


def test_a_field_that_speaks_of_a_type_parameter_is_not_declared_for_one_user():
    """`Cons` was said to be declared for lists of the tensors that one call of it was given."""
    (found,) = relaylogic.infer(
        LIST + "def @main(%x: Tensor[(3), float32], %y: Tensor[(?, 2), float32]) { Cons(%x, Cons(%y, Nil)) }"
    ).errors
    assert "declared" not in found.message


def test_what_is_refused_whatever_it_is_given_is_told_without_its_arguments():
    """Its shape was blamed, with which nothing is right, either."""
    (found,) = relaylogic.infer("""def @main(%x: Tensor[(16, 20), int8], %w: Tensor[(32, 16, 3), int8]) {
  nn.conv1d(%x, %w, padding=[1], channels=32, kernel_size=[3])
}""").errors
    assert found.message.startswith("`nn.conv1d` refuses (_, _): strides, dilation, padding and kernel size have a ")


def test_what_is_tried_is_not_told_to_be_needed():
    """Of a type parameter of a function, a number that would do was told to be what the rest needs."""
    (found,) = relaylogic.infer("""def @main<k: ShapeVar>(%x: Tensor[(2, 3, 4), int8], %s: Tensor[(k), int64]) {
  dyn.reshape(%x, %s)
}""").errors
    assert "the rest of the program needs" not in found.message


@pytest.mark.parametrize("last", ["add(%x, %p.2)", "add(%p.2, %x)"])
def test_what_a_mended_projection_gives_does_not_come_from_its_tuple(last):
    """The third axis of what was put around the projection was looked for in a field of two: IndexError."""
    result = relaylogic.infer(f"""def @main(%x: Tensor[(2, 6), float32]) {{
  let %p = split(%x, indices_or_sections=3, axis=1);
  {last}
}}""")
    (found,) = result.errors
    assert found.line == 3 and len(found.related) == 3


def test_all_fields_that_would_do_are_told():
    """Only the first was, as if no other would do."""
    text = """def @main(%x: Tensor[(4, 30), float32], %w: Tensor[(5, 10), float32]) {
  let %parts = split(%x, indices_or_sections=3, axis=1);
  nn.dense(%parts.3, %w)
}"""
    (found,) = relaylogic.infer(text).errors
    needed = "the rest of the program needs a field of type Tensor[(4, 10), float32] here, .0, .1 or .2"
    assert found.hints == (needed,)
    (found,) = relaylogic.infer("def @main() -> int8 { let %t = (1, 2i8, 3f); nn.relu(%t.3) }").errors
    assert found.hints == ("the rest of the program needs field .1 here, of type int8",)


def test_a_call_with_too_few_arguments_shows_the_type_of_the_function():
    """Its type was shown as if it had no annotations: `fn [t1, t2](t1) -> t2`."""
    (found,) = relaylogic.infer("""def @f(%x: Tensor[(1, 3), int8], %y: int8) { add(%x, %y) }
def @main(%x: Tensor[(1, 3), int8]) { nn.relu(@f(%x)) }""").errors
    assert found.message.endswith("its type is fn (Tensor[(1, 3), int8], int8) -> Tensor[(1, 3), int8]")


def test_dtypes_that_are_not_equal_are_told_as_dtypes():
    """A number alone is written as its dtype is: `int32 is not Tensor[_, float32]`."""
    (found,) = relaylogic.infer("def @main(%x: float32, %y: int32) { add(%x, %y) }").errors
    said = [found.message, *(label.message for label in found.related)]
    assert any("both operands have one dtype: int32 is not float32" in text for text in said)


def test_a_constant_is_told_which_type_it_should_have():
    """What was told was all that is known of it: `Tensor[_, int32]`."""
    (found,) = relaylogic.infer("""def @main(%n: int32) {
  let %f = fn (%i, %acc) { if (%i == 0) { %acc } else { %f(%i - 1, %acc * 2) } };
  %f(%n, 1f)
}""").errors
    assert (found.line, found.message) == (3, "the rest of the program needs int32 here")


NORMALISED = """def @main(%x: Tensor[(1, 8, 4, 4), float32], %gamma: Tensor[(8), float32], %beta: Tensor[(8), float32],
          %mean: Tensor[(8), float32], %var: Tensor[(8), float32]) {
  nn.batch_norm(CALL).0
}"""


@pytest.mark.parametrize(
    ("arguments", "change"),
    [
        ("%x, %gamma, %beta, %var", "`%mean` as one more argument"),
        ("%x, %gamma, %beta, %mean, %var, %var", "this call without argument 6"),
        ("%x, %gamma, %beta, %mean, %x, %var", "this call without argument 5"),
    ],
)
def test_an_operator_with_an_argument_too_few_or_too_many_is_told_which(arguments, change):
    """Only of functions and constructors it was."""
    text = NORMALISED.replace("CALL", arguments)
    (found,) = relaylogic.infer(text).errors
    assert found.message.startswith("`nn.batch_norm` takes 5 arguments (data, gamma, ")
    assert found.hints == (f"the rest of the program is consistent with {change}",)


def test_of_an_operator_that_lacks_an_argument_only_what_fits_is_told():
    text = NORMALISED.replace("CALL", "%x, %gamma, %beta, %var").replace("%mean: Tensor[(8)", "%mean: Tensor[(9)")
    (found,) = relaylogic.infer(text).errors
    assert not found.hints


def test_a_variable_that_nobody_uses_is_likelier_than_an_attribute_that_nothing_speaks_for():
    """So many attributes fitted that the variable was not tried: a call behind was blamed, which would be as right."""
    (found,) = relaylogic.infer("""def @main(%x: Tensor[(2, 8, 14, 14), float32], %v: Tensor[(8, 8, 3, 3), float32],
          %w: Tensor[(8, 8, 3, 3), float32]) {
  let %a = nn.conv2d(%x, %v, padding=[1, 1, 1, 1], channels=8, kernel_size=[3, 3]);
  let %b = nn.relu(%a);
  let %c = nn.conv2d(%v, %w, padding=[1, 1, 1, 1], channels=8, kernel_size=[3, 3]);
  nn.relu(add(%c, %x))
}""").errors
    assert found.line == 5
    assert "the rest of the program is consistent with `%b` as argument 1" in found.hints


def test_calls_are_not_exchanged_for_a_tuple_that_nobody_asks_for():
    """`nn.batch_norm` was blamed, and exchanging it with `add` was told to help."""
    (found,) = relaylogic.infer("""def @main(%x: Tensor[(2, 8, 4, 4), float32], %w: Tensor[(8), float32]) {
  %0 = nn.batch_norm(%x, %w, %w, %w, %w);
  add(%0, %x)
}""").errors
    assert found.line == 3
    assert "the rest of the program is consistent with field .0 of argument 1" in found.hints


def test_a_number_of_a_list_may_be_meant_where_a_bool_stands():
    """No other list was tried in place of it: the result was blamed."""
    (found,) = relaylogic.infer("""def @main(%x: Tensor[(1, 3, 32, 32), int8], %w: Tensor[(4, 3, 3, 3), int8])
    -> Tensor[(1, 4, 15, 15), int8] {
  nn.conv2d(%x, %w, strides=[True, 2], channels=4, kernel_size=[3, 3])
}""").errors
    assert found.line == 3 and "`strides=[2, 2]`" in " ".join((found.message, *found.hints))


def test_a_refused_call_is_one_error_where_what_it_is_used_as_does_not_fit_either():
    """It was a second one, at the same place: the result of any `nn.bias_add` is no condition."""
    (found,) = relaylogic.infer("""def @main(%x: float32, %y: Tensor[(2, 2), float32]) {
  if (nn.bias_add(%x, 0.1f)) { %y } else { nn.relu(%y) }
}""").errors
    assert found.message.startswith("`nn.bias_add` refuses (float32, float32)")


def test_an_attribute_that_is_left_out_may_be_meant_to_be_another_than_it_is_then():
    """`dtype` of `arange` has no default where relations are asked, but a value in a call without it."""
    (found,) = relaylogic.infer("""def @main(%n: int32) -> Tensor[(?), int32] {
  let %a = 0;
  let %b = 1;
  arange(%a, %n, %b, start=%a, stop=%n, step=%b)
}""").errors
    assert found.line == 4 and found.hints == ('the rest of the program is consistent with `dtype="int32"` here',)


@pytest.mark.parametrize("made", ["nn.dropout(%x, rate=0.3f)", "split(%x, indices_or_sections=2, axis=1)"])
@pytest.mark.parametrize("used", ["add(%d, 1f)", "nn.bias_add(%d, ones(shape=[3], dtype=\"float32\"), axis=0)"])
def test_where_a_field_of_a_tuple_was_forgotten_that_is_said_where_the_tuple_is_used(made, used):
    """The call that makes the tuple was blamed: the program would be right without it."""
    text = f"def @main(%x: Tensor[(3, 8), float32]) {{\n  let %d = {made};\n  nn.relu({used})\n}}"
    (error,) = relaylogic.infer(text).errors
    assert error.line == 3 and "the rest of the program is consistent with field .0 of argument 1" in error.hints


def test_an_axis_too_many_is_one_part_where_the_extents_may_be_any_numbers():
    """`(?)` was taken to differ from (16, 2) in each axis; so the call was blamed."""
    (found,) = problems("""def @main(%x: Tensor[(1, ?, 8, 8), float32], %b: Tensor[(16, 2), float32]) {
  nn.relu(nn.bias_add(%x, %b))
}""")
    assert (found.line, found.col) == (2, 50)
    assert "the rest of the program is consistent with Tensor[(16), float32] here" in found.hints


def test_names_tell_which_arguments_are_exchanged():
    program = """def @main(%data: Tensor[(1, 100), float32], %dense_weight) {
  let %y = nn.dense(ARGUMENTS, units=16384);
  nn.relu(reshape(%y, newshape=[-1, 1024, 4, 4]))
}"""
    assert not errors(program.replace("ARGUMENTS", "%data, %dense_weight"), closed=False)
    (found,) = problems(program.replace("ARGUMENTS", "%dense_weight, %data"))
    assert found.line == 3
    assert any("arguments 1 and 2 exchanged" in hint for hint in found.hints)


def test_an_attribute_that_was_forgotten_is_thought_of_where_lists_have_many_neighbours():
    """Other values of lists came first, so many that `groups` was not tried."""
    module = relaylogic.parse("""
      def @main(%x: Tensor[(2, 4, 6, 6, 6), float32], %w: Tensor[(6, 2, 3, 3, 3), float32]) {
        nn.conv3d(%x, %w, padding=[0, 0, 0, 0, 0, 0], channels=6, kernel_size=[3, 3, 3])
      }""")
    inference = Inference(module, load_rules(), True)
    (call,) = (c for c in Diagnosis(Said(inference, inference.what_if)).ranked if c.place.kind == "call")
    assert call.edit is not None and (call.edit.what, call.edit.value) == ("groups", 2)


def test_what_contradicts_only_together_with_others_is_blamed_like_anything_else():
    (found,) = problems("""def @main(%c: Tensor[_, float32], %x: Tensor[(1, 1), float32]) -> Tensor[(4), float32] {
  multiply(broadcast_to_like(%x, %c), %c)
}""")
    assert found.message.startswith("`%x` is annotated Tensor[(1, 1), float32]")
    assert found.hints == ("the rest of the program is consistent with Tensor[(1), float32] here",)
    assert sorted(line for line, _ in related(found)) == [1, 2, 2]


def test_the_only_use_of_a_constructor_is_wrong_rather_than_its_declaration():
    """With `Some(List[A])` nothing was refused, so that was said to be meant."""
    text = """type List[A] { Cons(A, List[A]), Nil }
type Optional[A] { Some(A), None }
def @first[A](%l: List[A]) -> Optional[A] {
  match (%l) {
    Nil => None,
    %h => Some(%h)
  }
}
def @main() -> Optional[int32] { @first(Cons(1, Nil)) }"""
    (error,) = relaylogic.infer(text).errors
    assert (error.line, error.span.text) == (6, "Some(%h)")


def test_what_is_wanted_of_the_fields_of_a_result_tells_an_attribute():
    """Each field was of another extent, so no attribute was found."""
    text = """def @best(%l: Tensor[(4, 100), float32]) -> (Tensor[(4, 5), float32], Tensor[(4, 5), int32]) {
  let %t = topk(%l, k=3, axis=-1, ret_type="both", dtype="int32");
  (%t.0, %t.1)
}"""
    (error,) = relaylogic.infer(text).errors
    assert error.message == "the rest of the program is consistent with `k=5` here"
    assert error.span.text == "k=3"


def test_an_operator_that_gives_a_number_is_not_meant_since_numbers_are_broadcast():
    text = """def @norm(%x: Tensor[(2, 10, 64), float32]) {
  let %v = variance(%x, mean(%x, axis=[2], keepdims=True), axis=[2], keepdims=False);
  divide(%x, sqrt(add(%v, 1f)))
}"""
    (error,) = relaylogic.infer(text).errors
    assert error.line == 2
    assert "the rest of the program is consistent with `keepdims=True`, too" in error.hints

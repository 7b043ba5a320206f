"""Places of a program, and how far they are from what is asked about."""

from __future__ import annotations

import pytest

import relaylogic
from relaylogic.explain.places.places import Places
from relaylogic.infer.program import Inference
from relaylogic.ir import Source, SourceName, Span, post_order

TEXT = """def @main(%a: Tensor[(2), int8], %b, %c: Tensor[(2), int8]) {
  let %f = fn (%x: Tensor[(2), int8], %y: Tensor[(2), int8], %z: int8, %n) { (add(%x, %y), add(%z, %n)) };
  (%f(%a, %b, 1i8, %c), %f(%c, %a, 2i8, %b), (%a, %b, %c))
}"""


def test_places_that_are_as_far_come_in_the_order_of_the_program():
    """A `why` took the parameter before `%p2` or the one behind it, by where they lay in memory."""
    kept = []  # so that each has a memory of its own
    found = set()
    for i in range(40):
        kept.append(([object() for _ in range(i * 7 % 40)], relaylogic.parse(TEXT)))
        module = kept[-1][1]
        places = Places(module)
        exprs = list(post_order(module["main"]))
        found.add(tuple(tuple(places.distances([id(expr)]).items()) for expr in exprs))
        if i % 3 == 0:
            kept.pop(0)
    assert len(found) == 1


def test_the_value_of_a_let_stands_behind_its_sign():
    """Where the variable occurred again below, its use was all that followed."""
    lets = "let %y: Tensor[(3), int8] = %x; let %z: Tensor[(4), int8] = %x;"
    for conflict in relaylogic.infer(f"def @main(%x: Tensor[(2), int8]) {{ {lets} (%y, %z) }}").conflicts():
        uses = [label.span for label in conflict.places if "has type" in label.message]
        assert uses and all(use.source.text[use.start : use.end] == "%x" for use in uses)


HAS_NAMES = """#[version = "0.0.5"]
type Either { Left(int32), Right, }
def @branches(%c: bool, %x: int32, %y: bool, %z: bool) -> bool {
  if (%c) { if (%z) { %y } else { %x } } else { %z /* } */ }
}
def @arms(%e: Either, %x: int32) -> bool {
  match (%e) { Left(_) => { %x }, Right => %e, }
}
def @body(%x: int32) -> bool {
  %x
}"""


def test_a_name_that_a_scope_comes_to_is_shown_where_it_stands_there():
    module = relaylogic.parse(HAS_NAMES)
    uses = {(p.owner, p.span.line, p.span.column, p.span.text) for p in Places(module) if p.kind == "use"}
    lines = HAS_NAMES.split("\n")
    branches, arms = lines[3].index("{ %y") + 3, lines[6].index("{ %x") + 3
    assert {use for use in uses if use[0] == "branches"} == {
        ("branches", 4, branches, "%y"),
        ("branches", 4, lines[3].index("%x") + 1, "%x"),
        ("branches", 4, lines[3].index("{ %z") + 3, "%z"),
    }
    assert {("arms", 7, arms, "%x"), ("arms", 7, lines[6].index("> %e") + 3, "%e")} < uses
    assert ("body", 10, 3, "%x") in uses
    demanded = [site.span for site in Inference(module).failed() if site.span is not None]
    assert {(s.line, s.text) for s in demanded} >= {(10, "%x")}


ELSEWHERE = [
    "def @main(%c: bool, %x: Tensor[(2), int8]) -> Tensor[(3), int8] { if (%c) { %x } else { let %q = %x; %q } }",
    'import "prelude" def @main(%x: List[int8]) -> int8 { match (%x) { Cons(%a, Cons(%b, %c)) => %a } }',
    "def @f(%x: int8) -> int32 { add(%x, 1i8) } def @main(%x: Tensor[(2), int8]) { if (%x) { @f(1) } else { %x } }",
    "def @main(%x: Tensor[(2, 3), float32], %w) { nn.relu(nn.dense(%x, %w, units=5)) + nn.dense(%x, %w, units=4) }",
]


@pytest.mark.parametrize("text", ELSEWHERE)
@pytest.mark.parametrize("source", [SourceName("model"), Source("%x", "short")], ids=["no text", "another text"])
def test_programs_that_are_placed_where_their_text_is_not(text, source):
    """Nodes may say where they are in a model, of which there is no text; what is looked for in one was out of it."""
    module = relaylogic.parse(text)
    for line, node in enumerate(n for f in module.functions.values() for n in [*post_order(f), *f.params]):
        node.span = Span(source, line, line, 1, 5) if isinstance(source, SourceName) else Span(source, line, line + 5)
    result = relaylogic.infer(module)
    assert result.verdict == "refuted" and result.to_dict(most=2)["errors"]
    for problem in result.errors:
        assert "``" not in problem.message and all("``" not in hint for hint in problem.hints)
    assert next(result.conflicts()).places and next(result.corrections())
    assert result._repr_html_()


def test_a_name_in_brackets_that_a_body_comes_to_stands_where_it_is_written():
    """The whole statement before it was shown."""
    (found,) = relaylogic.infer("""def @main(%x: Tensor[(3), int8]) -> Tensor[(4), int8] {
  let %y = nn.relu(%x);
  (%y)
}""").errors
    spans = [found.span, *(label.span for label in found.related)]
    assert (3, "%y") in [(span.line, span.text) for span in spans]


def test_hints_about_a_call_name_it_where_one_of_its_arguments_is_shown():
    """Exchanged were, as it seemed, the arguments of the call that is an argument."""
    (found,) = relaylogic.infer("""def @f(%x: Tensor[(3), int8], %y: Tensor[(4), int8]) { (%x, %y) }
def @main(%a: Tensor[(3), int8], %b: Tensor[(4), int8]) { @f(add(%b, %b), add(%a, %a)) }""").errors
    assert found.span.text == "add(%b, %b)"
    assert found.hints[-1].endswith("arguments 1 and 2 exchanged here, in the call of `@f`")

"""Calls that are matched: what is said of a program is what unification of all its calls says."""

import re
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

import relaylogic
from relaylogic.infer.program import Inference
from relaylogic.infer.sites.matching import Matching
from relaylogic.ir import Constructor, post_order
from relaylogic.rulebase import load_rules, program_rules
from relaylogic.text import ParseError
from relaylogic.types import show_type

LISTS = """
type List[A] { Cons(A, List[A]), Nil }
def @id[A](%x: A) -> A { %x }
def @pick[A](%c: bool, %x: A, %y: A) -> A { if (%c) { %x } else { %y } }
def @pair[A, B](%x: A, %y: B) -> (A, B) { (%x, %y) }
def @apply[A, B](%f: fn (A) -> B, %x: A) -> B { %f(%x) }
def @fold[A, B](%f: fn (B, A) -> B, %z: B, %l: List[A]) -> B {
  match (%l) { Cons(%i, %k) => @fold(%f, %f(%z, %i), %k), Nil => %z }
}
def @main(%c: bool, %x: Tensor[(3, 4), int8], %y: Tensor[(3, 4), int8], %z: Tensor[(4), int8]) {
  let %a = @id(%x);
  let %l = Cons(%a, Cons(%y, Nil));
  let %p = @pair(%a, %l);
  let %q = @pick(%c, %p.0, %y);
  let %r = @apply(fn (%u: Tensor[(3, 4), int8]) -> Tensor[(3, 4), int8] { add(%u, %z) }, %q);
  let %s: Tensor[(3, 4), int8] = @id(%r);
  let %h = match? (%l) { Cons(%i, _) => @pick(%c, %i, %s) };
  let %m = if (%c) { Cons(%h, Nil) } else { %l };
  let %t = @fold(fn (%u: Tensor[(3, 4), int8], %v: Tensor[(3, 4), int8]) { add(%u, %v) }, %s, %m);
  match (%m) { Cons(%v, %w) => (%v, @id(%w), add(%v, %a), %t), Nil => (%s, %l, %x, %y) }
}
"""
OPTIONS = """
type Option[A] { Some(A), None }
type Two[A, B] { Two(A, B, Option[A]) }
type Tree { Leaf(Tensor[(2, 3), int8]), Node(Tree, Tree) }
def @map[a, b](%f: fn (a) -> b, %o: Option[a]) -> Option[b] { match (%o) { Some(%x) => Some(%f(%x)), None => None } }
def @or_else[a](%o: Option[a], %d: a) -> a { match (%o) { Some(%x) => %x, None => %d } }
def @main(%x: Tensor[(2, 3), int8], %y: Tensor[(2, 3), int8], %c: bool) {
  let %o = Some(%x);
  let %p = @map(fn (%v: Tensor[(2, 3), int8]) { nn.relu(%v) }, %o);
  let %q = @or_else(%p, %y);
  let %t = Two(%q, %o, None);
  let %n = Node(Leaf(%q), Leaf(%y));
  let %w = if (%c) { %t } else { Two(%y, Some(%x), Some(%q)) };
  match (%w) { Two(%a, %b, %e) => (add(%a, @or_else(%b, %q)), @or_else(%e, %x), ref(%a), %n) }
}
"""
PLACE = re.compile(r"(?<=[(, ])\d(?=[,)])|%\w+(?!\w*:)")
PLACES = {text: [m.span() for m in PLACE.finditer(text, text.index("@main"))] for text in (LISTS, OPTIONS)}


@cache
def rules():
    return load_rules()


def said(module, matching):
    """How many sites there are, which what is matched does not have, and all that inference finds out."""
    inference = Inference(module, rules(), matching=matching)
    nodes = [node for function in module.functions.values() for node in post_order(function)]
    types = [show_type(inference.type_of(node)) for node in nodes if inference.type_of(node) is not None]
    failed = [(site.identity, site.error.message, str(site.span)) for site in inference.failed()]
    schemes = {v.name_hint: show_type(inference.driver.store.reify(t)) for v, t in inference.globals.items()}
    return len(inference.driver.sites), (inference.verdict(), types, failed, schemes, len(inference.undecided()))


@st.composite
def edited(draw):
    text = draw(st.sampled_from([LISTS, OPTIONS]))
    edits = {}
    for start, end in draw(st.lists(st.sampled_from(PLACES[text]), min_size=1, max_size=3)):
        others = ["%x", "%y", "%q"] if text[start] == "%" else ["?", "?", "1", "5"]
        edits[start, end] = draw(st.sampled_from(others))
    for (start, end), new in sorted(edits.items(), reverse=True):
        text = text[:start] + new + text[end:]
    return text


@given(edited())
def test_what_is_matched_is_what_unification_finds(text):
    try:
        module = relaylogic.parse(text)
    except ParseError:
        return  # the variable is not known yet
    assert said(module, True)[1] == said(module, False)[1]


@pytest.mark.parametrize("text", [LISTS, OPTIONS])
def test_calls_of_known_types_are_matched(text):
    module = relaylogic.parse(text)
    (sites, found), (by_unification, _) = said(module, True), said(module, False)
    assert found[0] == "typed" and sites < by_unification / 2


def test_a_number_that_meets_an_unknown_extent_behind_the_call_that_gave_it_is_widened():
    text = """
    def @id[A](%x: A) -> A { %x }
    def @main(%c: bool, %x: Tensor[(3), int8], %y: Tensor[(?), int8]) {
      let %a = @id(%x);
      let %b = if (%c) { %a } else { %y };
      %a
    }"""
    result = relaylogic.infer(text)
    assert show_type(result.functions["main"].ret_type) == "Tensor[(?), int8]"
    module = relaylogic.parse(text)
    assert said(module, True) == said(module, False)


def test_a_function_that_calls_itself_at_another_type_is_not_taken_for_one_that_does_not():
    text = "def @f[A](%x: A, %n: (A, A)) -> A { @f(%n, (%n, %n)).0 }"
    assert relaylogic.infer(text).verdict == "typed"
    assert relaylogic.infer(text.replace("(%n, %n)", "%n")).verdict == "refuted"


def test_a_type_that_holds_another_many_times_over_is_matched():
    lets = "".join(f"let %p{i + 1} = (%p{i}, %p{i}); " for i in range(60))
    text = f"def @id[A](%x: A) -> A {{ %x }} def @main(%p0: int8) {{ {lets} let %q = @id(%p60); @id(%q).0 }}"
    assert relaylogic.infer(text).verdict == "typed"


@pytest.mark.parametrize("text", [LISTS, OPTIONS])
def test_a_constructor_has_the_type_that_its_relation_says(text):
    module = relaylogic.parse(text)
    own = program_rules(rules(), module)
    for data in module.type_definitions.values():
        for constructor in data.constructors:
            assert type(constructor) is Constructor
            assert Matching(module, {}).signature(constructor) is own.constructor_type(constructor)


def test_a_constructor_without_fields_makes_a_type_of_its_own_at_each_use():
    text = "type List[A] { Cons(A, List[A]), Nil } def @main(%x: int8) { (Cons(%x, Nil), Cons(True, Nil), Nil) }"
    assert show_type(relaylogic.infer(text).functions["main"]) == "fn [t1](int8) -> (List[int8], List[bool], List[t1])"


def test_reasons_and_errors_are_those_of_a_program_without_matched_calls():
    result = relaylogic.infer(LISTS)
    main = result.module["main"]
    assert result.why(main.body).places and result.trace
    wrong = relaylogic.infer(LISTS.replace("add(%v, %a)", "add(%v, %l)"))
    assert wrong.verdict == "refuted" and next(wrong.conflicts()).places

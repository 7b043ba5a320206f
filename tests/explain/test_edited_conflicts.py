"""Conflicts seen from outside: what is refused of a text in which some of their places are left out by hand."""

from __future__ import annotations

import re
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

import relaylogic
from tests.effort import examples
from tests.explain.drawn import matches, mixed
from tests.explain.test_conflicts import small_programs

MOST_PLACES = 7
"""Where more places could be left out, the subsets are too many."""

MOST_ARGUMENTS = 5

Edit = tuple[int, int, str]
"""From where to where a text says something else, and what."""


def declared(count):
    """The declaration of a function that gives something of any type for so many arguments of any types."""
    names = [f"A{i}" for i in range(count + 1)]
    return f"@any{count}: fn [{', '.join(names)}]({', '.join(names[:-1])}) -> {names[-1]}\n"


ANYTHING = "".join(map(declared, range(MOST_ARGUMENTS + 1)))


def listed(text):
    """The places of what is listed in a text, and whether each is the attribute of a call."""
    depth, found, begin = 0, [], 0
    for i, sign in enumerate(text + ","):
        arrow = text[i - 1 : i + 1] in ("->", "=>")
        depth += (sign in "([{") - (sign in ")]}") if not arrow else 0
        if sign == "," and depth == 0 and text[begin:i].strip():
            found.append((begin, i, re.match(r"\s*\w+=", text[begin:i]) is not None))
            begin = i + 1
    return found


def opening(text):
    """Where the bracket opens that the last one closes."""
    depth = 0
    for i in reversed(range(len(text))):
        depth += (text[i] == ")") - (text[i] == "(")
        if depth == 0:
            return i
    raise AssertionError(text)


def edits(label):
    """What is written so that the place of a label says nothing; None if it cannot be left out by hand."""
    start, message = label.span.start, label.message
    text = label.span.text.rstrip()
    end = start + len(text)
    if message.startswith("the result is annotated"):
        return [(label.span.source.text.rindex("->", 0, start), end, "")]
    if "is annotated" in message:
        return [(start, end, "_")]
    if message.startswith("the call of") and not text.endswith(")"):  # of a constructor without fields
        return [(start, end, "@any0()")]
    if message.startswith("the call of"):
        opened = opening(text)
        arguments = listed(text[opened + 1 : -1])
        own = [argument for argument in arguments if not argument[2]]
        behind = start + opened + 1
        rest = [(behind + (own[-1][1] if own else 0), end - 1, "")] if len(own) < len(arguments) else []
        if re.fullmatch(r"[A-Za-z@][\w.]*", text[:opened]):
            return [(start, behind - 1, f"@any{len(own)}"), *rest]
        return [(start, start, f"@any{len(own) + 1}("), (behind - 1, behind, ", " if own else ""), *rest]
    if message.startswith("the constant"):
        return [(start, end, "@any0()")]
    if message.startswith("the projection"):
        return [(start, start, "@any1("), (start + text.rindex("."), end, ")")]
    if message.startswith("the tuple"):
        return [(start, start, f"@any{len(listed(text[1:-1]))}")]
    if message.startswith("`%"):
        return [(start, start, "@any1("), (end, end, ")")]
    return None


def edited(text, changes):
    """A text with some changes, none of which stands in another."""
    for start, end, new in sorted(changes, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def check(text):
    """A program without some places is refuted just if none of them is in one of its conflicts."""
    conflicts = [
        frozenset((label.span.start, label.span.end, label.message) for label in conflict.places)
        for conflict in relaylogic.infer(text).conflicts()
    ]
    labels = {
        (label.span.start, label.span.end, label.message): label
        for conflict in relaylogic.infer(text).conflicts()
        for label in conflict.places
    }
    changes = {key: edits(label) for key, label in labels.items()}
    open_to_change = sorted(key for key, change in changes.items() if change is not None)
    if len(open_to_change) > MOST_PLACES:
        return
    for size in range(len(open_to_change) + 1):
        for left_out in combinations(open_to_change, size):
            other = ANYTHING + edited(text, [change for key in left_out for change in changes[key]])
            wanted = any(conflict.isdisjoint(left_out) for conflict in conflicts)
            assert (relaylogic.infer(other).verdict == "refuted") == wanted, other


@settings(max_examples=examples(150, 30))
@given(st.one_of(small_programs(), matches(), mixed()))
def test_a_text_is_refuted_as_long_as_a_conflict_stands_in_it(text):
    check(text)


def test_a_variable_in_the_arms_of_two_matches_is_two_places():
    """Neither arm said anything without the other, so that conflicts had places which they do not need."""
    check("""type List[A] { Cons(A, List[A]), Nil }
def @main(%x, %l: List[int8]) {
  let %a = match? (%l) { Cons(%h, _) => %h, _ => %x };
  let %b: (int8, int8) = match? (%x) { Cons(_, _) => (%a, %a), _ => %x };
  %b
}""")


def test_a_constructor_without_fields_is_called_without_brackets():
    check("""type List[A] { Cons(A, List[A]), Nil }
def @main() { let %x: Tensor[(2, 2), float32] = Nil; %x }""")


def test_a_variable_that_is_the_condition_of_two_ifs_is_two_places():
    text = "def @main(%c: int8) { if (%c) { 1 } else { if (%c) { 2 } else { 3 } } }"
    assert len(list(relaylogic.infer(text).conflicts())) == 2
    check(text)

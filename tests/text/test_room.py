"""How much room programs take while they are read and typed: tokens are columns, places two numbers in one."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relaylogic import infer
from relaylogic.ir import Source
from relaylogic.text import parse
from relaylogic.text.lexer import tokenize
from relaylogic.text.scopes import Names, Reach
from tests.effort import examples

LETS = examples(20_000, 4)
MOST = 1_024
"""Bytes that a let of one call takes at most, at any time: half of them are the program, four nodes with places."""


def test_a_let_takes_a_kilobyte_while_it_is_read_and_typed():
    lines = [f"  let %x{i + 1} = nn.relu(%x{i});" for i in range(LETS)]
    text = "\n".join(["def @main(%x0: Tensor[(4, 8), float32]) {", *lines, f"  %x{LETS}", "}"])
    infer(parse(text))
    tracemalloc.start()
    try:
        module = parse(text)
        _, read = tracemalloc.get_traced_memory()
        result = infer(module)
        now, typed = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert result.verdict == "typed" and len(result.calls) == LETS
    assert max(now, read, typed) / LETS < MOST


TEXTS = ["", "%x + 1", "--1 - ---2", "match? (%x) { A => - -3, _ => --4 }", "f<int8>(%x) // c\n"]


@pytest.mark.parametrize("text", TEXTS)
def test_tokens_are_the_same_however_they_are_asked_for(text):
    tokens = tokenize(Source(text)).tokens

    def told(token):
        return token.type, token.value, token.start, token.end

    listed = [told(token) for token in tokens]
    assert len(tokens) == len(listed) == len(tokens.kinds)
    assert [told(tokens[i]) for i in range(len(tokens))] == listed == [told(token) for token in tokens[:]]
    assert [told(token) for token in tokens[1::2]] == listed[1::2]
    assert [told(token) for token in tokens.chosen(reversed(range(len(tokens))))] == listed[::-1]
    if listed:
        assert told(tokens[-1]) == listed[-1]
    with pytest.raises(IndexError):
        tokens[len(listed)]


def test_the_value_of_a_number_behind_several_signs_is_not_what_stands_there():
    assert [(t.value, t.start, t.end) for t in tokenize(Source("--1")).tokens] == [("1", 0, 3)]


bindings = st.tuples(st.sampled_from("abc"), st.integers(0, 9))
steps = st.lists(
    st.one_of(st.just(("enter",)), st.just(("leave",)), st.tuples(st.sampled_from(["bind", "let"]), bindings))
)


@settings(max_examples=examples(200))
@given(steps)
def test_names_are_those_of_a_stack_of_dictionaries(drawn):
    names, levels = Names(), [({}, True)]
    for step, *binding in drawn:
        if step == "leave":
            if len(levels) > 1:
                levels.pop()
                names.leave()
        elif step == "enter":
            levels.append(({}, False))
            names.enter()
        elif step == "let":
            ((name, value),) = binding
            stands = name in levels[-1][0] and not levels[-1][1]
            levels.append(({} if stands else {name: value}, True))
            names.enter_let(name, value)
        else:
            levels[-1][0].setdefault(*binding[0])
            names.bind(*binding[0])
        for name in "abc":
            inner = [(i, level[name]) for i, (level, _) in enumerate(levels) if name in level]
            names.reach = Reach()
            found = names.use(name)
            used = None if found is None else (names.reach.innermost(names.depth), found)
            assert used == (inner[-1] if inner else None)
            assert names.find(name) == found
        assert sorted(names.visible()) == sorted({name for level, _ in levels for name in level})
        assert names.depth == len(levels) - 1

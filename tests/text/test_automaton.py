"""The automaton reads what lark's own parser reads, and expects what that expects."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from lark import Lark
from lark.exceptions import UnexpectedToken
from lark.lexer import Lexer

from relaylogic.ir.source import Source
from relaylogic.text.automaton import END, Reader, Unexpected, automaton
from relaylogic.text.grammar import GRAMMAR, STARTS, TERMINALS
from relaylogic.text.lexer import tokenize
from relaylogic.text.tokens import Token
from tests.effort import examples

EXAMPLES = Path(__file__).parents[2] / "examples"
PROGRAMS = sorted(EXAMPLES.glob("*.relay"))


class NoLexer(Lexer):
    def __init__(self, lexer_conf: Any) -> None:
        pass

    def lex(self, *_: Any) -> Any:
        return iter(())


@cache
def peer() -> Any:
    grammar = f"{GRAMMAR}\n%declare {' '.join(TERMINALS.split())}"
    return Lark(grammar, parser="lalr", lexer=NoLexer, start=STARTS, keep_all_tokens=True, maybe_placeholders=False)


def lark_says(start: str, kinds: list[str]) -> tuple[int, set[str]] | None:
    """Where lark's parser stops, and what it expects there; None if it reads all."""
    interactive = peer().parse_interactive(start=start)
    for i, kind in enumerate([*kinds, END]):
        try:
            interactive.parser_state.feed_token(Token(kind, "", 0, 0), kind == END)
        except UnexpectedToken:
            return i, interactive.accepts()
    return None


def ours_says(start: str, kinds: list[str]) -> tuple[int, set[str]] | None:
    tokens = [Token(kind, "", 0, 0) for kind in kinds]
    last = Token(END, "", 0, 0)
    machine = automaton("relay", GRAMMAR, TERMINALS.split(), STARTS)
    try:
        machine.run(start, tokens, last, machine.reductions(lambda name: lambda parts: None), Reader())
    except Unexpected as found:
        return [*tokens, last].index(found.token), found.accepted
    return None


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_programs_and_what_becomes_of_them(path: Path) -> None:
    text = path.read_text(encoding="utf-8")[:4000]
    kinds = [token.type for token in tokenize(Source(text, None)).tokens]
    draw = random.Random(path.name)
    terminals = TERMINALS.split()
    refused = 0
    for _ in range(examples(40, 2)):
        changed = kinds[: draw.randrange(len(kinds) + 1)] if draw.random() < 0.3 else kinds[:]
        for _ in range(draw.randrange(3)):
            at = draw.randrange(len(changed) + 1)
            changed[at : at + draw.randrange(2)] = [draw.choice(terminals)] * draw.randrange(2)
        said = lark_says("module", changed)
        assert ours_says("module", changed) == said
        refused += said is not None
    assert refused > 5


@pytest.mark.parametrize("start", STARTS)
def test_short_texts_of_any_tokens(start: str) -> None:
    draw = random.Random(start)
    terminals = TERMINALS.split()
    for _ in range(examples(300, 3)):
        kinds = [draw.choice(terminals) for _ in range(draw.randrange(4))]
        assert ours_says(start, kinds) == lark_says(start, kinds)


def test_the_value_is_made_of_the_values_of_the_parts() -> None:
    grammar = """
    sum: product -> first
       | sum PLUS product -> plus
    product: N -> number
           | product TIMES N -> times
           | -> nothing
    """
    machine = automaton("sums", grammar, ["N", "PLUS", "TIMES"], ["sum"])
    words = {"1": "N", "2": "N", "3": "N", "+": "PLUS", "*": "TIMES"}
    makers = {
        "first": None,
        "number": lambda parts: parts[0].value,
        "plus": lambda parts: f"({parts[0]}+{parts[2]})",
        "times": lambda parts: f"{parts[0]}*{parts[2].value}",
        "nothing": lambda parts: "_",
    }
    for text, value in [("1+2*3+1", "((1+2*3)+1)"), ("1", "1"), ("+2", "(_+2)"), ("", "_")]:
        tokens = [Token(words[c], text, i, i + 1) for i, c in enumerate(text)]
        reader, last = Reader(), Token(END, "", 0, 0)
        assert machine.run("sum", tokens, last, machine.reductions(makers.__getitem__), reader) == value
        assert reader.last is (tokens[-1] if tokens else None)

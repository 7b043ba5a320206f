"""Two tokens that are matched at once are those that are matched one after the other."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from relaylogic.ir import Source
from relaylogic.text import ParseError
from relaylogic.text.lexer import DECLARING, tokenize
from relaylogic.text.patterns import PAIRS, single_token
from tests.conformance.programs import networks
from tests.effort import examples, some

PIECES = [
    *("%x", "%12", '%"a b"', "%", "let ", "letter", "fn ", "where ", "case ", "data ", "def @f", "R", "f"),
    *("Tensor[(1, ?), float32]", "Tensor[(n), int8]", " Tensor", "a=[1, 2]", " a=True", " let=3", " inff=3", " data=1"),
    *("(", ")", "{", "}", "[", "]", "<", ">", ", ", ",", ": ", ":", ";", " = ", "=", "->", "//", "/* */", "-", "2"),
    *("nn.relu", "type "),
]


def said(text: str, monkeypatch: pytest.MonkeyPatch, apart: bool) -> Any:
    """What the lexer makes of a text, or says of it."""
    with monkeypatch.context() as patch:
        if apart:
            patch.setattr("relaylogic.text.lexer.pair_or_token", single_token)
        try:
            lexed = tokenize(Source(text))
        except ParseError as error:
            return str(error), error.span, error.hints
    kinds = lexed.tokens.kinds
    assert lexed.declaring == [i for i, kind in enumerate(kinds) if kind in DECLARING]
    return [(t.type, t.value, t.start, t.end) for t in lexed.tokens], lexed.balanced, lexed.metadata


texts = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


@settings(max_examples=examples(1000))
@given(texts, texts)
@example("fn (%x: (Tensor[(1), int8], int8), %y) -> Tensor[(1), int8] where R(%a, %b), R(", ", %x, let=3);")
@example("def @f<n: ShapeVar>(%x: Tensor[(1), int8], %y) { (%x, %1, a=1);", "let %x: Tensor[(1), int8] = (%x);")
def test_texts_of_all_kinds_of_tokens(before: str, behind: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for text in (before + behind, f"def @f() {{ {before}; {behind} }}"):
            assert said(text, patch, False) == said(text, patch, True)


def test_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    for entry in some(networks().values()):
        assert said(entry["text"], monkeypatch, False) == said(entry["text"], monkeypatch, True)


def test_every_pair_stands_in_this_text() -> None:
    text = (
        "{ fn (%v: Tensor[(1), int8], %w: Tensor[(1), int8]) { let %a: Tensor[(1), int8] = f(%x, %y, %1, a=1);"
        " (Tensor[(1), int8], Tensor[(1), int8]) (%1) } }"
    )
    kinds = [kind for is_fused in (False, True) for kind in tokenize(Source(text), is_fused).tokens.kinds]
    assert {pair[::3] for pair in PAIRS.values()} <= set(pairwise(kinds))

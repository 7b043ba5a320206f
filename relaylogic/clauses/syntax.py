"""From the text of clause notation to syntax trees.

The parser is an LALR automaton, driven token by token, as that of Relay text is; its reductions make the nodes, so that
no other tree stands between.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from ..errors import IllFormed, enumerated, said
from ..host.governor import paced
from ..host.once import once
from ..ir.source import Source, Span
from ..text.automaton import END, Automaton, Reader, Reductions, Unexpected, automaton
from .grammar import GRAMMAR
from .nodes import MAX_DEPTH, ClauseError, Syntax, Token
from .reductions import REDUCTIONS
from .tokens import KEYWORDS, TERMINALS, described, tokenize

__all__ = ["MAX_DEPTH", "ClauseError", "Syntax", "parse_file", "parse_query"]


def parse_file(text: str, file: str | None = None) -> list[Syntax]:
    """The statements of a file of clauses. Raises ClauseError."""
    return list(_parse("file", Source(text, file)))


def parse_query(text: str, file: str | None = None, bindings: bool = False) -> Syntax:
    """The goals of a query, as one disjunction of conjunctions. Raises ClauseError.

    With `bindings`, `%x` and `@main` are variables: the bindings of a program that the query is about.
    """
    if not isinstance(text, str):
        raise IllFormed(f"a query is text in clause notation, which {said(text)} is not")
    goals: Syntax = _parse("query", Source(text, file or "<query>"), bindings)
    return goals


def _automaton(start: str) -> tuple[Automaton, Reductions]:
    """The parser for a start symbol, and what makes the value of each of its rules.

    One for both would say less of what it expected: it reduces by what may follow in either.
    """
    machine = automaton(f"clauses-{start}", GRAMMAR, TERMINALS, [start])
    return machine, machine.reductions(REDUCTIONS.__getitem__)


_AUTOMATA = {"file": once(lambda: _automaton("file")), "query": once(lambda: _automaton("query"))}
# A query has no statements, so it may name a variable `relation`.
_KEYWORDS = {"file": KEYWORDS, "query": {"fn": KEYWORDS["fn"]}}


def _parse(start: str, source: Source, bindings: bool = False) -> Any:
    """The value of `start` for a text."""
    machine, reductions = _AUTOMATA[start]()
    end = len(source.text.rstrip())
    last = Token(END, "", source, end, end + 1)
    try:
        return machine.run(start, paced(tokenize(source, _KEYWORDS[start], bindings)), last, reductions, Reader())
    except Unexpected as found:
        raise _unexpected(found.token, found.accepted) from None


def _unexpected(token: Token, expected: Collection[str]) -> ClauseError:
    names = sorted({described(name) for name in expected})
    found = "the text ends here" if token.type == END else f"`{token.value}` cannot stand here"
    hints = (f"expected {enumerated(names)}",) if names else ()
    if token.type == "EQUAL" and set(expected) in ({"COMMA", "RPAR", "SEMICOLON"}, {"COLON"}):
        hints = (*hints, "attributes stand behind `;`, each with its kind: `operator f(a, b; axis: int = 1) : R.`")
    if token.type == "PERCENT":
        hints = (*hints, "a comment starts with `#`")
    return ClauseError(found, Span(token.source, token.start, token.end), hints)

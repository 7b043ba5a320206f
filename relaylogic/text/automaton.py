"""lark's LALR automata, driven token by token from outside: what Relay text and clause notation have in common."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

__all__ = ["automaton"]


def automaton(grammar: str, terminals: Iterable[str], start: Any) -> Any:
    """The parser of a grammar for a start symbol, or several, whose tokens are fed to it."""
    from lark import Lark
    from lark.lexer import Lexer

    class NoLexer(Lexer):
        """Tokens are fed from outside."""

        def __init__(self, lexer_conf: Any) -> None:
            pass

        def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Any]:
            return iter(())

    text = f"{grammar}\n%declare {' '.join(terminals)}"
    return Lark(text, parser="lalr", lexer=NoLexer, start=start, keep_all_tokens=True, maybe_placeholders=False)

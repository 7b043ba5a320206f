"""Reading Relay text.

The parser is an LALR automaton, driven token by token; it is had when the first text is read, and kept. Its reductions
call the methods of a `Builder` directly, so that no tree stands between the text and the program.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from types import MappingProxyType
from typing import Any

from ..errors import IllFormed, said
from ..host.governor import governed, paced
from ..host.once import once
from ..host.uncollected import uncollected
from ..ir import Expr, IRModule, Source, Span
from ..ir.imports import load_module
from .automaton import END, Automaton, Unexpected, automaton
from .builder import Builder
from .diagnose import syntax_error
from .errors import ParseError
from .grammar import GRAMMAR, STARTS, TERMINALS
from .lexer import Lexed, tokenize
from .patterns import FUSED
from .tokens import DEPTH, Token, Tokens

__all__ = ["feed", "parse", "parse_expr", "parse_type", "read"]

_Run = Callable[[str, Lexed, Builder], Any]

_KNOWN = ""
"""No module that is imported has this name."""

_NOTHING: Mapping[str, IRModule] = MappingProxyType({})


def parse(text: str, filename: str | None = None, known: IRModule | None = None, *, prelude: bool = False) -> IRModule:
    """The module that a text in Relay 0.0.5 (with the extensions of `relaylogic.text`) writes.

    A bare expression becomes the body of `@main`, or of `@expr_1` and so on if there are several or `@main`
    is defined; variables that are free in it become the parameters. The text may use what the module `known`
    defines; that is no part of what it writes. With `prelude`, it imports the prelude though it may not say so. Raises
    ParseError, with its place, if the text is no program, IllFormed for what is no text, LimitReached if a limit was
    reached before that was known.
    """
    imports = {"prelude": load_module("prelude")} if prelude else {}
    return governed(lambda: _program(_source(text, filename), _known(known), imports))


def _program(source: Source, known: IRModule | None, imports: Mapping[str, IRModule]) -> IRModule:
    """The module that a text writes. What is wrong with it is said of its tokens one by one, none of which is fused."""
    with uncollected():
        with suppress(ParseError, Unexpected):
            lexed = tokenize(source, is_fused=True)
            if lexed.balanced:
                return _read(source, lexed, known, _run_fused, imports).module
        return _read(source, tokenize(source), known, _run, imports).module


def _source(text: str, filename: str | None = None) -> Source:
    if not isinstance(text, str):
        raise IllFormed(f"a program is read from a str, which {said(text)} is not")
    return Source(text, filename)


def _known(known: IRModule | None) -> IRModule | None:
    if not isinstance(known, IRModule | None):
        raise IllFormed(f"what a text may use is defined by an IRModule, which {said(known)} is not")
    return known


def read(text: str, filename: str | None = None, known: IRModule | None = None) -> tuple[Builder, Tokens]:
    """What has read a text, which has its `module`, and the tokens of the text. Raises as `parse` does, and Stopped."""
    source, known = _source(text, filename), _known(known)
    with uncollected():
        lexed = tokenize(source)
        tokens = lexed.tokens
        return _read(source, lexed, known, _run), tokens


def _read(
    source: Source, lexed: Lexed, known: IRModule | None, run: _Run, imports: Mapping[str, IRModule] = _NOTHING
) -> Builder:
    """What has read the tokens of a text, which `run` gives it."""
    if not lexed.tokens and not source.text.lstrip("\ufeff").strip().startswith("#["):
        raise ParseError("there is no program in this text", Span(source, 0, 0))
    builder = Builder(source, lexed.metadata)
    imported = builder.module.imports
    imported.update(imports)
    if known is not None:
        imported[_KNOWN] = known  # found as what is imported is
    builder.declare(lexed, known)
    if lexed.balanced and builder.handles:
        lexed.tokens = _types_first(lexed.tokens)
    run("module", lexed, builder)
    builder.finish()
    imported.pop(_KNOWN, None)
    return builder


def parse_type(text: str) -> Any:
    """The type that a text writes; `_` is a fresh logic variable. Raises ParseError."""
    source = _source(text)
    return _run("whole_type", tokenize(source), Builder(source))


def parse_expr(text: str) -> Expr:
    """The expression that a text writes; its unbound variables are free, and it may call any function. Raises
    ParseError."""
    source = _source(text)
    lexed = tokenize(source)
    builder = Builder(source, lexed.metadata)
    builder.is_alone = True
    node: Expr = _run("whole_expr", lexed, builder)[0]
    return node


@once
def _automaton() -> Automaton:
    return automaton("relay", GRAMMAR, TERMINALS.split(), STARTS)


def _run(start: str, lexed: Lexed, builder: Builder) -> Any:
    """The value of `start` for the tokens of a text."""
    if not lexed.balanced:
        # What the brackets break is said before anything about names.
        feed(start, lexed.tokens, builder, build=False)
    return feed(start, lexed.tokens, builder)


def _run_fused(start: str, lexed: Lexed, builder: Builder) -> Any:
    """The same for balanced tokens some of which may be fused. Raises Unexpected, too."""
    return _value(start, lexed.tokens, builder)


def feed(start: str, tokens: Sequence[Token], builder: Builder, build: bool = True) -> Any:
    """The value of `start` for some tokens, as the builder makes it. Raises ParseError."""
    try:
        return _value(start, tokens, builder, build)
    except Unexpected as found:
        at = found.token.start if found.token.type != END else -1
        index = next((i for i, token in enumerate(tokens) if token.start == at), len(tokens))
        raise syntax_error(builder.source, tokens, index, found.accepted - FUSED) from None


def _value(start: str, tokens: Sequence[Token], builder: Builder, build: bool = True) -> Any:
    """The same. Raises ParseError, and Unexpected."""
    machine = _automaton()
    reductions = machine.reductions(partial(getattr, builder) if build else _unbuilt)
    end = tokens[-1].end if tokens else 0
    return machine.run(start, paced(tokens), Token(END, "", end, end), reductions, builder)


def _unbuilt(name: str) -> Callable[[list[Any]], None]:
    """What makes nothing, where only the form counts."""
    return lambda parts: None


def _types_first(tokens: Tokens) -> Tokens:
    """Balanced tokens with the definitions of types moved to the front, so that constructors are known where they are
    used."""
    kinds = tokens.kinds
    types: list[int] = []
    others: list[int] = []
    index, depth = 0, 0
    while index < len(kinds):
        if depth == 0 and kinds[index] in ("TYPE", "DATA", "EXTERN") and kinds[index - 1 : index] != ["DEF"]:
            end = _type_definition_end(kinds, index)
            types += range(index, end)
            index = end
            continue
        depth += DEPTH.get(kinds[index], 0)
        others.append(index)
        index += 1
    return tokens.chosen(types + others) if types else tokens


def _type_definition_end(kinds: list[str], index: int) -> int:
    """The index behind the definition of a type that starts at `index`."""
    index += 3 if kinds[index] == "EXTERN" else 2
    for opening, closing in (("LSQB", "RSQB"), ("LANGLE", "RANGLE"), ("LBRACE", "RBRACE")):
        if index < len(kinds) and kinds[index] == opening:
            depth = 0
            while index < len(kinds):
                depth += (kinds[index] == opening) - (kinds[index] == closing)
                index += 1
                if depth == 0:
                    break
    return index

"""Reading one function of a program that was built, not read: its text may speak of all that the program has."""

from __future__ import annotations

from ..host.governor import governed
from ..ir import Function, GlobalVar, IRModule, Source, Span
from ..text.builder import Builder
from ..text.context import unquoted
from ..text.errors import ParseError
from ..text.lexer import tokenize
from ..text.parser import feed
from .outline import definitions

__all__ = ["read_definition", "reader_of"]


def reader_of(module: IRModule) -> Builder:
    """What knows the names of a module. Those of functions that are taken out stay: who mentions them means them."""
    builder = Builder(Source(""))
    builder.globals = {variable.name_hint: variable for variable in module.functions}
    builder.handles = {handle.name_hint: handle for handle in reversed(module.type_definitions)}
    builder.kinds = {handle: data.kinds for handle, data in module.type_definitions.items()}
    builder.metadata = None if module.metadata is None else (0, module.metadata)
    return builder


def read_definition(reader: Builder, module: IRModule, name: str, text: str) -> tuple[GlobalVar, Function | None]:
    """The function that the text of its definition says; None if the text says nothing. Raises ParseError."""
    source = Source(text)
    lexed = governed(lambda: tokenize(source))
    tokens = lexed.tokens
    variable = reader.globals.get(name) or GlobalVar(name)
    if not tokens and not lexed.metadata:
        return variable, None
    found, _ = definitions(tokens)
    if lexed.metadata or len(found) != 1 or len(found[0]) != len(tokens):
        raise ParseError(f"this is not one definition, that of `@{name}`", Span(source, 0, len(text)))
    builder = reader.elsewhere(source, module.without_functions())
    builder.globals = {**reader.globals, name: variable}
    if unquoted(found[0][1]) != name:
        raise ParseError(f"the function that is defined here is not `@{name}`", builder.token_span(found[0][1]))
    governed(lambda: feed("module", tokens, builder))
    if variable not in builder.module.functions:
        raise ParseError(f"this is no definition of `@{name}`", Span(source, 0, len(text)))
    reader.globals = builder.globals
    return variable, builder.module.functions[variable]

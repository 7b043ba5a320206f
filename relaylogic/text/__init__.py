"""Relay text: reading it and writing it.

The format is 0.0.5 as TVM 0.14 prints and reads it, extended by what Relay's documentation uses and TVM's
reader has not: `_` in any place of a type; kinds of type parameters, shape variables and arithmetic in
shapes; explicit type arguments; `where` constraints; `data` definitions, `case` arms, `<a>` for `[a]`, `#`
comments, `Constant(1, (10, 10), float32)`, declarations `@cell : fn ...`, bare expressions at the top;
`import "..."`; names in quotes, `%"any name"`.
"""

from __future__ import annotations

from .errors import ParseError
from .parser import parse, parse_expr, parse_type
from .printer import HEADER, astext

__all__ = ["HEADER", "ParseError", "astext", "parse", "parse_expr", "parse_type"]

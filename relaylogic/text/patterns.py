"""What the lexer matches at once: a token, two that often stand together, or one that stands for several."""

from __future__ import annotations

import re

from ..host.once import once
from ..types.dtypes import CUSTOM
from .tokens import DOTTED, KEYWORDS, SIGILED, SOMETIMES, SPECIAL, WORD

__all__ = ["FUSED", "PAIRS", "PLAIN_VALUE", "fused_or_token", "pair_or_token", "single_token"]

_TENSOR_TYPE = r"Tensor\[\((?:(?:[0-9]+|\?)(?:,\ *(?:[0-9]+|\?))*,?)?\),\ (?:bool|[a-z]+[0-9]+)\]"
_SINGLE = rf"""
    (?P<LOCAL>%{SIGILED})
  | (?P<GRAPH>%[0-9]+)
  | (?P<TENSOR_TYPE>{_TENSOR_TYPE})
  | (?P<COMMENT>//|/\*|\#)
  | (?P<PROJ>\.[ \t\r\n]*-?[0-9]+)
  | (?P<PUNCT>[()\[\]{{}},;]|->|=>|[=!<>]=|\.\.\.|[:=?+*/%<>-])
  | (?P<META>meta\[[^\]\n]*\]\[[^\]\n]*\])
  | (?P<SPECIAL>{SPECIAL}(?![A-Za-z0-9_/]))
  | (?P<DTYPE>{CUSTOM})
  | (?P<IDENT>{DOTTED})
  | (?P<NUMBER>0x[0-9a-fA-F]+|[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?(?:[fiu][0-9]*)?)
  | (?P<GLOBAL>@{SIGILED})
  | (?P<STRING>"[^"]*")
"""

PLAIN_VALUE = r"""=(?:-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?:[fiu][0-9]*)?
      | \[-?[0-9]{1,18}(?:,\ ?-?[0-9]{1,18}){0,9}\]
      | "[^"\n]{0,99}"
      | True | False)(?=[,)])"""
"""What most attributes are behind their names, up to the end."""

PAIRS = {
    "COMMA_LOCAL": ("COMMA", 1, 1, "LOCAL"),
    "COMMA_TYPED": ("COMMA", 1, 1, "TYPED"),
    "COMMA_GRAPH": ("COMMA", 1, 1, "GRAPH"),
    "COMMA_ATTR": ("COMMA", 1, 1, "ATTR"),
    "COMMA_TENSOR_TYPE": ("COMMA", 1, 1, "TENSOR_TYPE"),
    "COLON_TENSOR_TYPE": ("COLON", 1, 1, "TENSOR_TYPE"),
    "LPAR_LOCAL": ("LPAR", 1, 0, "LOCAL"),
    "LPAR_TYPED": ("LPAR", 1, 0, "TYPED"),
    "LPAR_GRAPH": ("LPAR", 1, 0, "GRAPH"),
    "RPAR_SEMI": ("RPAR", 1, 0, "SEMI"),
    "LET_LOCAL": ("LET", 3, 1, "LOCAL"),
}
"""Two tokens that often stand so: the kind of the first one, how many characters it has and how many spaces follow, and
the kind of the second one."""

FUSED = frozenset({"TYPED", "LET_HEAD", "STATEMENT"})
"""The kinds of tokens that stand for several, of which most networks consist as TVM prints them.

`%x: T`; `let %x =` and `let %x: T =`; and a statement that binds so, or by `%0 =`, a projection of a variable or an
operator's call with variables and attributes. Wherever one may stand, it means what its parts mean. Repetitions are
bounded, since matching them takes memory.
"""

_NO_KEYWORD = rf"(?!(?:{'|'.join([*KEYWORDS, *sorted(SOMETIMES)])}|{SPECIAL})[=.(])"
_ATTR = rf"{_NO_KEYWORD}{WORD}{PLAIN_VALUE}"
_SCALAR = r"(?:bool|u?int(?:8|16|32|64)|float(?:16|32|64))(?![A-Za-z0-9_./\[])"
_FIELD = rf"(?:{_TENSOR_TYPE}|{_SCALAR})"
_PLAIN_TYPE = rf"(?:{_FIELD}|\((?:{_FIELD}(?:,\ |(?=\)))){{1,20}}\))"
_NAME = rf"{WORD}(?:/(?![*/])[A-Za-z0-9_]*){{0,20}}"
_TYPED = rf"%{_NAME}:\ {_PLAIN_TYPE}"
_LET = rf"let\ %{_NAME}(?::\ {_PLAIN_TYPE})?"
_VARIABLE = rf"%(?:{_NAME}|[0-9]+)"
_OPERATOR = rf"{_NO_KEYWORD}(?!Constant\(){WORD}(?:\.{WORD}){{0,9}}"
_CALL = rf"{_OPERATOR}\({_VARIABLE}(?:,\ {_VARIABLE}){{0,20}}(?:,\ {_ATTR}){{0,20}}\)"
_FUSED = rf"""
    ,\ (?P<COMMA_TYPED>{_TYPED})
  | \((?P<LPAR_TYPED>{_TYPED})
  | (?P<STATEMENT>(?:{_LET}|%[0-9]+)\ =\ (?:{_CALL}|{_VARIABLE}\.[0-9]{{1,9}});)
  | (?P<LET_HEAD>{_LET}\ =(?=\ ))
"""
_PAIR_OR_TOKEN = rf"""
    ,\ (?:(?P<COMMA_LOCAL>%{SIGILED}) | (?P<COMMA_GRAPH>%[0-9]+)
         | (?P<COMMA_ATTR>{_ATTR}) | (?P<COMMA_TENSOR_TYPE>{_TENSOR_TYPE}))
  | :\ (?P<COLON_TENSOR_TYPE>{_TENSOR_TYPE})
  | \((?:(?P<LPAR_LOCAL>%{SIGILED}) | (?P<LPAR_GRAPH>%[0-9]+))
  | \)(?P<RPAR_SEMI>;)
  | let\ (?P<LET_LOCAL>%{SIGILED})
  | {_SINGLE}
"""


def _behind_space(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"[ \t\r\n\f\v]*(?:{pattern})", re.VERBOSE)


@once
def single_token() -> re.Pattern[str]:
    """A token, behind any space: asked for where two do not belong together, which is rare."""
    return _behind_space(_SINGLE)


@once
def pair_or_token() -> re.Pattern[str]:
    """Two tokens of `PAIRS`, if there are, else one: what is matched at once takes half as long."""
    return _behind_space(_PAIR_OR_TOKEN)


@once
def fused_or_token() -> re.Pattern[str]:
    """The same, or a token of `FUSED`."""
    return _behind_space(f"{_FUSED} | {_PAIR_OR_TOKEN}")

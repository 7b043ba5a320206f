"""The functions that programs define, from their texts: what a program may call, and nothing else.

Programs may come from a file, so what they may say is no more than is written of modes and of ways: comparisons and
arithmetic of numbers, and terms. That is told by their words, in a tenth of the time that a syntax tree takes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import CodeType, FunctionType
from typing import Any

from ...logic.constraints.compare import Compare
from ...logic.constraints.different import Different
from ...logic.constraints.gradual import Agree, Follows
from ...logic.constraints.natural import Natural
from ...logic.states.calls import Call
from ...logic.terms.numbers import UNKNOWN, Arith
from ...logic.terms.terms import Cons, slot
from ...types import TensorType, TupleType
from ...types.dtype_goals import OF_KIND

__all__ = ["Unsure", "code_of", "compiled", "function_of"]


class Unsure(Exception):
    """The goals say what holds of such numbers."""


def _exact(value: int, factor: int) -> int:
    """The natural number that gives `value` if it is multiplied; -1 if there is none. Raises Unsure if any does."""
    if not factor:
        raise Unsure
    quotient, rest = divmod(value, factor)
    return -1 if rest else quotient


_NAMES: dict[str, Any] = {
    "Tensor": TensorType.make,
    "Tuple": TupleType.make,
    "ANY": UNKNOWN,
    "slot": slot,
    "Cons": Cons.assemble,
    "Call": Call.make,
    "Compare": Compare.make,
    "Agree": Agree.make,
    "Different": Different.make,
    "Natural": Natural.make,
    "Follows": Follows.make,
    "Number": Arith.assemble,
    "exact": _exact,
    **OF_KIND,
    "min": min,
    "max": max,
}
"""What programs call."""


@lru_cache(1024)
def compiled(text: str) -> Callable[[list[Any]], Any]:
    """The function that a program defines. Raises ValueError or SyntaxError for a text that is no such program."""
    if not _is_form(text):
        raise ValueError(text)
    return function_of(code_of(text))


def code_of(text: str) -> CodeType:
    """The code of the function that a program defines: nothing else stands in it. Raises ValueError or SyntaxError."""
    return next(part for part in compile(text, "<answer>", "exec").co_consts if type(part) is CodeType)


def function_of(code: CodeType) -> Callable[[list[Any]], Any]:
    """The function of such a code."""
    return FunctionType(code, _ROOM)


_ROOM: dict[str, Any] = {"__builtins__": {}, **_NAMES}


_KEYWORDS = "if", "and", "is", "not", "or", "return", "None", "True", "False"
_WORDS = frozenset(("", *_NAMES, "numbers", "relation", "found", "other", *_KEYWORDS))
_SIGNS = str.maketrans(dict.fromkeys("<>=!:/*-+%(),[]\n", " "))
_FIRST_LINE = "def answer(numbers):\n"


_QUOTES = "'", '"'


def _is_form(text: str) -> bool:
    """Whether a text, if it is Python at all, is remarks and one function that says only what programs say."""
    before, first, body = _without_strings(text).partition(_FIRST_LINE)
    if not first or before.strip(" \n") or "**" in body or "\r" in text:  # which ends a line of Python
        return False
    return all(map(_is_number, set(body.translate(_SIGNS).split(" ")) - _WORDS))


def _without_strings(text: str) -> str:
    """A text without its strings and remarks, which may hold any words; nothing if a string does not end in its line,
    or another one follows at once: three quotation marks would be another one.

    No pattern tells that: to compile one takes longer than all else of a program's first use. What is escaped ends no
    string, and outside of strings it is no Python.
    """
    text = text.replace("\\\\", "")
    for quote in _QUOTES:
        text = text.replace("\\" + quote, "")
    said = []
    for line in text.split("\n"):
        while begins := [at for at in map(line.find, (*_QUOTES, "#")) if at >= 0]:
            begin = min(begins)
            end = len(line) if line[begin] == "#" else line.find(line[begin], begin + 1)
            if end < 0 or line[end + 1 : end + 2] in _QUOTES:
                return ""
            said += [line[:begin], " "]
            line = line[end + 1 :]
        said += [line, "\n"]
    return "".join(said)


def _is_number(word: str) -> bool:
    """Whether a word is a number, or the name of one."""
    digits = word[1:] if word[0] in "nd" else word
    return digits.isdecimal() and digits.isascii()

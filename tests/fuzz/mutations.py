"""Spoils texts: the sort of slip that people make, and what only an enemy writes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

__all__ = ["spoiled", "words_of"]

_WORD = re.compile(
    r'\s+|"(?:[^"\\\n]|\\.)*"|[@%]?[A-Za-z_][\w.]*|%\d+|\.?\d+(?:\.\d+)?\w*|->|=>|:-|\.\.\.|.', re.DOTALL
)
NUMBERS = ["0", "1", "2", "3", "5", "7", "-1", "?", "_", "99999999999", "0xff", "1.5f", "300000000000000000000", "1e3"]
NUMBERS += [
    "1e999f",
    "00",
    "0b1",
    "1_000",
    "\u0663",
    "\u00b2",
    "9" * 5000,
    "-0",
    "1e-400",
    "0.1.2",
    "1i128",
    "2147483648",
]
JUNK = [
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ";",
    ":",
    "=",
    "->",
    "_",
    "?",
    "%",
    "@",
    '"',
    "/*",
    "*/",
    "\0",
    "\u202e",
    "名",
    "let",
    "fn",
    "-",
    "*",
    "//",
    "...",
    ".0",
    "\\",
    "meta[relay.Constant][0]",
    "1" * 400,
    "True",
    "None",
    "#",
    "|",
    "\ud800",
    "\ufeff",
    "\u2028",
    "\x0b",
    "\x7f",
    "\u00b2",
    "\u0663",
    "\u0301",
    "\u0130",
    "\U0001f642",
    "'",
    "`",
    "$",
    "::",
    "<",
    ">",
    "!=",
    "==",
    "%0",
    "..",
    "where",
    "ref(",
    "extern",
    "nan",
    "-inff",
    "[...s]",
    "a" * 3000,
]


def words_of(text: str) -> list[str]:
    """The words of a text, those that a name may be exchanged for."""
    return [word for word in _WORD.findall(text) if word[0].isalpha() or word[0] in "%@"]


def spoiled(text: str, random: Random, others: Sequence[str] = ()) -> str:
    """The text with one to three changes. `others` are words that may stand where a word stands."""
    found = _WORD.findall(text)
    for _ in range(random.choice([1, 1, 1, 2, 3])):
        if not found:
            break
        found = _changed(found, random, others)
    return "".join(found)


def _changed(words: list[str], random: Random, others: Sequence[str]) -> list[str]:
    at = random.randrange(len(words))
    kind = random.randrange(12)
    if kind <= 3:  # a number for a number
        numbers = [i for i, word in enumerate(words) if word[0].isdigit()]
        if numbers:
            words[random.choice(numbers)] = random.choice(NUMBERS)
        return words
    if kind <= 6:  # a name for a name
        names = [i for i, word in enumerate(words) if word[0].isalpha() or word[0] in "%@"]
        if names:
            at = random.choice(names)
            alike = [w for w in words if w[0] == words[at][0] or (w[0].isalpha() and words[at][0].isalpha())]
            words[at] = random.choice([*alike, random.choice(others)] if others else alike)
        return words
    if kind == 7:
        return words[:at] + words[at + random.randint(1, 3) :]
    if kind == 8:
        end = min(len(words), at + random.randint(1, 12))
        return words[:end] + words[at:end] + words[end:]
    if kind == 9:
        other = random.randrange(len(words))
        words[at], words[other] = words[other], words[at]
        return words
    if kind == 10:
        depth = random.choice([3, 40, 200])
        opening, closing = random.choice([("(", ")"), ("(", ",)"), ("[", "]"), ("{", "}"), ("nn.relu(", ")")])
        return [*words[:at], opening * depth, words[at], closing * depth, *words[at + 1 :]]
    return [*words[:at], random.choice(JUNK), *words[at:]]

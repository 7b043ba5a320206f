"""What the tests say: each of their programs, queries and files is about something that has a rule of its own."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

from relaylogic.clauses.syntax import parse_file, parse_query
from relaylogic.errors import RelayLogicError
from relaylogic.text import parse

from .mutations import spoiled, words_of

__all__ = ["spoiled_program", "spoiled_query", "spoiled_rules"]

TESTS = Path(__file__).resolve().parents[1]
LONGEST = 3000


def spoiled_program(random: Random) -> str:
    """A program of the tests, spoiled."""
    return _spoiled(programs(), random)


def spoiled_query(random: Random) -> str:
    """A query of the tests or two, spoiled."""
    known = queries()
    text = _spoiled(known, random)
    return f"{text}, {random.choice(known)}" if random.random() < 0.3 else text


def spoiled_rules(random: Random) -> str:
    """Clauses of the tests, spoiled."""
    return _spoiled(clauses(), random)


def _spoiled(known: list[str], random: Random) -> str:
    return spoiled(random.choice(known), random, words_of(random.choice(known)))


@cache
def programs() -> list[str]:
    """The programs of the tests."""
    return _read(parse, lambda text: "def @" in text)


@cache
def queries() -> list[str]:
    """The queries of the tests."""
    return _read(parse_query, lambda text: "(" in text or "=" in text)


@cache
def clauses() -> list[str]:
    """The clauses in the tests."""
    return _read(parse_file, lambda text: ":-" in text or text.rstrip().endswith(")."))


def _read(reads: Callable[[str], object], may_be: Callable[[str], bool]) -> list[str]:
    """The texts of the tests that can be read."""
    found = []
    for text in _texts():
        if may_be(text):
            try:
                reads(text)
            except (RelayLogicError, ValueError):
                continue
            found.append(text)
    return found


@cache
def _texts() -> list[str]:
    """The texts in the tests, each once, in an order that is the same in each process."""
    found: set[str] = set()
    for path in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) <= LONGEST:
                found.add(node.value)
    return sorted(found)

"""Programs as they are run, and the file of those that were made ahead as Python compiled them: to compile a text takes
longest of the first use of a program.

The file is for one version of Python, and as safe as the folder that it is in: what stands there is run. So it is only
read from the package's own folder.
"""

from __future__ import annotations

import marshal
import re
import zlib
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from functools import lru_cache
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from typing import Any, NamedTuple

from ...logic.bounded import Bounded
from ..attribute_keys import key_whatever, names_in
from .functions import code_of, compiled, function_of
from .general import NO_SYMBOL, WHATEVER

__all__ = ["Codes", "CodesOf", "Program", "codes_in", "program_below", "program_in", "write_codes"]

MOST_ASKED = 4_096
"""Of so many things that a relation is asked it is remembered whether there is a program."""


class Program(NamedTuple):
    """What answers the calls of a mode by their numbers; without `answer`, no program tells.

    `no_symbol`: what it says may be otherwise if something open is a symbol.
    """

    answer: Callable[[list[Any]], Any] | None
    no_symbol: bool


def program_in(text: str) -> Program:
    """The program of a text, which is empty if there is none. Raises ValueError or SyntaxError for another text."""
    return Program(compiled(text) if text else None, NO_SYMBOL in text)


def program_below(text: str) -> Program | None:
    """The program below a question, as it is kept; None if it is damaged."""
    with suppress(ValueError, SyntaxError):
        return program_in(text.partition("\n")[2])
    return None


class CodesOf:
    """The programs of a relation by what they answer, whatever the attributes of some names are: no program looks at
    them. They are kept under the text of what they answer, as to read hundreds of texts takes a fifth of the time that
    hundreds of keys take. What is asked for is looked up by its text, and made a function, once."""

    __slots__ = ("_kept", "_programs", "whatever")

    def __init__(self, whatever: tuple[str, ...], kept: dict[str, bytes]) -> None:
        self.whatever = whatever
        self._kept = kept
        self._programs: dict[Any, Program | None] = Bounded(MOST_ASKED)

    def program(self, asked: Any) -> Program | None:
        """The program for what is `asked` whatever these attributes are; None if there is none."""
        try:
            return self._programs[asked]
        except KeyError:
            pass
        found = None
        kept = self._kept.get(repr(asked))
        if kept is not None:
            code, no_symbol = marshal.loads(kept)
            found = Program(None if code is None else function_of(code), no_symbol)
        self._programs[asked] = found
        return found


class Codes:
    """The programs of a file by relation, each of which is read when it is asked for."""

    def __init__(self, content: bytes | memoryview) -> None:
        self._of: dict[str, Any] = marshal.loads(content)

    def of(self, relation: str) -> CodesOf:
        """The programs of a relation."""
        found: CodesOf | bytes = self._of.get(relation, _NONE)
        if isinstance(found, bytes):
            found = self._of[relation] = CodesOf(*marshal.loads(found))
        return found

    def program(self, relation: str, key: Any) -> Program | None:
        """The program for what is asked of a relation; None if there is none."""
        codes = self.of(relation)
        return codes.program(_whatever(key, codes.whatever))


_NONE = CodesOf((), {})


def _whatever(key: Any, names: Collection[str]) -> Any:
    """What a program answers, whatever the attributes of some names are."""
    return (*key[:-1], key_whatever(key[-1], names)) if names else key


def write_codes(path: Path, content: str, texts: Iterable[tuple[str, Any, str]]) -> None:
    """Write the code of programs (of each: its relation, what it answers, its text), which were made of `content`.

    Raises OSError.
    """
    of_relations: dict[str, list[tuple[Any, str]]] = {}
    for relation, key, text in texts:
        of_relations.setdefault(relation, []).append((key, text))
    body = marshal.dumps({relation: marshal.dumps(_coded(programs)) for relation, programs in of_relations.items()})
    path.write_bytes(_head(content, body) + body)


def _coded(programs: list[tuple[Any, str]]) -> tuple[tuple[str, ...], dict[str, bytes]]:
    """The names of the attributes that no program looks at, and the programs by what they answer whatever these are."""
    whatever: set[str] = set()
    read: set[str] = set()
    left_alone = re.compile(rf"^{re.escape(WHATEVER)}(.*)$", re.MULTILINE)
    for key, text in programs:
        if text:
            (names,) = left_alone.findall(text) or ("",)
            whatever.update(filter(None, names.split(", ")))
            read.update(set(names_in(key[-1])).difference(names.split(", ")))
    whatever -= read
    coded: dict[str, bytes] = {}
    for key, text in programs:
        asked = repr(_whatever(key, whatever))
        if text or asked not in coded:
            code = code_of(text) if text else None
            coded[asked] = marshal.dumps((code, NO_SYMBOL in text))
    return tuple(sorted(whatever)), coded


@lru_cache(16)
def codes_in(path: str, content: str) -> Codes | None:
    """The programs in a file, which is read once by a process, as modules are; None if it cannot be read, or if they
    were made of something else, or by another Python."""
    with suppress(OSError):
        found = Path(path).read_bytes()
        size = len(_head(content, b""))
        if found[:size] == _head(content, memoryview(found)[size:]):
            return Codes(memoryview(found)[size:])
    return None


def _head(content: str, body: bytes | memoryview) -> bytes:
    """The version of Python, what programs were made of, and a check of what follows."""
    return MAGIC_NUMBER + content.encode() + zlib.crc32(body).to_bytes(4, "big")

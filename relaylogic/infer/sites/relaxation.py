"""What-if inference: a program with some annotations unread and some demands not made.

Nothing is written into the program: an annotation that is left out is a hole in a side table, by identity of what
carries it (a variable; a function for its result type); so is the type of a constant, a tuple, a projection, a call or
a reference that is not read. A demand that is not made is known by its key. Any expression, and any pattern, may be
silent: what is inside of it says what it says, but what it is itself is left open.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ...types import IncompleteType
from .remembered import Remembered

__all__ = ["BRISK", "PATIENT", "Patience", "Relaxation", "without"]


class Patience(NamedTuple):
    """So many answers, and so many steps, are looked at where a call has open attributes in a what-if inference."""

    answers: int
    steps: int


BRISK, PATIENT = Patience(40, 3_000), Patience(128, 20_000)
"""There are many questions about what else would be right; those that an answer rests on are worth more."""


@dataclass(frozen=True)
class Relaxation:
    """What a what-if inference leaves out: `holes` in place of annotations and leaves, and `demands`, keys of sites.

    `attrs` are the attributes that calls have instead of their own, by identity of the call. `functions` are the names
    of the functions that are looked into, None for all; the others are known by their annotations. `silent` are the
    identities of the expressions and patterns that say nothing. Holes stand for one type each, unless they are
    `omitted`: then they are what is left out in a text, and functions are generalised over them; those that nobody
    calls only if `uncalled`, which costs more, and finds extents that no call satisfies; types for what is open in a
    body alone are looked for only if it `settles`, which costs much more. `sound` are the identities of
    those whose annotations are known to make sense. `unbound` are the identities of the variables that need not be of
    the type of the value that a let binds to them, of the functions that need not give what their bodies come to, and
    of the first arms of the matches whose arms need not take values of what these look at.
    `live` are the identities of the expressions in which something is said or asked about, at any depth, None if that
    may be anywhere: nobody looks into a silent expression that is not among them, and a function of which only that is
    known is of the type `fn[A, B](A) -> B`. `mentions` are the functions that mention each global name, where somebody
    has found them out.
    `renamed` are the identities of parameters whose names are exchanged, each with the other's: what a function takes
    is as it is, and what its body says of one of them is said of the other. What calls with open attributes come to is
    looked for with this `patience`. If it `refutes`, nothing is asked but what is refused, and nobody reads types: none
    is generalised if nothing is said of what is open. Functions that are `remembered` are not inferred again then.
    """

    holes: dict[int, Any] = field(default_factory=dict)
    demands: frozenset[Any] = frozenset()
    attrs: dict[int, dict[str, Any]] = field(default_factory=dict)
    functions: frozenset[str] | None = None
    silent: Collection[int] = ()
    omitted: bool = False
    uncalled: bool = False
    settles: bool = False
    sound: Collection[int] = ()
    unbound: Collection[int] = ()
    live: Collection[int] | None = None
    mentions: Mapping[Any, set[Any]] | None = None
    renamed: Mapping[int, int] = field(default_factory=dict)
    patience: Patience = BRISK
    refutes: bool = False
    remembered: Remembered | None = None

    def looks_into(self, name: str) -> bool:
        """Whether the function of this name is inferred."""
        return self.functions is None or name in self.functions

    def is_dead(self, expr: Any) -> bool:
        """Whether an expression says nothing, nor anything in it."""
        return self.live is not None and id(expr) not in self.live and id(expr) in self.silent


def without(carriers: Iterable[Any]) -> Relaxation:
    """The relaxation without the annotations of some variables, the result types of some functions, some leaves."""
    return Relaxation({id(carrier): IncompleteType() for carrier in carriers})

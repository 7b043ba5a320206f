"""The family of arithmetic terms: `?`, `Arith(operator, operands)`, and what every room of numbers asks of them.

An `Arith` without logic variables is in normal form (`normal`); one with logic variables is kept as it was written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, cast

from ...host.above import above
from .infix import Infix
from .look import Drafted
from .terms import Symbol, Term

__all__ = [
    "FOLDS",
    "UNKNOWN",
    "Arith",
    "Unknown",
    "folded_in",
    "is_fixed",
    "is_fold",
    "is_number",
    "lists_of",
    "parts_first",
    "symbols_of",
]

FOLDS = ("sum", "prod")
"""The operators of a list."""


class Unknown(Term, Infix):
    """A number that nobody can know before run time; printed `?`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "?"

    __str__ = __repr__


UNKNOWN: Unknown = Unknown()


class Arith(Term, Drafted, Infix):
    """An operator (`+ - * // % min max sum prod`) applied to operands; `min` and `max` have two."""

    __slots__ = ("digest", "head", "inside", "is_lean", "is_short", "mirror", "opening", "place", "range")
    # What is found out once, when somebody asks for it:
    digest: str  # what tells it apart where it is too long to be told
    head: tuple[str, int]  # the first characters of it as text, and how tightly that binds
    inside: frozenset[str]  # the operators in it, as far as it has variables
    is_lean: bool  # whether it can be told in fewer words only if its variables have upper bounds
    is_short: bool  # whether its normal form is known to be no shorter
    mirror: tuple[Any, dict[tuple[Any, ...], int]]  # of a division, the one that it makes a polynomial with, and that
    opening: dict[tuple[Any, ...], int] | None  # it as an open polynomial of others, None if it is an atom of these
    place: tuple[str, str]  # how it is ordered among the atoms of a monomial
    range: tuple[int | None, int | None]  # between what it surely lies
    computed: ClassVar[Callable[[str, tuple[Any, ...]], Any]]  # what normalises, which `numbers` registers

    @classmethod
    def assemble(cls, args: tuple[Any, ...]) -> Any:
        """The number, normal if it has no variables; one that is not defined (a division by zero) stays a draft."""
        try:
            value = cls.computed(*args)
        except (ZeroDivisionError, TypeError):
            return cls.draft(args)
        return cls.make(args) if value is None else value

    @property
    def operator(self) -> str:
        """What is computed."""
        return self.args[0]  # type: ignore[no-any-return]

    @property
    def operands(self) -> tuple[Any, ...]:
        """What it is computed of."""
        return self.args[1]  # type: ignore[no-any-return]

    def __str__(self) -> str:
        return cast(str, above("number as text")(self))

    __repr__ = __str__


def is_number(term: Any) -> bool:
    """Whether `term` is a number without logic variables."""
    return type(term) is int or isinstance(term, (Symbol, Unknown)) or (type(term) is Arith and term.ground)


def is_fixed(operand: Any) -> bool:
    """Whether `operand` is a number in normal form."""
    return type(operand) is int or (isinstance(operand, (Symbol, Unknown, Arith)) and operand.ground)


def is_fold(term: Any) -> bool:
    """Whether `term` is the sum or the product of a list."""
    return type(term) is Arith and term.args[0] in FOLDS


def folded_in(*numbers: Any) -> Iterator[Any]:
    """The lists that are added up, or multiplied, somewhere in some numbers, in order."""
    stack = [*reversed(numbers)]
    seen: set[int] = set()
    while stack:
        item = stack.pop()
        if is_fold(item):
            yield item.operands[0]
        elif type(item) is Arith and id(item) not in seen:
            seen.add(id(item))
            stack.extend(reversed(item.operands))


def lists_of(number: Any) -> set[Any]:
    """The symbols in `number` that stand for lists: of their elements, it is said what they are together."""
    return set(folded_in(number))


def parts_first(expression: Any, is_told: Callable[[Any], bool]) -> Iterator[Any]:
    """What is computed in an expression and not told yet, parts before wholes, however deeply they stand in each other;
    whoever asks for the next one has told the one before."""
    stack = [expression]
    while stack:
        item = stack[-1]
        if type(item) is not Arith or is_told(item):
            stack.pop()
        elif parts := [part for part in item.args[1] if type(part) is Arith and not is_told(part)]:
            stack.extend(parts)
        else:
            yield item


def symbols_of(number: Any) -> list[Any]:
    """The symbols that occur in `number`, in order of first occurrence."""
    found: dict[Any, None] = {}
    stack = [number]
    seen: set[int] = set()  # a number may hold another many times over
    while stack:
        item = stack.pop()
        if isinstance(item, Symbol):
            found[item] = None
        elif type(item) is Arith and id(item) not in seen:
            seen.add(id(item))
            stack.extend(reversed(item.args[1]))
    return list(found)

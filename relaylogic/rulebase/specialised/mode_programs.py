"""The program of a mode: straight-line Python that makes the answer to a call of its numbers; of its dtypes, too, if it
is for any.

Of each answer of the mode's most general call, what is left over becomes one condition: comparisons of numbers that are
known by then, and equations that give a number a name. The program says which answer holds, if that is exactly one; it
says None of a call of which none holds, and nothing, `()`, if several hold that differ. What is left over of what is
open alone, a default or comparisons of open extents, is said with the answer; there is no program if anything ties it
to the numbers.

    def answer(numbers):
        n0, n1, ..., d0 = numbers
        if n1 == n5 and (n9 := (n2 - 1) // 2 + 1) >= 1:
            return 0, (Tensor(((n0, 64, n9), d0)),)

Of a mode in which attributes are open, another program says all that its calls may come to.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...logic.constraints.compare import Compare
from ...logic.constraints.different import Different
from ...logic.constraints.gradual import Agree, Follows
from ...logic.constraints.natural import Natural
from ...logic.search.search import Answer
from ...logic.states.suspended import Suspended
from ...logic.terms.numbers import FOLDS, UNKNOWN, Arith
from ...logic.terms.terms import Slot
from ...types import TensorType, TupleType
from ...types.dtype_goals import OF_KIND

__all__ = ["program_of", "program_of_all"]


class _NotStraight(Exception):
    """Something of an answer is no straight line of equations."""


def program_of(
    asked: tuple[Any, ...], numbers: int, dtypes: int, answers: list[Answer], clauses: list[str]
) -> str | None:
    """The text of a function from the numbers and dtypes of a call to the index of its clause and what was open.

    `asked` are the arguments with slots for so many numbers, then for so many dtypes, and then for what is open. None
    if that cannot be said.
    The function has one name for all relations: theirs may be a word of Python, or that of something it calls.
    """
    branches = []
    try:
        for answer in answers:
            said = _Answer(numbers, dtypes).said(asked, answer)
            if said is not None:
                branches.append((*said, answer.clause, clauses.index(answer.clause)))
    except _NotStraight:
        return None
    if not branches:  # all calls of the mode are refused
        return "\n".join([*_begun(0, 0), "    return None", ""])
    text = _begun(numbers, dtypes)
    if len(branches) > 1:
        text.append("    found = None")
    for conditions, found, left, clause, index in branches:
        text += [f"    # {clause}", *_tested(conditions)]
        told = f"{index}, {found}{f', {left}' * bool(left)}"
        if len(branches) == 1:
            text.append(f"        return {told}")
        else:
            text += [f"        other = {told}"]
            text += ["        if found is not None and found[1:] != other[1:]:", "            return ()"]
            text += ["        found = found or other"]
    return "\n".join([*text, "    return None" if len(branches) == 1 else "    return found", ""])


def program_of_all(asked: tuple[Any, ...], numbers: int, dtypes: int, answers: list[Answer]) -> str | None:
    """The text of a function from the numbers and dtypes of a call to all that it may come to: what was open, and
    whether that is sure, of each answer that may hold. None if that cannot be said.

    An answer may hold where the program says that it does, and holds nowhere else: what it demands of what is not known
    is left out, and then it is not sure.
    """
    found: dict[str, tuple[list[str], bool]] = {}  # by what they give, the conditions that answers share
    try:
        for answer in answers:
            reading = _Answer(numbers, dtypes, loosely=True)
            said = reading.said(asked, answer)
            if said is None:
                continue
            conditions, gives, _ = said
            known, is_sure = found.get(gives, (conditions, False))
            both = [condition for condition in known if condition in conditions]
            is_sure = (is_sure and both == known) or (reading.is_sure and len(both) == len(conditions))
            found[gives] = both, is_sure
    except _NotStraight:
        return None
    text = _begun(numbers, dtypes) if found else _begun(0, 0)
    text.append("    found = ()")
    for gives, (conditions, is_sure) in found.items():
        text += [*_tested(conditions), f"        found = (*found, ({gives}, {is_sure}))"]
    return "\n".join([*text, "    return found", ""])


def _begun(numbers: int, dtypes: int) -> list[str]:
    names = [*(f"n{i}" for i in range(numbers)), *(f"d{i}" for i in range(dtypes))]
    first = ["def answer(numbers):"]
    return [*first, f"    {', '.join(names)}{',' * (len(names) == 1)} = numbers"] if names else first


def _tested(conditions: list[str]) -> list[str]:
    if len(conditions) < 2:
        return [f"    if {conditions[0] if conditions else True}:"]
    return ["    if (", f"        {conditions[0]}", *(f"        and {c}" for c in conditions[1:]), "    ):"]


class _Answer:
    """One answer as conditions, in the order in which numbers become known, and an expression for what was open.

    `loosely`: some of the conditions may be left out; if none was, it `is_sure`.
    """

    def __init__(self, numbers: int, dtypes: int, loosely: bool = False) -> None:
        self._known = numbers + dtypes
        self._dtypes = range(numbers, self._known)
        self._loosely = loosely
        self.is_sure = True
        self._names = {index: f"n{index}" for index in range(numbers)}
        self._names |= {index: f"d{index - numbers}" for index in self._dtypes}
        self._conditions: dict[str, None] = {}
        self._opened: dict[int, Any] = {}
        self._asked = self._known  # so many slots are asked about
        self._new: dict[int, int] = {}  # numbers of slots that are not

    def said(self, asked: tuple[Any, ...], answer: Answer) -> tuple[list[str], str, str] | None:
        """Its conditions, what was open, and what is left over of open extents alone, if anything is.

        None if it holds of no numbers. Raises _NotStraight.
        """
        self._asked = 1 + max((term.args[0] for term in asked if type(term) is Slot), default=-1)
        if not self._same(asked, answer.terms):
            return None
        waiting = list(answer.residue)
        while waiting:
            for attempt in (self._checked, self._equated, self._filled):
                left = [constraint for constraint in waiting if not attempt(constraint)]
                if len(left) < len(waiting):
                    break
            else:
                break
            waiting = left
        self.is_sure = self.is_sure and all(type(constraint) is Natural for constraint in waiting)
        opened = [self._term(found) for _, found in sorted(self._opened.items())]
        rest = f"({', '.join(map(self._left, waiting))},)" if waiting and not self._loosely else ""
        return list(self._conditions), f"({', '.join(opened)},)", rest

    def _demand(self, condition: str) -> None:
        self._conditions[condition] = None

    def _same(self, asked: Any, found: Any) -> bool:
        """Demand that what was asked about is what was found; whether that may be."""
        if type(asked) is Slot:
            (index,) = asked.args
            if index >= self._known:
                if type(found) is Slot and found is not asked and self._known <= found.args[0] < self._asked:
                    raise _NotStraight  # two that were open are one
                self._opened[index] = found
                return True
            if asked is found:
                return True
            name = self._names[index]
            if type(found) is (str if index in self._dtypes else int):
                self._demand(f"{name} == {found!r}")
                return True
            if type(found) is Slot:
                (other,) = found.args
                if other >= self._known:
                    raise _NotStraight
                self._demand(f"{name} == {self._names[other]}")
                return True
            if found is None or type(found) in (str, tuple):
                return False
            raise _NotStraight
        if type(asked) is not type(found):
            return False
        if type(asked) is tuple:
            return len(asked) == len(found) and all(self._same(a, b) for a, b in zip(asked, found, strict=True))
        if hasattr(asked, "args"):
            return self._same(asked.args, found.args)
        return bool(asked == found)

    # --- what is left over -------------------------------------------------------------------------------------------

    def _checked(self, constraint: Any) -> bool:
        """Demand a constraint on known numbers; whether all of them are known."""
        if not self._is_known(constraint.args):
            return False
        kind = type(constraint)
        if kind is Compare:
            relation, left, right = constraint.args
            self._demand(f"{self._number(left)} {'==' if relation == '=' else relation} {self._number(right)}")
        elif kind is Agree:
            mode, left, right, result = constraint.args
            self._demand(f"{self._number(left)} == {self._number(right)}")
            if mode != "agree":
                self._demand(f"{self._number(left)} == {self._number(result)}")
        elif kind is Follows and constraint.args[2]:
            term, source, _ = constraint.args
            self._demand(f"{self._number(term)} == {self._number(source)}")
        elif kind is Different and _is_written_out(constraint.args):
            left, right = map(self._term, constraint.args)
            self._demand(f"{left} != {right}")
        elif kind is Suspended and constraint.primitive.name in OF_KIND:
            self._demand(f"{constraint.primitive.name}({', '.join(map(self._term, constraint.arguments))})")
        elif kind is not Natural:
            if not self._loosely:
                raise _NotStraight
            self.is_sure = False
        return True

    def _equated(self, constraint: Any) -> bool:
        """Name the only number of an equation that is not known; whether there is one."""
        if type(constraint) is Agree:
            mode, left, right, result = constraint.args
            is_new = type(result) is Slot and not self._is_known((result,))
            if mode != "agree" and self._is_known((left, right)) and is_new:
                self._demand(f"{self._number(left)} == {self._number(right)}")
                self._name(result, self._number(left))
                return True
            return False
        if type(constraint) is not Compare or constraint.args[0] != "=":
            return False
        _, left, right = constraint.args
        for side, other in ((left, right), (right, left)):
            if self._is_known((other,)) and self._solved(side, other):
                return True
        return False

    def _solved(self, side: Any, value: Any) -> bool:
        """Name the only number in `side` that is not known, which `value` gives."""
        text = self._number(value)
        while type(side) is Arith:
            operator, operands = _written_out(side)
            unknown = [i for i, operand in enumerate(operands) if not self._is_known((operand,))]
            if operator not in ("+", "-", "*") or len(unknown) != 1:
                return False
            (index,) = unknown
            others = [self._number(operand) for i, operand in enumerate(operands) if i != index]
            if operator == "*":
                text = f"exact({text}, {' * '.join(others) or '1'})"
            elif operator == "+":
                text = f"({' - '.join((text, *others))})"
            else:
                text = f"({text} + {others[0]})" if index == 0 else f"({others[0]} - {text})"
            side = operands[index]
        if type(side) is not Slot or side.args[0] in self._names:  # then it has two values to be the same
            return False
        self._name(side, text)
        return True

    def _filled(self, constraint: Any) -> bool:
        """Name a number that nothing says, and that therefore is what another one is; whether this is about one."""
        kind = type(constraint)
        if kind is Agree:
            _, left, right, _ = constraint.args
        elif kind is Follows and constraint.args[2]:
            left, right, _ = constraint.args
        else:
            return False
        for number, source in ((left, right), (right, left)):
            if source is UNKNOWN:
                continue
            if type(number) is Slot and self._is_known((source,)) and not self._is_known((number,)):
                self._name(number, self._number(source))
                return kind is Follows or constraint.args[0] == "agree" or self._equated(constraint)
        return False

    def _left(self, constraint: Any) -> str:
        """An expression for what is left over, if that is about open numbers only. Raises _NotStraight."""
        if type(constraint) is Follows and type(constraint.args[0]) is Slot and self._is_constant(constraint.args[1]):
            term, source, strict = constraint.args
            return f"Follows(({self._slot(term)}, {self._term(source)}, {strict}))"
        if type(constraint) is not Compare:
            raise _NotStraight
        relation, left, right = constraint.args
        return f"Compare(({relation!r}, {self._open(left)}, {self._open(right)}))"

    def _is_constant(self, term: Any) -> bool:
        """Whether a term is the same in all calls of a mode."""
        return type(term) is not Slot or term.args[0] in self._dtypes

    def _slot(self, place: Any) -> str:
        """A slot without those of numbers before it; new ones are numbered as they come, behind those asked about."""
        (index,) = place.args
        if self._loosely:
            raise _NotStraight  # it may be anything
        if index >= self._asked:
            index = self._new.setdefault(index, self._asked + len(self._new))
        return f"slot({index - self._known})"

    def _open(self, term: Any) -> str:
        if type(term) is int:
            return str(term)
        if type(term) is Slot and term.args[0] not in self._names:
            return self._slot(term)
        if type(term) is not Arith:
            raise _NotStraight
        operator, operands = term.args
        if operator in FOLDS:
            raise _NotStraight
        return f"Number(({operator!r}, ({', '.join(map(self._open, operands))},)))"

    def _name(self, place: Any, text: str) -> None:
        (index,) = place.args
        if self._loosely:  # what is given is the same text then, whatever the numbers of slots are
            self._names[index] = text
            self._demand(f"{text} >= 0")
            return
        self._names[index] = name = text if text.isidentifier() else f"n{index}"
        if name is not text:
            self._demand(f"({name} := {text}) >= 0")

    # --- terms -------------------------------------------------------------------------------------------------------

    def _is_known(self, terms: Iterable[Any]) -> bool:
        stack = list(terms)
        while stack:
            item = stack.pop()
            if type(item) is Slot:
                if item.args[0] not in self._names:
                    return False
            elif type(item) is tuple:
                stack += item
            elif type(item) is Arith:
                stack += item.args[1]
        return True

    def _number(self, term: Any) -> str:
        """An expression for a number; what it divides by is demanded not to be 0. Raises _NotStraight."""
        if type(term) is int:
            return str(term) if term >= 0 else f"({term})"
        if type(term) is Slot and term.args[0] in self._names:
            return self._names[term.args[0]]
        if type(term) is not Arith:
            raise _NotStraight
        operator, operands = _written_out(term)
        if not operands:
            return "0" if operator == "+" else "1"
        texts = [self._number(operand) for operand in operands]
        if operator in ("//", "%") and not (type(operands[1]) is int and operands[1]):
            self._demand(f"{texts[1]} != 0")
        if operator in ("min", "max"):
            return f"{operator}({', '.join(texts)})"
        return texts[0] if len(texts) == 1 else f"({f' {operator} '.join(texts)})"

    def _term(self, term: Any) -> str:
        """An expression for a term."""
        kind = type(term)
        if kind in (str, bool, type(None)) or (kind is int and term < 0):
            return repr(term)
        if kind is tuple:
            return f"({', '.join([self._term(part) for part in term])}{',' * (len(term) == 1)})"
        if term is UNKNOWN:
            return "ANY"
        if kind is Slot and term.args[0] not in self._names:
            return self._slot(term)
        maker = _MAKERS.get(kind)
        return self._number(term) if maker is None else f"{maker}({self._term(term.args)})"


def _is_written_out(terms: tuple[Any, ...]) -> bool:
    """Whether terms are lists of nothing but numbers and dtypes."""
    return all(_is_written_out(t) if type(t) is tuple else type(t) in (int, str, Slot) for t in terms)


_MAKERS: dict[Any, str] = {TensorType: "Tensor", TupleType: "Tuple"}


def _written_out(term: Any) -> tuple[str, tuple[Any, ...]]:
    """The operator and operands of an expression; those of a sum or product of a list are its elements."""
    operator, operands = term.args
    if operator not in FOLDS:
        return operator, operands
    (items,) = operands
    if type(items) is not tuple:
        raise _NotStraight
    return "+" if operator == "sum" else "*", items

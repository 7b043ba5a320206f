"""What is asked of a relation to make a program: the most general call of a mode, and what is wanted of it.

Mostly that is what a call comes to. Where some attributes are open, it may also be what holds of the call *whatever*
they are: all that it is told and gives, or its result. The program for this tells all that the answers may give.
Conditions on what is not known are left out of it: it looks at more answers than there are, but at all that there are.
That the result is of one dtype is asked by looking for another one.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Any, NamedTuple

from ...logic import eq, fresh, lall
from ...logic.constraints.different import differ
from ...logic.search.search import Answer
from ...logic.states.goals import Goal
from ...logic.terms.mistakes import RuleError
from ...logic.terms.rebuilding import canonical, instantiate
from ...logic.terms.terms import Slot, slot
from ...types import TensorType, TupleType
from .general import MOST_ANSWERS, STEPS, answers_of, noting_of, remarks_of
from .mode_programs import program_of, program_of_all
from .modes import Natural, Part, argument_of, number_of_dtypes, slots

__all__ = ["RESULT", "TYPES", "Question", "inputs_of", "whatever", "with_another_dtype"]

TYPES, RESULT = "types", "result"
"""What may be told whatever the open attributes are: the types of all inputs and of the result, or that of the result.
What else is asked about is a dtype, which the result has, or the number of one among those of the call."""

MOST_WHATEVER = 64
"""So many answers are looked at to tell what they give: one for each form of the open attributes."""


class Question(NamedTuple):
    """The most general call of a mode: what is asked with slots for numbers, each with the `least` that it may be, and
    behind them for so many `dtypes`.

    `about` is what should be told whatever the open attributes are: TYPES, RESULT, or a dtype, of which it may be the
    number; "" if that is not asked.
    """

    relation: Any
    arguments: tuple[Any, ...]
    attrs: Any
    least: tuple[int, ...]
    about: str | int = ""
    dtypes: int = 0

    @property
    def written(self) -> str:
        """The question as text: `Flatten(Tensor[(n0, n1), float32], _0)`."""
        relation, arguments, attrs = self.relation, self.arguments, self.attrs
        opened: tuple[Any, ...] = ()
        if relation.asked is not None:
            spec = relation.asked[1]
            inputs = len(arguments) - 1 - len(spec.open)
            opened = tuple(zip([a.name for a in spec.open], arguments[inputs:-1], strict=True))
            arguments, attrs = (*arguments[:inputs], arguments[-1]), spec.fixed
        said = [self._term(argument) for argument in arguments]
        said += [f"{name}={self._term(value)}" for name, value in opened]
        said += [f"{name}={value!r}" for name, value in attrs.items()] if attrs is not None else []
        besides = [f"{self._term(slot(i))} from {low} on" for i, low in enumerate(self.least) if low]
        about = f"d{self.about}" if type(self.about) is int else self.about
        besides += [f"{about} whatever is open"] if about else []
        return f"{relation.name}({', '.join(said)}){', '.join(['', *besides])}"

    def program(self, rules: Any) -> str:
        """The text of the program for it; nothing if there is none."""
        relation, arguments, attrs, least, about, dtypes = self
        if about not in ("", TYPES, RESULT):
            return self._of_dtype(rules)
        most = MOST_WHATEVER if about else MOST_ANSWERS
        answers, remarks = answers_of(rules, relation, arguments, attrs, least, dtypes, most, bool(about))
        if answers is None:
            return ""
        if about:
            program = self._whatever(answers)
        else:
            program = program_of(arguments, len(least), dtypes, answers, [clause.name for clause in relation.clauses])
        return "" if program is None else "\n".join((*remarks, program))

    def _whatever(self, answers: Iterable[Answer]) -> str | None:
        """The program that tells what some answers give; None if there is none."""
        last = len(self.arguments) - 1
        inputs = last - len(self.relation.asked[1].open)
        places = [i for i in range(last) if self._is_given(i) or (i < inputs and self.about == TYPES)]
        places.append(last)
        told = [self._anew(answer, tuple([answer.terms[i] for i in places])) for answer in answers]
        asked = tuple([self.arguments[i] for i in places])
        return program_of_all(asked, len(self.least), self.dtypes, list(dict.fromkeys(told)))

    def _is_given(self, place: int) -> bool:
        """Whether an argument is made of numbers of the call, and not open."""
        term = self.arguments[place]
        return type(term) is not Slot or term.args[0] < len(self.least)

    def _of_dtype(self, rules: Any) -> str:
        """The program that tells the dtype that is supposed; nothing if the result may have another one."""
        about = self.about
        asked = (*self.arguments, slot(len(self.least) + about) if type(about) is int else about)
        relation, _, noting = noting_of(self.relation, None)
        try:
            solution = rules.solve(relation, asked, None, with_another_dtype, STEPS, most=1, types_only=True)
        except RuleError:
            return ""
        if solution.answers or not solution.exhausted:
            return ""
        dtype = f"numbers[{len(self.least) + about}]" if type(about) is int else repr(about)
        return "\n".join((*remarks_of(noting), "def answer(numbers):", f"    return ((({dtype},), True),)", ""))

    def _anew(self, answer: Answer, terms: tuple[Any, ...]) -> Answer:
        """An answer about some terms alone, in which what was not asked about is numbered as it comes."""
        first = 1 + self.arguments[-1].args[0]
        opened = instantiate((terms, answer.residue), dict(enumerate(slots(0, first))))
        terms, residue = canonical(opened, {}, map(slot, count(first)))
        return Answer(terms, answer.clause, residue)

    def _term(self, term: Any) -> str:
        if type(term) is Slot:
            index = term.args[0] - len(self.least)
            if index < 0:
                return f"n{term.args[0]}"
            return f"d{index}" if index < self.dtypes else f"_{index - self.dtypes}"
        if type(term) is tuple:
            return f"({', '.join(map(self._term, term))}{',' * (len(term) == 1)})"
        if type(term) is TensorType:
            dtype = term.dtype if type(term.dtype) is str else self._term(term.dtype)
            return f"Tensor[{self._term(term.shape)}, {dtype}]"
        return self._term(term.fields) if type(term) is TupleType else repr(term)


def with_another_dtype(arguments: tuple[Any, ...]) -> tuple[tuple[Any, ...], Goal]:
    """The arguments but the last, which is a dtype, and the goal that the result has another one."""
    *asked, known = arguments
    dtype = fresh()
    return tuple(asked), lall(eq(asked[-1], TensorType(fresh(), dtype)), differ(dtype, known))


def inputs_of(parts: tuple[Part, ...], numbers: list[Any], first: int) -> tuple[list[Any], int]:
    """The inputs of which `parts` are left, with these numbers; dtypes have slots from `first` on, and behind them what
    is open. And how many dtypes that are."""
    left, dtypes = list(numbers), number_of_dtypes(parts)
    return [argument_of(part, left, first, first + dtypes) for part in parts], dtypes


def whatever(
    relation: Any, parts: tuple[Part, ...], about: str | int, numbers: int, natural: Natural | None = None
) -> Question:
    """What is asked to tell something of all calls of a mode, whatever their open attributes are, for which `relation`
    asks. Their slots come last. The first of them are those of `natural`, whose numbers are numbers of the call."""
    values, count = ([], numbers) if natural is None else natural.values(numbers)
    inputs, dtypes = inputs_of(parts, slots(0, numbers), count)
    first = count + dtypes + 1 + max([part for part in parts if type(part) is int], default=-1)
    values += slots(first + 1, len(relation.asked[1].open) - len(values))
    least = (0,) * numbers + (() if natural is None else natural.least)
    return Question(relation, (*inputs, *values, slot(first)), None, least, about, dtypes)

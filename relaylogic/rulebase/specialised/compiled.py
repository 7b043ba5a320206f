"""The compiled modes of a rule base: calls of which all is known but for extents are answered by programs, where there
are some.

A mode is made a program when enough of its calls were asked about, or the second time that a rule base meets it at all
(what is kept from one process to the next tells). It is tried in four ways, each with more in it
that is known: with its natural attributes open (their numbers are numbers of the call), with the attributes as they
are, with every 0 and 1 as it is, since these are the numbers that clauses tell apart, and with the length of every
short vector, which is the rank of the result where a vector holds its shape. Where none is a program, goals answer.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from pathlib import Path
from typing import Any

from ...logic.bounded import Bounded
from ...logic.search.search import Answer, Solution, decided, told
from ...logic.terms.terms import Slot, is_ground, slot
from ..attribute_keys import key_of
from ..attrs import Attrs
from ..open_attributes import Spec
from .about import AboutRelations
from .codes import Program, program_in
from .finer import as_it_is, spec_of, told_apart, with_known
from .functions import Unsure
from .modes import Natural, Part, of_dtypes, open_extents, parts_of, slots
from .question import RESULT, TYPES, Question, inputs_of, whatever
from .split import Split, answered, filled, split
from .store import Store
from .symbols import Symbols, without_symbols

__all__ = ["DTYPES", "EVERY", "UNTOLD", "Alike", "Compiled", "Taken"]

_Around = tuple[tuple[Any, ...], tuple[Any, ...]]
"""What is asked, without the inputs: what stands before them in the key of a program, and what stands behind them."""
_Forms = tuple[tuple[tuple[Any, ...], tuple[str, ...]], ...]
"""The inputs without their numbers, with what is asked of them if it is not what they come to, each with the dtypes
that the program for it is given."""

OFTEN = 2
"""So many calls of a mode are answered by goals; then it is worth a program."""
OFTEN_OPEN = 6
"""The same where attributes are open: looking at them takes ten times as long."""
MOST_MODES, MOST_FINER = 2_048, 256
"""So many modes are remembered, and so many finer ones of each."""
DTYPES = "all.dtypes", "all.usual.dtypes"
"""The names under which the programs are kept that say which parts of the calls of operators have one dtype: whatever
the attributes are, and where the words among them are the usual ones."""
EVERY = (-1,)
"""Stands for each field of a tuple."""
Taken = tuple[int, tuple[int, ...], int]
"""A tensor that a call takes: the number of the input; if that is a tuple, the number of a field, and how many there
are, or `EVERY` and how many there are at most; else nothing, and 0."""
Alike = tuple[tuple[tuple[int, ...], ...], tuple[Taken, ...]]
"""Parts of a call that have one dtype: of its result, which is a tensor (nothing) or a tuple (the number of a field);
and of what it takes."""
_Apart = tuple[tuple[Part, ...] | None, dict[str, int], list[int]]
"""The parts of inputs, their dtypes, and their numbers."""
UNTOLD = object()
"""No program says what a call comes to."""
_RESULT = slot(0)
_ground = attrgetter("ground")


class _Mode:
    """What is known of a mode: its program, if there is one, and the finer modes that were tried otherwise.

    `dtypes`: those that the program is given behind the numbers, if it is for any.
    """

    __slots__ = ("dtypes", "finer", "program", "seen", "tried")

    def __init__(self) -> None:
        self.program: Program | None = None
        self.dtypes: tuple[str, ...] = ()
        self.seen = 0
        self.tried = False
        self.finer: dict[Any, _Mode] = {}

    def have(self, program: Program, dtypes: tuple[str, ...]) -> None:
        """Have a program, which is for any dtypes if it is given some, or that there is none."""
        self.dtypes = dtypes  # first: other threads look at the program
        self.program = None if program.answer is None else program
        self.tried = True

    def one_of(self, key: Any) -> _Mode:
        """The finer mode of this key."""
        found = self.finer.get(key)
        if found is None:
            if len(self.finer) >= MOST_FINER:
                self.finer.clear()
            found = self.finer[key] = _Mode()
        return found


class Compiled:
    """Programs of the modes of a rule base's relations."""

    def __init__(self, rules: Any) -> None:
        self._rules = rules
        self._store = Store()
        self._modes: dict[Any, _Mode] = Bounded(MOST_MODES)
        self._about = AboutRelations(rules)
        self._symbols = Symbols()
        self._alike: dict[Any, tuple[Alike, ...]] = {}
        self._last: tuple[tuple[Any, ...], _Apart] | None = None  # what was taken apart last, and what came of it

    def clear(self) -> None:
        """Forget everything: the rules have changed."""
        self._store = Store()
        self._modes.clear()
        self._about.clear()
        self._alike.clear()

    def store(self) -> Store:
        """Where programs are kept."""
        return self._store

    def kept_for(self, origin: str, folder: Path) -> None:
        """Keep programs from one process to the next, and use those that are kept, or were made ahead of the rules in
        a folder; `origin` is what they are made of, which nobody changes without saying so (`clear`)."""
        self._store = Store(origin, folder)
        self._about.begin()
        self._alike.clear()

    def solution(self, relation: Any, arguments: tuple[Any, ...], attrs: Any, at_once: bool = False) -> Solution | None:
        """What is known of a call, if a program tells; the result comes last. None if goals are to be asked.

        `at_once`: a program is made however seldom it was asked for.
        """
        asked = split(arguments)
        if asked is None:
            return self._solution_of_symbols(relation, arguments, attrs, at_once)
        found = self._told(relation, arguments, asked, attrs, at_once)
        return None if found is None else found[1]

    def _solution_of_symbols(
        self, relation: Any, arguments: tuple[Any, ...], attrs: Any, at_once: bool
    ) -> Solution | None:
        """`solution` of a call some of whose extents are symbols: what holds of all extents holds of these."""
        opened = without_symbols(arguments)
        asked = None if opened is None else split(opened.arguments)
        if opened is None or asked is None:
            return None
        found = self._told(relation, opened.arguments, asked, attrs, at_once)
        return None if found is None or found[0].no_symbol else self._symbols.instance(found[1], opened)

    def _told(
        self, relation: Any, arguments: tuple[Any, ...], asked: Split, attrs: Any, at_once: bool
    ) -> tuple[Program, Solution] | None:
        """What a program tells of a call, and the program."""
        parts, dtypes, opened, numbers, is_partly_open = asked
        result = arguments[-1]
        found = self._program(relation, parts, dtypes, opened, attrs, numbers, 0 if at_once else 1)
        said = None if found is None else _told(*found)
        if found is None or not said:
            return None
        index, values, *left = said
        if type(result) is not Slot and result is not values[-1]:
            return None
        clause = relation.clauses[index]
        clause.used += 1
        if is_partly_open:
            terms = tuple([filled(argument, values) for argument in arguments])
        else:
            terms = answered(arguments, opened, values)
        if not left:
            return found[0], decided(terms, clause.name)
        return found[0], told((Answer(terms, clause.name, left[0]),), terms)

    def result(self, relation: Any, inputs: tuple[Any, ...], attrs: Any) -> Any:
        """The result of a call whose inputs are known, if a program tells it, and that nothing else must hold; UNTOLD
        if there is none, None if it says something else, or is for `solution` to find."""
        numbers: list[int] = []
        dtypes: dict[str, int] = {}
        parts = parts_of(inputs, numbers, dtypes)
        if parts is None:
            return None
        found = self._program(relation, parts, dtypes, 0, attrs, numbers, 1)
        if found is None:
            return UNTOLD
        said = _told(*found)
        if not said or len(said) > 2:
            return None
        index, values = said
        if not is_ground(values[-1]):  # what is open in it is a variable of the program that asks
            return None
        relation.clauses[index].used += 1
        return values[-1]

    def all_of(self, original: Any, spec: Spec, inputs: tuple[Any, ...], about: str) -> Any:
        """All that may hold of a call whatever its attributes are that are open in `spec`, and for each whether it is
        sure that it is so of some of these: its types (`about` is TYPES), its result (RESULT), or the dtype of that, if
        that is what it is `about`. UNTOLD if no program tells.
        """
        numbers: list[Any] = []
        dtypes: dict[str, int] = {}
        general = parts_of(inputs, numbers, dtypes)
        if general is None or any(map(open_extents, general)):
            return UNTOLD
        parts = of_dtypes(general, tuple(dtypes))
        is_dtype, names = about not in (TYPES, RESULT), tuple([attribute.name for attribute in spec.open])
        # Of any dtype that an input has, a program may tell whether the result has it.
        forms: _Forms = (((general, dtypes.get(about, about)), tuple(dtypes)),) if dtypes else ()
        forms = (*forms, ((parts, about), ()))
        often = 0 if is_dtype else OFTEN_OPEN
        known = self._about.of(original, self._store)
        natural = known.natural_of(spec.fixed)
        key = (original, names, spec.fixed if natural is None else natural.key, parts, about)
        mode = self._modes.get(key)
        if mode is None:
            mode = self._modes[key] = _Mode()
        count = len(numbers)
        if natural is not None and natural.names:
            if not mode.tried:
                opened = (*known.declared_of(natural), *spec.open)
                if is_dtype:  # which is the same whatever the numbers are
                    opened = tuple(sorted(opened, key=lambda attribute: attribute.name))
                    asked: _Around = ("whatever", tuple([a.name for a in opened])), (key_of(natural.others),)
                else:
                    asked = ("whatever", names), tuple(natural.key)
                wide, given = spec_of(Attrs(natural.others), opened), None if is_dtype else natural
                self._look_at(mode, often, original, asked, forms, self._whatever, wide, count, given)
            if mode.program is not None and not is_dtype:
                numbers += natural.numbers
            elif mode.program is None:
                if not mode.tried:
                    return UNTOLD
                mode = mode.one_of(spec.fixed)
        if not mode.tried:
            asked = ("whatever", names), (spec.fixed.key,)
            self._look_at(mode, often, original, asked, forms, self._whatever, spec, count)
        said: Any = UNTOLD if mode.program is None else _told(mode.program, [*numbers, *mode.dtypes], UNTOLD)
        if said is UNTOLD:
            return UNTOLD
        found: dict[Any, bool] = {}
        for values, is_sure in said:
            value = values[-1]
            if about == TYPES:
                types = [values[p] if type(p) is int else given for p, given in zip(parts, inputs, strict=True)]
                value = (*types, value)
            found[value] = is_sure or found.get(value, False)
        return tuple(found.items())

    def alike(self, operator: Any, usual: bool) -> tuple[Alike, ...]:
        """Which parts of the calls of an operator have one dtype, whatever else is known of a call, as far as a program
        says so (`dtypes`); or where its words are the `usual` ones."""
        key = operator, usual
        found = self._alike.get(key)
        if found is None:
            is_known = self._rules.operators.get(operator.name) is operator
            program = self._store.program(DTYPES[usual], (operator.name, None)) if is_known else None
            found = () if program is None or program.answer is None else program.answer([])
            self._alike[key] = found
        return found

    def outcome(self, relation: Any, arguments: tuple[Any, ...], attrs: Any) -> Any:
        """What a call of an open result comes to by a program that there is already, or if an earlier process met its
        mode: its terms, None if it is refused; UNTOLD if no program tells, or what it tells may rest on a default."""
        result, opened = arguments[-1], 0
        if type(result) is not Slot:
            return UNTOLD
        if result is _RESULT and all(map(_ground, arguments[:-1])):
            parts, dtypes, numbers = self._apart(arguments[:-1])
        else:
            asked = split(arguments)
            if asked is None or asked[-1]:
                return UNTOLD
            parts, dtypes, opened, numbers, _ = asked
        if parts is None:
            return UNTOLD
        found = self._program(relation, parts, dtypes, opened, attrs, numbers, None)
        if found is None:
            return UNTOLD
        said = _told(*found)
        if said is None:
            return None
        if len(said) != 2 or not all(map(is_ground, said[1])):
            return UNTOLD
        return answered(arguments, opened, said[1])

    def _apart(self, inputs: tuple[Any, ...]) -> _Apart:
        """`parts_of` some inputs, with their dtypes and numbers: who asks for outcomes tries one attribute after the
        other, with the same inputs."""
        known = self._last
        if known is None or known[0] != inputs:
            numbers: list[int] = []
            dtypes: dict[str, int] = {}
            self._last = known = inputs, (parts_of(inputs, numbers, dtypes), dtypes, numbers)
        return known[1]

    def _program(
        self,
        relation: Any,
        parts: tuple[Part, ...],
        dtypes: dict[str, int],
        opened: int,
        attrs: Any,
        numbers: list[int],
        patience: int | None,
    ) -> tuple[Program, list[Any]] | None:
        """The program for a call, and what it is given; None if there is none.

        Without `patience`, one is made only of a mode that was met before by somebody else.
        """
        about = self._about.of(relation, self._store)
        natural = about.natural_of(attrs)
        if about.made is not None:  # most calls are of modes that were foreseen
            if natural is not None:
                asked = natural.asked(parts)
            else:
                asked = "as it is", parts, attrs.key if type(attrs) is Attrs else attrs
            program = about.made.program(asked)
            if program is not None and program.answer is not None:
                return program, [*numbers, *dtypes] if natural is None else [*numbers, *natural.numbers, *dtypes]
        return self._program_of_mode(relation, parts, tuple(dtypes), opened, attrs, natural, numbers, patience)

    def _program_of_mode(
        self,
        relation: Any,
        general: tuple[Part, ...],
        dtypes: tuple[str, ...],
        opened: int,
        attrs: Any,
        natural: Natural | None,
        numbers: list[int],
        patience: int | None,
    ) -> tuple[Program, list[Any]] | None:
        """`_program` of a call whose mode has none that was made ahead for any dtypes."""
        parts = of_dtypes(general, dtypes)
        forms = ((general, dtypes), (parts, ())) if dtypes else ((parts, ()),)
        key = (relation, parts, attrs if natural is None else natural.key)
        mode = self._modes.get(key)
        if mode is None:
            mode = self._modes[key] = _Mode()
        count = len(numbers)
        if natural is not None and natural.names:
            if not mode.tried:
                often = None if patience is None else patience * OFTEN_OPEN
                asked: _Around = ("open",), tuple(natural.key)
                self._look_at(mode, often, relation, asked, forms, self._open, opened, natural, count)
            if mode.program is not None:
                return mode.program, [*numbers, *natural.numbers, *mode.dtypes]
            if not mode.tried:
                return None
            mode = mode.one_of(attrs)
        often = None if patience is None else patience * OFTEN
        if not mode.tried:
            asked = ("as it is",), (attrs.key if type(attrs) is Attrs else attrs,)
            self._look_at(mode, often, relation, asked, forms, as_it_is, opened, attrs, count)
        if mode.program is not None:
            return mode.program, [*numbers, *mode.dtypes]
        if not mode.tried:
            return None
        for some in told_apart(general, numbers):
            mode = mode.one_of(some)
            if not mode.tried:
                asked = ("apart", some), (attrs.key if type(attrs) is Attrs else attrs,)
                self._look_at(mode, often, relation, asked, forms, with_known, opened, attrs, some)
            if mode.program is not None:
                left = [number for number, known in zip(numbers, some, strict=True) if known is None]
                return mode.program, [*left, *mode.dtypes]
            if not mode.tried:
                return None
        return None

    def _look_at(
        self,
        mode: _Mode,
        often: int | None,
        relation: Any,
        asked: _Around,
        forms: _Forms,
        question: Callable[..., Question],
        *about: Any,
    ) -> None:
        """See to the program of a mode that has none: one that is kept under what is `asked` of the parts, or one that
        is made of a question `about` what is known, if the mode was asked for more `often`, or met before by somebody
        else. `forms` are the parts without the dtypes that a program for any is given, which is looked for first, and
        with them."""
        store, name = self._store, relation.name
        before, behind = asked
        mode.seen += 1
        if mode.seen == 1:
            for form, given in forms:
                found = store.program(name, (*before, form, *behind))
                if found is not None:
                    mode.have(found, given)
                    return
            key = (*before, forms[-1][0], *behind)
            if store.was_met(name, key):
                often = 0
            else:  # what is asked without patience is asked of other typings: so it is whenever a program is explained
                store.met(name, key, question == self._whatever or often is None)
        if often is not None and mode.seen > often:
            questions = [question(relation, form, *about) for form, _ in forms]
            made = ((which, text) for which, one in enumerate(questions) if (text := one.program(self._rules)))
            which, text = next(made, (0, ""))  # if there is none, there is none for other dtypes
            form, given = forms[which]
            mode.have(program_in(text), given)
            store.put(name, (*before, form, *behind), f"# {questions[which].written}\n{text}")

    def _whatever(
        self,
        relation: Any,
        form: tuple[tuple[Part, ...], str | int],
        spec: Spec,
        numbers: int,
        given: Natural | None = None,
    ) -> Question:
        """What is asked to tell something of all calls of a mode, whatever the attributes are that are open; `form` are
        its parts, and what it is about."""
        parts, about = form
        return whatever(self._rules.asking(relation, spec), parts, about, numbers, given)

    def programs(self, relation: Any) -> list[tuple[str, str]]:
        """What is asked of a relation, and the text of the program for it; nothing where none could be made."""
        return self._store.programs(relation.name)

    def begin(self) -> None:
        """What is asked from now on is asked of a program that somebody has: so others will ask it, too."""
        self._store.begin()

    def keep(self) -> None:
        """Keep what was made, and asked since it began, for other processes."""
        self._store.keep()

    def _open(self, relation: Any, parts: tuple[Part, ...], opened: int, natural: Natural, numbers: int) -> Question:
        """What is asked with open attributes."""
        values, all_numbers = natural.values(numbers)
        declared = self._about.of(relation, self._store).declared_of(natural)
        asking = self._rules.asking(relation, spec_of(Attrs(natural.others), declared))
        inputs, dtypes = inputs_of(parts, slots(0, numbers), all_numbers)
        arguments = (*inputs, *values, slot(all_numbers + dtypes + opened))
        return Question(asking, arguments, None, (0,) * numbers + natural.least, dtypes=dtypes)


def _told(program: Program, numbers: list[Any], unsure: Any = ()) -> Any:
    """What a program says of what it is given: `unsure` if it does not tell.

    Of calls, that is the index of the only clause that holds, and what was open; None if none holds.
    """
    assert program.answer is not None
    try:
        return program.answer(numbers)
    except Unsure:
        return unsure

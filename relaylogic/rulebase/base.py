"""The rule base: what is loaded from folders of rule files, and the table of solved calls."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from os.path import isdir
from pathlib import Path
from typing import Any, NamedTuple

from ..host.above import above
from ..host.files import NoText, text_of
from ..logic.bounded import Bounded
from ..logic.control import FREE, KEPT, Budget, Search
from ..logic.exact import exact
from ..logic.search.options import Ways
from ..logic.search.profiles import Profile, Profiles
from ..logic.search.search import MAX_ANSWERS, Solution
from ..logic.states.unknown import may_be_unknown
from ..logic.terms.mistakes import RuleError
from ..logic.terms.rebuilding import canonical
from ..logic.terms.terms import Term, is_ground, slot
from ..types import TensorType
from ..types.possible import are_possible, is_tensor
from .attrs import Attrs
from .contents import Contents
from .head import Head, head_of, only_answer
from .open_attributes import Spec
from .operators import Operator
from .python_files import ALLOW, not_run, python_files, run_files
from .recipe import loaded_again, recipe_of, rules_folder, source_of
from .relation import Relation
from .running import FEW, Also, apart, by_clauses
from .specialised.compiled import UNTOLD, Alike, Compiled
from .specialised.open_calls import solution_of_all
from .specialised.ways import Asked, KeptWays
from .transaction import transaction

__all__ = ["STEPS", "RuleBase", "RuleError", "Structure", "index_in", "weight"]

STEPS = 200_000
SEVERAL = 2
"""A call of so many answers has not only one."""
TABLE_SIZE = 2048
SOLUTIONS = 16_384
"""Answers that are kept, about 1 KB each: a diagnosis asks dozens of questions with 64 answers, again and again."""
MOST_COMPONENTS = 100_000
_INDEX = re.compile("0|[1-9][0-9]{0,5}")
_RESULT = slot(0)


class Structure(NamedTuple):
    """A relation of a data type, its head, and how much it holds, in texts of some lines."""

    relation: Relation
    head: Head | None
    weight: int


def weight(solution: Solution) -> int:
    """About how much a solution holds, in answers of a few short shapes each."""
    total = 1
    for answer in solution.answers:
        total += 1 + len(answer.residue)
        for term in answer.terms:
            if isinstance(term, Term) and term.args:
                parts = term.args[0]  # the extents of a tensor type, the fields of a tuple
                if type(parts) is tuple:
                    total += len(parts) >> 4
    return total


class RuleBase(Contents):
    """Relations and operators, and what is known of calls already solved."""

    def __init__(self) -> None:
        super().__init__()
        self.table: dict[Any, Solution] = Bounded(SOLUTIONS, weight)
        self.results: dict[Any, Any] = Bounded(SOLUTIONS)  # of calls as they are written; they hold little of each
        self.options = Bounded(TABLE_SIZE, lambda options: 1 + options.most)  # of `relaylogic.logic.search.options`
        self.rows: dict[Any, Any] = Bounded(TABLE_SIZE)  # of `relaylogic.logic.search.rows`
        self.attrs_table: dict[Any, Attrs] = Bounded(TABLE_SIZE)
        self.structures: dict[Any, Structure] = Bounded(TABLE_SIZE, lambda known: known.weight)
        self.projections: dict[int, tuple[Relation, Head | None]] = Bounded(TABLE_SIZE)
        self.heads: dict[Relation, Head | None] = Bounded(TABLE_SIZE)
        self.asked: dict[Any, Relation] = Bounded(TABLE_SIZE)  # relations of which attributes are asked for
        self.instances: dict[Any, Any] = Bounded(TABLE_SIZE)  # of `relaylogic.infer.open.inhabited`
        self.computed: dict[Any, Any] = Bounded(TABLE_SIZE)  # of `relaylogic.infer`
        self.meant = Bounded(TABLE_SIZE)
        self.profiles = Profiles(self)
        self.compiled = Compiled(self)
        self.kept_ways = KeptWays(self, self.compiled.store)

    def load(self, path: str | PathLike[str], *, python: bool = False) -> None:
        """Load every rule file of a folder, or one file of clauses (`*.rel`).

        Of a folder, a file that cannot be loaded is reported in `notes`; the others load. Files in Python are programs
        that may do anything: they run only with `python`, otherwise they are named in `notes`.

        Raises RuleError if there is no such folder or file, if a folder holds files in Python only and these are not
        allowed, or if one of them ends the program; ClauseError for a single file that is wrong. Then, as whenever this
        raises, the rule base is as before.
        """
        path = Path(path)
        self.compiled.clear()
        with transaction(self):
            if path.suffix == ".rel" and not isdir(path):
                self._load_file(path)
            else:
                self._load_folder(path, python)

    def _load_file(self, path: Path) -> None:
        try:
            above("clauses of a text")(self, text_of(path), str(path))
        except OSError as problem:
            raise RuleError(f"{path}: cannot be read: {problem.strerror}") from None
        except NoText as problem:
            raise RuleError(f"{path}:{problem.place}: {problem}") from None
        except ValueError:  # a NUL or half a letter in its name
            raise RuleError(f"{str(path)!r}: no file can have such a name") from None

    def _load_folder(self, folder: Path, python: bool) -> None:
        if not isdir(folder):
            if folder.suffix == ".py":
                raise RuleError(f"{folder}: rules in Python are loaded by their folder, which is `{folder.parent}`")
            raise RuleError(f"there is no folder of rules at {folder}, and no file of clauses (*.rel)")
        programs, clause_files = python_files(folder), sorted(folder.glob("*.rel"))
        if programs and not python:
            if not clause_files:
                raise RuleError(f"{folder}: nothing is loaded: {not_run(programs)}", None, (ALLOW,))
            self.notes.append(f"{folder}: {not_run(programs)}; {ALLOW}")
        elif programs:
            run_files(self, folder, programs)
            self.adopt()
        if clause_files:
            above("clauses of files")(self, clause_files)
        self.sources.append(source_of(folder, rules_folder(), python))

    def __copy__(self) -> RuleBase:
        return loaded_again(recipe_of(self), RuleBase())

    def __deepcopy__(self, memo: Any) -> RuleBase:
        return self.__copy__()

    def __reduce__(self) -> Any:
        return above("pickled rule base")(self)

    def forget(self) -> None:
        """Drop what is known of calls already solved: the rules have changed."""
        self.changes += 1
        self.table.clear()
        self.results.clear()
        self.options.clear()
        self.rows.clear()
        self.attrs_table.clear()
        self.structures.clear()
        self.projections.clear()
        self.heads.clear()
        self.asked.clear()
        self.meant.clear()
        self.instances.clear()
        self.profiles.clear()
        self.compiled.clear()

    def instances_of(self, relations: Iterable[Relation]) -> dict[Any, Any]:
        """Where it stands whether something satisfies demands of some relations."""
        return self.instances

    def begin(self) -> None:
        """A program is going to be asked about; what it asks will be asked in other processes, too."""
        self.compiled.begin()

    def keep(self) -> None:
        """Keep what was made of the rules since it began, for other processes."""
        self.compiled.keep()

    def projection(self, index: int) -> tuple[Relation, Head | None] | None:
        """The relation of `%t.index`, with its `head`; None if no tuple has so many components."""
        known = self.projections.get(index)
        if known is None and 0 <= index < MOST_COMPONENTS:
            relation = self.maker("projection_relation")(index)
            known = self.projections[index] = (relation, self.head(relation))
        return known

    def index_of(self, relation: Relation) -> int | None:
        """The place in a tuple that a relation is about, if it is a projection."""
        index = index_in(relation.name)
        known = None if index is None else self.projection(index)
        return index if known is not None and known[0] is relation else None

    def head(self, relation: Relation) -> Head | None:
        """What a relation without attributes says, if it is decided by unification alone; else None."""
        try:
            return self.heads[relation]
        except KeyError:
            found = self.heads[relation] = self.new_head(relation)
            return found

    def new_head(self, relation: Relation, kinds: Sequence[str] = ()) -> Head | None:
        """The head of a relation that was not asked for it before; `kinds` are those of the type parameters of the data
        type that it is about."""
        terms = only_answer(relation, self.control(FEW, relation, (), None, defaults=FREE))
        return head_of(self.most_general(relation), kinds) if terms is None else Head(terms, kinds)

    def most_general(self, relation: Relation) -> Solution:
        """What is known of a call of a relation without attributes of which nothing is known."""
        return self.solve(relation, tuple(map(slot, range(relation.arity))), None, defaults=FREE)

    def asking(self, relation: Relation, spec: Spec) -> Relation:
        """The relation of which open attributes are arguments (`Relation.asking`); one for each `spec`."""
        found: Relation | None = self.asked.get((relation, spec))
        if found is None:
            found = self.asked[relation, spec] = relation.asking(spec)
        return found

    def solve(
        self,
        relation: Relation,
        arguments: tuple[Any, ...],
        attrs: Any,
        also: Also | None = None,
        steps: int = STEPS,
        defaults: str = KEPT,
        most: int = MAX_ANSWERS,
        types_only: bool = False,
        by_rows: bool = False,
        programs: bool = True,
        derived: Callable[[], Solution | None] | None = None,
    ) -> Solution:
        """All that is known of one call: canonical arguments (with `Slot`s) in, answers over the same slots out.

        At most `most` answers are looked for. Relations that call themselves are tabled if they have not ended after a
        few steps, or where the stack does.

        `also`, a top-level function, changes what is asked: from the arguments with variables it makes the arguments
        for the relation and one more goal. `defaults`: what becomes of what rules fill in by default (`Search`).
        `types_only`: what open attributes may be does not matter, so not all answers are needed to know what they say
        of the types. `by_rows`: it matters only what all answers agree on, so of rows of lists not all choices are
        needed. Without `programs`, there is none that tells. What is not in the table, `derived` is asked for first; it
        gives None if it does not tell.
        """
        if not relation.takes_attrs:
            attrs = None
        key: Any = (relation, exact(arguments), attrs, also, defaults, most, steps, types_only)
        found = self.table.get(key)
        if by_rows and (found is None or len(found.answers) > 1):
            found = self.table.get((*key, by_rows))  # who asks for all answers is told of others
        if found is None and derived is not None:
            found = derived()
            if found is not None:
                self.table[key] = found
        if found is None:
            if programs and also is None and defaults is not FREE and relation.asked is None:
                found = self._by_program(relation, arguments, attrs)
                if found is not None and found.kept and defaults is not KEPT:
                    found = None
            elif also is None and types_only:
                found = solution_of_all(relation, arguments, self)
            if found is None and also is None and relation.asked is None and not types_only:
                if defaults is FREE or (programs and not self.profiles.of(relation).has_defaults):
                    found = self._by_kept_answers(relation, arguments, attrs, steps, most)
            if found is None:
                found = self._by_search(relation, arguments, attrs, also, steps, defaults, most, types_only, by_rows)
            is_all = found.exhausted and len(found.answers) <= 1
            self.table[(*key, by_rows) if by_rows and not is_all else key] = found
        return found

    @property
    def of_operators(self) -> RuleBase:
        """The rule base that knows all that the relations of operators speak of."""
        return self

    def result(self, relation: Relation, inputs: tuple[Any, ...], attrs: Any, defaults: str) -> Any:
        """The result of a call whose inputs are known, if the rules say just what it is; else None."""
        if not relation.takes_attrs:
            attrs = None
        told = UNTOLD if defaults is FREE else self.compiled.result(relation, inputs, attrs)
        if told is not None and told is not UNTOLD and _may_be_type(told):
            return told
        asked, programs = (*inputs, _RESULT), told is not UNTOLD
        solution = self.solve(relation, asked, attrs, defaults=defaults, programs=programs)
        general = solution.general
        if general is None or not solution.decided:
            return None
        result = general[-1]
        return result if isinstance(result, Term) and result.ground else None

    def outcome(
        self, relation: Relation, arguments: tuple[Any, ...], attrs: Any, goals: bool = True
    ) -> tuple[Any, ...] | None:
        """The only answer of a call whose result is open, if it is known and nothing in it is filled in by default;
        None if the call is refused, or has no such answer. Without `goals`, nor if no program tells."""
        if not relation.takes_attrs:
            attrs = None
        told = self.compiled.outcome(relation, arguments, attrs)
        if told is UNTOLD:
            if not goals:
                return None
            solution = self.solve(relation, arguments, attrs, defaults=FREE, most=SEVERAL)
            general = solution.general
            return general if solution.decided and general is not None and is_ground(general) else None
        return told if told is not None and _is_typed(told, arguments) else None

    def all_of(self, relation: Relation, spec: Spec, inputs: tuple[Any, ...], about: str) -> Any:
        """As `Compiled.all_of`."""
        return self.compiled.all_of(relation, spec, inputs, about)

    def alike(self, operator: Operator, usual: bool) -> tuple[Alike, ...]:
        """As `Compiled.alike`."""
        return self.compiled.alike(operator, usual)

    def apart(
        self,
        relation: Relation,
        arguments: tuple[Any, ...],
        attrs: Any,
        also: Also | None,
        defaults: str,
    ) -> tuple[Solution, tuple[tuple[Any, Any], ...]] | None:
        """What is known of a call over symbols (`solve`), and the pairs of terms that were taken to differ for that.

        What symbols stand for may make such a pair one. None if the pairs are not to be told.
        """
        control = self.control(STEPS, relation, arguments, attrs, defaults=defaults)
        return apart(relation, arguments, attrs, also, control)

    def ways(self, relation: Relation, arguments: tuple[Any, ...], search: Search) -> Ways | None:
        """As `KeptWays.of`, of a call that is made in a search, its attributes last."""
        if search.defaults is not FREE:
            return None
        terms, attrs = (arguments[:-1], arguments[-1]) if relation.takes_attrs else (arguments, None)
        return self.kept_ways.of(Asked(relation, terms, attrs, True, search.is_gradual()), search)

    def kept_profile(self, relation: Relation) -> Profile | None:
        """The profile of a relation, if that is kept."""
        return self.kept_ways.profile(relation)

    def _by_program(self, relation: Relation, arguments: tuple[Any, ...], attrs: Any) -> Solution | None:
        """`solve` by a compiled mode; None if there is none, or it does not tell."""
        found = self.compiled.solution(relation, arguments, attrs)
        return found if found is None or _is_typed(found.general or (), arguments) else None

    def _by_search(
        self,
        relation: Relation,
        arguments: tuple[Any, ...],
        attrs: Any,
        also: Also | None,
        steps: int,
        defaults: str,
        most: int,
        types_only: bool = False,
        by_rows: bool = False,
    ) -> Solution:
        """`solve` by running the clauses."""
        return by_clauses(self, relation, arguments, attrs, also, steps, defaults, most, types_only, by_rows)

    def _by_kept_answers(
        self, relation: Relation, arguments: tuple[Any, ...], attrs: Any, steps: int, most: int
    ) -> Solution | None:
        """`solve` by a program that says all that a call may come to; None if there is none."""
        call = Asked(relation, arguments, attrs, False, self.is_gradual(relation, arguments, attrs))

        def control() -> Search:
            return self.control(steps, relation, arguments, attrs, defaults=FREE)

        return self.kept_ways.solution(call, control, steps, most)

    def control(
        self,
        steps: int,
        relation: Relation,
        arguments: Any,
        attrs: Any,
        *,
        defaults: str = KEPT,
        trace: Any = None,
        more: Callable[[], int] | None = None,
        types_only: bool = False,
        by_rows: bool = False,
    ) -> Search:
        """What the search for the answers of one call is given; for `more` see `Budget`."""

        return Search(
            Budget(steps, more=more),
            gradual=lambda: self.is_gradual(relation, arguments, attrs),
            defaults=defaults,
            types_only=types_only,
            by_rows=self.rows if by_rows else None,
            rules=self,
            trace=trace,
        )

    def is_gradual(self, relation: Relation, arguments: Any, attrs: Any) -> bool:
        """Whether numbers in the answers to a call may be `?`."""
        return self.profiles.of(relation).makes_unknown or may_be_unknown((arguments, attrs))

    def solve_terms(self, relation: Relation, arguments: tuple[Any, ...], attrs: Any = None) -> Solution:
        """`solve` for arguments with variables."""
        return self.solve(relation, canonical(arguments, {}), attrs)


def _is_typed(known: tuple[Any, ...], arguments: tuple[Any, ...]) -> bool:
    """Whether what is known besides the arguments of a call may be types."""
    new = [term for term, given in zip(known, arguments, strict=True) if term is not given]
    return all(map(_may_be_type, new))


def _may_be_type(term: Any) -> bool:
    return is_tensor(term) if type(term) is TensorType else are_possible((term,))


def index_in(name: str) -> int | None:
    """The place in a tuple that the projection of this name is about: 1 for `Projection1`; None for other names."""
    index = name.removeprefix("Projection")
    return int(index) if index != name and _INDEX.fullmatch(index) else None

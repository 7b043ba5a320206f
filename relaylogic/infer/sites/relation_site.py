"""Calls of relations: what the rules say of them, as far as that is known, and what is concluded from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ...logic.constraints.compare import Compare
from ...logic.constraints.gradual import Agree, Follows
from ...logic.search.search import MAX_ANSWERS, Solution
from ...logic.search.search import decided as all_told
from ...logic.search.taken import with_defaults_of, with_dtypes
from ...logic.terms.rebuilding import canonical, instantiate, reify_slots
from ...logic.terms.terms import Term, is_ground, open_in, slot, variables_of
from ...logic.terms.variables import VARIABLES, fresh
from ...rulebase import RuleError
from ...rulebase.open_attributes import Unlisted
from ...types import TensorType, TupleType
from .assumption import by_assumption, open_by_assumption
from .callsite import STEPS, solve_site
from .endings import Ended, LeavesNoRoom
from .given import Given
from .site import UNNAMED, Refusal, Site
from .store import Mismatch, Store

if TYPE_CHECKING:
    from ...rulebase import Relation
    from .worklist import Worklist

__all__ = ["RelationSite"]

_NOTHING: Mapping[Any, Any] = MappingProxyType({})


class RelationSite(Site):
    """A relation of the rule base applied to types, the result last."""

    __slots__ = (
        "arguments",
        "attrs",
        "callee",
        "drawn",
        "draws",
        "introduced",
        "key",
        "relation",
        "slots",
        "soft",
        "solution",
    )

    def __init__(
        self, relation: Relation, arguments: tuple[Any, ...], attrs: Any, expr: Any, owner: str, callee: str = ""
    ) -> None:
        super().__init__(expr, owner)
        self.relation = relation
        self.arguments = arguments
        self.attrs = attrs
        self.callee = callee
        self.solution: Solution | None = None
        self.key: tuple[Any, ...] = ()
        self.soft: Mapping[Any, Any] = _NOTHING
        self.introduced: Set[Any] = frozenset()
        self.slots: dict[int, Any] = {}
        self.drawn: Sequence[tuple[Any, Any]] = ()  # what variables are by default, to be taken in the next attempt
        self.draws = 0  # the attempts that took something by default

    @property
    def terms(self) -> tuple[Any, ...]:
        """What is related."""
        return self.arguments

    @property
    def inputs(self) -> tuple[Any, ...]:
        """What the call is given: neither its result, nor attributes that it leaves open."""
        asked = self.relation.asked
        return self.arguments[:-1] if asked is None else self.arguments[: -1 - len(asked[1].open)]

    @property
    def relation_name(self) -> str:  # type: ignore[override]
        """The name of the relation."""
        return self.relation.name

    @property
    def is_done_at_once(self) -> bool:
        """Whether it was settled in its first attempt, but for what is open by default."""
        return self.state == "done" and self.attempts - self.draws == 1

    @property
    def waits_for_defaults(self) -> bool:
        """Whether nothing is left but what is open by default."""
        return self.state == "waiting" and self.solution is not None and self.solution.is_settled

    def waive(self, driver: Worklist) -> None:
        """Leave the result open."""
        super().waive(driver)
        self.name_result()

    def name_result(self) -> None:
        """Make a variable for the result, if the first attempt says nothing of it."""
        if self.arguments[-1] is UNNAMED:
            self.arguments = (*self.arguments[:-1], fresh())

    def numbers(self) -> tuple[tuple[Any, ...], dict[int, Any]] | None:
        """What the only answer leaves open, if some of that is about numbers.

        A default among it is taken where numbers are all: else it is for whoever settles the rest.
        """
        solution = self.solution
        if solution is None or not solution.exhausted or len(solution.answers) != 1 or solution.is_settled:
            return None
        residue = solution.answers[0].residue
        if not all(isinstance(constraint, (Compare, Agree, Follows)) for constraint in residue):
            residue = tuple([c for c in residue if type(c) is not Follows or c.args[2]])
            if not any(isinstance(constraint, (Compare, Agree, Follows)) for constraint in residue):
                return None
        return residue, self.slots

    def attempt(self, driver: Worklist) -> list[Any]:
        """Solve, commit what all answers agree on, and wait if they differ."""
        store = driver.store
        if self.drawn and self._is_settled(driver):
            return []
        if self.given is not None and self.given.constraints:
            waiting = self._assumed(self.given, driver)
            if waiting is not None:
                return waiting
        self.key, variables, first = self._canonical(driver)
        solution = self.solution = self._solved(driver, variables)
        if solution is None:
            return variables_of(self.arguments, store.bindings)
        general = solution.general
        slots: dict[int, Any] = {}
        if self.arguments[-1] is UNNAMED:
            general = self._named(driver, solution, variables, first, slots)
        else:
            self.final = solution.decided and not variables
        if self.final:
            return []
        if general is None:
            if solution.exhausted:
                raise Refusal("")
            return variables_of(self.arguments, store.bindings)
        self._commit(driver, general, solution.decided, variables, slots)
        if solution.decided:
            return []
        self._learn_ends(driver, variables, slots)
        return self._awaited(driver, solution, variables, slots)

    def _solved(self, driver: Worklist, variables: Mapping[Any, Any]) -> Solution | None:
        """What the rules say of the call; None if there are too many attributes to be tried. Raises Refusal."""
        try:
            solution = self._asked(self.key, variables, driver)
        except Unlisted:
            driver.exhausted[self] = "attribute limit"
            self.name_result()
            return None
        except RuleError as problem:
            self.name_result()
            raise Refusal(problem.message) from problem
        if solution.kept and self.attempts == 1 and driver.alone:
            # Of what nobody else will say anything, that is what it is by default.
            if solution.is_settled and driver.alone.issuperset(variables):
                return _drawn(solution, driver.rules.computed)
            if solution.exhausted and len(solution.answers) == 1:
                return self._with_own_defaults(solution, driver)
        return solution

    def _with_own_defaults(self, solution: Solution, driver: Worklist) -> Solution:
        """What is known of a call of one answer, with the defaults of what no other call says anything of."""
        own = tuple([place for place, argument in enumerate(self.arguments) if argument in driver.alone])
        if not own:
            return solution
        memory, key = driver.rules.computed, (solution.answers[0], solution.kept, own)
        found: Solution | None = memory.get(key)
        if found is None:
            found = memory[key] = with_defaults_of(solution, own) or solution
        return found

    def _named(
        self,
        driver: Worklist,
        solution: Solution,
        variables: dict[Any, Any],
        first: tuple[Any, ...],
        slots: dict[int, Any],
    ) -> tuple[Any, ...] | None:
        """Name the result, in the first attempt; what is left to be concluded.

        What most calls give is told by that, and needs no variable.
        """
        general, asked = solution.general, self.key[-1]
        if general is None or not (solution.is_settled or _is_told(solution)):
            self.name_result()
            variables[self.arguments[-1]] = asked
            return general
        result = general[-1]
        if not is_ground(result):
            known = driver.instances.get((result, first))
            if known is None:
                slots.update(enumerate(variables))
                known = instantiate(result, slots)
                if first and set(first).issuperset(variables_of(known)):
                    driver.instances[result, first] = known
            result = known
        elif solution.decided and not variables:
            self.final = True
        self.arguments = (*self.arguments[:-1], result)
        return (*general[:-1], asked)

    def _commit(
        self,
        driver: Worklist,
        general: tuple[Any, ...],
        decided: bool,
        variables: Mapping[Any, Any],
        slots: dict[int, Any],
    ) -> None:
        """Make the arguments what all answers agree on. Raises Refusal."""
        store = driver.store
        bindings = store.bindings
        for argument, asked, found in zip(self.arguments, self.key, general, strict=True):
            if found is asked:
                continue
            # Most that are open are variables themselves, and are bound to what is known.
            known = argument if argument in variables and argument not in bindings else store.walk(argument)
            if found is known:
                continue
            term, is_known = found, is_ground(found)
            if not is_known:
                if not slots:
                    slots.update(enumerate(variables))
                term = instantiate(found, slots)
            if type(known) in VARIABLES and (is_known or _is_apart(known, term)):
                store.bind(known, term)
            else:
                try:
                    store.unify(known, term)
                except Mismatch as mismatch:
                    raise Refusal(f"{driver.show(term)} is not {driver.show(argument)}") from mismatch
            # Of two variables, it may be the other one that was bound.
            is_bound = type(known) in VARIABLES and known in bindings
            if not decided and is_bound and type(argument) in VARIABLES:
                self.soft = {**self.soft, known: term}

    def _learn_ends(self, driver: Worklist, variables: Mapping[Any, Any], slots: dict[int, Any]) -> None:
        """Say what follows for the ends of shapes whose ranks are not known, and of these. Raises Refusal."""
        solution = self.solution
        if solution is None or (self.given is not None and (self.given.equal or self.given.constraints)):
            return
        if not any(map(_has_open_shape, solution.general or ())):
            return
        # What nothing was said of is as it was asked.
        is_same = all(said is asked for said, asked in zip(solution.general or (), self.key, strict=False))
        key, opened = (self.key, variables) if is_same else self._canonical(driver)[:2]
        endings = driver.endings
        try:
            is_more = endings.of_rows(self.relation, key, opened, self.attrs)
            if len(solution.answers) == 1 and solution.exhausted:
                endings.of_answer(solution.answers[0].residue, slots or dict(enumerate(variables)))
                ended = endings.ended(opened)
                if ended is not None and self.relation.asked is None:  # of open attributes there are many
                    is_more = self._ask_with(ended, key, tuple(opened), driver) or is_more
        except LeavesNoRoom as reason:
            raise Refusal(str(reason)) from reason
        if is_more:
            driver.store.woken.append(self)

    def _ask_with(self, ended: Ended, key: tuple[Any, ...], opened: Sequence[Any], driver: Worklist) -> bool:
        """Say what the rules say of the call where lists end so; whether that is more. Raises Refusal, LeavesNoRoom."""
        try:
            found = driver.rules.solve(self.relation, key, self.attrs, ended, STEPS, driver.defaults)
        except (RuleError, Unlisted):
            return False
        if found.general is None:
            if found.exhausted:
                raise Refusal("it does not hold of shapes that end as these do")
            return False
        slots = dict(enumerate(opened))
        is_more = found.general != key
        if is_more:
            try:
                driver.store.unify(instantiate(key, slots), instantiate(found.general, slots))
            except Mismatch as mismatch:
                raise Refusal("it does not hold of shapes that end as these do") from mismatch
        if len(found.answers) == 1 and found.exhausted:
            driver.endings.of_answer(found.answers[0].residue, slots)
        return is_more

    def _awaited(
        self, driver: Worklist, solution: Solution, variables: Mapping[Any, Any], slots: dict[int, Any]
    ) -> list[Any]:
        """The variables that tell more of the call when they are known."""
        store = driver.store
        self.slots = slots or dict(enumerate(variables))
        if slots:
            self.introduced |= {variable for variable in slots.values() if variable not in variables}
        if solution.is_settled:
            return [variable for variable, _ in self.defaults(store)]
        told = self.numbers()
        if told is not None:
            for variable, older in driver.expressions.same(*told, len(variables)):
                store.unify(variable, older)
        if slots:
            return variables_of(self.arguments, store.bindings)
        return [variable for variable in variables if variable not in store.bindings]  # no others came in

    def _is_settled(self, driver: Worklist) -> bool:
        """Take what is drawn by default; whether that settles the site."""
        drawn, self.drawn = self.drawn, ()
        self.draws += 1
        for variable, value in drawn:
            if type(driver.store.walk(variable)) in VARIABLES:  # else another site has drawn the same
                driver.store.bind(variable, value)
        return self.solution is not None and self.solution.is_settled and not self.defaults(driver.store)

    def defaults(self, store: Store) -> list[tuple[Any, Any]]:
        """The open variables that are something by default, and what."""
        if self.solution is None or not self.solution.kept:
            return []
        slots = self.slots
        found = [(store.walk(slots[n]), value) for n, value in self.solution.kept if n in slots]
        return [pair for pair in found if type(pair[0]) in VARIABLES]

    def is_possible(self, driver: Worklist) -> bool:
        """Whether the rules leave something that the site may be, by what is known now."""
        key, variables, _ = self._canonical(driver)
        try:
            solution = self._asked(key, variables, driver)
        except (RuleError, Unlisted):
            return True
        return bool(solution.answers) or not solution.exhausted

    def _asked(self, key: tuple[Any, ...], variables: Mapping[Any, Any], driver: Worklist) -> Solution:
        """What the rules say of the call with these canonical arguments. Raises RuleError and Unlisted."""
        relaxation = driver.relaxation if self.relation.asked is not None else None
        most, steps = (MAX_ANSWERS, STEPS) if relaxation is None else relaxation.patience
        types_only = relaxation is not None
        derived = self._derived(key, variables, driver)
        return solve_site(
            driver.rules, self.relation, key, self.attrs, driver.defaults, most, steps, types_only, True, derived
        )

    def _derived(
        self, key: tuple[Any, ...], variables: Mapping[Any, Any], driver: Worklist
    ) -> Callable[[], Solution | None] | None:
        """Tells what the last answer says of the call, if nothing has become known since but dtypes of which that says
        nothing but what they are by default: the rules would search for it."""
        last = self.solution
        if last is None or not last.kept or not last.exhausted or len(last.answers) != 1 or self.relation.asked:
            return None
        walk = driver.store.walk

        def derived() -> Solution | None:
            named = {number: variables.get(term := walk(v), term) for number, v in self.slots.items()}
            return with_dtypes(last.answers[0], key, named, len(variables))

        return derived

    def _assumed(self, given: Given, driver: Worklist) -> list[Any] | None:
        """What `by_assumption` says, which needs a variable for the result."""
        self.name_result()
        relation, arguments, store = self.relation, self.arguments, driver.store
        try:
            if relation.asked is not None:
                return open_by_assumption(relation, arguments, given, store, lambda: self.is_possible(driver))
            return by_assumption(relation, arguments, self.attrs, given, store)
        except Mismatch as mismatch:
            raise Refusal("the result is not what the `where` constraint says") from mismatch

    def _canonical(self, driver: Worklist) -> tuple[tuple[Any, ...], dict[Any, Any], tuple[Any, ...]]:
        """The arguments with slots for variables, the variables in the order of their slots, and those among them that
        come first because the first argument with any, which is no variable, has them."""
        store, given = driver.store, self.given
        bindings = store.bindings
        variables: dict[Any, Any] = {}
        if given is not None and given.equal:
            known = given.normal(tuple([UNNAMED if a is UNNAMED else store.reify(a) for a in self.arguments]))
            key = canonical(known, variables)
            return (*key[:-1], slot(len(variables))) if key[-1] is UNNAMED else key, variables, ()
        slots: list[Any] = []
        first: tuple[Any, ...] = ()
        for argument in self.arguments:
            if argument is UNNAMED:
                slots.append(slot(len(variables)))
                continue
            known = argument
            if type(known) in VARIABLES:
                if known in bindings:
                    known = store.reify(known)
            elif not isinstance(known, Term) or not (known.ground or bindings.keys().isdisjoint(open_in(known))):
                known = store.reify(known)
            if type(known) in VARIABLES:
                place = variables.get(known)
                if place is None:
                    place = variables[known] = slot(len(variables))
                slots.append(place)
                continue
            if not isinstance(known, Term):
                (known,) = canonical((known,), variables)
            elif not known.ground:
                opened = open_in(known)
                if not variables:
                    first = opened
                    variables.update(zip(opened, map(slot, range(len(opened))), strict=True))
                if opened is first or opened == tuple(islice(variables, len(opened))):
                    known = driver.form(known)
                else:
                    (known,) = canonical((known,), variables)
            slots.append(known)
        return tuple(slots), variables, first


def _drawn(solution: Solution, memory: dict[Any, Any]) -> Solution:
    """What is known of a call that leaves nothing but defaults, once these are taken."""
    key = solution.general, solution.kept, solution.clause
    found: Solution | None = memory.get(key)
    if found is None:
        values = {slot(number): value for number, value in solution.kept}
        found = memory[key] = all_told(reify_slots(solution.general, values), solution.clause)
    return found


def _is_told(solution: Solution) -> bool:
    """Whether all answers of a call are one, whose result is a tensor of a known rank: nothing but numbers is open."""
    if len(solution.answers) != 1 or not solution.exhausted:
        return False
    result = solution.answers[0].terms[-1]
    return type(result) is TensorType and type(result.shape) is tuple and type(result.dtype) is str


def _has_open_shape(term: Any) -> bool:
    """Whether there is a tensor in a type whose rank is not known."""
    if is_ground(term):
        return False
    if type(term) is TupleType:
        return type(term.fields) is tuple and any(map(_has_open_shape, term.fields))
    return type(term) is TensorType and type(term.shape) is not tuple


def _is_apart(variable: Any, term: Any) -> bool:
    """Whether a term is no variable, nor one that holds the variable."""
    return is_ground(term) or (isinstance(term, Term) and variable not in open_in(term))

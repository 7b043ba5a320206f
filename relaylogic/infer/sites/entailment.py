"""Uses of qualified functions: one whose type has a `where` stands where a function of another such type is wanted.

The wanted type's parameters are rigid and its constraints are given, with all that these say of the parameters. Each
constraint of the value, at the instance that the wanted type asks for, must follow: it is given, or one is given with
its inputs, which fixes the result, or the rules say that it holds and leave nothing open. What only the constraints of
the value speak of may be chosen freely (the value serves if some choice makes them follow); what the rest of the
program knows more of is waited for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice, product
from typing import TYPE_CHECKING, Any

from ...errors import several
from ...logic.terms.rebuilding import canonical, instantiate, reify_term
from ...logic.terms.terms import is_ground, variables_of
from ...rulebase import RuleError
from ...rulebase.head import Head, Unlike
from ...types import TensorType, TupleType, scalar_type, show_type
from ..checks.kinds import open_kinds
from ..numbers.conditions import extents_in, follow
from .always import Naturals, always_holds
from .assumption import may_be
from .assumptions import Assumptions
from .callsite import solve_site
from .given import Given
from .schemes import mentions
from .site import Refusal, Site
from .store import Mismatch, Store, Use

if TYPE_CHECKING:
    from .worklist import Worklist

__all__ = ["UseSite"]

MOST_CHOICES = 2_000
"""So many choices for what may be chosen freely are tried."""

MOST_GUESSES = 200
"""So many guesses are made for one constraint that the rules cannot enumerate."""

_LIMIT = "choice limit"

_WITNESSES: dict[str, tuple[Any, ...]] = {
    "Type": (scalar_type("float32"), scalar_type("bool"), scalar_type("int32"), TensorType((2, 2)), TupleType(())),
    "BaseType": ("float32", "bool", "int32"),
    "Shape": ((), (1,), (2, 2)),
    "ShapeVar": (1, 2, 0),
}


class UseSite(Site):
    """A function that must serve for every type that the wanted type says."""

    __slots__ = ("left", "place", "use")
    relation_name = "Where"

    def __init__(self, use: Use, place: str, expr: Any, owner: str, span: Any = None) -> None:
        super().__init__(expr, owner, span)
        self.use = use
        self.place = place
        self.left: list[Any] = list(use.instance.type_constraints)  # the constraints that are not known to follow

    @property
    def looks_again(self) -> bool:
        """Whether it speaks of what is around, which is known at the end."""
        return bool(self.use.outside)

    def attempt(self, driver: Worklist) -> list[Any]:
        """Show that the constraints follow, or wait for what they depend on."""
        self.given = given = self.use.given or Assumptions(driver.attributes)
        store = driver.store
        store.assume(given)
        self._follow(given, driver)
        self._stay_inside(store)
        if not self.left:
            return []
        open_ = variables_of(tuple(self.left), store.bindings)
        known = set(variables_of((self.use.instance.arg_types, self.use.instance.ret_type), store.bindings))
        known.update(variables_of(self.use.outside, store.bindings))
        waiting = [variable for variable in open_ if variable in known]
        if waiting:
            return waiting
        self._choose(given, driver)
        return []

    def _follow(self, given: Given, driver: Worklist) -> None:
        """Settle the constraints that follow in one way only, until nothing more becomes known."""
        known = -1
        while known != len(driver.store.bindings):
            known = len(driver.store.bindings)
            self.left = [c for c in self.left if not self._settled(c, given, driver)]

    def _settled(self, constraint: Any, given: Given, driver: Worklist) -> bool:
        store = driver.store
        arguments = _known(constraint, given, store)
        assumed = given.assumed(constraint.name, constraint.attrs, arguments)
        if assumed is not None:
            self._agree(arguments, assumed, constraint, driver)
            return True
        if any(may_be(store, arguments, other) for other in given.about(constraint.name, constraint.attrs)):
            return False
        answers, decided, general = _answers(constraint, arguments, driver, self._naturals(driver.store))
        if general is None:
            if decided:
                self._refuse(constraint, driver)
            return False
        self._agree(arguments, general, constraint, driver)
        return decided and len(answers) == 1

    def _agree(self, arguments: tuple[Any, ...], others: tuple[Any, ...], constraint: Any, driver: Worklist) -> None:
        try:
            driver.store.unify(others, arguments)
        except Mismatch:
            self._refuse(constraint, driver)

    def _choose(self, given: Given, driver: Worklist) -> None:
        """Find some choice of what is open that makes the constraints that are left follow."""
        store = driver.store
        tried = 0
        furthest = 0
        unsure = False
        choices: list[tuple[int, Iterator[Any]]] = []
        while len(choices) < len(self.left):
            arguments = _known(self.left[len(choices)], given, store)
            ways, complete = _ways(self.left[len(choices)], arguments, given, driver)
            unsure = unsure or not complete
            choices.append((store.checkpoint(), ways))
            while choices:
                furthest = max(furthest, len(choices) - 1)
                mark, following = choices[-1]
                arguments = _known(self.left[len(choices) - 1], given, store)
                way = next(following, None)
                tried += 1
                if way is None or tried > MOST_CHOICES:
                    choices.pop()
                    store.undo(mark)
                    if choices:
                        store.undo(choices[-1][0])
                        choices[-1] = (store.checkpoint(), choices[-1][1])
                    continue
                if store.agree(way, arguments):
                    break
            if not choices:
                break
        if choices or not self.left:
            for _ in choices:
                store.release()
            self.left = []
            return
        if unsure or tried > MOST_CHOICES:
            driver.give_up(Site(self.expr, self.owner, self.span), "step limit" if unsure else _LIMIT)
        else:
            self._refuse(self.left[furthest], driver)

    def _stay_inside(self, store: Store) -> None:
        """Refuse if the rest of the program would have to know a type that differs from use to use."""
        for variable in self.use.outside:
            if mentions(store.reify(variable), self.use.rigid):
                raise Refusal(
                    f"{self._what()}: they differ in what the rest of the program knows as one type, "
                    "which cannot serve for every type"
                )

    def _naturals(self, store: Store) -> list[Any]:
        """The extents of the wanted type, and of its `where`: whoever has it knows that they are natural numbers."""
        instance, given = self.use.instance, self.use.given
        shown = (store.reify(instance.arg_types), store.reify(instance.ret_type))
        return list(extents_in(shown if given is None else (*shown, given.constraints)))

    def _what(self) -> str:
        value, wanted = show_type(self.use.value), show_type(self.use.wanted)
        return f"{self.place or 'the value'} is a function of type {value}, but one of type {wanted} is wanted"

    def _refuse(self, constraint: Any, driver: Worklist) -> None:
        store = driver.store
        given = self.use.given or Assumptions(driver.attributes)
        missing, *stated = (show_type(given.as_written(c)) for c in (store.reify(constraint), *given.constraints))
        said = f"`where {', '.join(stated)}`" if stated else "what is wanted, which has no `where`"
        raise Refusal(f"{self._what()}: `{missing}` does not follow from {said}")


def _known(constraint: Any, given: Given, store: Store) -> tuple[Any, ...]:
    return tuple([given.normal(store.reify(argument)) for argument in constraint.arguments])


def _answers(
    constraint: Any, arguments: tuple[Any, ...], driver: Worklist, naturals: Sequence[Any] = ()
) -> tuple[list[tuple[Any, ...]], bool, tuple[Any, ...] | None]:
    """What the rules say of a constraint: answers without residue that hold whatever type parameters stand for, whether
    they are all, and what all agree on.

    A residue that says no more than that some numbers are `naturals` is none.
    """
    try:
        relation = driver.rules.relation(constraint.name)
        if relation.arity != len(arguments):
            raise RuleError(f"`{constraint.name}` relates {several(relation.arity, 'type')}")
        head = driver.rules.head(relation) if driver.rules.index_of(relation) is not None else None
        if head is not None and head.is_open:
            return _component(head, arguments, driver.store)
        attrs = driver.attributes.complete(relation, constraint.attrs)
        variables: dict[Any, Any] = {}
        solution = solve_site(driver.rules, relation, canonical(arguments, variables), attrs, driver.defaults)
    except RuleError as problem:
        raise Refusal(problem.message) from problem
    numbered = dict(enumerate(variables))
    plain = [instantiate(a.terms, dict(numbered)) for a in solution.answers if follow(a.residue, naturals)]
    complete = solution.exhausted and (len(plain) == len(solution.answers) or not variables)
    general = None if solution.general is None else instantiate(solution.general, dict(numbered))
    shown = Naturals(naturals)
    kept = [t for t in plain if not is_ground(t) or always_holds(relation, t, attrs, shown, driver)]
    if complete and len(kept) < len(plain) and len(kept) < 2:
        general = kept[0] if kept else None
    return kept, complete, general


def _component(
    head: Head, arguments: tuple[Any, ...], store: Store
) -> tuple[list[tuple[Any, ...]], bool, tuple[Any, ...] | None]:
    """What a projection says: of a tuple that is not known, nothing."""
    try:
        values, waiting = head.match(0, arguments[0], store.walk)
    except Unlike:
        return [], True, None
    if waiting:
        return [], False, None
    answer = (arguments[0], instantiate(head.terms[1], values))
    return [answer], True, answer


def _ways(
    constraint: Any, arguments: tuple[Any, ...], given: Given, driver: Worklist
) -> tuple[Iterator[tuple[Any, ...]], bool]:
    """The terms that would make the constraint follow, and whether they are all: if not, some are guessed."""
    answers, complete, _ = _answers(constraint, arguments, driver)
    known = chain(given.about(constraint.name, constraint.attrs), answers)
    return (known if complete else chain(known, _guesses(constraint, arguments, driver))), complete


def _guesses(constraint: Any, arguments: tuple[Any, ...], driver: Worklist) -> Iterator[tuple[Any, ...]]:
    """Small types for what is open, of which the rules say that the constraint holds."""
    open_ = open_kinds(arguments, driver.module)
    for values in islice(product(*(_WITNESSES[kind] for kind in open_.values())), MOST_GUESSES):
        terms = tuple([reify_term(argument, dict(zip(open_, values, strict=True))) for argument in arguments])
        if _answers(constraint, terms, driver)[0]:
            yield terms

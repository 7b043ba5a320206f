"""Whether a call gives its result a type whatever its open attributes are, asked by looking for another type.

Where attributes are open, a call has many answers, and all of them must be found to know what they have in common. That
there is none with another result is found out faster: most of what could be tried fails at once. A mode of calls that
was asked about before, in this process or another one, has a program that tells it (`rulebase.specialised`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

from ...infer.sites.driver import Driver
from ...ir import Call
from ...logic import fresh
from ...logic.constraints.different import differ
from ...logic.states.goals import Goal
from ...logic.terms.rebuilding import canonical, instantiate
from ...rulebase import AttributeProblem, Operator, RuleError
from ...rulebase.attrs import Attrs
from ...rulebase.open_attributes import Open, Spec
from ...rulebase.relation import Relation
from ...rulebase.specialised.compiled import UNTOLD
from ...rulebase.specialised.finer import spec_of
from ...rulebase.specialised.open_calls import inputs_asked
from ...rulebase.specialised.question import RESULT, TYPES, with_another_dtype
from ..places.atoms import with_dtype
from .work import KNOWN, Work

__all__ = ["NONE", "Hopeful", "other_result", "other_when_told"]

NONE = object()
"""What is given where there is no other result."""

STEPS = 1_000
"""Another result is looked for in so many steps: that there is none takes up to 560 of them, to find one up to 934."""


class Hopeful(Driver):
    """A driver that does not ask some calls: these have the types that `hope` gives, if it gives any."""

    hope: Callable[[Call, Operator, tuple[Any, ...]], Any]

    def operator_call(self, call: Call, operator: Operator, arg_types: tuple[Any, ...], owner: str) -> Any:
        """The type of a call of an operator."""
        hoped = self.hope(call, operator, arg_types)
        return super().operator_call(call, operator, arg_types, owner) if hoped is None else hoped


def other_result(
    call: Call, operator: Operator, inputs: tuple[Any, ...], known: Any, driver: Driver, work: Work
) -> Any:
    """A result of a call other than `known`, or of another dtype; NONE if it has none.

    None if that is not found out. `known` may be all its types, too, as a tuple. Raises Spent.
    """
    try:
        attrs, relation, values = driver.attrs_of(operator, call), operator.relation, ()
        taken, fixed = tuple(map(driver.store.reify, inputs)), attrs
        if type(attrs) is Open:
            relation, values = driver.rules.asking(relation, attrs.spec), attrs.values
            fixed, attrs = attrs.spec.fixed, None
        if type(known) is str and _has_dtype(operator, taken, fixed, known, driver):
            work.check()
            work.pay(KNOWN)
            return NONE
        asked = canonical((*taken, *values, fresh(), known), {})
        also = with_another_dtype if type(known) is str else _with_others if type(known) is tuple else _with_another
        work.check()
        work.ask(relation, asked, (also, attrs), None)  # as much whether a program tells or not
        if relation.asked is not None:
            (original, spec), told = relation.asked, inputs_asked(relation, asked[:-1])
            other = None if told is None else _known_other(original, spec, told, known, driver)
            if other is not None:
                return other
        solution = driver.rules.solve(relation, asked, attrs, also, STEPS, most=1, types_only=True)
    except (AttributeProblem, RuleError):
        return None
    if solution.answers:
        return instantiate(solution.answers[0].terms[-2], {})
    return NONE if solution.exhausted else None


def other_when_told(
    call: Call,
    operator: Operator,
    inputs: tuple[Any, ...],
    silent: Collection[str],
    known: Any,
    driver: Driver,
    work: Work,
) -> Any:
    """`other_result` of a call of which all is known but the attributes `silent`, if a program tells; None if not.

    `driver` is that of the program.
    """
    try:
        own = driver.attrs_of(operator, call)
    except AttributeProblem:
        return None
    opened = tuple([attribute for name, attribute in operator.attributes.items() if name in silent])
    if type(own) is not Attrs or len(opened) != len(silent):
        return None
    work.check()
    work.pay(KNOWN)
    fixed = Attrs({name: value for name, value in own.items() if name not in silent})
    if type(known) is str and _has_dtype(operator, inputs, fixed, known, driver):
        return NONE
    try:
        return _known_other(operator.relation, spec_of(fixed, opened), inputs, known, driver)
    except RuleError:
        return None


def _has_dtype(operator: Operator, inputs: tuple[Any, ...], fixed: Any, known: str, driver: Driver) -> bool:
    """Whether something that a call takes is known to have the dtype `known`, and to have that of the result whatever
    else is known of the call, if these of its attributes are fixed."""
    groups = driver.rules.alike(operator, operator.has_usual_words(fixed))
    return next(with_dtype(known, inputs, groups), None) is not None


def _known_other(relation: Relation, spec: Spec, inputs: tuple[Any, ...], known: Any, driver: Driver) -> Any:
    """`other_result` of all calls of this mode, where it is known that they have no other one, or are refused, or that
    one which they have is another; None if that is not known."""
    about = known if type(known) is str else TYPES if type(known) is tuple else RESULT
    found = driver.rules.all_of(relation, spec, inputs, about)
    if found is UNTOLD:
        return None
    others = [(other, is_sure) for other, is_sure in found if other != known]
    if not others:
        return NONE
    if about not in (RESULT, TYPES):
        return None
    # What is open in another one can be anything: so it is another one that is of the call.
    sure = next((other for other, is_sure in others if is_sure), None)
    return None if sure is None else instantiate(sure[-1] if about == TYPES else sure, {})


def _with_another(arguments: tuple[Any, ...]) -> tuple[tuple[Any, ...], Goal]:
    *asked, known = arguments
    return tuple(asked), differ(asked[-1], known)


def _with_others(arguments: tuple[Any, ...]) -> tuple[tuple[Any, ...], Goal]:
    *asked, known = arguments
    return tuple(asked), differ((*asked[: len(known) - 1], asked[-1]), known)

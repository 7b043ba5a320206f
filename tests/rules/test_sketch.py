"""What is said of a call with open attributes where not all its answers are looked for (`logic.search.sketch`)."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import pytest

import relaylogic
from relaylogic.errors import RelayLogicError
from relaylogic.infer.sites.callsite import solve_site
from relaylogic.logic.constraints.gradual import default
from relaylogic.logic.constraints.postponed import lazily
from relaylogic.logic.control import Budget, Search
from relaylogic.logic.exact import are_one, exact
from relaylogic.logic.search.search import Solution, search
from relaylogic.logic.search.sketch import Sketch, says_no_more
from relaylogic.logic.states.goals import conde, eq, lall
from relaylogic.logic.terms.rebuilding import canonical
from relaylogic.logic.terms.terms import Cons, Slot, Term, cons, is_ground
from relaylogic.logic.terms.variables import fresh
from relaylogic.rulebase import default_rules
from relaylogic.types import TensorType, show_type
from tests import effort
from tests.conformance.asked import calls_of
from tests.effort import in_turn, some

MOST = 100_000 if effort.THOROUGH else 20_000
"""So many steps a search may take."""
PUTTING_OFF = ("conv", "pool", "transpose", "strided_slice")


@cache
def operators() -> list[str]:
    """Those that put off goals, and those with a dtype among their attributes, which is not listed for types."""
    return [
        name
        for name, operator in sorted(default_rules().operators.items())
        if any(word in name for word in PUTTING_OFF) or any(a.kind == "dtype" for a in operator.attributes.values())
    ]


def asked(name: str, random: Random) -> tuple[Any, tuple[Any, ...], tuple[int, ...]] | None:
    """A relation, a question about a measured call some attributes and types of which are open, and where its types
    are; None if no call was measured."""
    rules = default_rules()
    operator = rules.operator(name)
    calls = calls_of(name, operator)
    if not calls or not operator.attributes:
        return None
    types, attrs = random.choice(calls)
    opened = random.sample(sorted(operator.attributes), random.randint(1, min(4, len(operator.attributes))))
    try:
        unknown = operator.attrs({**dict(attrs.items()), **{attribute: fresh() for attribute in opened}})
    except RelayLogicError:
        return None
    inputs = [fresh() if random.random() < 0.25 else type_ for type_ in types[:-1]]
    relation = rules.asking(operator.relation, unknown.spec)
    terms = canonical((*inputs, *unknown.values, fresh()), {})
    return relation, terms, (*range(len(inputs)), len(terms) - 1)


def is_instance(answer: tuple[Any, ...], general: tuple[Any, ...]) -> bool:
    """Whether an answer is what is general with something in place of its slots."""
    values: dict[Any, Any] = {}
    stack: list[tuple[Any, Any]] = [(answer, general)]
    while stack:
        known, form = stack.pop()
        if type(form) is Slot:
            if exact((values.setdefault(form, known),)) != exact((known,)):
                return False
        elif type(form) is Cons:
            items = known.prefix if type(known) is Cons else known
            if type(items) is not tuple or len(items) < len(form.prefix):
                return False
            rest = items[len(form.prefix) :]
            stack += zip(items, form.prefix, strict=False)
            stack.append((cons(rest, known.tail) if type(known) is Cons else rest, form.tail))
        elif type(known) is not type(form):
            return False
        elif type(form) is tuple or (isinstance(form, Term) and not is_ground(form)):
            parts = (known, form) if type(form) is tuple else (known.args, form.args)
            if len(parts[0]) != len(parts[1]):
                return False
            stack += zip(*parts, strict=True)
        elif not are_one(known, form):
            return False
    return True


def at(places: tuple[int, ...], terms: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(terms[place] for place in places)


def solved(relation: Any, terms: tuple[Any, ...], steps: int, types_only: bool) -> Solution | None:
    try:
        return solve_site(default_rules(), relation, terms, None, steps=steps, types_only=types_only)
    except RelayLogicError:  # an attribute without a universe
        return None


@pytest.mark.parametrize(("name", "types_only"), in_turn(operators(), (False, True)))
def test_what_is_said_without_all_answers_is_what_all_answers_agree_on(name: str, types_only: bool) -> None:
    random = Random(f"sketch:{name}")
    for _ in some(range(6 if any(word in name for word in PUTTING_OFF) else 3)):
        question = asked(name, random)
        if question is None:
            return
        relation, terms, types = question
        whole = solved(relation, terms, MOST, False)
        if whole is None or whole.general is None:
            continue
        for steps in (300, 2_000, MOST):
            found = solved(relation, terms, steps, types_only)
            assert found is not None
            if found.general is None:
                assert found.limit
                continue
            for answer in whole.answers:
                assert is_instance(answer.terms, found.general), (terms, answer, found.general)
            if whole.exhausted and not found.limit:
                assert says_no_more(at(types, found.general), at(types, whole.general)), (terms, found.general)
            if not found.limit:
                break  # a search that ends within its steps is the same one with more of them


def test_a_dtype_that_a_rule_passes_on_is_not_listed_where_only_types_are_asked_for() -> None:
    rules = default_rules()
    operator = rules.operator("nn.dense")
    unknown = operator.attrs({"units": fresh(), "out_dtype": fresh()})
    relation = rules.asking(operator.relation, unknown.spec)
    weight = fresh()
    terms = canonical((TensorType((4, 8), "float32"), weight, *unknown.values, fresh()), {})
    listed, told = (solved(relation, terms, 100_000, types_only) for types_only in (False, True))
    assert listed is not None and told is not None and told.exhausted
    assert len(told.answers) == 4  # units are given or not, and so is the dtype
    assert len(listed.answers) > 4 * len(told.answers)
    assert told.general is not None and show_type(told.general[1]) == "Tensor[(_, 8), _]"
    assert [value for _, value in told.kept] == ["float32"]  # that of the weight, by default


def test_a_dtype_that_a_rule_looks_at_is_one_of_those_there_are() -> None:
    rules = default_rules()
    operator = rules.operator("qnn.quantize")
    unknown = operator.attrs({"out_dtype": fresh()})
    relation = rules.asking(operator.relation, unknown.spec)
    scale, zero = TensorType((), "float32"), TensorType((), "int32")
    terms = canonical((TensorType((4,), "float32"), scale, zero, *unknown.values, fresh()), {})
    told = solved(relation, terms, 100_000, True)
    assert told is not None
    assert {answer.terms[-1].dtype for answer in told.answers} == {"int8", "uint8", "int16", "uint16", "int32"}


def test_once_a_universe_is_cut_no_more_answers_are_looked_for_to_know_the_types() -> None:
    """Two layouts and a padding have dozens of forms, and the first answer tells that not all are found."""
    rules = default_rules()
    operator = rules.operator("nn.conv2d")
    opened = {"data_layout": fresh(), "kernel_layout": fresh(), "padding": fresh()}
    unknown = operator.attrs({"channels": 4, "kernel_size": (3, 3), **opened})
    relation = rules.asking(operator.relation, unknown.spec)
    types = TensorType((1, 16, 16, 8), "float32"), TensorType((3, 3, 8, 4), "float32")
    terms = canonical((*types, *unknown.values, fresh()), {})
    listed, told = (solved(relation, terms, 100_000, types_only) for types_only in (False, True))
    assert listed is not None and told is not None
    assert (len(told.answers), told.exhausted, told.limit) == (1, False, "attribute limit")
    assert len(listed.answers) > 1 and not listed.exhausted
    assert told.general is not None and listed.general is not None
    assert says_no_more(told.general, listed.general)


def outcome(*goals: Any, terms: tuple[Any, ...]) -> tuple[Any, ...]:
    cases = [("clause", lall(*goals))]
    return Sketch(cases, terms, Search(Budget()), ()).general({})


def test_a_default_is_filled_in_only_where_nothing_put_off_may_say_otherwise() -> None:
    a, b = fresh(), fresh()

    def says(term: Any) -> Any:
        return eq(term, "int8")

    goals = (default(a, "float32"), default(b, "float32"), lazily(says, a))
    (found,) = search([("clause", lall(*goals))], (a, b)).answers
    assert found.terms == ("int8", "float32")
    said, other = outcome(*goals, terms=(a, b))
    assert other == "float32"
    assert said not in ("int8", "float32")


def test_outcomes_agree_on_no_more_than_answers() -> None:
    a, b = fresh(), fresh()

    def says(term: Any) -> Any:
        return conde([eq(term, 1)], [eq(term, 2)])

    goals = (conde([eq(a, (3, b))], [eq(a, (4, b))]), lazily(says, b))
    (said,) = outcome(*goals, terms=(a,))
    assert len(said) == 2
    assert is_instance(((3, 1),), (said,))
    assert is_instance(((4, 2),), (said,))


def test_a_call_with_open_attributes_has_the_dtype_of_its_data_within_few_steps() -> None:
    text = """#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3, 4, 4, 4), float32]) {
  nn.avg_pool3d(%x, pool_size=[2, 2, 2], strides=[2, 2, 2], padding=[0, 0, 0, 0, 0, 0])
}
"""
    result = relaylogic.infer(text)
    why = result.why(result.module["main"].body, "dtype")
    said = [label.message for label in why.places]
    assert why.minimal, said
    assert len(said) == 2, said
    assert said[0] == "`%x` is annotated Tensor[(2, 3, 4, 4, 4), float32]"

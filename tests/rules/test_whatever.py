"""What programs tell of calls whatever their open attributes are, against the calls with attributes of any kind."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from relaylogic.explain.why.changes import values_near
from relaylogic.logic.control import KEPT
from relaylogic.logic.terms.rebuilding import canonical, instantiate
from relaylogic.logic.terms.terms import is_ground, slot
from relaylogic.logic.terms.variables import fresh
from relaylogic.rulebase import AttributeProblem, RuleError, load_rules
from relaylogic.rulebase.open_attributes import Open
from relaylogic.rulebase.specialised import compiled as compiled_modes
from relaylogic.rulebase.specialised.compiled import UNTOLD
from relaylogic.rulebase.specialised.functions import Unsure, compiled
from relaylogic.rulebase.specialised.modes import of_dtypes, part_of, parts_of
from relaylogic.rulebase.specialised.open_calls import solution_of_all
from relaylogic.rulebase.specialised.question import RESULT, TYPES, Question, whatever
from relaylogic.types import ANY, TensorType, TupleType
from tests.conformance.facts import facts, known_type, without_widths
from tests.effort import examples, some
from tests.rules.test_compiled import other_numbers

RULES = load_rules()


def program(operator: Any, inputs: tuple[Any, ...], given: dict[str, Any], about: str) -> Any:
    """The program that tells of calls with open attributes; None if there is none."""
    attrs = operator.attrs(given)
    if type(attrs) is not Open:
        return None
    numbers: list[int] = []
    dtypes: dict[str, int] = {}
    parts = parts_of(canonical(inputs, {}), numbers, dtypes)
    if parts is None:
        return None
    asking = RULES.asking(operator.relation, attrs.spec)
    text = whatever(asking, of_dtypes(parts, tuple(dtypes)), about, len(numbers)).program(RULES)
    return compiled(text) if text else None


def told(program: Any, inputs: tuple[Any, ...]) -> Any:
    """What a program tells of a call: what is open, None if it is refused, nothing if it does not tell."""
    numbers: list[int] = []
    for term in canonical(inputs, {}):
        part_of(term, numbers, {})
    try:
        said = {values for values, _ in program(numbers)}
    except Unsure:
        return ()
    return None if not said else said.pop() if len(said) == 1 else ()


def only_one(rules: Any, asking: Any, inputs: tuple[Any, ...], about: str) -> Any:
    """What a rule base tells of a call, None if it is refused; UNTOLD if it may be several things, or is not told."""
    found = rules.all_of(*asking.asked, inputs, about)
    if not found or found is UNTOLD:
        return found or None
    return found[0][0] if len(found) == 1 else UNTOLD


def calls() -> Iterator[tuple[Any, tuple[Any, ...], dict[str, Any]]]:
    """The operators of calls that are right, what they take, and their attributes; some of each operator."""
    rng = random.Random(1)
    for name in sorted(facts()):
        operator = RULES.operators.get(name)
        own = [fact for fact in facts()[name] if fact["attrs"] and "_" not in fact["in"] and fact.get("out")]
        for fact in rng.sample(own, min(2, len(own))):
            types = tuple(known_type(without_widths(text)) for text in fact["in"])
            if operator is not None and (operator.variadic or len(types) == len(operator.inputs)):
                yield operator, (TupleType(types),) if operator.variadic else types, dict(fact["attrs"])


def result_of(operator: Any, inputs: tuple[Any, ...], given: dict[str, Any]) -> Any:
    """What a call of known attributes comes to; None if that is not one known type."""
    try:
        solution = RULES.solve_terms(operator.relation, (*inputs, fresh()), operator.attrs(given))
    except (AttributeProblem, RuleError):
        return None
    known = None if solution.general is None else solution.general[-1]
    return known if solution.decided and is_ground(known) else None


def others(given: dict[str, Any], names: list[str], rng: random.Random) -> Iterator[dict[str, Any]]:
    """The attributes with other values of some of them, or without some."""
    yield given
    for _ in range(24):
        other = dict(given)
        for name in names:
            values = [*values_near(given[name]), None, given[name], 1, 2, [1], [2, 2], [1, 1, 1]]
            value = rng.choice(values)
            if value is None and rng.random() < 0.5:
                del other[name]
            else:
                other[name] = value
        yield other


@pytest.mark.parametrize("seed", range(4))
def test_no_attributes_give_another_result_than_a_program_tells(
    seed: int, record_property: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled_modes, "OFTEN_OPEN", 0)
    rng = random.Random(seed)
    count = compared = 0
    for operator, inputs, given in some(list(calls())[seed::4], 6):
        names = rng.sample(sorted(given), rng.randint(1, min(3, len(given))))
        own = result_of(operator, inputs, given)
        about = rng.choice([RESULT, own.dtype]) if type(own) is TensorType else RESULT
        opened = {**given, **{name: fresh() for name in names}}
        found = program(operator, inputs, opened, about)
        count += found is not None
        for asked in (inputs, *(tuple(other_numbers(term, rng) for term in inputs) for _ in range(3))) if found else ():
            only = told(found, asked)
            kept = only_one(RULES, RULES.asking(operator.relation, operator.attrs(opened).spec), asked, about)
            for other in others(given, names, rng) if only != () or kept is not UNTOLD else ():
                result = result_of(operator, asked, other)
                compared += result is not None
                gives = result if about == RESULT or result is None else result.dtype
                assert result is None or only in ((gives,), ()), (operator.name, asked, names, other)
                assert result is None or kept in (gives, UNTOLD), (operator.name, asked, names, other)
    record_property("told", f"{count} programs, {compared} calls that they tell of")
    assert compared > examples(500)


def test_a_convolution_is_of_the_size_of_its_weight_whatever_its_attributes_are() -> None:
    data, weight = TensorType((2, 3, 8, 7), "float32"), TensorType((5, 3, 3, 2), "float32")
    found = program(RULES.operators["nn.conv2d"], (data, weight), {"channels": fresh(), "kernel_size": fresh()}, RESULT)
    assert told(found, (data, weight)) == (TensorType((2, 5, 6, 6), "float32"),)
    assert told(found, (data, TensorType((5, 4, 3, 2), "float32"))) is None


def test_what_depends_on_an_open_attribute_is_not_told() -> None:
    data, weight = TensorType((2, 4, 8, 8), "float32"), TensorType((4, 2, 3, 3), "float32")
    open_ = {"channels": fresh(), "kernel_size": fresh(), "groups": fresh()}
    found = program(RULES.operators["nn.conv2d"], (data, weight), open_, RESULT)
    assert told(found, (data, weight)) == ()  # of 2 groups, or of 4 with two filters for each channel
    assert program(RULES.operators["nn.conv2d"], (data, weight), {**open_, "strides": fresh()}, RESULT) is None
    turned = program(RULES.operators["transpose"], (data,), {"axes": fresh()}, RESULT)
    assert told(turned, (data,)) == ()
    assert told(turned, (TensorType((2, 2, 2, 2), "float32"),)) == (TensorType((2, 2, 2, 2), "float32"),)


def test_a_number_agrees_with_an_unknown_extent_on_an_axis_that_is_open() -> None:
    data, slopes = TensorType((ANY, 7), "float32"), TensorType((36,), "float32")
    found = program(RULES.operators["nn.prelu"], (data, slopes), {"axis": fresh()}, RESULT)
    assert told(found, (data, slopes)) == (data,)  # on axis 0


def test_all_types_of_a_call_are_told_where_its_result_is_not_open() -> None:
    data = TensorType((2, 3, 6, 6), "float32")
    inputs = (data, *(fresh() for _ in range(4)))
    found = program(RULES.operators["nn.batch_norm"], inputs, {"epsilon": fresh()}, TYPES)
    channels = TensorType((3,), "float32")
    assert told(found, inputs) == (*[channels] * 4, TupleType((data, channels, channels)))


def test_a_dtype_is_told_of_all_calls_that_have_no_other_one() -> None:
    data = TensorType((2, 3, 8, 8), "float32")
    open_ = {"channels": fresh(), "kernel_size": fresh(), "padding": fresh()}
    conv = RULES.operators["nn.conv2d"]
    assert told(program(conv, (data, fresh()), open_, "float32"), (data, fresh())) == ("float32",)
    assert program(conv, (data, fresh()), open_, "float16") is None
    assert program(conv, (data, fresh()), {**open_, "out_dtype": fresh()}, "float32") is None


def test_one_program_tells_of_tensors_of_all_dtypes() -> None:
    squeeze = RULES.operators["squeeze"]
    asking = RULES.asking(squeeze.relation, squeeze.attrs({"axis": fresh()}).spec)
    parts = parts_of((TensorType((2, 1, 3), "float32"),), [], {})
    assert parts is not None
    for dtype in ("float32", "int8"):
        of_result = compiled(whatever(asking, parts, RESULT, 3).program(RULES))
        told = dict(of_result([2, 1, 3, dtype]))
        assert all(is_sure for (result,), is_sure in told.items() if result == TensorType((2, 3), dtype))
        assert (TensorType((2, 3), dtype),) in told and {result.dtype for (result,) in told} == {dtype}
        assert compiled(whatever(asking, parts, 0, 3).program(RULES))([2, 1, 3, dtype]) == (((dtype,), True),)


def test_all_that_a_call_may_come_to_is_told_as_a_search_finds_it(
    record_property: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled_modes, "OFTEN_OPEN", 0)
    rng = random.Random(1)
    compared = several = 0
    for operator, inputs, given in some(list(calls()), 5):
        names = rng.sample(sorted(given), rng.randint(1, min(2, len(given))))
        attrs = operator.attrs({**given, **{name: fresh() for name in names}})
        if type(attrs) is not Open:
            continue
        asking = RULES.asking(operator.relation, attrs.spec)
        own = result_of(operator, inputs, given)
        for result in (fresh(), *([own, *partly(own, rng)] if own is not None else ())):
            asked = canonical((*inputs, *attrs.values, result), {})
            told = solution_of_all(asking, asked, RULES)
            if told is None:
                continue
            found = RULES._by_search(asking, asked, None, None, 20_000, KEPT, 128, False)
            results = {answer.terms[-1] for answer in told.answers}
            assert results.issuperset(answer.terms[-1] for answer in found.answers), (operator.name, asked)
            if found.exhausted:
                assert results == {answer.terms[-1] for answer in found.answers}, (operator.name, asked)
                ours, theirs = (instantiate((one.general or (None,))[-1:], {}) for one in (told, found))
                assert canonical(ours, {}) == canonical(theirs, {}), (operator.name, asked)
            compared += 1
            several += len(results) > 1
    record_property("told", f"{compared} calls of open attributes, {several} of which may come to several types")
    assert compared > examples(30)
    assert several > examples(5)


def partly(type_: Any, rng: random.Random) -> Iterator[Any]:
    """A type with some of its extents open, or of another dtype."""
    if type(type_) is TensorType and type_.shape:
        shape = tuple([fresh() if rng.random() < 0.5 else extent for extent in type_.shape])
        yield TensorType(shape, type_.dtype)
        yield TensorType((fresh(), *shape[1:]), fresh())
        yield TensorType(type_.shape, "float64")


def test_one_program_tells_of_all_natural_attributes() -> None:
    """Each stride and padding of a convolution had a program of its own, which took some milliseconds to be made."""
    made = []
    rules = load_rules()
    rules.compiled.clear()  # none that others have made
    program = Question.program

    def noted(question: Question, base: Any) -> str:
        made.append(question.written)
        return program(question, base)

    data, weight = TensorType((2, 3, 8, 7), "float32"), TensorType((5, 3, 3, 2), "float32")
    operator = rules.operators["nn.conv2d"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Question, "program", noted)
        patch.setattr(compiled_modes, "OFTEN_OPEN", 0)
        for strides, padding in product(([1, 1], [2, 1]), ([0, 0, 0, 0], [0, 1, 2, 0])):
            given = {"strides": strides, "padding": padding}
            result = result_of(operator, (data, weight), given)
            spec = operator.attrs({**given, "channels": fresh(), "kernel_size": fresh()}).spec
            asking = rules.asking(operator.relation, spec)
            assert only_one(rules, asking, (data, weight), RESULT) == result
            assert only_one(rules, asking, (data, slot(0)), "float32") == "float32"
    assert len([written for written in made if "whatever" in written]) == 2

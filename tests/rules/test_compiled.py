"""Programs say what the goals say that they were made of: on all facts, on other calls of their modes, refused or not.

Where a program says nothing, goals are asked; so what matters is that it never says anything else.
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from relaylogic.api import infer
from relaylogic.clauses.load import load_clauses
from relaylogic.explain.report import infer_module
from relaylogic.infer.sites.schemes import parts_of
from relaylogic.logic.constraints.compare import Compare
from relaylogic.logic.control import KEPT
from relaylogic.logic.search.search import Solution
from relaylogic.logic.terms import numbers
from relaylogic.logic.terms.rebuilding import canonical, instantiate
from relaylogic.logic.terms.terms import Slot, is_ground, slot
from relaylogic.logic.terms.variables import fresh
from relaylogic.rulebase import AttributeProblem, Relation, RuleBase, load_rules
from relaylogic.rulebase.specialised.compiled import UNTOLD, Compiled
from relaylogic.rulebase.specialised.finer import SHORT
from relaylogic.rulebase.specialised.log import Log
from relaylogic.rulebase.specialised.store import MOST, Store
from relaylogic.text import parse
from relaylogic.types import ANY, TensorType, TupleType, TypeVar
from tests.conformance.facts import facts, known_type, without_widths
from tests.effort import examples, some

GROUPS = 12
OPENED = 0.3
"""So many calls are asked about with open extents, too."""
DTYPES = "bool", "int8", "uint8", "int32", "int64", "float16", "float32", "bfloat16"
SYMBOLS = [TypeVar(name, "ShapeVar") for name in "hwn"]
EXTENTS = [*SYMBOLS, numbers.times(2, SYMBOLS[0]), *(numbers.plus(SYMBOLS[1], n) for n in (1, -1))]
EXTENTS.append(numbers.floordiv(numbers.plus(SYMBOLS[0], 1), 2))
OPEN = {number: TypeVar(f"open{number}", "ShapeVar") for number in range(16)}
PROGRAMS = load_rules()
"""The rule base whose programs are asked."""


class _Nothing(Compiled):
    """No programs."""

    def solution(self, relation: Any, arguments: tuple[Any, ...], attrs: Any, at_once: bool = False) -> None:
        return None

    def result(self, relation: Any, inputs: tuple[Any, ...], attrs: Any) -> Any:
        return UNTOLD

    def outcome(self, relation: Any, arguments: tuple[Any, ...], attrs: Any) -> Any:
        return UNTOLD


def goals_only() -> RuleBase:
    """The shipped rules without programs."""
    rules = load_rules()
    rules.compiled = _Nothing(rules)
    return rules


GOALS = goals_only()


def calls_of(name: str) -> Iterator[tuple[Relation, tuple[Any, ...], Any]]:
    """The calls of an operator's facts."""
    op = PROGRAMS.operators.get(name)
    for fact in facts()[name]:
        if op is None or not (op.variadic or len(fact["in"]) == len(op.inputs)):
            continue
        try:
            attrs = op.attrs(fact["attrs"])
        except AttributeProblem:
            continue
        given = tuple(fresh() if text == "_" else known_type(without_widths(text)) for text in fact["in"])
        yield op.relation, canonical(((TupleType(given),) if op.variadic else given) + (fresh(),), {}), attrs


def other_numbers(term: Any, rng: random.Random) -> Any:
    """A type with other extents: small ones, and those that stand beside them, so that many a call is refused."""
    if type(term) is TensorType and type(term.shape) is tuple:
        pool = [0, 1, 1, 2, 3, 4, 8, rng.randint(1, 40), *(e for e in term.shape if type(e) is int)]
        shape = [rng.choice(pool) if type(e) is int and rng.random() < 0.5 else e for e in term.shape]
        return TensorType.make((tuple(shape), term.dtype))
    if type(term) is TupleType and type(term.fields) is tuple:
        return TupleType.make((tuple(other_numbers(field, rng) for field in term.fields),))
    return term


def other_dtypes(term: Any, dtypes: dict[str, str]) -> Any:
    """A type with these dtypes in place of its own."""
    if type(term) is TensorType and type(term.dtype) is str:
        return TensorType.make((term.shape, dtypes.get(term.dtype, term.dtype)))
    if type(term) is TupleType and type(term.fields) is tuple:
        return TupleType.make((tuple(other_dtypes(field, dtypes) for field in term.fields),))
    return term


def with_open_inputs(arguments: tuple[Any, ...], rng: random.Random) -> tuple[Any, ...]:
    """The call with some inputs open."""
    inputs = [fresh() if rng.random() < 0.3 or type(a) is Slot else a for a in arguments[:-1]]
    return canonical((*inputs, fresh()), {})


def with_open_extents(arguments: tuple[Any, ...], rng: random.Random) -> tuple[Any, ...]:
    """The call with some extents open; some of these may be the same."""
    some = [fresh() for _ in range(3)]

    def opened(term: Any) -> Any:
        if type(term) is TensorType and type(term.shape) is tuple:
            chosen = [rng.choice([*some, fresh(), fresh()]) if rng.random() < 0.4 else extent for extent in term.shape]
            return TensorType(tuple(chosen), term.dtype)
        if type(term) is TupleType and type(term.fields) is tuple:
            return TupleType(tuple(map(opened, term.fields)))
        return fresh() if type(term) is Slot else term

    return canonical((*map(opened, arguments[:-1]), fresh()), {})


def with_symbols(arguments: tuple[Any, ...], rng: random.Random) -> tuple[Any, ...]:
    """The call with symbols, and expressions over them, for some extents; a few extents are open."""
    opened = [fresh(), fresh()]

    def put(term: Any) -> Any:
        if type(term) is TensorType and type(term.shape) is tuple:
            chosen = [
                rng.choice(EXTENTS) if rng.random() < 0.4 else rng.choice(opened) if rng.random() < 0.05 else extent
                for extent in term.shape
            ]
            return TensorType(tuple(chosen), term.dtype)
        if type(term) is TupleType and type(term.fields) is tuple:
            return TupleType(tuple(map(put, term.fields)))
        return term

    return canonical((*map(put, instantiate(arguments[:-1], {})), fresh()), {})


def with_values(term: Any, values: dict[Any, int]) -> Any:
    """A term with numbers for symbols; an extent may be negative then."""
    if type(term) is tuple:
        return tuple(with_values(part, values) for part in term)
    if isinstance(term, (TensorType, TupleType)):
        return (type(term), *(with_values(part, values) for part in term.args))
    return numbers.substitute(term, values)


def said_of_values(solution: Solution, values: dict[Any, int]) -> Any:
    """What a solution says of a call if symbols have these values; None if its conditions on symbols do not hold."""
    (answer,) = solution.answers
    conditions = [constraint.args for constraint in answer.residue if is_ground(constraint)]
    assert {relation for relation, _, _ in conditions} <= {"<="}
    holds = all(numbers.substitute(a, values) <= numbers.substitute(b, values) for _, a, b in conditions)
    return with_values(answer.terms, values) if holds else None


def allows(solution: Solution, values: dict[Any, int]) -> bool:
    """Whether the comparisons that a solution leaves over hold of values for symbols, and for `OPEN`, which stand for
    what is open. What only one of them names, and no type holds, is what that says it is, a natural."""
    (answer,) = solution.answers
    comparisons = [c for c in answer.residue if type(c) is Compare and not is_ground(c)]
    told = Counter(number for part in (answer.terms, *comparisons) for number in set(slots_in(part)))
    for relation, *sides in (c.args for c in comparisons):
        shown = [side for side in sides if type(side) is not Slot or told[side] > 1]
        values_of = [numbers.substitute(instantiate(side, OPEN), values) for side in shown]
        if len(shown) == 1 and relation == "=":
            holds = values_of[0] >= 0
        else:
            left, right = values_of
            holds = left <= right if relation == "<=" else (left == right) is (relation == "=")
        if not holds:
            return False
    return True


def slots_in(term: Any) -> Iterator[Any]:
    """The slots in a term."""
    stack = [term]
    while stack:
        item = stack.pop()
        if type(item) is Slot:
            yield item
        else:
            stack.extend(item if type(item) is tuple else getattr(item, "args", ()))


def varied(arguments: tuple[Any, ...], rng: random.Random) -> Iterator[tuple[Any, ...]]:
    """The call, others of its mode, some with open inputs or extents, and one with a result that is known."""
    yield arguments
    yield (*(other_numbers(argument, rng) for argument in arguments[:-1]), arguments[-1])
    if rng.random() < 0.5:
        dtypes = dict(zip(DTYPES, rng.sample(DTYPES, len(DTYPES)), strict=True)) | {"float32": rng.choice(DTYPES)}
        yield tuple(other_dtypes(argument, dtypes) for argument in arguments)
    if rng.random() < 0.3:
        opened = with_open_inputs(arguments, rng)
        yield opened
        yield (*(other_numbers(argument, rng) for argument in opened[:-1]), opened[-1])
    if rng.random() < OPENED:
        opened = with_open_extents(arguments, rng)
        yield opened
        yield (*(other_numbers(argument, rng) for argument in opened[:-1]), opened[-1])
    if arguments[-1] is slot(0):
        yield (*arguments[:-1], rng.choice([a for a in arguments[:-1] if type(a) is TensorType] or [slot(0)]))


@pytest.fixture(scope="module", params=range(GROUPS))
def calls(request: pytest.FixtureRequest) -> list[tuple[Relation, tuple[Any, ...], Any]]:
    """The calls of some operators' facts, and others like them. What asks about the same calls runs one after the
    other: the programs for these, of which only so many are remembered, take longest."""
    rng = random.Random(request.param)
    return [
        (relation, asked, attrs)
        for name in sorted(facts())[request.param :: GROUPS]
        for relation, arguments, attrs in some(calls_of(name), 20)
        for asked in varied(arguments, rng)
    ]


def test_programs_say_what_goals_say(calls: list[Any], record_property: Any) -> None:
    answered = 0
    wrong = []
    for relation, asked, attrs in calls:
        said = PROGRAMS.compiled.solution(relation, asked, attrs, at_once=True)
        if said is None:
            continue
        answered += 1
        expected: Solution = GOALS.solve(GOALS.relation(relation.name), asked, attrs)
        if said != expected:
            wrong.append(f"{relation.name}{asked} {attrs}:\n    program: {said}\n    goals: {expected}")
    record_property("told", f"programs: {answered} calls answered")
    assert not wrong, f"{len(wrong)} of {answered} calls differ:\n" + "\n".join(wrong[:5])
    assert answered > examples(300, 6)


def test_programs_say_what_goals_say_of_symbols(calls: list[Any], record_property: Any) -> None:
    """The answer may be written otherwise; it is the same for all values that symbols may have."""
    rng = random.Random(len(calls))
    answered = conditional = 0
    for relation, arguments, attrs in some(calls, 6):
        asked = with_symbols(arguments, rng)
        said = PROGRAMS.compiled.solution(relation, asked, attrs, at_once=True)
        if said is None or not parts_of(asked):
            continue
        answered += 1
        expected: Solution = GOALS.solve(GOALS.relation(relation.name), asked, attrs)
        where = f"{relation.name}{asked} {attrs}:\n    program: {said}\n    goals: {expected}"
        assert len(expected.answers) == 1, where
        of_open = [
            {c for c in solution.answers[0].residue if type(c) is not Compare and not is_ground(c)}
            for solution in (said, expected)
        ]
        assert of_open[0] == of_open[1], where
        conditional += not said.decided
        for _ in range(20):
            values = {symbol: rng.choice((0, 1, 2, 3, 4, 7, 12)) for symbol in SYMBOLS}
            if all(numbers.substitute(extent, values) >= 0 for extent in EXTENTS if extent in parts_of(asked)):
                assert said_of_values(said, values) == said_of_values(expected, values), (values, where)
                values |= {number: rng.choice((0, 1, 2, 3, 4, 7, 12)) for number in OPEN.values()}
                assert allows(said, values) == allows(expected, values), (values, where)
    record_property("told", f"symbols: {answered} calls answered, {conditional} on conditions")
    assert answered > 5


def test_a_rule_that_asks_for_symbols_is_not_told_that_there_are_none(tmp_path: Any) -> None:
    """What a program says of an open extent, which is taken to be no symbol, is not so of one that is."""
    (tmp_path / "asks.rel").write_text(
        "Asks(Tensor[(n), d], O) :- rigid(n), O = Tensor[(1), d].\nAsks(Tensor[(n), d], O) :- O = Tensor[(2, n), d].\n"
    )
    rules = load_rules(tmp_path)
    (symbol, *_) = SYMBOLS
    for _ in range(9):
        call = canonical((TensorType((symbol,), "int8"), fresh()), {})
        assert len(rules.solve(rules.relation("Asks"), call, None).answers) == 2
        rules.compiled.solution(rules.relation("Asks"), (TensorType((slot(0),), "int8"), slot(1)), None, at_once=True)
        rules.table.clear()


def test_an_outcome_without_defaults_is_that_of_the_goals(calls: list[Any], record_property: Any) -> None:
    """What a program refuses has no answer; what it answers is not filled in."""
    counts = {"refused": 0, "answered": 0}
    for relation, asked, attrs in calls:
        PROGRAMS.compiled.solution(relation, asked, attrs, at_once=True)
        told = PROGRAMS.compiled.outcome(relation, asked, attrs)
        if told is UNTOLD:
            continue
        counts["refused" if told is None else "answered"] += 1
        expected = GOALS.outcome(GOALS.relation(relation.name), asked, attrs)
        assert PROGRAMS.outcome(relation, asked, attrs) == expected, (relation.name, asked, attrs)
    record_property("told", f"outcomes: {counts}")
    assert min(counts.values()) > 10


def test_a_result_of_known_inputs_is_that_of_the_goals(calls: list[Any], record_property: Any) -> None:
    """Whoever asks for a result is told what the only answer gives, whether a program tells it or not."""
    counts = {"no result": 0, "known": 0}
    for relation, (*inputs, _), attrs in calls:
        if is_ground(tuple(inputs)):
            for _ in range(3):
                known = PROGRAMS.result(relation, tuple(inputs), attrs, KEPT)
                expected = GOALS.result(GOALS.relation(relation.name), tuple(inputs), attrs, KEPT)
                assert known is expected, (relation.name, inputs, attrs)
            counts["no result" if known is None else "known"] += 1
    record_property("told", f"results: {counts}")
    assert min(counts.values()) > 10


def test_a_call_that_is_in_the_table_is_not_asked_of_programs_again(nothing_made: None) -> None:
    """The second inference of a network made programs of what the first one had found."""
    rules = load_rules()
    module = parse("def @main(%x: Tensor[(2, 3), float32]) { add(%x, %x) }")
    for _ in range(9):
        assert infer_module(module, rules).verdict == "typed"
    assert not rules.compiled.programs(rules.relation("Broadcast"))


def test_what_is_filled_in_by_default_is_no_outcome() -> None:
    """A weight that nothing is known of gets the dtype of the data; that is one possibility among others."""
    data, weight, out = TensorType((2, 3), "float32"), slot(0), slot(1)
    dense = PROGRAMS.operator("nn.dense")
    attrs = dense.attrs({"units": 4})
    told = PROGRAMS.compiled.solution(dense.relation, (data, weight, out), attrs, at_once=True)
    assert told is not None and told.kept == ((2, "float32"),)
    assert told.general == (data, TensorType((4, 3), slot(2)), TensorType((2, 4), "float32"))
    assert PROGRAMS.compiled.outcome(dense.relation, (data, weight, out), attrs) is UNTOLD
    assert PROGRAMS.outcome(dense.relation, (data, weight, out), attrs) is None


def solved(rules: RuleBase, name: str, *arguments: Any, **attrs: Any) -> Solution:
    """What a rule base says of a call of an operator."""
    operator = rules.operator(name)
    return rules.solve(operator.relation, canonical((*arguments, fresh()), {}), operator.attrs(attrs))


def made_by_programs(rules: RuleBase, monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """For each call that is asked from now on: whether a program answered."""
    told: list[bool] = []
    ask = rules.compiled.solution

    def noted(*asked: Any, **how: Any) -> Any:
        found = ask(*asked, **how)
        told.append(found is not None)
        return found

    monkeypatch.setattr(rules.compiled, "solution", noted)
    return told


def test_calls_of_a_mode_are_answered_by_its_program_after_a_few(
    nothing_made: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = load_rules()
    told = made_by_programs(rules, monkeypatch)
    found = [solved(rules, "nn.dense", TensorType((n, 3), "float32"), TensorType((4, 3), "float32")) for n in range(9)]
    assert [s.general[-1] for s in found if s.general] == [TensorType((n, 4), "float32") for n in range(9)]
    assert not told[0] and told[-1]


def test_numbers_among_codes_are_numbers_of_the_call(nothing_made: None) -> None:
    """A shape that is written has one program for all extents; codes, which mean something else, stay as they are."""
    rules, draw = load_rules(), random.Random(20261126)
    reshape, told, refused = rules.operator("reshape"), 0, 0
    for _ in range(examples(600, 7)):
        shape = draw.choices((1, 2, 3, 4, 6), k=draw.randint(1, 3))
        codes = draw.choices((-4, -3, -2, *[-1, 0, 1, 2, 3, 4, 6, 12] * 3), k=draw.randint(1, 3))
        if draw.random() < 0.5:
            codes = draw.sample(shape, len(shape))
            codes[draw.randrange(len(codes))] = draw.choice((-1, *shape))
        if draw.random() < 0.3:
            shape[draw.randrange(len(shape))] = ANY
        data = TensorType(tuple(shape), "float32")
        attrs = reshape.attrs({"newshape": tuple(codes), "allowzero": draw.random() < 0.2})
        expected = GOALS.solve(reshape.relation, (data, slot(0)), attrs)
        found = rules.compiled.solution(reshape.relation, (data, slot(0)), attrs, at_once=True)
        assert found is None or found.general == expected.general, (data, attrs)
        told += found is not None
        refused += not expected.answers
    questions = [question for question, _ in rules.compiled.programs(reshape.relation)]
    assert told > 30 and refused > 30 and sum("newshape=(n" in question for question in questions) >= 3


def test_where_slices_begin_and_end_are_numbers_of_the_call(nothing_made: None) -> None:
    """One program is for all slices of an axis; negative places, which are counted from the end, stay as they are."""
    rules, draw = load_rules(), random.Random(20261127)
    slices, told, refused = rules.operator("strided_slice"), 0, 0
    for _ in range(examples(600, 7)):
        shape = [draw.choice((0, 1, 2, 5, 9, ANY)) for _ in range(draw.randint(1, 3))]
        entries = range(draw.randint(1, len(shape)))
        given: dict[str, Any] = {
            "begin": tuple(draw.choice((0, 0, 1, 2, 5, 7, 12, -1, -3)) for _ in entries),
            "end": tuple(draw.choice((0, 1, 3, 5, 9, 12, 2**31 - 1, -1, -2)) for _ in entries),
            "strides": tuple(draw.choice((1, 1, 1, 2, 3, -1, -2)) for _ in entries[: draw.randint(1, len(entries))]),
            "slice_mode": draw.choice(("end", "end", "size")),
        }
        if draw.random() < 0.3:
            given["axes"] = tuple(draw.sample(range(len(shape)), len(entries)))
        data, attrs = TensorType(tuple(shape), "float32"), slices.attrs(given)
        expected = GOALS.solve(slices.relation, (data, slot(0)), attrs)
        found = rules.compiled.solution(slices.relation, (data, slot(0)), attrs, at_once=True)
        assert found is None or found.general == expected.general, (data, attrs)
        told += found is not None
        refused += not expected.answers
    questions = [question for question, _ in rules.compiled.programs(slices.relation)]
    assert told > 30 and refused > 10 and sum("begin=(n" in question for question in questions) >= 3


@pytest.mark.parametrize("name", ["dyn.reshape", "dyn.broadcast_to", "dyn.tile", "dyn.full"])
def test_the_length_of_a_vector_that_is_a_rank_is_part_of_the_mode(name: str, nothing_made: None) -> None:
    """No program is for all lengths: each has so many extents. Those of the other tensors are numbers of the call."""
    rules = load_rules()
    relation, attrs = rules.operator(name).relation, rules.operator(name).attrs({})
    for length in range(1, SHORT + 3):
        for extents in ((),) if name == "dyn.full" else ((7, 3), (4, 5), (2, 2, 9), (5,), (8,), ()):
            asked = TensorType(extents, "float32"), TensorType((length,), "int64"), slot(0)
            expected = GOALS.solve(relation, asked, attrs)
            found = rules.compiled.solution(relation, asked, attrs, at_once=True)
            assert found == expected if expected.answers and length <= SHORT else found is None, asked
    asked_of_eight = [question for question, _ in rules.compiled.programs(relation) if "Tensor[(8,), d1]" in question]
    # One for each rank of the other tensor, which may be such a vector, too.
    assert len(asked_of_eight) == (1 if name == "dyn.full" else 5)


def _split(draw: random.Random) -> dict[str, Any]:
    places = tuple(draw.choice((1, 2, 3, 5, 7, 0, -1)) for _ in range(draw.randint(0, 3)))
    return {"indices_or_sections": draw.choice((1, 2, 3, places, tuple(sorted(places))))}


def _padded(draw: random.Random) -> dict[str, Any]:
    rows = range(draw.randint(1, 3))
    return {"pad_width": tuple(tuple(draw.choice((0, 0, 0, 1, 1, 2, 5, -1)) for _ in range(2)) for _ in rows)}


NUMBERED: dict[str, tuple[int, Callable[[random.Random], dict[str, Any]]]] = {
    "split": (1, lambda draw: {**_split(draw), "axis": draw.choice((0, 1, -1))}),
    "nn.pad": (2, _padded),
    "nn.mirror_pad": (1, _padded),
    "repeat": (1, lambda draw: {"repeats": draw.choice((0, 1, 2, 7, -1)), "axis": draw.choice((0, 1, -1, None))}),
    "topk": (1, lambda draw: {"k": draw.choice((0, 1, 3, 9, -1, None)), "axis": draw.choice((0, 1, -1))}),
    "one_hot": (3, lambda draw: {"depth": draw.choice((0, 1, 5, -2)), "axis": draw.choice((0, -1)), "dtype": "int8"}),
    "nn.group_norm": (3, lambda draw: {"num_groups": draw.choice((0, 1, 2, 3, 6, -1)), "axis": draw.choice((0, 1))}),
    "nn.depth_to_space": (1, lambda draw: {"block_size": draw.choice((0, 1, 2, 3, -1))}),
}
"""Of operators with numbers among their attributes: the number of their inputs, and attributes of a call."""


@pytest.mark.parametrize("name", NUMBERED)
def test_places_widths_and_counts_are_numbers_of_the_call(name: str, nothing_made: None) -> None:
    """Each number of groups, and each width of each padding, was a mode of its own."""
    rules, draw = load_rules(), random.Random(20261126)
    operator, (inputs, given) = rules.operator(name), NUMBERED[name]
    told, answered = 0, 0
    for _ in range(examples(200, 5)):
        rank = 4 if name == "nn.depth_to_space" else draw.randint(1, 3)
        shapes = [tuple([draw.choice((0, 1, 4, 6, 9, ANY)) for _ in range(rank)])]
        channels = draw.choice(shapes[0])
        shapes += [(channels,) if name == "nn.group_norm" else ()] * (inputs - 1)
        arguments = (*(TensorType(shape, "float32") for shape in shapes), slot(0))
        attrs = operator.attrs(given(draw))
        expected = GOALS.solve(operator.relation, arguments, attrs)
        found = rules.compiled.solution(operator.relation, arguments, attrs, at_once=True)
        assert found is None or found.general == expected.general, (arguments, attrs)
        told += found is not None
        answered += bool(expected.answers)
    questions = [question for question, _ in rules.compiled.programs(operator.relation)]
    number = re.compile(r"(indices_or_sections=\(|pad_width=\(\(|repeats=|k=|depth=|num_groups=|block_size=)n")
    assert told > 5 and answered > 5 and any(map(number.search, questions))


def test_which_extents_are_one_is_no_part_of_the_mode(nothing_made: None) -> None:
    """Of what is broadcast to a shape, and of scales of each channel or one for all, each pattern of ones was one."""
    rules, draw = load_rules(), random.Random(20261129)
    for name, given in (("broadcast_to", None), ("qnn.dequantize", 1), ("qnn.dequantize", -1)):
        operator, told, answered = rules.operator(name), 0, 0
        for _ in range(examples(120, 5)):
            shape = [draw.choice((1, 1, 2, 5)) for _ in range(4)]
            if given is None:
                attrs = operator.attrs({"shape": tuple([draw.choice((extent, 5)) for extent in shape])})
                arguments: tuple[Any, ...] = (TensorType(tuple(shape), "float32"), slot(0))
            else:
                attrs = operator.attrs({"axis": given})
                scale, zero = ((draw.choice((1, shape[given], 2)),) for _ in range(2))
                data = TensorType(tuple(shape), "int8")
                arguments = (data, TensorType(scale, "float32"), TensorType(zero, "int32"), slot(0))
            expected = GOALS.solve(operator.relation, arguments, attrs)
            found = rules.compiled.solution(operator.relation, arguments, attrs, at_once=True)
            assert found is None or found.general == expected.general, (arguments, attrs)
            told += found is not None
            answered += bool(expected.answers)
        assert told > 5 and answered > 5
        assert not any(re.search(r"Tensor\[\([^)]*\b1\b", one) for one, _ in rules.compiled.programs(operator.relation))


@pytest.mark.parametrize("groups", [0, 1, 2, 3, 6, 7])
def test_groups_are_a_number_of_the_call(groups: int, nothing_made: None) -> None:
    rules = load_rules()
    conv = rules.operator("nn.conv2d")
    for count, members, filters in ((6, 6, 6), (6, 3, 6), (6, 1, 6), (6, 1, 12), (6, 2, 12)):
        data, weight = TensorType((1, count, 8, 8), "float32"), TensorType((filters, members, 3, 3), "float32")
        attrs = conv.attrs({"groups": groups, "channels": filters, "kernel_size": (3, 3)})
        asked = (data, weight, slot(0))
        found = rules.compiled.solution(conv.relation, asked, attrs, at_once=True)
        expected = GOALS.solve(conv.relation, asked, attrs)
        assert (None if found is None else found.general) == expected.general
    assert sum("groups=n" in question for question, _ in rules.compiled.programs(conv.relation)) == 1


def test_a_program_that_was_made_for_one_dtype_answers_for_others(nothing_made: None) -> None:
    """What holds of a dtype only if it is of a kind is said in the program."""
    rules = load_rules()
    take = rules.operator("take")
    attrs = take.attrs({"axis": 0})

    def asked(dtype: str, index: str) -> tuple[Any, ...]:
        return TensorType((4, 3), dtype), TensorType((2,), index), slot(0)

    assert rules.compiled.solution(take.relation, asked("float32", "int32"), attrs, at_once=True) is not None
    for dtype, index in (("int8", "int64"), ("float16", "uint8"), ("bool", "int8")):
        found = rules.compiled.outcome(take.relation, asked(dtype, index), attrs)
        assert found is not UNTOLD and found[-1] == TensorType((2, 3), dtype)
    assert rules.compiled.outcome(take.relation, asked("int8", "float32"), attrs) is None
    assert len(rules.compiled.programs(take.relation)) == 1


def test_what_is_refused_is_refused_by_the_goals() -> None:
    refused = (TensorType((2, 3), "float32"), TensorType((4, 5), "float32"))
    asked = canonical((*refused, fresh()), {})
    assert PROGRAMS.compiled.solution(PROGRAMS.relation("Broadcast"), asked, None, at_once=True) is None
    assert GOALS.solve(GOALS.relation("Broadcast"), asked, None).answers == ()


def test_an_unknown_extent_is_part_of_the_mode() -> None:
    broadcast = PROGRAMS.relation("Broadcast")
    unknown = canonical((TensorType((2, ANY), "float32"), TensorType((2, 3), "float32"), fresh()), {})
    said = PROGRAMS.compiled.solution(broadcast, unknown, None, at_once=True)
    assert said is not None and said.general is not None and said.general[-1] == TensorType((2, 3), "float32")
    known = canonical((TensorType((2, 1), "float32"), TensorType((2, 3), "float32"), fresh()), {})
    assert PROGRAMS.compiled.solution(broadcast, known, None, at_once=True) == GOALS.solve(broadcast, known, None)


def test_what_open_extents_leave_over_is_part_of_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RELAYLOGIC_CACHE", "")
    rules = load_rules()
    told = made_by_programs(rules, monkeypatch)
    attrs = {"pool_size": (3, 3), "strides": (2, 2), "padding": (1, 1, 1, 1)}
    found = [
        solved(rules, "nn.max_pool2d", TensorType((1, channels, fresh(), fresh()), "float32"), **attrs)
        for channels in range(1, 20)
    ]
    assert not told[0] and told[-1]
    assert {s.answers[0].residue for s in found} == {found[0].answers[0].residue} and found[0].answers[0].residue
    assert [s.general[-1].shape[1] for s in found if s.general] == [*range(1, 20)]
    assert not any(s.decided for s in found)


def test_open_extents_that_have_several_answers_are_asked_of_the_goals() -> None:
    asked = canonical((TensorType((2, fresh()), "float32"), TensorType((2, 3), "float32"), fresh()), {})
    assert PROGRAMS.compiled.solution(PROGRAMS.relation("Broadcast"), asked, None, at_once=True) is None


def test_a_number_that_two_equations_give_is_the_same_in_both() -> None:
    """The second one gave it another value."""
    conv = PROGRAMS.operator("nn.conv2d")
    forms = {"data_layout": "NCHW4c", "kernel_layout": "OIHW1i4o", "out_layout": "NCHW"}
    window = {"strides": (2, 2), "padding": (2,), "dilation": (1, 2), "kernel_size": (3, 3)}
    attrs = conv.attrs({**forms, **window, "groups": 8, "channels": 8})
    channels, width = fresh(), fresh()
    data = TensorType((2, channels, 9, width, 4), "float32")
    weight = TensorType((2, 1, channels, channels, width, 4), "float32")
    asked = canonical((data, weight, fresh()), {})
    assert PROGRAMS.compiled.solution(conv.relation, asked, attrs, at_once=True) is None
    assert GOALS.solve(GOALS.relation(conv.relation.name), asked, attrs).answers == ()


def test_a_relation_that_is_defined_anew_has_other_programs(tmp_path: Any) -> None:
    (tmp_path / "more.rel").write_text("Twin(Tensor[(n), d], O) :- O = Tensor[(n), d].\n")
    rules = load_rules(tmp_path)
    asked = [canonical((TensorType((n,), "float32"), fresh()), {}) for n in range(6)]
    assert all(len(rules.solve(rules.relation("Twin"), call, None).answers) == 1 for call in asked)
    assert rules.compiled.solution(rules.relation("Twin"), asked[0], None) is not None
    more = tmp_path / "again.rel"
    more.write_text("Twin(Tensor[(n), d], O) :- O = Tensor[(m), d], m = n + 1, n <= 3.\n")
    rules.load(more)
    found = [rules.solve(rules.relation("Twin"), call, None).general for call in asked]
    assert [general and general[-1].shape for general in found] == [(1,), (2,), (3,), (4,), None, None]


DIVIDES = "Half(Tensor[(n, m), d], O) :- n = m * k, O = Tensor[(k), d].\n"


@pytest.mark.parametrize("name", ["class", "lambda", "None", "Pair²", "Tensor", "exact", "found", "answer"])
def test_a_relation_may_be_called_what_python_calls_something(name: str) -> None:
    """The function of the program had the relation's name: no name of Python, or that of what programs call."""
    rules = load_rules()
    load_clauses(rules, f"{name}(Tensor[(n, m), t], Tensor[(k, n + 1), t]) :- 2 * k = n * m.")
    mode = (TensorType((4, 3), "int8"), slot(0))
    found = rules.compiled.solution(rules.relation(name), mode, None, at_once=True)
    assert found is not None and found.general == (mode[0], TensorType((6, 5), "int8"))
    assert all("answer(numbers)" in text for _, text in rules.compiled.programs(rules.relation(name)))


def test_what_has_many_answers_for_some_numbers_is_asked_of_the_goals(tmp_path: Any) -> None:
    (tmp_path / "half.rel").write_text(DIVIDES)
    rules = load_rules(tmp_path)
    relation = rules.relation("Half")

    def asked(n: int, m: int) -> Solution | None:
        call = canonical((TensorType((n, m), "float32"), fresh()), {})
        return rules.compiled.solution(relation, call, None, at_once=True)

    six = asked(6, 3)
    assert six is not None and six.general is not None and six.general[-1] == TensorType((2,), "float32")
    assert asked(6, 4) is None and asked(0, 0) is None and asked(6, 0) is None


@pytest.mark.parametrize(
    "text",
    [
        "import os\n",
        "def answer(numbers):\n    return __import__('os')\n",
        "def answer(numbers):\n    return numbers.append(1)\n",
        "def answer(numbers):\n    return open('x')\n",
        "@print\ndef answer(numbers):\n    return None\n",
        "def answer(numbers=min(1, 2)):\n    return None\n",
        "def answer(numbers):\n    while True: pass\n",
        "def answer(numbers):\n    return answer(numbers)\n",
        "def answer(numbers):\n    return (lambda: 1)()\n",
        "def answer(numbers):\n    return 9 ** 9 ** 9\n",
        "def answer(numbers):\n    return 1e5\n",
        "def answer(numbers):\n    return f'{numbers}'\n",
        "def answer(numbers):\n    return 'a\\\n'\n",
        "def answer(numbers):\n    return 'a\n    open(1)'\n",
        "def answer(numbers):\n    return f'{open(1)}'\n",
        "def answer(numbers):\n    return '''a'1''' + open(1) + '''1'1'''\n",
        'def answer(numbers):\n    return """a"1""" + open(1) + """1"1"""\n',
        "def answer(numbers):\n    return '''a'\\n1''' + open(1) + '''1'1'''\n",
        "def answer(numbers):\n    return n1.real\n",
        "def answer(numbers):\n    return [n1 for n1 in numbers]\n",
        "def answer(numbers):\n    'a' # 'b\n    open(1) # '\n    return None\n",
        "def answer(numbers):\n    return '\\\\' + open(1) + '\\\\'\n",
        "def answer(numbers):\n    return \\'1' + open(1) + '1\\'\n",
        "def answer(numbers):\n    return '\\\\\\'' + open(1)\n",
        "def answer(numbers):\n    return None\ndef g(numbers):\n    return None\n",
        "def answer(numbers):\n    return None\nimport os\n",
        "# R(_0)\rimport os\ndef answer(numbers):\n    return None\n",
        "def answer(numbers):\n    # R(_0)\r    import os\n    return None\n",
        "def answer(numbers):\n    return (None\n",
        "def f(numbers):\n    return None\n",
        "",
        "1",
        "def answer(",
    ],
)
def test_a_text_that_is_no_such_program_is_not_run(text: str) -> None:
    from relaylogic.rulebase.specialised.functions import compiled

    with pytest.raises((ValueError, SyntaxError)):
        compiled(text)


@pytest.mark.parametrize("text", ["", "it's", 'it\'s "quoted"', "two\nlines\r", "\\", "\\'\"", "# no remark", "ä\x00"])
def test_a_program_may_hold_any_text(text: str) -> None:
    from relaylogic.rulebase.specialised.functions import compiled

    assert compiled(f"def answer(numbers):\n    return 0, ({text!r},)\n")([]) == (0, (text,))


@pytest.fixture
def nothing_made(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is kept, and nothing was made ahead."""
    monkeypatch.setenv("RELAYLOGIC_CACHE", str(tmp_path))
    monkeypatch.setattr("relaylogic.host.cache.MADE", tmp_path / "none")


def test_a_mode_that_was_met_before_has_a_program_at_once(
    nothing_made: None, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = (TensorType((2, 3), "float32"), TensorType((4, 3), "float32"))
    answered = []
    for _ in range(4):
        rules = load_rules()
        told = made_by_programs(rules, monkeypatch)
        assert solved(rules, "nn.dense", *call).general is not None
        rules.keep()
        answered += told
    assert answered == [False, True, True, True]
    assert [path.name for path in tmp_path.iterdir()] == ["modes.log"]


def test_a_mode_of_which_an_outcome_was_asked_has_a_program_in_the_next_process(nothing_made: None) -> None:
    answered = []
    for _ in range(3):
        rules = load_rules()
        relation, attrs = rules.operators["nn.dense"].relation, rules.operators["nn.dense"].attrs({})
        for number in range(9):
            call = (TensorType((number, 3), "float16"), TensorType((4, 3), "float16"), slot(0))
            answered.append(rules.compiled.outcome(relation, call, attrs) is not UNTOLD)
            assert rules.outcome(relation, call, attrs)[-1] is TensorType((number, 4), "float16")
        rules.keep()
    assert answered == [False] * 9 + [True] * 18


def test_a_mode_of_which_an_outcome_was_asked_by_why_has_a_program_in_the_next_process(nothing_made: None) -> None:
    """What was asked once is kept though an answer begins to ask of nothing but what somebody else may."""
    answered = []
    call = (TensorType((2, 3), "float16"), TensorType((4, 3), "float16"), slot(0))
    for _ in range(2):
        rules = load_rules()
        dense = rules.operators["nn.dense"]
        answered.append(rules.compiled.outcome(dense.relation, call, dense.attrs({})) is not UNTOLD)
        rules.begin()
        rules.keep()
    assert answered == [False, True]


def test_that_all_calls_of_a_mode_are_refused_is_told_by_a_program() -> None:
    rules = load_rules()
    bias_add = rules.operators["nn.bias_add"]
    call = (TensorType((2, 3), "float32"), TensorType((1, 3), "float32"), slot(0))
    attrs = bias_add.attrs({})
    assert rules.compiled.solution(bias_add.relation, call, attrs, at_once=True) is None  # goals say why
    assert rules.compiled.outcome(bias_add.relation, call, attrs) is None
    assert not rules.solve(bias_add.relation, call, attrs).answers


def test_what_is_kept_damaged_is_made_again(nothing_made: None) -> None:
    call = (TensorType((2, 3), "float32"), TensorType((4, 3), "float32"))
    expected = solved(GOALS, "nn.dense", *call)
    for damage in ("# asked\nimport os\n", "# asked\ndef answer(", "# asked\n__import__('os')\n", "?", "# asked\n", ""):
        rules = load_rules()
        dense = rules.operator("nn.dense")
        rules.compiled.solution(dense.relation, (*call, slot(0)), dense.attrs({}), at_once=True)
        store = rules.compiled._store
        for relation, key, _ in list(store._log):
            if relation:
                store.put(relation, key, damage)
        rules.keep()
        assert solved(load_rules(), "nn.dense", *call) == expected


def test_what_hypotheses_ask_is_not_kept(nothing_made: None, tmp_path: Any) -> None:
    """Questions of `why` and of diagnoses filled the file of what is kept, and drove out what programs ask."""
    rules = load_rules()
    module = parse("def @main(%x: Tensor[(2, 3), int8], %y: Tensor[(2, 3), int8]) { add(%x, %y) }")
    result = infer_module(module, rules=rules)
    (tmp_path / "modes.log").unlink()
    result.why(module["main"].params[0])
    next(iter(result.conflicts()), None)
    solved(rules, "nn.dense", TensorType((2, 3), "float32"), TensorType((4, 3), "float32"))
    infer_module(parse("def @main(%x: Tensor[(2), int8]) { nn.relu(%x) }"), rules=rules)
    kept = (tmp_path / "modes.log").read_text()
    assert "Identity" in kept and "Dense" not in kept and "Broadcast" not in kept


def test_programs_are_kept_up_to_a_number() -> None:
    store = Store()
    store.put("S", "key", "# asked\n")
    for number in range(MOST + 49):
        store.put("R", str(number), "# asked\n")
    assert len(store.programs("R")) == 50 and len(store.programs("S")) == 1  # those of one that has few stay


def test_room_is_not_made_again_for_each_program(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the file held too many, each process read all of them for each one that it added, and kept all."""
    monkeypatch.setenv("RELAYLOGIC_CACHE", str(tmp_path))
    store = Store("these rules")
    for number in range(MOST):
        store.put(f"R{number % 8}", str(number), "# asked\n")
    store.keep()
    dropped: list[Any] = []
    drop = Log.drop
    monkeypatch.setattr(Log, "drop", lambda log, **what: (dropped.append(what), drop(log, **what)))
    for again in range(2):
        store = Store("these rules")
        for number in range(MOST // 8):
            store.put("S", f"{again} {number}", "# asked\n")
        store.keep()
        assert len(dropped) == 3  # those that were only met, and two of the eight relations


def test_threads_keep_programs_while_others_make_some(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RELAYLOGIC_CACHE", str(tmp_path))
    store = Store("these rules")
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)

    def work(worker: int) -> None:
        for number in range(30):
            store.put(f"R{number % 3}", f"{worker} {number}", f"# {worker} {number}\n")
            store.keep()

    try:
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(work, range(8)))
    finally:
        sys.setswitchinterval(interval)
    kept = Store("these rules")
    told = {asked for relation in ("R0", "R1", "R2") for asked, _ in kept.programs(relation)}
    assert told == {f"{worker} {number}" for worker in range(8) for number in range(30)}


def test_what_a_program_leaves_open_of_a_result_is_open_in_the_program_that_asks():
    """A call was given the variable of the table, which is of no program: it had no type, or was refused."""
    rules = load_rules()
    load_clauses(
        rules,
        "Led(Tensor[s, t], Tensor[[n | s], t]) :- Rises([n | s]). "
        "Rises([n]). Rises([n, m | s]) :- m = n + 1, Rises([m | s]). operator led(data) : Led.",
    )
    types = []
    calls = "%x) -> Tensor[(2), int8]", "%x) -> Tensor[(1), int8]", "%x: int8) -> Tensor[(3), int8]", "%x: int8)"
    for asked in calls:
        result = infer(f"def @main({asked} {{ led(%x) }}", rules=rules)
        assert result.verdict == "typed", result.errors
        types.append(str(result.functions["main"]))
    assert types[2:] == ["fn (int8) -> Tensor[(3), int8]", "fn [t1: ShapeVar](int8) -> Tensor[(t1), int8]"]

"""Universes of tuples, functions and data types: the typings are those that brute force finds, each once.

Brute force gives every parameter every type of the universe, lets inference say what follows for the variables that are
let-bound and for the result, and keeps what is typed and lies within the universe as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from relaylogic.api import infer
from relaylogic.errors import RelayLogicError
from relaylogic.ir import Let, post_order
from relaylogic.rulebase import load_rules
from relaylogic.text import parse
from relaylogic.types import FuncType, TensorType, TupleType, TypeCall, show_type
from relaylogic.types.universe import UniverseError
from relaylogic.typings.program import count_typings, typings
from tests.effort import examples

RULES = load_rules()
DATA = "type L[a] { Cons(a, L[a]), Nil }\ntype Box[s: Shape, t: BaseType] { Wrap(Tensor[s, t]) }\ntype Unit { It }\n"
HANDLES = {"L": ("Type",), "Box": ("Shape", "BaseType"), "Unit": ()}
MOST = 150  # assignments of types to parameters that are tried out


@dataclass(frozen=True)
class Bounds:
    """A universe: what `typings` is asked for, with all types that lie in it."""

    rank: int
    dtypes: tuple[str, ...]
    tuples: int
    functions: int
    data: int
    nesting: int

    @property
    def options(self):
        return {
            "max_rank": self.rank,
            "max_dim": 1,
            "dtypes": self.dtypes,
            "ground": True,
            "tuples": self.tuples,
            "functions": self.functions,
            "data_depth": self.data,
            "nesting": self.nesting,
        }

    @property
    def shapes(self):
        return [(1,) * rank for rank in range(self.rank + 1)]

    def types(self, data, tuples, functions):
        """The texts of the types under which so much may still stand, by the definition."""
        found = [f"Tensor[({', '.join('1' for _ in s)}), {t}]" for s in self.shapes for t in self.dtypes]
        if tuples:
            inner = self.types(data, tuples - 1, functions)
            for arity in range(self.tuples + 1):
                found += [f"({', '.join(p)}{',' * (arity == 1)})" for p in product(inner, repeat=arity)]
        if data:
            inner = self.types(data - 1, tuples, functions)
            found += [f"L[{part}]" for part in inner]
            shapes = [f"({', '.join('1' for _ in s)})" for s in self.shapes]
            found += [f"Box[{s}, {t}]" for s in shapes for t in self.dtypes]
            found.append("Unit[]")
        if functions:
            inner = self.types(data, tuples, functions - 1)
            for arity in range(self.functions + 1):
                found += [f"fn ({', '.join(p)}) -> {r}" for *p, r in product(inner, repeat=arity + 1)]
        return found

    @property
    def all_types(self):
        return self.types(self.data, self.nesting, self.nesting)

    def holds(self, type_):
        return self._holds(type_, self.data, self.nesting, self.nesting)

    def _holds(self, type_, data, tuples, functions):
        if type(type_) is TensorType:
            return self._small(type_.shape) and type_.dtype in self.dtypes
        if type(type_) is TupleType:
            fields = type_.fields
            return bool(tuples and len(fields) <= self.tuples) and all(
                self._holds(field, data, tuples - 1, functions) for field in fields
            )
        if type(type_) is FuncType:
            parts = (*type_.arg_types, type_.ret_type)
            return bool(functions and len(parts) <= self.functions + 1) and all(
                self._holds(part, data, tuples, functions - 1) for part in parts
            )
        assert type(type_) is TypeCall
        if not data:
            return False
        kinds = HANDLES[type_.func.name_hint]
        return all(
            {
                "Type": lambda a: self._holds(a, data - 1, tuples, functions),
                "Shape": self._small,
                "BaseType": lambda a: a in self.dtypes,
            }[kind](argument)
            for kind, argument in zip(kinds, type_.type_args, strict=True)
        )

    def _small(self, shape):
        return len(shape) <= self.rank and all(extent == 1 for extent in shape)


EXPRESSIONS = [
    "{0}",
    "({0}, {1})",
    "({0},)",
    "{0}.0",
    "{0}.1",
    "Cons({0}, Nil)",
    "Cons({0}, {1})",
    "Wrap({0})",
    "match? ({0}) {{ Cons(%h, _) => %h }}",
    "match? ({0}) {{ Cons(_, %t) => %t }}",
    "match ({0}) {{ Wrap(%y) => %y }}",
    "match ({0}) {{ It => {1} }}",
    "{0}({1})",
    "{0}()",
    "fn (%z: Tensor[(), int8]) {{ {0} }}",
    "if (True) {{ {0} }} else {{ {1} }}",
    "nn.relu({0})",
    "add({0}, {1})",
    "concatenate({0}, axis=0)",
    "concatenate(({0}, {1}), axis=0)",
]


@st.composite
def programs(draw):
    """Parameters and let-bound expressions over them, and what the program gives."""
    names = [f"%p{i}" for i in range(draw(st.integers(1, 2)))]
    parameters = list(names)
    lets = []
    for i in range(draw(st.integers(0, 3))):
        form = draw(st.sampled_from(EXPRESSIONS))
        lets.append(form.format(*(draw(st.sampled_from(names)) for _ in range(2))))
        names.append(f"%v{i}")
    return parameters, lets, draw(st.sampled_from([names[-1], names[-1], *names]))


def text_of(program, annotations):
    parameters, lets, result = program
    bound = ", ".join(p + a for p, a in zip(parameters, annotations, strict=True))
    lines = [f"  let %v{i} = {e};" for i, e in enumerate(lets)]
    return "\n".join([f"{DATA}def @main({bound}) {{", *lines, f"  {result}", "}"])


@st.composite
def universes(draw):
    bounds = Bounds(
        rank=draw(st.integers(0, 1)),
        dtypes=draw(st.sampled_from([("int8",), ("int8", "bool")])),
        tuples=draw(st.integers(0, 2)),
        functions=draw(st.integers(0, 1)),
        data=draw(st.integers(0, 2)),
        nesting=draw(st.integers(0, 2)),
    )
    # Without building what is far too many.
    assume(bounds.nesting * (bounds.tuples + bounds.functions) + bounds.data <= 4)
    return bounds


def brute_force(program, bounds, holes=None):
    """The types of all variables and of the result, for all types of the parameters that make a typing: `holes`, or all
    of these, have types within the bounds."""
    found = set()
    for values in product(bounds.all_types, repeat=len(program[0])):
        module = parse(text_of(program, [f": {value}" for value in values]))
        result = infer(module, rules=RULES)
        if result.verdict != "typed":
            continue
        function = module["main"]
        nodes = [node.var for node in post_order(function) if type(node) is Let]
        known = {f"%{v.name_hint}": result.type_of(v) for v in (*function.params, *nodes)}
        known["@main"] = result.type_of(function).ret_type
        if all(bounds.holds(type_) for name, type_ in known.items() if holes is None or name in holes):
            found.add(frozenset((name, show_type(type_)) for name, type_ in known.items()))
    return found


@settings(max_examples=examples(45))
@given(programs(), universes(), st.integers(0, 1000))
def test_typings_are_those_of_brute_force(program, bounds, seed) -> None:
    assume(len(bounds.all_types) ** len(program[0]) <= MOST)  # before millions of typings are listed
    text = text_of(program, ["" for _ in program[0]])
    try:
        asked = typings(text, rules=RULES, **bounds.options)
        listed = list(asked)
    except RelayLogicError:
        assert not brute_force(program, bounds)
        return
    expected = brute_force(program, bounds, asked.names)
    assert not any(answer.residue for answer in listed)
    names = set(listed[0].texts) if listed else set()
    shown = [frozenset(answer.texts.items()) for answer in listed]
    assert len(set(shown)) == len(shown)
    # What follows whatever the parameters are is no hole.
    assert set(shown) == {frozenset((n, t) for n, t in typing if n in names) for typing in expected}
    assert count_typings(text, rules=RULES, **bounds.options) == len(shown)
    if not shown:
        return
    drawn = typings(text, rules=RULES, sample=5, seed=seed, **bounds.options)
    assert {frozenset(answer.texts.items()) for answer in drawn} <= set(shown)
    assert drawn.total == len(shown)
    families = list(typings(text, rules=RULES, families=True, **bounds.options))
    assert sum(family.count for family in families) == len(shown)
    projected = list(typings(text, rules=RULES, project=["%p0"], **bounds.options))
    assert sorted(answer.texts["%p0"] for answer in projected) == sorted({dict(s).get("%p0") for s in shown} - {None})


@settings(max_examples=examples(20))
@given(universes())
def test_a_hole_ranges_over_the_whole_universe(bounds) -> None:
    types = bounds.all_types
    assume(len(types) <= 1000)
    text = f"{DATA}def @main(%x) {{ %x }}"
    listed = [answer.texts["%x"] for answer in typings(text, project=["%x"], **bounds.options)]
    modules = parse(DATA + "\n".join(f"def @f{i}(%x: {type_}) {{ %x }}" for i, type_ in enumerate(types)))
    written = [show_type(function.params[0].type_annotation) for function in modules.functions.values()]
    assert len(set(written)) == len(written)
    assert sorted(listed) == sorted(written)
    assert all(bounds.holds(function.params[0].type_annotation) for function in modules.functions.values())
    assert count_typings(text, **bounds.options) == len(types)


SMALL = {"max_rank": 0, "dtypes": ["int8"]}


def listed(program, **options):
    found = typings(program, **{**SMALL, **options})
    return [str(answer) for answer in found], found


@pytest.mark.parametrize(
    ("options", "types"),
    [
        ({}, ["int8"]),
        ({"tuples": 1}, ["int8", "()", "(int8,)"]),
        ({"tuples": 1, "nesting": 2}, ["int8", "()", "((),)", "(int8,)", "((int8,),)"]),
        ({"functions": 1}, ["int8", "fn () -> int8", "fn (int8) -> int8"]),
        ({"data_depth": 1}, ["int8", "L[int8]", "Box[(), int8]", "Unit[]"]),
        ({"data_depth": 1, "tuples": 0}, ["int8", "()", "L[int8]", "L[()]", "Box[(), int8]", "Unit[]"]),
        ({"nesting": 5}, ["int8"]),
    ],
)
def test_what_is_asked_for(options, types) -> None:
    answers, found = listed(f"{DATA}def @main(%x) {{ %x }}", project=["%x"], **options)
    assert sorted(answers) == sorted(f"%x = {type_}" for type_ in types)
    assert found.status == "exhausted"
    left = {"tuples", "functions", "data_depth"} - set(options)
    noted = " ".join(found.notes)
    assert all((name.replace("_depth", " types") in noted) for name in left)


def test_what_is_not_asked_for_is_admitted_where_the_program_says_so() -> None:
    program = f"{DATA}def @main(%x) {{ (%x.0, match? (%x.1) {{ Cons(%h, _) => %h }}) }}"
    answers, _ = listed(program, project=["%x"], max_arity=2)
    assert answers == ["%x = (int8, L[int8])"]
    answers, _ = listed(program, project=["%x"], max_arity=2, functions=0)
    held = ["int8", "fn () -> int8"]
    assert sorted(answers) == sorted(f"%x = ({first}, L[{second}])" for first, second in product(held, repeat=2))


def test_what_lies_outside_is_said() -> None:
    answers, found = listed(f"{DATA}def @main(%x) {{ (%x, Cons(%x, Nil)) }}", data_depth=0)
    assert answers == []
    assert any("@main is (_, L[_]), which lies outside of the universe" in note for note in found.notes)


def test_a_called_hole_is_a_function() -> None:
    answers, _ = listed("def @main(%f, %x) { %f(%x) }", functions=1)
    assert answers == ["%f = fn (int8) -> int8, %x = int8, @main = int8"]


def test_elements_of_what_may_be_a_tuple() -> None:
    program = "def @main(%x) { %x }"
    bounds = {"max_rank": 1, "max_dim": 3, "dtypes": ["int8"], "tuples": 2, "functions": 0}
    counts = [count_typings(program, where=f"elements = {n}", **bounds) for n in range(8)]
    everything = list(typings(program, **bounds))
    assert sum(counts) == len(everything)

    def elements(type_) -> int:
        if type(type_) is TensorType:
            return type_.shape[0] if type_.shape else 1
        return sum(map(elements, type_.fields)) if type(type_) is TupleType else 0

    found = [elements(answer.bindings["%x"]) for answer in everything]
    assert counts == [found.count(n) for n in range(8)]
    least, greatest = typings(program, minimize="elements", **bounds), typings(program, maximize="elements", **bounds)
    assert (len(list(least)), least.optimum) == (found.count(0), 0)
    assert (len(list(greatest)), greatest.optimum) == (found.count(6), 6)


def test_bounds_that_are_none_are_refused() -> None:
    for name in ("tuples", "functions", "data_depth", "nesting"):
        with pytest.raises(UniverseError, match=f"`{name}` is a natural number"):
            typings("def @main(%x) { %x }", **{name: -1})


@pytest.mark.parametrize("name", ["limit", "max_dim", "max_rank", "tuples"])
def test_an_integer_of_another_library_is_a_bound(name) -> None:
    """Bounds had to be of `int` itself: numpy's integers, which attributes may be, were refused."""
    numpy = pytest.importorskip("numpy")
    bounds = {"max_rank": 1, "max_dim": 2, "dtypes": ["int8"]}
    program = "def @main(%x) { nn.relu(%x) }"
    plain, other = (list(typings(program, **{**bounds, name: two})) for two in (2, numpy.int64(2)))
    assert [str(typing) for typing in plain] == [str(typing) for typing in other] != []
    for none in (numpy.float32(2), numpy.int64(-1), numpy.arange(3), True):
        with pytest.raises(UniverseError, match=f"`{name}` is a natural number"):
            typings(program, **{**bounds, name: none})


def test_conditions_speak_of_the_forms() -> None:
    program = f"{DATA}def @main(%x) {{ %x }}"
    asked = {"tuples": 2, "data_depth": 1, "functions": 1, "project": ["%x"]}
    held = ["int8", "fn () -> int8", "fn (int8) -> int8"]
    assert sorted(listed(program, where="%x = L[(T,)]", **asked)[0]) == sorted(f"%x = L[({t},)]" for t in held)
    assert listed(program, where="%x = Box[s, t]", **asked)[0] == ["%x = Box[(), int8]"]
    assert "%x = fn (int8) -> (int8, int8)" in listed(program, where="%x = fn (A) -> (A, A)", **asked)[0]

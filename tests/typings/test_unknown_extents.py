"""Programs with `?`: an extent that is left open is a number, or `?` where a relation makes it `?`, whoever asks.

What is looked at first must not matter: projecting all typings gives the typings of the projection, as many as are
counted, each once. And what inference accepts of numbers for what is open is listed.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import prod

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from relaylogic import query
from relaylogic.api import infer
from relaylogic.clauses.load import load_clauses
from relaylogic.ir import Let, post_order
from relaylogic.rulebase import load_rules
from relaylogic.types import show_type
from relaylogic.typings.program import count_typings, typings
from tests.effort import examples

from .test_random_programs import BINARY, UNARY

RULES = load_rules()
DTYPES = ("int8", "bool")
SMALL = {"ground": True, "max_rank": 2, "max_dim": 2, "dtypes": DTYPES}
SHAPES = [shape for rank in range(3) for shape in product("12", repeat=rank)]
TENSORS = {
    f"Tensor[({', '.join(shape)}), {dtype}]" if shape else dtype
    for rank in range(3)
    for shape in product("12?", repeat=rank)
    for dtype in DTYPES
}
MOST = 40  # assignments of types to parameters that are tried out


@dataclass(frozen=True)
class Annotation:
    """A tensor's type as far as it is written: its extents, numbers, `_` or `?`, or no shape; a dtype or `_`."""

    shape: tuple[str, ...] | None = None
    dtype: str = "_"

    def __str__(self) -> str:
        return "" if self.shape is None else f": Tensor[({', '.join(self.shape)}), {self.dtype}]"

    def closed(self) -> list[Annotation]:
        """The annotations that have numbers for what is open."""
        shapes = SHAPES if self.shape is None else product(*("12" if n == "_" else n for n in self.shape))
        dtypes = DTYPES if self.dtype == "_" else (self.dtype,)
        return [Annotation(tuple(shape), dtype) for shape in shapes for dtype in dtypes]


@dataclass(frozen=True)
class Program:
    """A function: the annotations of its parameters, the expressions of its variables, the last of which it gives, and
    the annotations of the first ones."""

    parameters: tuple[Annotation, ...]
    lets: tuple[str, ...]
    written: tuple[Annotation, ...] = ()

    def text(self, parameters: tuple[Annotation, ...] | None = None) -> str:
        """The program, or one with other annotations."""
        header = ", ".join(f"%p{i}{a}" for i, a in enumerate(parameters or self.parameters))
        written = (*self.written, *(Annotation() for _ in self.lets[len(self.written) :]))
        lines = [f"  let %v{i}{a} = {e};" for i, (a, e) in enumerate(zip(written, self.lets, strict=True))]
        return "\n".join([f"def @main({header}) {{", *lines, f"  %v{len(lines) - 1}", "}"])


OPERATIONS = ["{}", "reshape({}, newshape=[0, 2])", "reshape({}, newshape=[0, _])"]
OPERATIONS += ["nn.bias_add({}, {})", "nn.matmul({}, {})"]
shapes = st.one_of(st.none(), st.lists(st.sampled_from("___12???"), max_size=2).map(tuple))
annotations = st.builds(Annotation, shapes, st.sampled_from([*DTYPES, "int8", "_"]))


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """A program of one or two parameters and one to three variables, in which `?` is likely."""
    parameters = tuple(draw(st.lists(annotations, min_size=1, max_size=2)))
    names = [f"%p{i}" for i in range(len(parameters))]
    lets = []
    for i in range(draw(st.integers(1, 3))):
        form = draw(st.sampled_from([*UNARY, *BINARY, *OPERATIONS]))
        lets.append(form.format(*(draw(st.sampled_from([*names, *names[-2:]])) for _ in range(2))))
        names.append(f"%v{i}")
    return Program(parameters, tuple(lets), tuple(draw(st.lists(annotations, max_size=len(lets)))))


def rows_of(found, names):
    """What typings say of the names."""
    return [tuple(show(typing.bindings[name]) for name in names) for typing in found]


def show(value):
    """A type, or an attribute, as text."""
    return show_type(value) if type(value) is not tuple else str(value)


@settings(max_examples=examples(300))
@given(programs(), st.randoms(use_true_random=False))
def test_projecting_all_typings_gives_the_typings_of_the_projection(program, random):
    text = program.text()
    listed = typings(text, rules=RULES, max_attr=2, **SMALL)
    names = listed.names
    rows = rows_of(listed, names)
    assume(listed.status == "exhausted" and names)
    assert len(set(rows)) == len(rows) == count_typings(text, rules=RULES, max_attr=2, **SMALL), text
    for project in ([random.choice(names)], random.sample(names, min(2, len(names)))):
        found = typings(text, rules=RULES, project=project, max_attr=2, **SMALL)
        projected = rows_of(found, project)
        assert found.status == "exhausted", (text, project)
        assert len(set(projected)) == len(projected), (text, project)
        places = [names.index(name) for name in project]
        assert set(projected) == {tuple(row[place] for place in places) for row in rows}, (text, project)


@settings(max_examples=examples(150))
@given(programs())
def test_what_inference_accepts_of_numbers_is_listed(program):
    """A default, of what stands beside `?`, is one typing among others.

    (Where types meet without a relation, as those of branches do, inference tolerates `?` beside what is known.)
    """
    assume(not any("if" in expression for expression in program.lets))
    choices = [annotation.closed() for annotation in program.parameters]
    assume("_]" not in program.text() and prod(map(len, choices)) <= MOST)
    listed = typings(program.text(), rules=RULES, **SMALL)
    rows = set(rows_of(listed, listed.names))
    for chosen in product(*choices):
        result = infer(program.text(chosen), rules=RULES, closed=True)
        if result.verdict == "refuted":
            continue
        types = {f"%{v.name_hint}": show_type(result.type_of(v)) for v in result.module["main"].params}
        lets = [node.var for node in post_order(result.module["main"]) if type(node) is Let]
        types |= {f"%{variable.name_hint}": show_type(result.type_of(variable)) for variable in lets}
        types["@main"] = show_type(result.functions["main"].ret_type)
        row = tuple(types[name] for name in listed.names)
        assert row in rows or not TENSORS.issuperset(row), f"{program.text()}: {types}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("BroadcastDim(n, ?, m)", {"n = ?, m = ?", "n = 1, m = ?", "n = 2, m = 2"}),
        ("BroadcastDim(_, ?, m)", {"m = ?", "m = 2"}),
        ("BroadcastDim(n, _, ?)", {"n = ?", "n = 1"}),
        ("_ = Tensor[(n), int8], follows(n, ?)", {"n = ?", "n = 1", "n = 2"}),
        ("_ = Tensor[(n), int8], agree(n, ?)", {"n = 1", "n = 2"}),
        ("_ = Tensor[(n, m), int8], Agree(n, m), Either(m)", {"n = 1, m = ?", "n = 2, m = ?", "n = 2, m = 2"}),
        ("nn.matmul(Tensor[(n, ?), int8], Tensor[(n, ?), int8]) = _", {"n = ?", "n = 1", "n = 2"}),
    ],
)
def test_a_number_is_made_unknown_whether_it_gets_values_before_or_after(text, expected):
    """What got values before its call was made lost those that the call makes `?`."""
    rules = load_rules()
    load_clauses(rules, "Agree(n, m) :- agree(n, m). Either(?). Either(2).", "mine.rel")
    found = query(text, rules=rules, ground=True, max_dim=2)
    assert {str(answer) for answer in found} == expected and found.status == "exhausted"


def test_an_attribute_that_is_open_gets_values_in_every_projection():
    """Its projections were empty where it was looked at last, and it stayed open where it was looked at alone."""
    program = "def @main(%x: Tensor[(?, _), int8]) { let %y = reshape(%x, newshape=[0, _]); %y }"
    for project, expected in (
        ("%y", [f"%y = Tensor[(?, {n}), int8]" for n in (1, 2)]),
        ("%y.newshape", [f"%y.newshape = [0, {n}]" for n in (-2, -1, 0, 1, 2)]),
    ):
        found = typings(program, rules=RULES, project=project, max_attr=3, **SMALL)
        assert sorted(str(typing) for typing in found) == sorted(expected) and found.status == "exhausted"


def test_a_natural_number_does_not_turn_out_to_be_unknown_in_another_call():
    """That it is natural was left out of what a call says, since it is at least 1; so is `?`."""
    lets = "let %a = reshape(%x, newshape=[0, _]); let %b = reshape(%a, newshape=[_, 0]); multiply(%b, %x)"
    found = list(typings(f"def @main(%x: Tensor[(?), int8]) {{ {lets} }}", rules=RULES, max_attr=2, **SMALL))
    assert len(found) == 12
    assert not any("?" in str(typing.bindings[f"%{name}.newshape"]) for typing in found for name in "ab")


@given(st.sampled_from([0.1, 0.4, 0.5, 0.75, 1.5, 2.5]), st.sampled_from([0.1, 0.3, 1.0, 1.5]))
@settings(max_examples=examples(12))
def test_what_could_only_run_if_a_number_were_known_makes_none_unknown(down, across):
    """What waits for an extent or for that of the result was left over where both were taken to be `?`."""
    text = f"nn.upsampling(Tensor[(n, 1, m, n), int8], scale_h={down}, scale_w={across}) = Tensor[(n, 1, k, i), int8]"
    found = query(text, rules=RULES, ground=True, min_dim=0, max_dim=4)
    rows = product(range(5), repeat=2)
    scaled = [(n, m, round(m * down), round(n * across)) for n, m in rows]
    expected = [row for row in scaled if max(row) <= 4]
    assert sorted(tuple(answer.bindings[name] for name in "nmki") for answer in found) == expected
    assert found.status == "exhausted"


def test_a_list_of_unknown_extents_is_no_longer_than_the_attribute_that_it_depends_on():
    """Its length was tried without end, since what bounds the attribute says so only if that is no `?`."""
    text = "dyn.expand_dims(Tensor[(n, 2), int8], int32, num_newaxis=A) = R"
    found = query(text, rules=RULES, ground=True, max_dim=2, max_attr=2)
    assert sorted(str(answer) for answer in found) == [
        f"n = {n}, A = {more}, R = Tensor[(?, ?{', ?' * more}), int8]" for n in (1, 2) for more in (0, 1, 2)
    ]
    assert found.status == "exhausted" and found.endless == []


def test_a_comparison_bounds_what_is_tried_where_the_universe_bounds_it_too():
    """All the extents of the universe were tried, although a number below them was said to be the greatest."""
    text = "dyn.ones(Tensor[(n), int32], dtype=int8) = B, 2 <= n, n <= 4"
    found = query(text, rules=RULES, ground=True, max_dim=100_000, steps=1_000)
    assert [answer.bindings["n"] for answer in found] == [2, 3, 4]
    assert found.status == "exhausted"

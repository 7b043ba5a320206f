"""Random programs with holes: the typings that are listed are those that forward inference accepts, each once.

Every parameter is given every type of a small universe that its annotation allows; inference says what follows for the
variables that are let-bound and for the result. What is typed, within the universe, and typed still when all that is
written down, is a typing. What follows for a let-bound variable or the result whatever the parameters are, is no hole.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product
from math import prod

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from relaylogic.api import infer
from relaylogic.ir import Let, post_order
from relaylogic.rulebase import load_rules
from relaylogic.types import TensorType, TupleType, show_type
from relaylogic.typings.program import count_typings, typings
from tests.effort import examples

RULES = load_rules()

# A universe: the greatest rank, the greatest extent, the dtypes.
UNIVERSES = [(2, 2, ("int8",)), (1, 3, ("int8",)), (1, 2, ("int8", "bool"))]
MOST = 50  # assignments of types to parameters that are tried out


@dataclass(frozen=True)
class Annotation:
    """A tensor's type as far as it is written: extents (None: `_`) or no shape at all, a dtype or `_`; or nothing."""

    shape: tuple[int | None, ...] | None = None
    dtype: str | None = None

    def __str__(self) -> str:
        if self.shape is None:
            return ""
        extents = ", ".join("_" if n is None else str(n) for n in self.shape)
        return f": Tensor[({extents}), {self.dtype or '_'}]"

    def allows(self, type_):
        """Whether a tensor's type is one that may be meant."""
        if self.shape is None:
            return True
        fits = len(self.shape) == len(type_.shape) and all(n in (None, m) for n, m in zip(self.shape, type_.shape))
        return fits and self.dtype in (None, type_.dtype)

    @property
    def is_hole(self):
        return self.shape is None or None in (*self.shape, self.dtype)


@dataclass(frozen=True)
class Program:
    """A function: parameters, let-bound expressions with annotations, the variable that it gives."""

    parameters: tuple[Annotation, ...]
    lets: tuple[tuple[Annotation, str], ...]
    result: int

    def text(self, parameters=None, lets=None, result=""):
        """The program, with the given annotations (": T") in place of its own."""
        annotated = parameters or [str(a) for a in self.parameters]
        bound = lets or [str(a) for a, _ in self.lets]
        lines = [f"  let %v{i}{a} = {e};" for i, (a, (_, e)) in enumerate(zip(bound, self.lets))]
        header = ", ".join(f"%p{i}{a}" for i, a in enumerate(annotated))
        return "\n".join([f"def @main({header}){result} {{", *lines, f"  %v{self.result}", "}"])


# --- programs ---------------------------------------------------------------------------------------------------------

UNARY = [
    "nn.relu({})",
    "transpose({}, axes=None)",
    "transpose({}, axes=[1, 0])",
    "expand_dims({}, axis=0)",
    "squeeze({})",
    "nn.batch_flatten({})",
    "reshape({}, newshape=[-1])",
    "reshape({}, newshape=[0, -1])",
    "reshape({}, newshape=[2, -1])",
    "sum({}, axis=[0])",
    "tile({}, reps=[2])",
    'cast({}, dtype="bool")',
    "split({}, indices_or_sections=2, axis=0).0",
    "zeros_like({})",
]
BINARY = [
    "add({}, {})",
    "add({}, {})",
    "multiply({}, {})",
    "equal({}, {})",
    "nn.dense({}, {}, units=2)",
    "nn.dense({}, {}, units=None)",
    "concatenate(({}, {}), axis=0)",
    "stack(({}, {}), axis=0)",
    "({}, {}).1",
    "broadcast_to_like({}, {})",
    "reshape_like({}, {})",
    "where({0}, {1}, {0})",
    "if (True) {{ {} }} else {{ {} }}",
]
annotations = st.one_of(
    st.just(Annotation()),
    st.just(Annotation()),
    st.builds(
        Annotation,
        st.lists(st.sampled_from([None, None, 1, 2]), max_size=2).map(tuple),
        st.sampled_from([None, "int8", "int8"]),
    ),
)


@st.composite
def programs(draw):
    """A program of two or three parameters and two to four let-bound variables."""
    parameters = draw(st.lists(annotations, min_size=2, max_size=3))
    names = [f"%p{i}" for i in range(len(parameters))]
    lets = []
    for i in range(draw(st.integers(2, 4))):
        form = draw(st.sampled_from([*UNARY, *BINARY, *BINARY]))
        # The last variables are the likeliest, so that one call leads to another.
        chosen = [draw(st.sampled_from([*names, *names[-2:]])) for _ in range(2)]
        lets.append((draw(st.one_of(st.just(Annotation()), annotations)), form.format(*chosen)))
        names.append(f"%v{i}")
    return Program(tuple(parameters), tuple(lets), draw(st.integers(0, len(lets) - 1)))


# --- what inference says ----------------------------------------------------------------------------------------------


def tensors(universe):
    """All types of a universe."""
    rank, dim, dtypes = universe
    shapes = [shape for r in range(rank + 1) for shape in product(range(1, dim + 1), repeat=r)]
    return [TensorType(shape, dtype) for shape in shapes for dtype in dtypes]


def inside(type_, universe):
    """Whether a type, or each field of a tuple, is one of the universe."""
    known = tensors(universe)
    return all(field in known for field in (type_.fields if type(type_) is TupleType else (type_,)))


def choices(program, universe):
    """What each parameter can be."""
    return [[t for t in tensors(universe) if a.allows(t)] if a.is_hole else [None] for a in program.parameters]


def accepted(program, universe):
    """For each typing that inference accepts, the texts of all types: parameters, let-bound variables, result.

    With the names of those whose type lies outside of the universe.
    """
    found = {}
    for types in product(*choices(program, universe)):
        annotated = [str(a) if t is None else f": {show_type(t)}" for a, t in zip(program.parameters, types)]
        first = infer(program.text(annotated), rules=RULES, closed=True)
        assert first.verdict in ("typed", "refuted"), program.text(annotated)
        if first.verdict == "refuted":
            continue
        function = first.module["main"]
        bound = [first.type_of(node.var) for node in post_order(function) if type(node) is Let]
        result = first.functions["main"].ret_type
        names = [node.var.name_hint for node in post_order(function) if type(node) is Let]
        known = dict(zip(names, bound))
        lets = [known[f"v{i}"] for i in range(len(program.lets))]
        text = program.text(annotated, [f": {show_type(t)}" for t in lets], f" -> {show_type(result)}")
        assert infer(text, rules=RULES, closed=True).verdict == "typed", text
        row = {f"%p{i}": t for i, t in enumerate(types) if t is not None}
        row |= {f"%v{i}": t for i, (t, (a, _)) in enumerate(zip(lets, program.lets)) if a.is_hole}
        row["@main"] = result
        outside = frozenset(name for name, t in row.items() if not inside(t, universe))
        found[frozenset((name, show_type(t)) for name, t in row.items())] = outside
    return found


def of_holes(rows, names):
    """What rows of types say of the holes, where those lie within the universe."""
    return {frozenset(pair for pair in row if pair[0] in names) for row, outside in rows.items() if not outside & names}


def bounds_of(universe):
    """A universe as options."""
    rank, dim, dtypes = universe
    return {"max_rank": rank, "max_dim": dim, "dtypes": dtypes, "ground": True}


def rows_of(listed):
    """Typings as sets of names and the texts of types."""
    return [frozenset((name, show_type(t)) for name, t in typing.bindings.items()) for typing in listed]


@cache  # a fifth of the programs are drawn again
def check(program, universe):
    """Listed, counted and accepted agree."""
    bounds = bounds_of(universe)
    listed = typings(program.text(), rules=RULES, **bounds)
    found = rows_of(listed)
    about = f"{program.text()}  in {universe}"
    rows = accepted(program, universe)
    names = frozenset(listed.names)
    expected = of_holes(rows, names)
    every = {name for row in rows for name, _ in row}
    assert all(len({pair for row in rows for pair in row if pair[0] == name}) == 1 for name in every - names), about
    assert listed.status == "exhausted", about
    assert len(set(found)) == len(found), f"a typing comes twice: {about}"
    assert set(found) == expected, f"{about}: too many {set(found) - expected}, too few {expected - set(found)}"
    assert count_typings(program.text(), rules=RULES, **bounds) == len(found), about


@settings(max_examples=examples(200, 14))
@given(programs(), st.sampled_from(UNIVERSES))
def test_typings_are_what_inference_accepts(program, universe):
    assume(prod(map(len, choices(program, universe))) <= MOST)
    check(program, universe)

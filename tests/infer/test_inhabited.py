"""Whether a `where` has an instance: what a small universe holds an instance of is never said to have none."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relaylogic.api import infer
from relaylogic.infer.open.inhabited import has_instance
from relaylogic.infer.open.witnesses import witness
from relaylogic.infer.sites.attributes import Attributes
from relaylogic.rulebase import load_rules
from relaylogic.text import parse_type
from relaylogic.types import TensorType
from relaylogic.types.substitution import substitute
from tests.effort import examples

RULES = load_rules()
ATTRIBUTES = Attributes(RULES)
TENSORS = [TensorType(shape, "int8") for rank in range(3) for shape in product((1, 2), repeat=rank)]


def where(text, parameters):
    """The demands of a `where`, and their type parameters."""
    type_ = parse_type(f"fn [{', '.join(parameters)}](()) -> () where {text}")
    relations = [RULES.relation(c.name) for c in type_.type_constraints]
    pairs = zip(relations, type_.type_constraints, strict=True)
    return [(r, c.arguments, ATTRIBUTES.complete(r, c.attrs)) for r, c in pairs], type_.type_params


@pytest.mark.parametrize(
    ("text", "parameters", "expected"),
    [
        ("Broadcast(a, b, c), Tile(b, d, reps=[2])", "abcd", True),
        ("Where(a, b, a, c), Tile(b, d, reps=[2])", "abcd", True),
        ("Broadcast(a, b, c), Broadcast(c, a, d), Broadcast(d, c, e)", "abcde", True),
        ("Reshape(a, b, newshape=[6]), Reshape(a, c, newshape=[2, 5])", "abc", False),
        ("Identity(n + 1, m), Identity(m, n)", ["n: ShapeVar", "m: ShapeVar"], False),
        ("Identity(n * n, 49)", ["n: ShapeVar"], True),
        ("Identity(n * n, 50)", ["n: ShapeVar"], False),
        ("Identity(n - 3, n - 3), Identity(n + m, 2)", ["n: ShapeVar", "m: ShapeVar"], False),
    ],
)
def test_known_cases(text, parameters, expected):
    demands, _ = where(text, parameters)
    assert has_instance(demands, RULES) is expected
    assert expected or witness(demands, RULES) is None


FORMS = [
    "Broadcast({}, {}, {})",
    "Where({0}, {1}, {0}, {2})",
    "Tile({}, {}, reps=[2])",
    "Flatten({}, {})",
    "Reshape({}, {}, newshape=[0, -1])",
    "Reshape({}, {}, newshape=[2])",
    "Dense({}, {}, {})",
    "Dense({}, Tensor[(3, 2), float32], {})",
    "Broadcast({}, Tensor[(4), float32], {})",
    "Reshape({}, {}, newshape=[-1, 2])",
    "Transpose({}, {}, axes=[1, 0])",
    "Squeeze({}, {}, axis=[0])",
    "ExpandDims({}, {}, axis=0)",
]
wheres = st.lists(
    st.tuples(st.sampled_from(FORMS), st.lists(st.sampled_from("abcd"), min_size=3, max_size=3)), min_size=1, max_size=3
)


@settings(max_examples=examples(150))
@given(wheres)
def test_what_has_a_small_instance_is_not_denied(drawn):
    text = ", ".join(form.format(*names) for form, names in drawn)
    demands, parameters = where(text, "abcd")
    used = [p for p in parameters if p.name_hint in {n for f, ns in drawn for n in ns[: f.count("{")]}]
    small = any(
        holds(demands, dict(zip(used, chosen, strict=True))) for chosen in product(TENSORS, repeat=len(used))
    )
    if small:
        assert has_instance(demands, RULES) is True, text
    found = witness(demands, RULES)
    if found is not None:
        assert set(used) <= set(found) and holds(demands, found), text
        assert has_instance(demands, RULES) is not False, text


def test_what_small_tensors_satisfy_is_not_searched_for(monkeypatch):
    """Each function without annotations took as long as twenty calls: it was searched for types to call it with."""
    monkeypatch.setattr("relaylogic.infer.open.inhabited.has_instance", None)
    functions = [
        "fn (%a, %b) { nn.relu(add(%a, %b)) }",
        "fn (%a, %b) { nn.dense(%a, %b) }",
        "fn (%a, %b) { concatenate((%a, %b), axis=1) }",
        "fn (%a, %b) { (nn.softmax(%a), multiply(%a, sigmoid(%b))) }",
        "fn (%a, %b) { nn.dense(tanh(add(nn.dense(%a, %v, units=4), %b)), %w, units=3) }",
        "fn (%a, %b) { let %d = nn.dense(%a, %v); nn.dense(concatenate((%d, %d), axis=-1), %b, units=5) }",
        "fn (%a, %b) { add(reshape(nn.dense(%a, %v, units=4), newshape=[-1, 2]), reshape(%b, newshape=[1, -1])) }",
    ]
    for function in functions:
        weights = "%v: Tensor[(4, 3), float32], %w: Tensor[(3, 4), float32]"
        result = infer(f"def @main(%x: Tensor[(3, 3), float32], {weights}) {{ let %f = {function}; %f }}")
        assert result.verdict == "typed", function


def holds(demands, chosen):
    """Whether the demands hold of types."""
    return all(RULES.solve(r, substitute(terms, chosen, []), attrs).answers for r, terms, attrs in demands)


@pytest.mark.parametrize("value", ["tile(%x, reps=[2])", "concatenate((%x, %x))", "stack((%x, tile(%x, reps=[2])))"])
def test_what_only_tensors_without_elements_satisfy_is_typed(value):
    body = value if value.startswith("stack") else f"if (True) {{ %x }} else {{ {value} }}"
    assert infer(f"def @main(%x) {{ {body} }}").verdict == "typed"
    assert infer(f"def @main(%x: Tensor[(0), int8]) {{ {body} }}").verdict == "typed"


def test_a_tuple_of_known_components_is_long_enough_for_them():
    components = ", ".join(f"nn.relu(%x.{i})" for i in range(6))
    assert infer(f"def @f(%x) {{ (concatenate(%x), {components}) }}").verdict == "typed"
    assert infer("def @f(%x) { meshgrid(%x) }").verdict == "typed"


JOINS = ["concatenate(%x)", "concatenate(%x, axis=1)", "stack(%x, axis=0)", "add(concatenate(%x), %x.0)"]
JOINS += ["reshape(concatenate(%x), newshape=[3])", "meshgrid(%x).1", "(%x.0, %x.0).1"]
PARTS = [*TENSORS, *(TensorType(shape, "bool") for shape in ((), (1,), (2,), (1, 2)))]


@settings(max_examples=examples(40, of=8))
@given(st.lists(st.sampled_from(PARTS), min_size=1, max_size=2), st.sampled_from(JOINS), st.booleans())
def test_a_tuple_is_typed_exactly_if_one_has_these_components(known, join, is_last_first):
    """No longer ones are needed here. That none has is not always found out."""
    places = range(len(known))[:: -1 if is_last_first else 1]
    lets = " ".join(f"let %a{i}: {known[i]} = %x.{place};" for i, place in enumerate(places))
    verdict = infer(f"def @f(%x) {{ {lets} {join} }}", rules=RULES).verdict
    first = ", ".join(str(known[place]) for place in places)
    tuples = [f"({first},)", *(f"({first}, {part})" for part in PARTS)]
    fits = any(infer(f"def @f(%x: {fields}) {{ {join} }}", rules=RULES).verdict == "typed" for fields in tuples)
    assert verdict in (("typed",) if fits else ("refuted", "unknown"))


@pytest.mark.parametrize(("result", "verdict"), [("1", "refuted"), ("2, 1", "refuted"), ("2", "typed"), ("", "typed")])
def test_no_axis_of_1_is_left_where_all_are_squeezed(result, verdict):
    text = f"def @main(%x: Tensor[_, int8]) -> Tensor[({result}), int8] {{ squeeze(%x) }}"
    assert infer(text).verdict == verdict

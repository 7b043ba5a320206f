"""The ends of shapes whose ranks are not known: what is told of them, and that it is so whatever the ranks are."""

from __future__ import annotations

import re
from itertools import product
from random import Random

import pytest

from relaylogic.api import infer
from relaylogic.explain.places.atoms import atoms_of, part_of
from relaylogic.infer.program import Inference
from relaylogic.infer.sites.relation_site import RelationSite
from relaylogic.ir import post_order
from relaylogic.logic.terms.terms import slot
from relaylogic.rulebase import load_rules
from relaylogic.text import parse
from relaylogic.types import ANY
from tests.effort import some

RULES = load_rules()


def told(body: str, parameters: str) -> dict[str, str]:
    """The inferred types of the parameters and variables of a function, by their names; or the verdict."""
    result = infer(f"def @main({parameters}) {{ {body} }}", rules=RULES)
    assert result.verdict == "typed", result.verdict
    function = result.module["main"]
    lets = [node.var for node in post_order(function) if hasattr(node, "var")]
    return {v.name_hint: str(result.type_of(v)) for v in (*function.params, *lets)}


WIDE = "%x: Tensor[(6, 8, 14), float32], %b"


@pytest.mark.parametrize(
    ("body", "parameters", "types"),
    [
        ("nn.dense(add(%x, %b), %w, units=3)", f"{WIDE}, %w", {"w": "Tensor[(3, 14), float32]"}),
        ("nn.dense(nn.softmax(add(%b, %x)), %w, units=3)", f"{WIDE}, %w", {"w": "Tensor[(3, 14), float32]"}),
        ("nn.layer_norm(add(%x, %b), %g, %g)", f"{WIDE}, %g", {"g": "Tensor[(14), float32]"}),
        ("nn.bias_add(add(%x, %b), %c, axis=-1)", f"{WIDE}, %c", {"c": "Tensor[(14), float32]"}),
        (
            "nn.dense(nn.relu(nn.dense(%x, %v, units=4)), %w, units=3)",
            "%x, %v, %w",
            {"w": "Tensor[(3, 4), "},
        ),
        (
            "let %y = add(add(%x, %b), %c); let %z: Tensor[(_, _, _, _), float32] = %y; %z".replace("_", "?"),
            f"{WIDE}, %c",
            {"z": "Tensor[(?, ?, ?, ?), float32]"},
        ),
        (
            "let %y = add(%x, %b); let %z = concatenate((%y, %c), axis=-1); nn.layer_norm(%y, %w, %w)",
            f"{WIDE}, %c, %w",
            {"w": "Tensor[(14), float32]"},
        ),
        (
            "let %y = where(%c, %x, %b); nn.dense(%y, %w, units=3)",
            f"{WIDE}, %c, %w",
            {"w": "Tensor[(3, 14), float32]"},
        ),
        (
            "let %y = add(add(%x, %b), %c); nn.conv2d(%y, %w, kernel_size=[1, 1], channels=2)",
            f"{WIDE}, %c, %w",
            {"w": "Tensor[(2, 6, 1, 1), float32]"},
        ),
    ],
)
def test_what_is_behind_a_broadcast_of_unknown_rank_is_told(body: str, parameters: str, types: dict[str, str]) -> None:
    found = told(body, parameters)
    assert all(found[name].startswith(type_) for name, type_ in types.items()), found


@pytest.mark.parametrize(
    ("body", "parameters", "why"),
    [
        ("add(add(%x, %b), add(%y, %c))", "%x: Tensor[(8, 14), int8], %b, %y: Tensor[(13), int8], %c", "14, 13"),
        ("nn.dense(nn.relu(add(%x, %b)), %w)", f"{WIDE}, %w: Tensor[(3, 13), float32]", "13 is not 14"),
        (
            "nn.conv1d(add(add(%x, %b), %c), %w, kernel_size=[3], channels=8)",
            "%x: Tensor[(1, 8, 14, 14), float32], %b, %c, %w",
            "a shape of 3 axes would have 4 at least",
        ),
        (
            "let %y = add(add(add(%x, %b), %c), %d); add(nn.conv2d(%y, %w, kernel_size=[1, 1], channels=8), %z)",
            "%x: Tensor[(1, 8, 14, 14), int8], %b, %c, %d, %w, %z: Tensor[(1, 8, 14, 13), int8]",
            "14 is not 13",
        ),
    ],
)
def test_what_contradicts_an_end_is_refused(body: str, parameters: str, why: str) -> None:
    result = infer(f"def @main({parameters}) {{ {body} }}", rules=RULES)
    assert result.verdict == "refuted"
    listing = [said.message for error in result.errors for said in (error, *error.related)]
    assert any(why in said for said in listing), listing


def test_a_conflict_holds_no_call_that_may_only_add_axes() -> None:
    """Whatever `%b1` and `%b2` are, the last two extents are 14: so the calls that give them are not needed."""
    conv = "kernel_size=[3, 3], padding=[1, 1, 1, 1], channels=8"
    result = infer(
        f"""def @main(%x: Tensor[(1, 8, 14, 14), float32], %v, %w, %u, %c: Tensor[(1, 8, 14, 13), float32]) {{
  let %b1 = nn.conv2d(%x, %v, {conv});
  let %y1 = add(%x, %b1);
  let %b2 = nn.conv2d(%y1, %w, {conv});
  let %y2 = add(%y1, %b2);
  let %z = nn.conv2d(%y2, %u, {conv});
  add(%z, %c)
}}""",
        rules=RULES,
    )
    (conflict,) = result.conflicts()
    assert {label.span.line for label in conflict.places} == {1, 3, 5, 6, 7}


def test_what_is_known_of_ends_goes_with_what_it_was_concluded_from() -> None:
    """That `%y` is 14 wide is forgotten where `%x` turns out to be of any width."""
    result = infer(
        """def @main(%x: Tensor[(8, ?), float32], %b, %c: Tensor[(8, 13), float32]) {
  let %y = add(%x, %b);
  add(%y, %c)
}""",
        rules=RULES,
    )
    assert result.verdict == "typed"


def test_the_first_extent_of_an_open_shape_may_be_its_last() -> None:
    """`nn.softmax` says that `%y` has an axis; it may have no other one."""
    body = "let %y = nn.softmax(add(%x, %b)); nn.bias_add(%y, %g, axis=-1)"
    found = told(body, "%x: Tensor[(5), float32], %b, %g")
    assert re.fullmatch(r"Tensor\[\(t\d+, \.\.\.t\d+\), float32\]", found["y"])
    assert found["g"] == "Tensor[(5), float32]"


SHAPES = ["()", "(2)", "(3)", "(1, 2)", "(2, 3)", "(3, 1)", "(2, 1, 2)"]
OPERATIONS = (
    "add({}, {})",
    "multiply({}, {})",
    "nn.dense({}, {}, units=2)",
    "nn.bias_add({}, {}, axis=-1)",
    "nn.softmax({})",
    "sum({}, axis=[-1])",
    "expand_dims({}, axis=-1)",
    "reshape({}, newshape=[-1, 2])",
    "concatenate(({}, {}), axis=-1)",
    "matmul({}, {})",
)


def program(rng: Random) -> tuple[list[str], str]:
    """Annotations of parameters, some of which are missing, and a body that uses each of them."""
    given = [f": Tensor[{rng.choice(SHAPES)}, int8]" for _ in range(rng.randint(3, 4))]
    for place in rng.sample(range(len(given)), 2):
        given[place] = ""
    left = [f"%p{i}" for i in range(len(given))]
    rng.shuffle(left)
    lines, last = [], left.pop()
    for number in range(rng.randint(3, 5)):
        operation = rng.choice(OPERATIONS[:2] if left and rng.random() < 0.5 else OPERATIONS)
        inputs = [last, left.pop() if left else rng.choice([f"%p{i}" for i in range(len(given))])]
        rng.shuffle(inputs)
        lines.append(f"let %v{number} = {operation.format(*inputs)};")
        last = f"%v{number}"
    return given, " ".join([*lines, last])


def text_of(annotations: list[str], body: str) -> str:
    return f"def @main({', '.join(f'%p{i}{a}' for i, a in enumerate(annotations))}) {{ {body} }}"


@pytest.mark.parametrize("seed", some(range(90), of=30))
def test_what_is_told_of_open_shapes_is_so_in_every_instance(seed: int) -> None:
    """All types of the parameters that are not annotated are tried, up to a rank and an extent."""
    given, body = program(Random(41_000 + seed))
    opened = infer(text_of(given, body), rules=RULES)
    assert opened.verdict in ("typed", "refuted", "unknown")
    known = [opened.type_of(node) for node in post_order(opened.module["main"])]
    parts = [{a for a in atoms_of(t) if type(part_of(t, a)) in (int, str)} if t is not None else () for t in known]
    choices = [[a] if a else [f": Tensor[{shape}, int8]" for shape in SHAPES] for a in given]
    for chosen in product(*choices):
        result = infer(text_of(list(chosen), body), rules=RULES)
        if result.verdict != "typed":
            continue
        assert opened.verdict != "refuted", (text_of(given, body), chosen)
        for node, type_, atoms in zip(post_order(result.module["main"]), known, parts, strict=True):
            own = result.type_of(node)
            for atom in atoms:
                if own is not None and part_of(own, atom) is not ANY:
                    assert part_of(own, atom) == part_of(type_, atom), (text_of(given, body), chosen, str(own))


EXTENTS = (1, 2, 3, ANY)


@pytest.mark.parametrize("relation", [r for r in RULES.relations.values() if r.row is not None], ids=str)
def test_rows_from_the_end_follow_from_the_clauses(relation) -> None:
    """As `Relation.from_the_end` states it: of all shapes of small ranks."""
    shapes = [shape for rank in range(4) for shape in product(EXTENTS[: 4 if rank < 3 else 2], repeat=rank)]
    held = 0
    for inputs in product(some(shapes, of=3), repeat=relation.arity - 1):
        for answer in RULES.solve(relation, (*inputs, slot(0)), None).answers:
            *others, last = answer.terms
            held += 1
            assert len(last) == max(map(len, others))
            for place in range(1, len(last) + 1):
                row = [shape[-place] if place <= len(shape) else slot(n) for n, shape in enumerate(others)]
                assert RULES.solve(relation.row, (*row, last[-place]), None).answers, (answer.terms, place)
    assert held


def test_a_clause_that_is_added_need_not_keep_to_the_rows() -> None:
    rules = load_rules()
    relation = rules.relations["BroadcastShapes"]
    assert relation.row is rules.relations["BroadcastDim"]

    @relation.clause
    def anything_goes(a, b, c):
        from relaylogic.logic import eq

        return eq(c, (7,))

    assert relation.row is None
    text = "def @main(%x: Tensor[(8, 14), int8], %b, %c, %d: Tensor[(7), int8]) { add(add(add(%x, %b), %c), %d) }"
    assert infer(text, rules=rules).verdict != "refuted"


@pytest.mark.parametrize(
    ("parameters", "body"),
    [
        ("%x", "broadcast_to(expand_dims(%x, axis=0), shape=[4, 12, 12])"),  # of its own variables it told itself
        (  # of two lists that end alike and begin otherwise, what is known of one took the place of the other's
            "%x, %y, %w: Tensor[(10, 64), int8], %k: Tensor[(64, 64, 3, 3), int8]",
            "nn.dense(nn.global_avg_pool2d(add(nn.conv2d(%x, %k), %y)), %w)",
        ),
    ],
)
def test_calls_do_not_wake_each_other_for_what_is_known(parameters: str, body: str) -> None:
    """They did until each had been attempted ten thousand times."""
    inference = Inference(parse(f"def @main({parameters}) {{ {body} }}"), RULES)
    attempts = [site.attempts for site in inference.driver.sites if isinstance(site, RelationSite)]
    assert inference.verdict() == "typed" and max(attempts) < 10


@pytest.mark.parametrize(("shape", "verdict"), [((4, 4), "refuted"), ((4, 6), "typed"), ((0, 5), "typed")])
@pytest.mark.parametrize(
    "body", ["reshape_like({}, %like)", "reshape_like(%like, {})", "reshape({}, newshape=[{}, {}])", "nn.relu({})"]
)
def test_the_ends_of_a_shape_divide_the_number_of_its_elements(body: str, shape: tuple[int, int], verdict: str) -> None:
    """It was not seen before the rank is known: conflicts had a member too many."""
    text = body.format("multiply(%x, %y)", *shape)
    parameters = f"%x, %y: Tensor[(3, 4), int8], %like: Tensor[({shape[0]}, {shape[1]}), int8]"
    found = infer(f"def @main({parameters}) {{ {text} }}", rules=RULES).verdict
    assert found == ("typed" if "relu" in body else verdict)


def test_ends_of_which_one_is_zero_leave_no_element() -> None:
    for extent, verdict in ((6, "refuted"), (0, "typed")):
        parameters = f"%x, %y: Tensor[(3, 0), int8], %like: Tensor[(4, {extent}), int8]"
        text = f"def @main({parameters}) {{ reshape_like(multiply(%x, %y), %like) }}"
        assert infer(text, rules=RULES).verdict == verdict

"""What rules say by default of what is open (`infer.defaults`): it does not matter in which order calls stand, and no
default refuses a program that has types."""

from itertools import permutations, product
from random import Random

import pytest

import relaylogic
from relaylogic.infer.program import Inference
from relaylogic.rulebase import load_rules
from relaylogic.text import parse
from tests.effort import examples

SEED = 611_000

HEAD = "def @main(%x: Tensor[(2, 3), int8], %y: Tensor[(2, 3), float32], %z: Tensor[(2, ?), float32], "
CALLS = [
    "nn.dense(%x, %w)",
    "nn.dense(%y, %w)",
    "nn.dense(%z, %w)",
    "nn.dense(%x, %v)",
    "nn.dense(%z, %v)",
    "nn.matmul(%y, %v, transpose_b=True)",
    "add(%w, 1f)",
    "add(%w, %v)",
    "maximum(%v, %y)",
    "take(%y, %w)",
    "where(%v, %w, %w)",
    "concatenate((%w, %y), axis=0)",
    'cast(%w, dtype="int32")',
]
"""Calls of two weights that nothing is said of; some say what their dtypes or extents are."""


def drawn(random):
    """Some calls."""
    return random.sample(CALLS, random.randint(2, 4))


def found(calls, weights="%w, %v", tail=""):
    """What is inferred of calls one after the other: the verdict, and the types of the weights and of each call."""
    lets = "".join(f"let %a{CALLS.index(call)} = {call};\n" for call in calls)
    names = sorted(f"%a{CALLS.index(call)}" for call in calls)
    result = relaylogic.infer(f"{HEAD}{weights}) {{\n{lets}({', '.join(names)})\n}}")
    function = result.functions["main"]
    said = sorted(map(str, getattr(function, "type_constraints", ())))
    # Type parameters are numbered as they are met.
    return result.verdict, str(function).partition(" where ")[0], len(said)


@pytest.mark.parametrize("number", range(examples(60, 3)))
def test_the_order_of_calls_does_not_matter(number):
    random = Random(SEED + number)
    calls = drawn(random)
    first = found(calls)
    orders = list(permutations(calls))
    for order in random.sample(orders, min(5, len(orders))):
        assert found(order)[::2] == first[::2], (SEED + number, order)
        assert found(order)[1] == first[1], (SEED + number, order)


@pytest.mark.parametrize("number", range(examples(30, 3)))
def test_no_default_refuses_a_program_that_has_types(number):
    calls = drawn(Random(SEED + 1_000 + number))
    verdict, *_ = found(calls)
    types = [f"Tensor[(2, 3), {dtype}]" for dtype in ("int8", "float32", "int32", "bool")]
    closed = (found(calls, f"%w: {w}, %v: {v}")[0] for w, v in product(types, types))
    assert verdict == "typed" or "typed" not in closed, (SEED + 1_000 + number, calls)


def test_another_call_says_what_the_dtype_is():
    weight = "Tensor[(t1, 3), float32]"
    for calls in ("nn.dense(%x, %w), add(%w, 1f)", "add(%w, 1f), nn.dense(%x, %w)"):
        result = relaylogic.infer(f"def @main(%x: Tensor[(2, 3), int8], %w) {{ ({calls}) }}")
        assert (result.verdict, str(result.functions["main"].arg_types[1])) == ("typed", weight)


def test_calls_that_disagree_about_a_default_leave_it_open():
    for calls in ("nn.dense(%x, %w), nn.dense(%y, %w)", "nn.dense(%y, %w), nn.dense(%x, %w)"):
        result = relaylogic.infer(f"{HEAD}%w) {{ ({calls}) }}")
        assert (result.verdict, str(result.functions["main"].arg_types[3])) == ("typed", "Tensor[(t1, 3), t2]")


def test_a_default_that_another_call_refuses_is_not_taken():
    for calls in ("nn.dense(%y, %w), take(%y, %w)", "take(%y, %w), nn.dense(%y, %w)"):
        result = relaylogic.infer(f"{HEAD}%w) {{ ({calls}) }}")
        assert (result.verdict, str(result.functions["main"].arg_types[3])) == ("typed", "Tensor[(t1, 3), t2]")


def test_a_local_function_leaves_a_default_to_those_who_call_it():
    program = "def @main(%x: Tensor[(2, 3), int8], WEIGHT) { let %f = fn (%w) { nn.dense(%x, %w) }; %f(%v) }"
    given = relaylogic.infer(program.replace("WEIGHT", "%v: Tensor[(4, 3), float32]"))
    assert given.verdict == "typed"
    opened = relaylogic.infer(program.replace("WEIGHT", "%v"))
    assert str(opened.functions["main"].arg_types[1]) == "Tensor[(t1, 3), int8]"


def test_an_extent_that_is_unknown_by_default_is_what_another_call_says():
    for calls in ("nn.dense(%z, %w), nn.dense(%y, %w)", "nn.dense(%y, %w), nn.dense(%z, %w)"):
        result = relaylogic.infer(f"{HEAD}%w) {{ ({calls}) }}")
        assert str(result.functions["main"].arg_types[3]) == "Tensor[(t1, 3), float32]"
    alone = relaylogic.infer(f"{HEAD}%w) {{ nn.dense(%z, %w) }}")
    assert str(alone.functions["main"].arg_types[3]) == "Tensor[(t1, ?), float32]"


@pytest.mark.parametrize("number", range(examples(30, 3)))
def test_a_default_that_nobody_else_speaks_of_is_taken_at_once(number):
    """Whether a weight is mentioned again, where nothing is said of it, does not matter."""
    calls = drawn(Random(SEED + 2_000 + number))
    lets = "".join(f"let %a{i} = {call};\n" for i, call in enumerate(calls))
    names = ", ".join(f"%a{i}" for i in range(len(calls)))
    once = relaylogic.infer(f"{HEAD}%w, %v) {{\n{lets}({names},)\n}}")
    again = relaylogic.infer(f"{HEAD}%w, %v) {{\n{lets}let %u = (%w, %v);\n({names},)\n}}")
    types = [str(result.functions["main"]) for result in (once, again)]
    assert (once.verdict, types[0]) == (again.verdict, types[1])


CONVOLUTIONS = [
    "nn.conv2d(%c, %w, kernel_size=[3, 3])",
    "nn.conv2d(%c, %v, padding=[1, 1], channels=3, kernel_size=[3, 3])",
    "nn.conv2d(nn.relu(%c), %w, groups=3, channels=6, kernel_size=[1, 1])",
    "nn.conv2d_transpose(%c, %v, channels=4, kernel_size=[2, 2])",
    "nn.batch_flatten(nn.bias_add(%c, %w))",
    "nn.prelu(%c, %v)",
    "add(%v, %c)",
    "add(nn.dense(%d, %w), %v)",
]


@pytest.mark.parametrize("calls", [*CONVOLUTIONS, *map(", ".join, product(CONVOLUTIONS[:4], CONVOLUTIONS[1:5]))])
def test_the_default_of_a_weight_does_not_wait_for_the_extents_of_the_data(calls):
    """Nor does it matter whether the weight is mentioned again, where nothing is said of it."""
    head = "def @main(%c: Tensor[(1, 3, _, _), float16], %d: Tensor[(_, 5), float16], %w, %v)"
    once = relaylogic.infer(f"{head} {{ ({calls},) }}")
    again = relaylogic.infer(f"{head} {{ let %u = (%w, %v); ({calls},) }}")
    types = [str(result.functions["main"]) for result in (once, again)]
    assert (once.verdict, types[0]) == (again.verdict, types[1])


def test_a_convolution_of_an_open_image_is_asked_about_once():
    """Its weight was given a dtype only when all calls had spoken, and then each was tried twice more."""
    text = """def @main(%x: Tensor[(1, 3, _, _), float16], %v, %w) {
      nn.conv2d(nn.relu(nn.conv2d(%x, %v, channels=8, kernel_size=[3, 3])), %w, channels=8, kernel_size=[3, 3])
    }"""
    found = Inference(parse(text), load_rules())
    convolutions = [site for site in found.driver.sites if site.relation_name == "Conv2D"]
    assert [site.attempts for site in convolutions] == [1, 1]
    assert [str(t) for t in found.globals[found.module.get_global_var("main")].arg_types[1:]] == [
        "Tensor[(8, 3, 3, 3), float16]",
        "Tensor[(8, 8, 3, 3), float16]",
    ]


def test_the_clause_is_the_calls_own_where_another_relation_came_to_the_same():
    """After a product of matrices, a dense layer of the same types was said to hold by the clause of that."""
    said = []
    for call in ("nn.matmul(%x, %w, transpose_b=True)", "nn.dense(%x, %w)"):
        result = relaylogic.infer(f"def @main(%x: Tensor[(2, 7), float32], %w) {{ {call} }}")
        said.append(result.trace[0].clause)
    assert said == ["rows_times_columns", "rows_times_units"]


AGREEING = {
    "let %v: Tensor[(?, ?), int8] = %p; squeeze(%p, axis=[0])": "Tensor[(1, ?), int8]",
    "let %v: Tensor[(?, ?), int8] = %p; let %u: Tensor[(1, 3), int8] = %p; %v": "Tensor[(1, 3), int8]",
    "let %u: Tensor[(1, 3), int8] = %p; let %v: Tensor[(?, ?), int8] = %p; %v": "Tensor[(1, 3), int8]",
    "let %v: (Tensor[(?, ?), int8], int8) = (%p, 1i8); add(%p, ones(shape=[2, 3], dtype=int8))": "Tensor[(?, ?), int8]",
    "let %v = @given(%p); reshape_like(%p, ones(shape=[2, 3], dtype=int8))": "Tensor[(?, ?), int8]",
    "let %v = Kept(%p); concatenate((%p, ones(shape=[2, 3], dtype=int8)), axis=0)": "Tensor[(?, 3), int8]",
}


@pytest.mark.parametrize("body", AGREEING)
def test_what_is_open_is_unknown_where_that_is_written_only_if_nothing_says_what_it_is(body):
    """It was `?` at once, so that what said a number of it was overruled, or refused."""
    text = "type Kept { Kept(Tensor[(?, ?), int8]) } def @given(%q: Tensor[(?, ?), int8]) { %q }"
    result = relaylogic.infer(f"{text} def @main(%p) {{ {body} }}")
    assert result.verdict == "typed"
    assert str(result.functions["main"].arg_types[0]) == AGREEING[body]


def test_a_call_that_must_know_an_extent_is_not_refused_where_unknown_is_written():
    result = relaylogic.infer("def @main(%p) { let %v: Tensor[(?, ?), int8] = %p; squeeze(%p) }")
    assert result.verdict == "typed"
    assert str(result.functions["main"].arg_types[0]) == "Tensor[(t1, t2), int8]"

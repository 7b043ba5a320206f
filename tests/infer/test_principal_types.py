"""The type that is inferred for an open program says no less and no more than the program.

Every parameter is given every type of a small universe that its annotation allows: the function with these annotations
has a type exactly if a call of the open function with arguments of these types has one, and then the results are the
same. The call knows nothing of the function but its type, as text.
"""

from __future__ import annotations

from functools import cache
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from relaylogic.api import infer
from relaylogic.rulebase import load_rules
from relaylogic.text import parse
from relaylogic.types import show_type
from relaylogic.types.show import show_parameter
from tests.counted import at_most
from tests.effort import examples
from tests.typings.test_random_programs import MOST, choices, programs

RULES = load_rules()
UNIVERSE = (2, 2, ("int8",))


def result_of(result, name):
    """The result type that a function has, as text, or the verdict if that is not `typed`."""
    return str(result.functions[name].ret_type) if result.verdict == "typed" else result.verdict


@cache
def result_in(text, name="main"):
    """`result_of` a program. A quarter of the programs are drawn again."""
    return result_of(infer(text, rules=RULES), name)


@cache
def differences(program, universe):
    """What the program and its inferred type say differently, for all arguments of a universe."""
    options = [given or [None] for given in choices(program, universe)]
    size = 1
    for given_types in options:
        size *= len(given_types)
    assume(size <= MOST)
    opened = infer(program.text(), rules=RULES)
    assert opened.verdict in ("typed", "refuted", "unknown"), opened.verdict
    scheme = show_type(opened.functions["main"])
    found = []
    for chosen in product(*options):
        annotated = [str(a) if t is None else f": {t}" for a, t in zip(program.parameters, chosen, strict=True)]
        direct = result_in(program.text(annotated))
        if opened.verdict == "refuted":
            if direct != "refuted":
                found.append((annotated, direct, "refuted"))
            continue
        header = ", ".join(f"%p{i}{a}" for i, a in enumerate(annotated))
        arguments = ", ".join(f"%p{i}" for i in range(len(annotated)))
        caller = f"@main: {scheme}\ndef @caller({header}) {{ @main({arguments}) }}"
        called = result_in(caller, "caller")
        if direct != called:
            found.append((annotated, direct, called))
    return scheme, found


@settings(max_examples=examples(150, 14))
@given(programs())
def test_an_inferred_type_has_the_instances_that_the_program_has(program):
    scheme, found = differences(program, UNIVERSE)
    assert not found, (program.text(), scheme, found[:3], len(found))


BESIDES = [
    "nn.relu(%y)",
    "expand_dims(%y, axis=0)",
    'cast(%x, dtype="bool")',
    "shape_of(%y)",
    "(zeros_like(%y), %x).0",
    "(fn (%z) { nn.relu(%z) })(%y)",
    "(fn (%z: Tensor[_, _]) { copy(%z) })(%y)",
    "if (True) { %x } else { copy(%x) }",
]


@pytest.mark.parametrize("besides", BESIDES)
@pytest.mark.parametrize(
    "form",
    [
        "def @f(%x) {{ {0} }} def @main({1}) {{ (@f(%a), @f(%b)) }}",
        "def @main({1}) {{ let %f = fn (%x) {{ {0} }}; (%f(%a), %f(%b)) }}",
    ],
)
def test_what_a_body_makes_besides_is_of_another_type_in_each_call(besides, form):
    # Of `add` nothing was said in the type but its `where`, and what was made of its result was one for all calls.
    body = f"let %y = add(%x, %x); let %z = {besides}; %y"
    result = infer(form.format(body, "%a: Tensor[(1, 2), float32], %b: Tensor[(4), int8]"), rules=RULES)
    assert result_of(result, "main") == "(Tensor[(1, 2), float32], Tensor[(4), int8])"


def test_many_open_functions_take_as_much_time_each():
    """What was made in all the others was looked through for each."""
    made = []
    for count in (50, 200):
        text = " ".join(f"def @f{i}(%x, %y) {{ let %z = add(%x, %y); nn.relu(%z) }}" for i in range(count))
        program = parse(text)
        infer(program, rules=RULES)
        with at_most(1_000_000) as calls:
            assert infer(program, rules=RULES).verdict == "typed"
        made.append(calls.made)
    assert made[1] < 5 * made[0]


def declared(function, name, body):
    """A function with its inferred type as its header."""
    parameters = ", ".join(show_parameter(p) for p in function.type_params)
    arguments = ", ".join(f"%p{i}: {show_type(t)}" for i, t in enumerate(function.arg_types))
    demands = ", ".join(map(show_type, function.type_constraints))
    result = f"{show_type(function.ret_type)}{' where ' if demands else ''}{demands}"
    return f"def @{name}{f'<{parameters}>' if parameters else ''}({arguments}) -> {result} {{ {body} }}"


@settings(max_examples=examples(60))
@given(programs())
def test_an_inferred_type_may_be_declared(program):
    text = program.text()
    opened = infer(text, rules=RULES)
    assume(opened.verdict == "typed")
    function = opened.functions["main"]
    again = infer(declared(function, "main", text[text.index("{") + 1 : text.rindex("}")]), rules=RULES)
    assert (again.verdict, str(again.functions["main"])) == ("typed", str(function)), text
    arguments = ", ".join(f"%p{i}" for i in range(len(program.parameters)))
    caller = infer(f"{text}\n{declared(function, 'caller', f'@main({arguments})')}", rules=RULES)
    assert (caller.verdict, str(caller.functions["caller"])) == ("typed", str(function)), text


# --- windows ----------------------------------------------------------------------------------------------------------

small = st.integers(1, 3)
pairs = st.tuples(small, small).map(list)


@st.composite
def layers(draw, value):
    """A call that keeps a tensor of rank 4 and two channels one."""
    kind = draw(st.integers(0, 6))
    padding = [draw(st.integers(0, 1)) for _ in range(2)]
    if kind <= 1:
        name = draw(st.sampled_from(["nn.max_pool2d", "nn.avg_pool2d"]))
        ceil = f", ceil_mode={draw(st.booleans())}"
        return f"{name}({value}, pool_size={draw(pairs)}, strides={draw(pairs)}, padding={padding}{ceil})"
    if kind == 2:
        kernel = draw(pairs)
        weight = f'zeros(shape=[2, 2, {kernel[0]}, {kernel[1]}], dtype="float32")'
        return f"nn.conv2d({value}, {weight}, strides={draw(pairs)}, padding={padding}, dilation={draw(pairs)})"
    if kind == 3:
        return f"nn.upsampling({value}, scale_h=2.0, scale_w={draw(small)}.0)"
    if kind == 4:
        begin, step = draw(st.integers(0, 2)), draw(small)
        return f"strided_slice({value}, begin=[{begin}], end=[{draw(st.integers(3, 6))}], strides=[{step}], axes=[2])"
    if kind == 5:
        return f"nn.pad({value}, 0f, pad_width=[[0, 0], [0, 0], [0, {draw(small)}], [{draw(small)}, 0]])"
    return f"concatenate(({value}, {value}), axis={draw(st.integers(2, 3))})"


@st.composite
def stacks(draw):
    """A function of images of unknown extents."""
    lines, value = [], "%x"
    for i in range(draw(st.integers(1, 3))):
        lines.append(f"let %v{i} = {draw(layers(value))};")
        value = f"%v{i}"
    last = draw(st.sampled_from([value, f"nn.batch_flatten({value})", f"nn.global_avg_pool2d({value})"]))
    return f"{{ {' '.join(lines)} {last} }}"


IMAGES = [(0, 3), (1, 1), (2, 5), (3, 2), (4, 4), (5, 0), (7, 8), (9, 6)]


def check_images(opened, body):
    """Check that a call of the type of an open program has the types of the program, or is refuted as it is."""
    for h, w in IMAGES:
        given_type = f"Tensor[(1, 2, {h}, {w}), float32]"
        direct = result_in(f"def @main(%x: {given_type}) {body}")
        if opened.verdict == "refuted":
            assert direct == "refuted", body
            continue
        scheme = show_type(opened.functions["main"])
        called = result_in(f"@main: {scheme}\ndef @caller(%x: {given_type}) {{ @main(%x) }}", "caller")
        assert direct == called, (body, scheme, given_type)


@settings(max_examples=examples(60))
@given(stacks())
def test_a_type_of_images_has_the_instances_that_the_program_has(body):
    check_images(infer(f"def @main(%x: Tensor[(1, 2, _, _), float32]) {body}", rules=RULES), body)


@settings(max_examples=examples(60))
@given(stacks())
def test_a_function_with_declared_extents_demands_what_its_calls_demand(body):
    header = "def @main<h: ShapeVar, w: ShapeVar>(%x: Tensor[(1, 2, h, w), float32])"
    check_images(infer(f"{header} {body}", rules=RULES), body)


DROPPED = [
    ("let %a = nn.batch_flatten(%x); let %b = nn.matmul(%a, %a); %a", "Tensor[({}), float32]"),
    ("let %a = nn.batch_flatten(%x); let %b = nn.dense(%a, %a); %x", "Tensor[({}, 2), float32]"),
    ("let %a = nn.batch_flatten(%x); let %c = nn.matmul(%a, nn.batch_flatten(%y)); %x", "Tensor[(2, {}), float32]"),
    ("(nn.dense(nn.batch_flatten(%x), nn.batch_flatten(%y)), %x).1", "Tensor[(2, {}), float32]"),
]


@pytest.mark.parametrize(("body", "given_type"), DROPPED)
@pytest.mark.parametrize("extent", [1, 2, 3])
def test_what_a_decided_call_made_one_is_not_lost_with_what_says_nothing(body, given_type, extent):
    params = f"%x: {given_type.format(extent)}, %y: Tensor[(2, 2), float32]"
    inlined = infer(f"def @main({params}) {{ {body} }}").verdict
    called = infer(f"def @f(%x, %y) {{ {body} }}\ndef @main({params}) {{ @f(%x, %y) }}").verdict
    assert inlined == called


@pytest.mark.parametrize(
    ("call", "body"),
    [
        ("nn.matmul(tile(%x, reps=[2]), @half(%y))", "split(%p, indices_or_sections=2, axis=0).0"),
        ("concatenate((tile(%x, reps=[2]), @half(%y)), axis=1)", "split(%p, indices_or_sections=3, axis=0).1"),
        ("(tile(%x, reps=[2]), @half(%y))", "strided_slice(%p, begin=[0], end=[100], strides=[2])"),
    ],
)
def test_a_function_that_divides_said_less_than_its_body_in_place(call, body):
    """A quotient that a function has for a result hid what the whole is: `4 * t2` was `t3` with `t3 // 2 = 2 * t2`."""
    apart = f"def @half(%p) {{ {body} }}"
    parameters = "%x: Tensor[(_, _), int8], %y: Tensor[(_, _), int8]"
    inside = call.replace("@half(%y)", body.replace("%p", "%y"))
    texts = [f"def @main({parameters}) {{ {text} }} {apart}" for text in (call, inside)]
    assert len({show_type(infer(text).functions["main"]) for text in texts}) == 1

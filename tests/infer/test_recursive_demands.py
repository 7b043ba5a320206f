"""What a function with declared extents demands holds where it calls itself, too: at every extent that it comes to."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relaylogic.api import infer, parse
from relaylogic.infer.program import Inference
from relaylogic.infer.results.recording import Recording
from relaylogic.ir import IRModule
from tests.effort import examples

CROPS = "def @crops<n: ShapeVar>(%x: Tensor[(n), int8]) -> int8 { sum(nn.pad(%x, 0i8, pad_width=[[-2, 0]])) }\n"


class Value(NamedTuple):
    """A vector made of two: how it is written, and how long it is."""

    text: str
    extent: Callable[[int, int], int]


VALUES = [
    Value("%x", lambda n, m: n),
    Value("%y", lambda n, m: m),
    Value("concatenate((%x, %y))", lambda n, m: n + m),
    Value("concatenate((%y, %y))", lambda n, m: 2 * m),
    Value("nn.pad(%x, 0f, pad_width=[[0, 1]])", lambda n, m: n + 1),
    Value("strided_slice(%x, begin=[0], end=[3])", lambda n, m: min(n, 3)),
    Value("strided_slice(%y, begin=[1], end=[9])", lambda n, m: min(m, 9) - min(m, 1)),
    Value("zeros(shape=[2], dtype=float32)", lambda n, m: 2),
]
LESS = Value("nn.pad(%x, 0f, pad_width=[[-1, 0]])", lambda n, m: n - 1)


class Recursive(NamedTuple):
    """A function of two vectors: what it crops from each of them, and with what it calls itself."""

    crops: tuple[int, int]
    calls: tuple[tuple[Value, Value], ...]

    def text(self, head: str = "def @f", callee: str = "@f") -> str:
        """The function, without what stands behind it."""
        cropped = [f"sum(nn.pad(%{v}, 0f, pad_width=[[-{k}, 0]]))" for v, k in zip("xy", self.crops, strict=True) if k]
        made = ["0f", *cropped, *(f"{callee}({a.text}, {b.text})" for a, b in self.calls)]
        shapes = "%x: Tensor[(n), float32], %y: Tensor[(m), float32]"
        body = "".join(f"let %v{i} = {value}; " for i, value in enumerate(made))
        return f"{head}<n: ShapeVar, m: ShapeVar>({shapes}) -> float32 {{ {body}%v0 }}"

    def holds(self, n: int, m: int) -> bool:
        """Whether every call that a call with these extents comes to is right."""
        met, agenda = set(), [(n, m)]
        while agenda:
            n, m = at = agenda.pop()
            if n < self.crops[0] or m < self.crops[1]:
                return False
            if at not in met and max(at) < 40:
                met.add(at)
                agenda += [(a.extent(n, m), b.extent(n, m)) for a, b in self.calls]
        return True


CALLED = st.lists(st.tuples(st.sampled_from(VALUES), st.sampled_from(VALUES)), min_size=1, max_size=2).map(tuple)
RECURSIVE = st.builds(Recursive, st.tuples(st.integers(0, 3), st.integers(0, 3)), CALLED)


def verdict_at(function: str, n: int, m: int) -> str:
    """The verdict of a call of `@f`."""
    main = f"def @main(%x: Tensor[({n}), float32], %y: Tensor[({m}), float32]) {{ @f(%x, %y) }}"
    return infer(f"{function}\n{main}").verdict


@settings(max_examples=examples(15, 3))
@given(RECURSIVE, st.tuples(st.integers(0, 4), st.integers(0, 4)))
def test_a_call_is_typed_exactly_if_all_that_it_comes_to_are(function: Recursive, at: tuple[int, int]) -> None:
    assert (verdict_at(function.text(), *at) == "typed") == function.holds(*at)


@settings(max_examples=8)
@given(RECURSIVE, st.tuples(st.integers(0, 4), st.integers(0, 4)))
def test_a_function_that_a_let_binds_is_no_other(function: Recursive, at: tuple[int, int]) -> None:
    literal = function.text("fn ", "%f")
    outer = "def @f(%a: Tensor[({}), float32], %b: Tensor[({}), float32])".format(*at)
    verdict = infer(f"{outer} {{ let %f = {literal}; %f(%a, %b) }}").verdict
    assert (verdict == "typed") == function.holds(*at)


@pytest.mark.parametrize("form", ["{}", "let %g = (@f, 1); let %w = %g.0(%y, %x); {}"])
def test_two_that_change_places_are_both_cropped(form: str) -> None:
    crops = "sum(nn.pad(%x, 0f, pad_width=[[-2, 0]]))"
    body = form.format(crops if "let" in form else f"let %w = @f(%y, %x); {crops}")
    shapes = "%x: Tensor[(n), float32], %y: Tensor[(m), float32]"
    function = f"def @f<n: ShapeVar, m: ShapeVar>({shapes}) -> float32 {{ {body} }}"
    assert [verdict_at(function, *at) for at in [(2, 2), (1, 2), (2, 1)]] == ["typed", "refuted", "refuted"]


def test_where_each_call_has_less_no_call_is_typed() -> None:
    function = Recursive((2, 0), ((LESS, VALUES[1]),)).text()
    assert all(verdict_at(function, n, 1) != "typed" for n in (0, 1, 2, 3, 50))


@pytest.mark.parametrize("names", ["ab", "ba"])
def test_what_a_function_demands_is_seen_by_those_whose_names_come_first(names: str) -> None:
    callee, caller = names
    crops = CROPS.replace("@crops", f"@{callee}")
    call = f"def @{caller}(%x: Tensor[(SIZE), int8]) -> int8 {{ @{callee}(%x) }}"
    assert [infer(crops + call.replace("SIZE", str(n))).verdict for n in (1, 2)] == ["refuted", "typed"]


def test_functions_that_call_each_other_demand_what_each_of_them_does() -> None:
    shape = "<n: ShapeVar>(%x: Tensor[(n), int8], %b: bool) -> int8"
    functions = (
        f"def @a{shape} {{ if (%b) {{ @c(%x, %b) }} else {{ @o(%x, %b) }} }}\n"
        f"def @c{shape} {{ if (%b) {{ @a(%x, %b) }} else {{ sum(nn.pad(%x, 0i8, pad_width=[[-3, 0]])) }} }}\n"
        "def @o(%x: Tensor[(_), int8], %b) { @a(concatenate((%x, %x)), %b) }\n"
    )
    for name, least in (("a", 3), ("c", 3), ("o", 2)):
        for n in range(5):
            main = f"def @main(%x: Tensor[({n}), int8], %b: bool) {{ @{name}(%x, %b) }}"
            assert infer(functions + main).verdict == ("typed" if n >= least else "refuted"), (name, n)


@pytest.mark.parametrize("bound", ["a function", "a let"])
def test_what_else_is_open_is_demanded_of_each_call_of_itself(bound: str) -> None:
    body = "let %w = {}(zeros(shape=[4], dtype=int8), %z); let %s = add(%x, %z); 1"
    literal = f"<n: ShapeVar>(%x: Tensor[(n), int8], %z) {{{{ {body} }}}}"
    if bound == "a function":
        function, call = f"def @f{literal.format('@f')}", "@f(%x, %z)"
    else:
        function, call = "", f"let %f = fn {literal.format('%f')}; %f(%x, %z)"
    for n, m, is_right in ((2, 1, True), (2, 2, False), (1, 4, True), (4, 4, True), (1, 2, False)):
        main = f"def @main(%x: Tensor[({n}), int8], %z: Tensor[({m}), int8]) {{ {call} }}"
        assert infer(f"{function}\n{main}").verdict == ("typed" if is_right else "refuted"), (n, m)


@pytest.mark.parametrize("name", ["crops", "passes_on"])
def test_what_an_imported_function_demands_is_seen(name: str) -> None:
    passes_on = "def @passes_on<n: ShapeVar>(%x: Tensor[(n), int8]) -> int8 { @crops(%x) }\n"
    for n, verdict in ((1, "refuted"), (2, "typed")):
        main = f"def @main(%x: Tensor[({n}), int8]) {{ @{name}(%x) }}"
        library, program = parse(CROPS + passes_on + main), IRModule()
        variable = library.get_global_var("main")
        program.add(variable, library.functions[variable])
        library.discard("main")
        program.imports["library"] = library
        assert infer(program).verdict == verdict


def test_a_let_bound_function_that_calls_itself_serves_for_every_type() -> None:
    literal = "(%y, %c) { if (%c) { nn.relu(%y) } else { FUNCTION(%y, %c) } }"
    params = "%x: Tensor[(1), int8], %z: Tensor[(4), float32], %b: bool"
    bound = f"def @main({params}) {{ let %f = fn {literal.replace('FUNCTION', '%f')}; (%f(%x, %b), %f(%z, %b)) }}"
    defined = f"def @f{literal.replace('FUNCTION', '@f')} def @main({params}) {{ (@f(%x, %b), @f(%z, %b)) }}"
    assert str(infer(bound).functions["main"]) == str(infer(defined).functions["main"])
    assert infer(bound).verdict == "typed"


def test_an_extent_of_a_slice_demands_nothing_of_what_is_sliced() -> None:
    tail = "strided_slice(%x, begin=[1], end=[9])"
    result = infer(f"def @f<n: ShapeVar>(%x: Tensor[(n), int8]) -> int8 {{ @f({tail}) }}")
    assert (result.verdict, str(result.functions["f"])) == ("typed", "fn [n: ShapeVar](Tensor[(n), int8]) -> int8")


def test_a_function_that_calls_itself_with_less_says_where() -> None:
    less = "nn.max_pool2d(%x, pool_size=[2, 2], strides=[2, 2])"
    body = f"let %v = sum(nn.max_pool2d(%x, pool_size=[3, 3])); @f({less})"
    result = infer(f"def @f<h: ShapeVar>(%x: Tensor[(1, 3, h, h), int8]) -> int8 {{ {body} }}")
    assert result.verdict == "refuted"
    (error,) = result.errors
    assert "it is called again with less here" in str(error)


ROUNDABOUT = {
    "by way of another": ("@b(%x, %y)", "@a(LESS, %y)", "refuted"),
    "by way of one that is not annotated": ("@c(LESS)", "0f", "refuted"),
    "one of two that are exchanged": ("@b(%y, %x)", "@a(LESS, %y)", "refuted"),
    "another one than comes back": ("@b(%y, %x)", "@a(%y, LESS)", "refuted"),
    "what another adds": ("@b(LESS, %y)", "@a(concatenate((%x, zeros(shape=[1], dtype=float32))), %y)", "typed"),
    "what another sets": ("@b(LESS, %y)", "@a(zeros(shape=[5], dtype=float32), %y)", "typed"),
    "no way back": ("@b(LESS, %y)", "0f", "typed"),
}


@pytest.mark.parametrize("case", ROUNDABOUT)
def test_functions_that_come_back_to_themselves_with_less_are_refused(case: str) -> None:
    first, second, verdict = ROUNDABOUT[case]
    head = "<n: ShapeVar, m: ShapeVar>(%x: Tensor[(n), float32], %y: Tensor[(m), float32]) -> float32"
    functions = [f"def @a{head} {{ {first} }}", f"def @b{head} {{ {second} }}", "def @c(%x) { @a(%x, %x) }"]
    for order in (functions, functions[::-1]):
        assert infer("\n".join(order).replace("LESS", LESS.text)).verdict == verdict


def test_what_is_inferred_again_is_recorded_once() -> None:
    function = Recursive((2, 0), ((VALUES[1], VALUES[0]),)).text()
    module = parse(f"{function} def @main(%x: Tensor[(3), float32]) {{ @f(%x, %x) }}")
    recording = Recording()
    inference = Inference(module, recording=recording)
    operators = [a.site for a in recording.attempts if getattr(a.site, "callee", "") == "nn.pad"]
    assert inference.verdict() == "typed"
    assert len(operators) == 1

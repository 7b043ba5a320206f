"""One fault is one error: what is refused only since something else is wrong is an echo, and none of its own."""

from __future__ import annotations

import pytest

import relaylogic


def errors(text):
    """The errors of a refuted program."""
    result = relaylogic.infer(text, closed=True)
    assert result.verdict == "refuted"
    return result.errors


CELL = """def @main(%x: Tensor[(2, 8), float32], %h: Tensor[(16, 8), float32], %w: Tensor[(2, 16), float32]) {{
  let %a = tanh(nn.batch_matmul(%x, %h));
  {}
}}"""


@pytest.mark.parametrize(
    "rest",
    ["multiply(nn.relu(%a), %w)", "let %b: Tensor[(2, 16), float32] = %a; %b", "concatenate((%a, %w), axis=0)"],
)
def test_an_operator_that_refuses_the_rank_of_its_arguments_gives_nothing_that_others_are_refused_for(rest):
    """It was taken to give a tensor of its own rank: whoever used the result was wrong, too."""
    (found,) = errors(CELL.format(rest))
    assert found.message.startswith("`nn.batch_matmul` refuses")


def test_an_operator_that_more_than_one_extent_does_not_fit_gives_nothing_that_others_are_refused_for():
    (found,) = errors("""
def @main(%x: Tensor[(1, 3, 8, 9), int8], %v: Tensor[(4, 3, 3, 3), int8], %b: Tensor[(4), int8]) {
  let %w = nn.relu(%v);
  let %c = nn.bias_add(add(nn.relu(%x), nn.relu(%w)), %b);
  let %d = nn.conv2d(%x, %v, padding=[1, 1]);
  let %e = nn.conv2d(%x, %w, padding=[1, 1]);
  multiply(nn.batch_flatten(%c), nn.batch_flatten(%d))
}""")
    assert found.message.startswith("`add` refuses")


def test_behind_an_operator_that_refuses_one_extent_another_fault_is_an_error():
    text = CELL.replace("nn.batch_matmul", "nn.dense").replace("(16, 8)", "(16, 9)")
    found = errors(text.format("multiply(nn.relu(%a), reshape(%w, newshape=[3, 11]))"))
    assert [error.line for error in found] == [1, 3]


def test_another_operator_is_told_that_takes_the_attributes_of_the_call():
    """Others were tried without: none was found, and what is behind was an error more; or one that takes none was."""
    text = """def @main(%x: Tensor[(2, 3, 8, 8), int8], %w: Tensor[(4, 3, 3, 3), int8], %v: Tensor[_, int8]) {
  let %a = nn.conv1d(%x, %w, channels=4, kernel_size=[3, 3]);
  nn.max_pool2d(nn.conv2d(%a, %v), pool_size=[2, 2])
}"""
    (found,) = errors(text)
    assert found.hints == ("the rest of the program is consistent with `nn.conv2d` in place of `nn.conv1d` here",)
    (found,) = errors("""def @main(%x: Tensor[(4, 8), int8], %y: Tensor[(4, 8), int8]) -> Tensor[(4, 8), int8] {
  add(nn.dense(%x, %y, units=4), %x)
}""")
    assert not any("`add` in place of" in hint for hint in found.hints)


def test_what_is_refused_only_since_a_result_is_mended_speaks_against_that():
    """Two results were blamed: it was known what they would be, and not what is meant in the arm."""
    (found,) = errors("""type Box[A] { Wrap(A) }
def @get[A](%b: Box[A]) -> A { match (%b) { Wrap(%x) => %b } }
def @main(%x: Tensor[(2, 3), float32]) -> Tensor[(2, 3), float32] { @get(Wrap(%x)) }""")
    assert (found.line, found.message) == (2, "the body has type Box[A], but A is wanted")


BLOCK = """def @block(PARAMETERS) {
  nn.relu(nn.dense(%x, %w))
}
def @main(%x: Tensor[(2, 8), int8], %v: Tensor[(8, 8), int8], %b: Tensor[(8), int8]) {
  let %a = @block(ARGUMENTS);
  let %c = @block(ARGUMENTS);
  REST
}"""
X, W, B = "%x: Tensor[(2, 8), int8]", "%w: Tensor[(8, 8), int8]", "%b: Tensor[(8), int8]"


def block(parameters, arguments, rest="add(%a, %c)"):
    """A program with two calls of a function."""
    return BLOCK.replace("PARAMETERS", parameters).replace("ARGUMENTS", arguments).replace("REST", rest)


@pytest.mark.parametrize(
    ("parameters", "arguments", "has", "gives", "hint"),
    [
        (f"{B}, {X}, {W}", "%x, %v", "3 parameters", "2 arguments", "this function without parameter 1"),
        (f"{X}, {W}, {B}", "%x, %v", "3 parameters", "2 arguments", "this function without parameter 3"),
        (
            f"{X}, {W}",
            "%x, %b, %v",
            "2 parameters",
            "3 arguments",
            "one more parameter here, parameter 2, of type Tensor[(8), int8]",
        ),
    ],
)
def test_a_function_with_a_parameter_too_many_or_too_few_is_one_error(parameters, arguments, has, gives, hint):
    """Each of its calls was one."""
    text = block(parameters, arguments)
    (found,) = errors(text)
    assert (found.line, found.message) == (1, f"`@block` has {has}, but both calls of it give {gives}")
    assert found.hints == (f"the rest of the program is consistent with {hint}",)
    assert [label.span.line for label in found.related] == [5, 6]
    for fix in found.fixes:
        fixed = text[: fix.span.start] + fix.text + text[fix.span.end :]
        assert relaylogic.infer(fixed).verdict == "typed"
    assert len(found.fixes) == ("without" in hint)


def test_beside_a_parameter_too_many_another_fault_is_an_error():
    found = errors(block(f"{X}, {W}, {B}", "%x, %v", "let %d = nn.bias_add(%x, %v); add(%a, %c)"))
    assert [error.line for error in found] == [1, 7]
    result = relaylogic.infer(block(f"{X}, {W}, {B}", "%x, %v", "let %d = nn.bias_add(%x, %v); add(%a, %c)"))
    assert {place.span.line for place in next(result.corrections()).places} >= {5, 6}


def test_of_calls_that_differ_the_wrong_one_is_an_error():
    found = errors(block(f"{X}, {W}", "%x, %v", "@block(%x, %v, %b)"))
    assert [error.line for error in found] == [7]


@pytest.mark.parametrize(("parameters", "line"), [(f"{X}, {B}, {W}", 1), (f"{X}, {W}", 3)])
def test_where_there_is_one_call_the_function_is_wrong_if_it_has_a_parameter_that_nobody_uses(parameters, line):
    given = "%x, %v" if line == 1 else "%x, %v, %b"
    (found,) = errors(f"""def @block({parameters}) {{ nn.relu(nn.dense(%x, %w)) }}
def @main(%x: Tensor[(2, 8), int8], %v: Tensor[(8, 8), int8], %b: Tensor[(8), int8]) {{
  @block({given})
}}""")
    assert found.line == line


def test_calls_of_the_prelude_are_wrong_and_not_the_prelude():
    module = relaylogic.parse("def @main(%l: List[int8]) { (@length(%l, %l), @length(%l, %l)) }", prelude=True)
    found = relaylogic.infer(module).errors
    assert [error.message.split(",")[0] for error in found] == ["`@length` takes 1 argument"] * 2

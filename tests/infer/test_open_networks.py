"""Real networks of which extents of the inputs are unknown: their types are expressions over these, and right ones.

The types with the original extents put in are those of the original network, call by call.
"""

from __future__ import annotations

import re
from functools import cache

import pytest

from relaylogic.api import infer, parse
from relaylogic.logic.terms.numbers import Arith
from relaylogic.types import FuncType, TensorType, TypeVar, show_type
from relaylogic.types.substitution import substitute
from tests.conformance.programs import networks
from tests.effort import some

_SHAPE = re.compile(r"Tensor\[\(([^()]*)\), ")

def opened(text, every=False):
    """The text of a network with `_` for the extents of the first input that has any, or of every one of @main."""
    start = text.index("(", text.index("def @main"))
    end = text.index("{", start)
    end = min(end, text.find("->", start)) if "->" in text[start:end] else end
    head, count = _SHAPE.subn(_with_holes, text[start:end], count=0 if every else 1)
    return text[:start] + head + text[end:] if count else None


def _with_holes(match):
    rank = len([extent for extent in match.group(1).split(",") if extent.strip()])
    return f"Tensor[({', '.join('_' * rank)}), " if rank else match.group(0)


@cache
def ground(name):
    return infer(parse(networks()[name]["text"]))


def parameters_in(term):
    """The type parameters in a type."""
    found, stack = set(), [term]
    while stack:
        item = stack.pop()
        if type(item) is TypeVar:
            found.add(item)
        else:
            stack.extend(item if type(item) is tuple else getattr(item, "args", ()))
    return found


def matched(pattern, known):
    """What the type parameters of a type must be for it to be a known one."""
    values, stack = {}, [(pattern, known)]
    while stack:
        a, b = stack.pop()
        if type(a) is TypeVar:
            values[a] = b
        elif type(a) is tuple:
            stack.extend(zip(a, b, strict=True))
        elif type(a) is type(b) and hasattr(a, "args") and type(a) is not Arith:
            stack.extend(zip(a.args, b.args, strict=True))
    return values


def compare(name, text, expressions=True):
    """Check an opened network against the original one; all extents are `expressions` over the inputs', if asked."""
    original, result = ground(name), infer(parse(text))
    assert result.verdict == "typed", [e.message for e in result.errors]
    main = result.functions["main"]
    inputs = parameters_in(main.arg_types)
    values = matched(main.arg_types, original.functions["main"].arg_types)
    for before, after in zip(original.calls, result.calls, strict=True):
        if before.function != "main":
            continue
        mentioned = parameters_in(after.type)
        if mentioned - inputs and type(after.type) is not FuncType:
            assert not expressions, (before.callee, show_type(after.type))
            continue
        now = substitute(after.type, values, [])
        assert agree(show_type(now), show_type(before.type)), (before.callee, show_type(after.type), show_type(now))

def agree(now, before):
    """Whether a type is the one that was found before; what is `?` in one of them may be known in the other."""
    parts, others = re.findall(r"\w+|\S", now), re.findall(r"\w+|\S", before)
    return len(parts) == len(others) and all(a == b or "?" in (a, b) for a, b in zip(parts, others, strict=True))


@pytest.mark.parametrize("name", some(sorted(networks()), 2))
def test_a_network_with_an_unknown_input_has_expressions_for_all_extents(name):
    text = opened(networks()[name]["text"])
    if text is None:
        assert not _SHAPE.search(networks()[name]["text"].split("{")[0].replace("()", ""))
        return
    compare(name, text)


@pytest.mark.parametrize("name", some(sorted(networks()), 6))
def test_a_network_of_which_no_extent_is_written_has_the_types_of_any(name):
    text = opened(networks()[name]["text"], every=True)
    if text is not None:
        compare(name, text, expressions=False)


def named(text, found):
    """The text of a network with shape variables for those extents of its first input that stay open in `found`."""
    start = text.index("(", text.index("def @main"))
    match = _SHAPE.search(text, start)
    written = [extent.strip() for extent in match.group(1).split(",") if extent.strip()]
    first = next(t for t in found.arg_types if type(t) is TensorType and t.shape)
    free = {d: f"n{i}" for i, d in enumerate(first.shape) if type(d) is TypeVar}
    extents = [free.get(d, e) for d, e in zip(first.shape, written, strict=True)]
    kinds = f"<{', '.join(f'{name}: ShapeVar' for name in free.values())}>" if free else ""
    return f"{text[:start]}{kinds}{text[start : match.start(1)]}{', '.join(extents)}{text[match.end(1) :]}"


@pytest.mark.parametrize("name", some(sorted(networks()), 16))
def test_holes_and_shape_variables_get_the_same_expressions(name):
    text = networks()[name]["text"]
    if opened(text) is None:
        return
    result = infer(parse(opened(text)))
    if not any(type(t) is TensorType and t.shape for t in result.functions["main"].arg_types):
        return
    rigid = infer(parse(named(text, result.functions["main"])))
    if rigid.verdict != "typed":
        assert result.functions["main"].type_constraints  # not every value is accepted
        return
    values = matched(result.functions["main"].arg_types, rigid.functions["main"].arg_types)
    for before, after in zip(rigid.calls, result.calls, strict=True):
        if before.function == "main":
            assert show_type(substitute(after.type, values, [])) == show_type(before.type)


def test_reshapes_of_a_sequence_of_any_length_are_decided_at_once():
    """That as many elements come out as go in was left to be said of each, and each was tried again."""
    result = infer("""
def @main(%x: Tensor[(1, _, 64), float32], %w: Tensor[(64, 64), float32]) {
  let %q = nn.dense(reshape(%x, newshape=[-1, 64]), %w, units=64);
  let %h = reshape(transpose(reshape(%q, newshape=[1, -1, 4, 16]), axes=[0, 2, 1, 3]), newshape=[4, -1, 16]);
  let %a = nn.batch_matmul(nn.softmax(nn.batch_matmul(%h, %h, transpose_b=True)), %h, transpose_b=False);
  reshape(transpose(reshape(%a, newshape=[1, 4, -1, 16]), axes=[0, 2, 1, 3]), newshape=[1, -1, 64])
}""")
    assert result.verdict == "typed"
    kept = "Tensor[(1, t1, 64), float32]"
    assert show_type(result.functions["main"]) == f"fn [t1: ShapeVar]({kept}, Tensor[(64, 64), float32]) -> {kept}"
    reshapes = [step.site for step in result.trace if step.relation == "Reshape"]
    assert len(reshapes) == len(set(reshapes)) == 5

"""Which other value of the program is told to be meant, or which number: it may stand there, and the program is right
with it."""

from __future__ import annotations

import pytest

import relaylogic
from relaylogic.explain.blame.bound import bound_in

LIST = """
type List[A] {
  Cons(A, List[A]),
  Nil,
}
def @hd[A](%l: List[A]) -> A { match? (%l) { Cons(%x, _) => %x } }
"""

TOLD = {
    "a reference that nobody uses": (
        "def @main(%x: int32) -> () {\n  let %r = ref(%x);\n  ref_write(%x, 3)\n}",
        3,
        "`%r` written to here",
        ("ref_write(%x, 3)", "ref_write(%r, 3)"),
    ),
    "another value that is written": (
        "def @main(%x: float32, %n: int32) {\n  let %r = ref(1f);\n  ref_write(%r, %n);\n  (ref_read(%r), %n)\n}",
        3,
        "`%x` as what is written here",
        ("ref_write(%r, %n)", "ref_write(%r, %x)"),
    ),
    "what a reference holds": (
        "def @main(%x: Tensor[(2), float32]) -> Tensor[(2), float32] {\n  let %r = ref(%x);\n"
        "  ref_write(%r, nn.relu(%x));\n  %r\n}",
        4,
        "`ref_read` around this",
        ("%r\n}", "ref_read(%r)\n}"),
    ),
    "a variable that nobody uses as a condition": (
        "def @main(%c: bool, %x: int32) {\n  if (%x) { (%x, 1) } else { (%x, 2) }\n}",
        2,
        "`%c` in its place",
        ("if (%x)", "if (%c)"),
    ),
    "as many elements as are reshaped": (
        "def @main(%x: Tensor[(2, 3, 4), float32]) {\n  reshape(%x, newshape=[49])\n}",
        2,
        "`newshape=[24]` here",
        ("[49]", "[24]"),
    ),
    "as many parts as the fields that are taken": (
        "def @main(%x: Tensor[(2, 12), float32]) -> (Tensor[(2, 4), float32], Tensor[(2, 4), float32]) {\n"
        "  let %s = split(%x, indices_or_sections=4, axis=1);\n  (%s.0, %s.1)\n}",
        2,
        "`indices_or_sections=3` here",
        ("indices_or_sections=4", "indices_or_sections=3"),
    ),
    "an extent of what is broadcast, and not 1, which fits anything": (
        "def @main(%x: Tensor[(4, 8), float32]) -> Tensor[(4, 8), float32] {\n"
        '  add(%x, ones(shape=[9], dtype="float32"))\n}',
        2,
        "`shape=[8]` here",
        ("[9]", "[8]"),
    ),
    "a reference and what is written to it": (
        "def @main(%x: Tensor[(4), float32]) {\n  let %r = ref(%x);\n  let %y = nn.relu(%x);\n"
        "  ref_write(%y, %r);\n  ref_read(%r)\n}",
        4,
        "the reference and what is written to it exchanged here",
        ("ref_write(%y, %r)", "ref_write(%r, %y)"),
    ),
    "two attributes of a call that are exchanged": (
        "def @main(%x: Tensor[(1, 8, 28, 20), float32]) -> Tensor[(1, 28, 20, 8), float32] {\n"
        '  layout_transform(%x, src_layout="NHWC", dst_layout="NCHW")\n}',
        2,
        "`src_layout` and `dst_layout` exchanged here",
        ('src_layout="NHWC", dst_layout="NCHW"', 'src_layout="NCHW", dst_layout="NHWC"'),
    ),
    "an attribute that is not written, of a call with many others": (
        "def @main(%x: Tensor[(1, 64, 14, 14), float32], %w: Tensor[(64, 32, 3, 3), float32],\n"
        "          %skip: Tensor[(1, 32, 28, 28), float32]) {\n"
        "  %0 = nn.conv2d_transpose(%x, %w, strides=[2, 2], padding=[1, 1, 1, 1], channels=32, kernel_size=[3, 3]);\n"
        "  add(%0, %skip)\n}",
        3,
        "`output_padding=[1, 1]` here",
        ("kernel_size=[3, 3]", "kernel_size=[3, 3], output_padding=[1, 1]"),
    ),
    "axes that are padded in another order": (
        "def @main(%x: Tensor[(1, 3, 30, 30), float32], %w: Tensor[(8, 3, 3, 3), float32])"
        " -> Tensor[(1, 8, 30, 30), float32] {\n"
        "  %0 = nn.pad(%x, 0f, pad_width=[[0, 0], [1, 1], [1, 1], [0, 0]]);\n"
        "  nn.conv2d(%0, %w, channels=8, kernel_size=[3, 3])\n}",
        2,
        "`pad_width=[[0, 0], [0, 0], [1, 1], [1, 1]]` here",
        ("[1, 1], [1, 1], [0, 0]", "[0, 0], [1, 1], [1, 1]"),
    ),
    "an axis of a bias, and no padding wider than the window": (
        "def @main(%x: Tensor[(1, 28, 28, 16), float32], %w: Tensor[(3, 3, 16, 32), float32],\n"
        "          %b: Tensor[(32), float32]) {\n"
        "  %0 = nn.conv2d(%x, %w, padding=[1, 1, 1, 1], channels=32, kernel_size=[3, 3],\n"
        '    data_layout="NHWC", kernel_layout="HWIO");\n'
        "  nn.bias_add(%0, %b)\n}",
        5,
        "`axis=-1` here",
        ("%b)", "%b, axis=-1)"),
    ),
    "an end, and neither no axes nor all": (
        "def @main(%x: Tensor[(2, 10, 64), float32], %w: Tensor[(10, 64), float32]) {\n"
        "  %0 = strided_slice(%x, begin=[0, 0, 0], end=[2, 2, 64], strides=[1, 1, 1]);\n"
        "  nn.dense(squeeze(%0, axis=[1]), %w, units=10)\n}",
        2,
        "`end=[2, 1, 64]`, too",
        ("end=[2, 2, 64]", "end=[2, 1, 64]"),
    ),
    "an end, and no extent of 1 that nothing tells": (
        "def @main(%x: Tensor[(1, 12, 128), float32], %p: Tensor[(512, 128), float32])"
        " -> Tensor[(1, 12, 128), float32] {\n"
        "  %0 = strided_slice(%p, begin=[0, 0], end=[11, 128]);\n  add(%x, expand_dims(%0, axis=0))\n}",
        2,
        "`end=[12, 128]` here",
        ("end=[11, 128]", "end=[12, 128]"),
    ),
    "a tuple of one field that lacks its comma": (
        "def @main(%x: Tensor[(2, 4), float32], %w: Tensor[(3, 4), float32]) {\n  %0 = nn.relu(%x);\n"
        "  %1 = (%0);\n  %2 = concatenate(%1, axis=1);\n  nn.dense(%2, %w)\n}",
        4,
        "a tuple with argument 1 as its only field",
        ("(%0)", "(%0,)"),
    ),
    "a value that is used already, as one more argument": (
        "def @main(%x: Tensor[(8, 10), float32]) -> Tensor[(8, 10), float32] {\n"
        "  let %m = mean(%x, axis=[1], keepdims=True);\n  let %v = variance(%x, axis=[1], keepdims=True);\n"
        "  divide(subtract(%x, %m), sqrt(%v))\n}",
        3,
        "`%m` as one more argument",
        ("variance(%x,", "variance(%x, %m,"),
    ),
    "the last of many arguments": (
        "def @main(%a: Tensor[(1, 8), int8], %b: Tensor[(1, 8), int8]) {\n"
        "  qnn.add(%a, %b, 0.5f, 0, 0.25f, 0, 0, 0.5f)\n}",
        2,
        "arguments 7 and 8 exchanged here",
        ("0, 0, 0.5f)", "0, 0.5f, 0)"),
    ),
    "the layout of a kernel for each channel": (
        "def @main(%x: Tensor[(1, 112, 112, 32), float32], %w: Tensor[(3, 3, 32, 1), float32]) {\n"
        "  nn.conv2d(%x, %w, padding=[1, 1, 1, 1], groups=32, channels=32, kernel_size=[3, 3],\n"
        '    data_layout="NHWC", kernel_layout="HWIO")\n}',
        2,
        '`kernel_layout="HWOI"` here',
        ('"HWIO"', '"HWOI"'),
    ),
    "a graph variable that is bound for nothing, as one more field": (
        "def @main(%b: Tensor[(9, 3), float32]) -> Tensor[(9, 3), float32] {\n"
        "  %0 = split(%b, indices_or_sections=3, axis=1);\n  %1 = add(%0.0, %0.1);\n  %2 = exp(%0.0);\n"
        "  %3 = negative(%0.2);\n  %4 = (%1, %2);\n  concatenate(%4, axis=1)\n}",
        6,
        "`%3` as one more field",
        ("(%1, %2)", "(%1, %2, %3)"),
    ),
    "axes of what is one number for each channel of a sequence": (
        "def @main(%x: Tensor[(2, 4, 10), float32], %w: Tensor[(5, 4, 5), float32], %b: Tensor[(5), float32]) {\n"
        "  %0 = nn.conv1d(%x, %w, padding=[2, 2], channels=5, kernel_size=[5]);\n  add(%0, %b)\n}",
        3,
        "`expand_dims` with axis=1, num_newaxis=1 around argument 2",
        ("add(%0, %b)", "add(%0, expand_dims(%b, axis=1, num_newaxis=1))"),
    ),
    "no strides that leave something out between two windows": (
        "def @main(%x: Tensor[(1, 224, 224, 3), uint8], %w: Tensor[(3, 3, 3, 32), uint8], %b: Tensor[(32), int32]) {\n"
        "  %0 = qnn.conv2d(%x, %w, 128, 121, 0.01f, 0.02f, strides=[2, 2], padding=[0, 0, 1, 1], channels=32,\n"
        '    kernel_size=[3, 3], data_layout="NHWC", kernel_layout="HWIO", out_dtype="int32");\n'
        "  nn.bias_add(%0, %b)\n}",
        4,
        "`axis=-1` here",
        ("%b)", "%b, axis=-1)"),
    ),
    "twice as many": (
        "def @main(%q: Tensor[(1, 8, 10, 32), float32], %k: Tensor[(1, 2, 10, 32), float32])"
        " -> Tensor[(8, 10, 10), float32] {\n"
        "  %0 = repeat(%k, repeats=2, axis=1);\n  %1 = reshape(%q, newshape=[8, 10, 32]);\n"
        "  %2 = reshape(%0, newshape=[8, 10, 32]);\n  nn.batch_matmul(%1, %2, transpose_b=True)\n}",
        2,
        "`repeats=4` here",
        ("repeats=2", "repeats=4"),
    ),
    "what a reference holds, though a variable would fit": (
        "def @main(%x: Tensor[(4), float32]) {\n  let %r = ref(%x);\n  ref_write(%r, add(%r, %x));\n  ref_read(%r)\n}",
        3,
        "`ref_read` around argument 1",
        ("add(%r, %x)", "add(ref_read(%r), %x)"),
    ),
    "a window of the whole image": (
        "def @main(%x: Tensor[(1, 9, 12, 10), int8], %w: Tensor[(5, 9), int8]) {\n"
        "  let %p = nn.max_pool2d(%x, pool_size=[2, 2], strides=[2, 2]);\n"
        "  nn.dense(squeeze(%p, axis=[2, 3]), %w, units=5)\n}",
        2,
        "`pool_size=[12, 10]` here",
        ("pool_size=[2, 2]", "pool_size=[12, 10]"),
    ),
    "an axis that a mask lacks": (
        "def @main(%h: Tensor[(2, 8, 16), float32], %m: Tensor[(2, 8), float32]) -> Tensor[(2, 16), float32] {\n"
        "  %0 = multiply(%h, %m);\n  %1 = sum(%m, axis=[1], keepdims=True);\n  divide(sum(%0, axis=[1]), %1)\n}",
        2,
        "`expand_dims` with axis=2 around argument 2",
        ("multiply(%h, %m)", "multiply(%h, expand_dims(%m, axis=2))"),
    ),
    "whether all of a condition is true": (
        "def @main(%x: Tensor[(2, 4), float32]) {\n  let %c = greater(%x, 0f);\n"
        "  if (%c) { exp(%x) } else { negative(%x) }\n}",
        3,
        "`all` around this",
        ("if (%c)", "if (all(%c))"),
    ),
}


@pytest.mark.parametrize(("text", "line", "told", "change"), TOLD.values(), ids=TOLD)
def test_what_is_meant_is_told_where_it_is_meant(text, line, told, change):
    (found,) = relaylogic.infer(text, closed=True).errors
    assert found.line == line
    assert f"the rest of the program is consistent with {told}" in (found.message, *found.hints)
    assert relaylogic.infer(text.replace(*change), closed=True).verdict == "typed"


def test_an_extent_is_told_by_a_number_of_elements():
    (found,) = relaylogic.infer(
        "def @main(%x: Tensor[(7, 4), float32]) {\n"
        "  (reshape(%x, newshape=[3, 8]), split(%x, indices_or_sections=2, axis=1))\n}",
        closed=True,
    ).errors
    assert "the rest of the program is consistent with Tensor[(6, 4), float32] here" in found.hints


def test_a_dtype_within_a_data_type_is_mended_though_the_shape_is_open():
    """`+` takes an element of any shape."""
    text = LIST + "def @main(%l: List[int8]) { let %n = 1; (@hd(%l) + %n, @hd(%l) - 2, @hd(%l) + 3) }"
    (found,) = relaylogic.infer(text, closed=True).errors
    assert found.message.startswith("`%l` is annotated List[int8]")
    assert "the rest of the program is consistent with List[int32] here" in found.hints


BRANCHES = """def @main(%c: bool, %x: float32) {
  if (%c) {
    %0 = expand_dims(exp(%x), axis=0);
    %1 = add(%0, 1f);
    %1
  } else {
    %2 = log(%x);
    %2
  }
}"""


def test_what_one_branch_binds_was_told_in_another():
    errors = relaylogic.infer(BRANCHES, closed=True).errors
    told = [text for error in errors for text in (error.message, *error.hints)]
    assert not any("something" in text or "`%0`" in text or "`%1`" in text for text in told)


def test_graph_variables_are_known_in_their_blocks_only():
    module = relaylogic.parse(BRANCHES)
    known = bound_in(module["main"])
    names = {name: known.scopes[id(node)] for node, name in known.made}
    assert set(names) == {"`%0`", "`%1`", "`%2`"}
    blocks = {name: BRANCHES[start:end] for name, (start, end) in names.items()}
    assert "%1" in blocks["`%0`"] and "log" not in blocks["`%0`"] and blocks["`%2`"].strip("; \n") == "%2"


def test_the_value_of_a_statement_has_no_name_that_could_be_meant():
    module = relaylogic.parse("def @main(%x: int32) { let %r = ref(%x); ref_write(%r, 2); ref_read(%r) }")
    assert {variable.name_hint for variable in bound_in(module["main"]).bound} == {"x", "r"}

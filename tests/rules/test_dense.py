"""Dense layers and matrix products: types, in every direction, and what is refused."""

import pytest

from tests.rules.asking import ask, tensor
from tests.rules.asking import tensor as f


@pytest.mark.parametrize(
    ("types", "attrs", "known"),
    [
        ((f(4, 9), f(5, 9), "_"), {}, [f(4, 9), f(5, 9), f(4, 5)]),
        ((f(2, 3, 9), f(5, 9), "_"), {}, [f(2, 3, 9), f(5, 9), f(2, 3, 5)]),
        ((f(9), f(5, 9), "_"), {}, [f(9), f(5, 9), f(5)]),
        # a weight without annotation takes its type from the data, an annotated one may have another dtype
        ((f(4, 9), "_", "_"), {"units": 5}, [f(4, 9), f(5, 9), f(4, 5)]),
        ((f(4, "?"), "_", "_"), {"units": 5}, [f(4, "?"), f(5, "?"), f(4, 5)]),
        ((f(4, 9), tensor(5, 9, dtype="int8"), "_"), {}, [f(4, 9), tensor(5, 9, dtype="int8"), f(4, 5)]),
        (
            (f(4, 9), "_", "_"),
            {"units": 5, "out_dtype": "int32"},
            [f(4, 9), f(5, 9), tensor(4, 5, dtype="int32")],
        ),
        # `?` fits
        ((f(4, "?"), f(5, 7), "_"), {"units": 5}, [f(4, "?"), f(5, 7), f(4, 5)]),
        ((f(4, 9), f("?", 9), "_"), {}, [f(4, 9), f("?", 9), f(4, "?")]),
        ((f(4, 9), f(5, 9), "_"), {"units": "?"}, [f(4, 9), f(5, 9), f(4, "?")]),
        # backwards
        (("_", f(5, 9), f(4, 5)), {}, [f(4, 9), f(5, 9), f(4, 5)]),
        ((f(4, 9), "_", f(4, 5)), {}, [f(4, 9), f(5, 9), f(4, 5)]),
        (("_", "_", f(4, 5)), {}, [f(4, "_"), f(5, "_"), f(4, 5)]),
        # refused
        ((f(4, 9), f(5, 7), "_"), {}, None),
        ((f(4, 9), f(5, 9), "_"), {"units": 6}, None),
        ((f(4, 9), f(5, 9, 1), "_"), {}, None),
        ((f(), f(5, 9), "_"), {}, None),
        ((f(4, 9), "_", "_"), {"units": -1}, None),
        ((f(4, 9), f(5, 9), f(4, 6)), {}, None),
    ],
)
def test_dense(types, attrs, known):
    assert ask("nn.dense", *types, **attrs) == known


@pytest.mark.parametrize(
    ("types", "attrs", "known"),
    [
        ((f(4, 9), f(9, 5), "_"), {}, [f(4, 9), f(9, 5), f(4, 5)]),
        ((f(2, 9, 4), f(9, 5), "_"), {"transpose_a": True}, [f(2, 9, 4), f(9, 5), f(2, 4, 5)]),
        ((f(4, 9), "_", "_"), {"units": 5, "transpose_b": True}, [f(4, 9), f(5, 9), f(4, 5)]),
        ((f(9), f(9, 5), "_"), {"transpose_a": True}, None),
        ((f(4, 9), f(5, 9), "_"), {}, None),
        ((f(4, 9), f(5, 9), "_"), {"units": 5}, None),
    ],
)
def test_matmul(types, attrs, known):
    assert ask("nn.matmul", *types, **attrs) == known


@pytest.mark.parametrize(
    ("x", "y", "out"),
    [
        (f(8, 4, 9), f(8, 5, 9), f(8, 4, 5)),  # pairwise
        (f(1, 4, 9), f(8, 5, 9), f(8, 4, 5)),  # left_repeats
        (f(8, 4, 9), f(1, 5, 9), f(8, 4, 5)),  # right_repeats
        (f("?", 4, 9), f(8, 5, 9), f("?", 4, 5)),  # left_unknown
        (f(1, 4, 9), f("?", 5, 9), f("?", 4, 5)),  # right_unknown
        (f("?", 4, 9), f("?", 5, 9), f("?", 4, 5)),
        (f(0, 4, 9), f(1, 5, 9), f(0, 4, 5)),
        (f(8, "?", "?"), f(8, 5, 9), f(8, "?", 5)),
    ],
)
def test_batch_matmul(x, y, out):
    assert ask("nn.batch_matmul", x, y, "_", transpose_b=True) == [x, y, out]


def test_batch_matmul_transposed_and_backwards():
    assert ask("nn.batch_matmul", f(8, 9, 4), f(8, 9, 5), "_", transpose_a=True) == [
        f(8, 9, 4),
        f(8, 9, 5),
        f(8, 4, 5),
    ]
    assert ask("nn.batch_matmul", f(8, 4, 9), "_", f(8, 4, 5)) == [
        f(8, 4, 9),
        tensor("_", 9, 5, dtype="_"),
        f(8, 4, 5),
    ]


@pytest.mark.parametrize(
    ("x", "y"),
    [(f(3, 4, 9), f(8, 5, 9)), (f(8, 4, 9), f(8, 5, 7)), (f(3, "?", 9), f(8, 5, 8)), (f(4, 9), f(5, 9))],
)
def test_batch_matmul_refused(x, y):
    assert ask("nn.batch_matmul", x, y, "_", transpose_b=True) is None


@pytest.mark.parametrize(
    ("types", "known"),
    [
        ((f(4, 128), f(16, 128, 8), "_"), f(4, 128)),  # blocks_of_rows
        ((f(4, 64), f(4, 16, 32, 4), "_"), f(4, 128)),  # blocks_of_both
        ((f(4, 3), f(16, 128, 8), "_"), None),
        ((f(4, 63), f(4, 16, 32, 4), "_"), None),
        ((f(2, 4, 64), f(4, 64, 32), "_"), None),
    ],
)
def test_packed_weight(types, known):
    found = ask("nn.contrib_dense_pack", *types, weight_layout="NC8n")
    assert (found and found[-1]) == known


def test_packed_weight_backwards():
    assert ask("nn.contrib_dense_pack", f(4, 128), "_", f(4, 40), weight_layout="NC8n")[-1] == f(4, 40)
    assert ask("nn.contrib_dense_pack", "_", f(5, 16, 8), f(4, "_"), weight_layout="NC8n")[0] == f(4, 16)

"""Bounded completeness and soundness of what is spatial: from any part, just what holds of the whole is found.

As in test_bounded_nn, extents are naturals and the dtypes are fixed.
"""

from itertools import combinations, product

import pytest

from relaylogic.logic import eq, fresh, lall
from relaylogic.logic.search.search import search
from relaylogic.rulebase import default_rules
from relaylogic.types import TensorType
from tests.effort import some


def tensors(*axes):
    """All tensor types whose extents are, axis by axis, among the given ones."""
    return [TensorType(shape, "float32") for shape in product(*axes)]


DATA, WEIGHT, OUT = (
    tensors((1,), (1, 2), (2, 3, 4)),
    tensors((1, 2), (1, 2), (1, 2, 3)),
    tensors((1,), (1, 2, 4), range(4)),
)
PLANE = tensors((1,), (1, 2), (2, 4), (3,))
RESULT = tensors((1,), (1, 2), (1, 2, 3), (1, 2, 3))

UNIVERSES = [
    ("nn.conv1d", {}, [DATA, WEIGHT, OUT]),
    ("nn.conv1d", {"strides": [2], "padding": [1, 0]}, [DATA, WEIGHT, OUT]),
    ("nn.conv1d", {"groups": 2}, [DATA, WEIGHT, OUT]),
    ("nn.conv1d", {"channels": 2, "kernel_size": [2], "dilation": [2]}, [DATA, WEIGHT, OUT]),
    (
        "nn.conv2d",
        {"channels": 4, "kernel_size": [1, 2], "groups": 2},
        [
            tensors((1,), (1, 2), (1, 2), (2, 3)),
            tensors((2, 4), (1, 2), (1,), (1, 2)),
            tensors((1,), (2, 4), (1, 2), (1, 2)),
        ],
    ),
    (
        "nn.conv2d",
        {"groups": 2, "kernel_layout": "GOIHW"},
        [
            tensors((1,), (1, 2), (2,), (2, 3)),
            tensors((1, 2), (1, 2), (1,), (1, 2), (1,)),
            tensors((1,), (2, 4), (1, 2), (2, 3)),
        ],
    ),
    ("nn.conv1d_transpose", {"strides": [2]}, [tensors((1,), (1, 2), (1, 2)), WEIGHT, tensors((1,), (1, 2), range(6))]),
    ("nn.conv1d_transpose", {"channels": 2, "kernel_size": [2]}, [DATA, WEIGHT, OUT]),
    ("nn.conv1d_transpose", {"groups": 2, "padding": [1]}, [DATA, WEIGHT, OUT]),
    (
        "nn.deformable_conv2d",
        {},
        [
            tensors((1,), (1, 2), (2,), (2, 3)),
            tensors((1,), (2, 4), (1, 2), (3,)),
            tensors((2,), (1, 2), (1, 2), (1,)),
            tensors((1,), (2,), (1, 2), (2, 3)),
        ],
    ),
    ("nn.contrib_conv2d_winograd_weight_transform", {"tile_size": 2}, [PLANE, tensors((3, 5), (4,), (1,), (1, 2))]),
    (
        "nn.contrib_conv3d_winograd_weight_transform",
        {"tile_size": 2},
        [tensors((1,), (2,), (2, 3, 7, 8), (1, 2), (1, 2)), tensors((2, 3, 4, 8), (2, 3), (2, 3, 8), (1,), (2,))],
    ),
    ("nn.max_pool1d", {"pool_size": [2], "strides": [2]}, [DATA, OUT]),
    ("nn.max_pool1d", {"pool_size": [2], "strides": [2], "ceil_mode": True}, [DATA, OUT]),
    ("nn.avg_pool2d", {"pool_size": [1, 2], "layout": "NHWC"}, [PLANE, RESULT]),
    ("nn.global_avg_pool2d", {}, [PLANE, RESULT]),
    ("nn.adaptive_avg_pool2d", {"output_size": [2, 3]}, [PLANE, RESULT]),
    ("nn.max_pool2d_grad", {}, [PLANE, PLANE, PLANE]),
    ("nn.upsampling", {"scale_h": 0.5, "scale_w": 1.5}, [PLANE, tensors((1,), (1, 2), range(4), (3, 4, 5))]),
    (
        "nn.depth_to_space",
        {"block_size": 2},
        [tensors((1,), range(9), (1, 2), (1,)), tensors((1,), range(3), (2, 4), (2,))],
    ),
    (
        "nn.space_to_depth",
        {"block_size": 2},
        [tensors((1,), (1, 2), range(5), (1, 2)), tensors((1,), (4, 8), range(3), (0, 1))],
    ),
    ("nn.dilate", {"strides": [2, 3]}, [tensors(range(4), range(3)), tensors(range(6), range(6))]),
    ("nn.mirror_pad", {"pad_width": [[0, 1], [1, 1]]}, [tensors(range(4), range(3)), tensors(range(6), range(6))]),
    (
        "nn.space_to_batch_nd",
        {"block_shape": [2], "paddings": [[1, 0]]},
        [tensors((1, 2), range(5), (1, 2)), tensors((2, 4), range(4), (1, 2))],
    ),
    (
        "nn.batch_to_space_nd",
        {"block_shape": [2], "crops": [[1, 0]]},
        [tensors((1, 2, 3, 4), range(4), (1, 2)), tensors((0, 1, 2), range(6), (1, 2))],
    ),
    (
        "layout_transform",
        {"src_layout": "NC", "dst_layout": "CN2c"},
        [tensors((1, 2), range(6)), tensors(range(4), (1, 2), (1, 2))],
    ),
    (
        "layout_transform",
        {"src_layout": "NC2c", "dst_layout": "NC3c"},
        [tensors((1,), range(6), (2, 3)), tensors((1, 2), range(5), (2, 3))],
    ),
    ("image.resize1d", {"size": [2], "roi": [0.0, 0.0]}, [DATA, OUT]),
    (
        "image.grid_sample",
        {},
        [PLANE, tensors((1, 2), (1, 2), (1, 2), (3,)), RESULT],
    ),
    (
        "image.dilation2d",
        {"strides": [2, 1]},
        [PLANE, tensors((1, 2), (1, 2), (1, 2)), RESULT],
    ),
    (
        "nn.correlation",
        {},
        [tensors((1,), (1, 2), (3, 4), (3,)), tensors((1,), (1, 2), (3, 4), (3,)), tensors((1,), (9,), (1, 2), (1, 2))],
    ),
]


@pytest.mark.parametrize(("op", "attrs", "universe"), UNIVERSES, ids=[op for op, _, _ in UNIVERSES])
def test_just_what_holds_is_found_from_any_part(op, attrs, universe):
    operator = default_rules().operator(op)
    attrs = operator.attrs(attrs)

    def holds(types, open_places):
        asked = tuple(fresh() if i in open_places else t for i, t in enumerate(types))
        given = (*asked, attrs) if operator.relation.takes_attrs else asked
        answers = search([("", lall(operator.relation(*given), eq(asked, types)))], asked, steps=10_000).answers
        return any(not answer.residue for answer in answers)

    places = range(len(universe))
    subsets = [set(c) for n in places for c in combinations(places, n + 1)]
    judged = [(types, holds(types, ())) for types in product(*universe)]
    held = [types for types, whole in judged if whole]
    for types in some(held, 3):
        assert all(holds(types, open_places) for open_places in subsets), types
    for types in some(types for types, whole in judged if not whole):
        assert not any(holds(types, open_places) for open_places in subsets[: len(places)]), types
    assert len(held) > 1

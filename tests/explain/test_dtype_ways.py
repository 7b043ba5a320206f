"""A way to what states a dtype forces it, and none of its places can be left out: against inference, on networks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from relaylogic.explain.places.said import Said
from relaylogic.explain.why.alone import Alone
from relaylogic.explain.why.dtype_ways import Way, way_to
from relaylogic.explain.why.work import Spent, Work
from relaylogic.infer.program import Inference
from relaylogic.ir import TupleGetItem
from relaylogic.rulebase import load_rules
from relaylogic.text import parse
from relaylogic.types import TensorType
from tests.conformance.programs import networks
from tests.effort import some

LONGEST = 12_000
"""Programs of more characters are left out: each question is asked of an inference."""

SMALL = """
def @main(%x: Tensor[(2, 3), float32], %w: Tensor[(4, 3), _], %i: Tensor[(4), int64]) {
  let %y = nn.dense(%x, %w);
  let %both = (%y, nn.relu(%y));
  let %t = concatenate(%both, axis=0);
  let %b = less(%t, %t);
  where(%b, %t, take(%t, %i, axis=0))
}
"""


class Asked:
    """What there is to ask about the last function of a program."""

    def __init__(self, text: str, bundled: bool) -> None:
        self.inference = Inference(parse(text), load_rules())
        self.said = Said(self.inference, self.inference.what_if)
        if bundled:
            self.said.bundle()
        self.owner = list(self.said.places.nodes)[-1]
        self.alone = Alone.of(self.said, self.owner)

    def way(self, expr: Any, work: int = 10**6) -> Way | None:
        """The way to what states the dtype of an expression."""
        assert self.alone is not None
        return way_to(self.alone, expr, (), self.said.all, Work([], work))

    def dtype(self, expr: Any, kept: frozenset[int]) -> Any:
        """The dtype that an inference finds where only some places say something; None if that is open."""
        relaxation = self.said.looking_at(self.said.saying(kept), expr)
        relaxation = replace(relaxation, functions=frozenset((*(relaxation.functions or ()), self.owner)))
        found = getattr(self.said.what_if(relaxation).type_of(expr), "dtype", None)
        return found if type(found) is str else None

    def tensors(self) -> Iterator[Any]:
        """The expressions whose types are tensors."""
        nodes = self.said.places.nodes[self.owner]
        return (node for node in nodes if type(self.inference.type_of(node)) is TensorType)

    def check(self, expr: Any, random: Random, most: int) -> Way | None:
        """The way of an expression; it forces the dtype, and so many of its places are needed, drawn at random."""
        way = self.way(expr)
        if way is None:
            return None
        known = self.inference.type_of(expr).dtype
        assert self.dtype(expr, way.places) == known
        if way.is_minimal:
            for place in random.sample(sorted(way.places), min(most, len(way.places))):
                assert self.dtype(expr, way.places - {place}) is None
        return way

    def told(self, way: Way) -> list[str]:
        """What the places of a way are in the text."""
        spans = [self.said.places.all[index].span for index in sorted(way.places)]
        return [span.source.text[span.start : span.end] for span in spans]


@pytest.mark.parametrize("name", some([n for n, e in networks().items() if len(e["text"]) < LONGEST], 3))
@pytest.mark.parametrize("bundled", [False, True])
def test_networks(name: str, bundled: bool) -> None:
    asked = Asked(networks()[name]["text"], bundled)
    if asked.alone is None or asked.inference.failed():
        return
    random = Random(name)
    tensors = list(asked.tensors())
    for expr in random.sample(tensors, min(3, len(tensors))):
        asked.check(expr, random, 3)


def test_every_expression_of_a_small_program() -> None:
    asked = Asked(SMALL, False)
    found = [asked.check(expr, Random(0), 10) for expr in asked.tensors()]
    assert all(way is None or way.is_minimal for way in found)
    assert sum(way is not None for way in found) >= 8


@pytest.mark.parametrize(
    ("call", "places"),
    [
        ("%y", ["Tensor[(2, 3), float32]", "nn.dense(%x, %w)"]),
        (
            "%t",
            ["Tensor[(2, 3), float32]", "nn.dense(%x, %w)", "(%y, nn.relu(%y))", "concatenate(%both, axis=0)"],
        ),
        ("%w", None),  # a weight may be of another dtype than the data
        ("%b", None),  # whatever is compared
    ],
)
def test_the_way_is_the_shortest(call: str, places: list[str] | None) -> None:
    asked = Asked(SMALL, True)
    (expr,) = {node for node in asked.tensors() if f"%{getattr(node, 'name_hint', '')}" == call}
    way = asked.way(expr)
    assert (None if way is None else sorted(asked.told(way))) == (None if places is None else sorted(places))


def test_a_word_that_is_given_is_no_way() -> None:
    text = 'def @main(%x: Tensor[(2, 3), int8], %w) { nn.dense(%x, %w, out_dtype="int32") }'
    asked = Asked(text, True)
    (call,) = (node for node in asked.tensors() if hasattr(node, "args"))
    assert asked.way(call) is None


def test_it_ends_with_the_work_there_is() -> None:
    asked = Asked(networks()["resnet20_cifar"]["text"], True)
    expr = list(asked.tensors())[-1]
    with pytest.raises(Spent):
        asked.way(expr, 1)


def test_tuples_in_tuples_are_followed_as_deep_as_they_are_few() -> None:
    asked = Asked(nested(6), True)
    (projection,) = (node for node in asked.tensors() if type(node) is TupleGetItem)
    way = asked.check(projection, Random(0), 20)
    assert way is not None and len(way.places) == 2 * 6 + 1
    deep = Asked(nested(1_500), True)
    (projection,) = (node for node in deep.tensors() if type(node) is TupleGetItem)
    assert deep.way(projection) is None


def nested(depth: int) -> str:
    """A parameter in tuples of one field, and what is taken out of all of them."""
    return "\n".join(
        [
            "def @main(%x: Tensor[(3), int8]) {",
            *(f"  %{i} = ({'%x' if i == 0 else f'%{i - 1}'},);" for i in range(depth)),
            *(f"  %{i} = %{i - 1}.0;" for i in range(depth, 2 * depth)),
            f"  %{2 * depth - 1}",
            "}",
        ]
    )


def test_what_is_open_is_not_known_to_be_needed() -> None:
    """The rank of the argument is open: nobody can say what the call would give another dtype."""
    asked = Asked("def @main(%x: Tensor[_, float32], %y: Tensor[_, float32]) { nn.relu(add(%x, %y)) }", True)
    ways = [asked.way(node) for node in asked.tensors()]
    assert any(way is not None and len(way.places) > 1 and not way.is_minimal for way in ways)


@pytest.mark.parametrize("operator", ["concatenate", "stack"])
@pytest.mark.parametrize("count", [5, 24, 64])
def test_a_way_leads_over_each_field_of_a_wide_tuple(operator: str, count: int) -> None:
    """Of tuples of more than four fields nothing was said: in DenseNet, 169 places were told where 41 are enough."""
    parameters = ", ".join(f"%p{i}: Tensor[(2, 3), _]" for i in range(count - 1))
    fields = ", ".join(f"%p{i}" for i in range(count - 1))
    asked = Asked(f"def @main(%x: Tensor[(2, 3), int8], {parameters}) {{ {operator}(({fields}, %x), axis=0) }}", True)
    for expr in asked.tensors():
        way = asked.check(expr, Random(0), 5)
        assert way is not None and way.is_minimal
        assert len(way.places) == (1 if getattr(expr, "name_hint", "") == "x" else 3)

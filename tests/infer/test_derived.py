"""What is derived of a call once dtypes are known that it leaves to defaults is what a search finds."""

from __future__ import annotations

import random
import re
from inspect import signature

import pytest

import relaylogic
from relaylogic.rulebase.base import RuleBase
from tests.conformance.programs import networks
from tests.effort import some

LONGEST = 20_000
SHORT = sorted(name for name, entry in networks().items() if "nn." in entry["text"] and len(entry["text"]) < LONGEST)


@pytest.fixture
def derived(monkeypatch):
    """Each solution that is derived, with that which a search finds."""
    found = []
    solve = RuleBase.solve

    def beside(self, *given, **named):
        asked = signature(solve).bind(self, *given, **named)
        asked.apply_defaults()
        relation, arguments, attrs, *how, _, derived = asked.args[1:]

        def compared():
            solution = derived()
            if solution is not None:
                own = attrs if relation.takes_attrs else None
                found.append((solution, self._by_search(relation, arguments, own, *how)))
            return solution

        asked.arguments["derived"] = derived and compared
        return solve(*asked.args)

    monkeypatch.setattr(RuleBase, "solve", beside)
    return found


def opened(text, draw):
    """A network of which some parameters have no type, and some extents are open."""

    def less(found):
        name, shape, dtype = found.groups()
        if draw.random() < 0.6:
            return name
        extents = [draw.choice([e, e, "_"]) for e in re.findall(r"\d+", shape)]
        return f"{name}: Tensor[({', '.join(extents)}), {draw.choice([dtype, dtype, dtype, '_', 'float16'])}]"

    head, brace, body = text.partition("{")
    return re.sub(r"(%\w+): Tensor\[\(([\d, ]*)\), (\w+)\]", less, head) + brace + body


@pytest.mark.parametrize("seed", some(range(60), 15))
def test_what_is_derived_is_what_a_search_finds(derived, seed):
    draw = random.Random(seed)
    for name in draw.sample(SHORT, 4):
        relaylogic.infer(opened(networks()[name]["text"], draw))
    assert all(solution == searched for solution, searched in derived)


def test_a_weight_that_two_layers_share_is_derived(derived):
    """Nobody speaks for its dtype before all calls have spoken."""
    result = relaylogic.infer("""def @main(%x: Tensor[(1, 3, _, _), float32], %w) {
  let %y = nn.conv2d(%x, %w, channels=3, kernel_size=[3, 3]);
  nn.conv2d(%y, %w, channels=3, kernel_size=[3, 3])
}""")
    assert result.verdict == "typed"
    assert derived
    assert all(solution == searched for solution, searched in derived)

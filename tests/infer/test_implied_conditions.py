"""Of the conditions on extents, a few are kept that imply all: compared with all numbers within bounds."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

from relaylogic.infer.numbers.conditions import implied
from relaylogic.infer.numbers.expressions import OpenNumber
from relaylogic.infer.numbers.extents import Extents
from relaylogic.logic.terms import numbers
from relaylogic.logic.terms.arith import Arith
from relaylogic.logic.terms.numbers import substitute
from tests.together import together

SYMBOLS = (OpenNumber(1), OpenNumber(2))
MOST = 14


def drawn(random: Random, depth: int) -> Any:
    """A number over two open ones, as windows make them of heights and widths."""
    if not depth:
        return random.choice(SYMBOLS)
    inner = drawn(random, depth - 1)
    kind = random.randrange(4)
    if kind == 0:
        return numbers.add(inner, random.randrange(-4, 4))
    if kind == 1:
        return Arith.assemble(("//", (inner, random.randrange(1, 4))))
    if kind == 2:
        return numbers.mul(random.choice((-1, 2, 3)), inner)
    return numbers.add(inner, drawn(random, depth - 1))


@together("seed", range(150))
def test_the_conditions_that_are_kept_imply_all(seed: int) -> None:
    random = Random(seed)
    conditions = [
        (i, number)
        for i in range(random.randrange(1, 7))
        if not isinstance(number := numbers.add(drawn(random, random.randrange(4)), random.randrange(-3, 5)), int)
    ]
    kept, impossible = implied(Extents(conditions=conditions))

    def satisfying(wanted: list[Any]) -> list[tuple[int, ...]]:
        points = product(range(MOST), repeat=2)
        return [p for p in points if all(substitute(n, dict(zip(SYMBOLS, p, strict=True))) >= 0 for n in wanted)]

    whole = satisfying([number for _, number in conditions])
    if impossible is not None:
        assert not whole
    else:
        assert satisfying([number for some in kept.values() for number in some]) == whole
        assert set(kept) <= {source for source, _ in conditions}

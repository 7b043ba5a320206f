"""P1 to P6: all consistent typings, as a user asks for them, beside the peers' programs in `peers/`.

`pytest tests/benchmarks/test_typings.py --benchmark-enable -s` measures all of them in one run. A peer is run if it
is installed (`swipl`; `z3` in this Python or in the one that RELAYLOGIC_Z3_PYTHON names); if not, "not measured" is
printed. Ours are measured fresh, as the peers solve each problem anew: a rule base that was asked nothing before. What
the same question costs a second time stands beside it.
"""

import time
from itertools import islice

import pytest

from relaylogic.rulebase import load_rules
from relaylogic.text import parse
from relaylogic.typings.program import count_typings, typings
from relaylogic.typings.query import count_query, query
from tests import effort
from tests.benchmarks.peers_at_work import measured_peers

RULES = load_rules()
P5 = """
fn (%x: Tensor[(4, _), float32], %w1: Tensor[(_, _), float32], %b: Tensor[(_), float32], %w2: Tensor[(_, _), float32])
    -> Tensor[(4, 6), float32] {
  nn.dense(add(nn.dense(%x, %w1), %b), %w2)
}
"""
OPERANDS = ", ".join(f"%x{i}: Tensor[(_), float32]" for i in range(10))
P6 = f"fn ({OPERANDS}) -> Tensor[(6), float32] {{ {'add(' * 9}%x0{''.join(f', %x{i})' for i in range(1, 10))} }}"
TENSORS = ", ".join(f"Tensor[(2, {d}, 3), float32]" for d in "abcd")
PROBLEMS = {
    "p1": (query, count_query, "Broadcast(Tensor[a, t], Tensor[b, t], Tensor[(4, 5, 6), t])", {"max_rank": 3}, 53),
    "p2": (query, count_query, "reshape(Tensor[s, t], newshape=5040) = Tensor[(5040), t]", {"max_rank": 5}, 32721),
    "p3": (
        query,
        count_query,
        "nn.conv2d(Tensor[(1, c, h, w), float32], Tensor[(64, c, 7, 7), float32], strides=(2, 2), padding=(3, 3))"
        " = Tensor[(1, 64, 112, 112), float32], c <= 16",
        {"max_dim": 512},
        64,
    ),
    "p4": (
        query,
        count_query,
        f"concatenate(({TENSORS}), axis=1) = Tensor[(2, 12, 3), float32]",
        {"max_dim": 12},
        165,
    ),
    "p5": (typings, count_typings, parse(P5), {"max_dim": 8}, 176),
    "p6": (typings, count_typings, parse(P6), {}, 1023),
}

def enumerate_all(problem, rules=RULES):
    ask, _, text, bounds, _ = PROBLEMS[problem]
    return sum(1 for _ in ask(text, rules=rules, **bounds))


@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_number_of_answers(problem):
    ask, count, text, bounds, number = PROBLEMS[problem]
    found = ask(text, rules=RULES, **bounds)
    shown = [str(answer) for answer in islice(found, number if effort.THOROUGH else 5_000)]
    assert len(set(shown)) == len(shown) == number - len(list(found))
    assert (found.found, found.status) == (number, "exhausted")
    assert count(text, rules=RULES, **bounds) == number


@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_speed_of_enumeration(problem, benchmark):
    assert benchmark(enumerate_all, problem) == PROBLEMS[problem][4]


def test_the_peers(capsys, request):
    """One table."""
    if not request.config.getoption("benchmark_enable"):
        return
    others = measured_peers("typings")
    rows = []
    for problem in PROBLEMS:
        fresh, again = [], []
        for _ in range(5):
            rules = load_rules()
            fresh.append(spent_on(problem, rules))
            again.append(spent_on(problem, rules))
        rows.append((problem, min(fresh), min(again)))
    with capsys.disabled():
        print(f"\n{'':4}{'fresh':>10}{'again':>10}{'SWI-Prolog':>16}{'Z3':>16}   (ms; answers where they are not all)")
        for problem, fresh, again in rows:
            cells = []
            for peer in ("swi", "z3"):
                answers, spent = others.get(peer, {}).get(problem, (0, None))
                assert answers <= PROBLEMS[problem][4]
                part = "" if answers in (0, PROBLEMS[problem][4]) else f" ({answers})"
                cells.append("not measured" if spent is None else f"{spent * 1000:.2f}{part}")
            print(f"{problem:4}{fresh * 1000:>10.2f}{again * 1000:>10.2f}{cells[0]:>16}{cells[1]:>16}")


def spent_on(problem, rules):
    """CPU seconds for all answers."""
    start = time.process_time()
    enumerate_all(problem, rules)
    return time.process_time() - start

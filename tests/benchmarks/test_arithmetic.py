"""Equations over the naturals beside the peers' programs in `peers/` and brute force, all in one run.

`pytest tests/benchmarks/test_arithmetic.py --benchmark-enable -s` measures them. A peer is run if it is installed (see
`test_typings`), and stops at 20 s. Ours are counted and listed with a rule base that was asked nothing before.
"""

import itertools
import time

import pytest

from relaylogic.rulebase import load_rules
from relaylogic.typings.query import count_query, query
from tests.benchmarks.peers_at_work import measured_peers

RULES = load_rules()
EQUATIONS = {
    "squares": ("n*n + m*m = 25", 4),
    "cubes": ("a*a*a + b*b*b = 1729", 4),
    "pythagoras": ("n*n + m*m = k*k, 1 <= n <= m, k <= 200", 127),
    "product": ("a*b*c*d*e = 30030", 15_625),
    "total": ("a + b + c + d = 100", 176_851),
}


def products(goal, factors):
    """The tuples of so many naturals with this product, by trial division."""
    if factors == 1:
        return 1
    return sum(products(goal // first, factors - 1) for first in range(1, goal + 1) if goal % first == 0)


BRUTE = {
    "squares": lambda: sum(n * n + m * m == 25 for n, m in itertools.product(range(26), repeat=2)),
    "cubes": lambda: sum(a**3 + b**3 == 1729 for a, b in itertools.product(range(13), repeat=2)),
    "pythagoras": lambda: sum(
        n * n + m * m == k * k for k in range(201) for m in range(1, k + 1) for n in range(1, m + 1)
    ),
    "product": lambda: products(30_030, 5),
    "total": lambda: sum(a + b + c <= 100 for a, b, c in itertools.product(range(101), repeat=3)),
}


@pytest.mark.parametrize("name", EQUATIONS)
def test_counting(name, benchmark):
    text, number = EQUATIONS[name]
    assert benchmark(lambda: count_query(text, rules=RULES, ground=True)) == number


@pytest.mark.parametrize("name", EQUATIONS)
def test_listing(name, benchmark):
    text, number = EQUATIONS[name]
    assert benchmark.pedantic(lambda: sum(1 for _ in query(text, rules=RULES, ground=True)), rounds=1) == number


def seconds(work):
    """CPU seconds of a call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def test_the_peers(capsys, request):
    """One table: counting, listing, SWI-Prolog, Z3, brute force."""
    if not request.config.getoption("benchmark_enable"):
        return
    others = measured_peers("arithmetic")
    with capsys.disabled():
        print(f"\n{'':12}{'count':>10}{'list':>10}{'SWI-Prolog':>22}{'Z3':>22}{'brute force':>14}   (ms)")
        for name, (text, number) in EQUATIONS.items():
            rules, unasked = load_rules(), load_rules()
            counted = seconds(lambda text=text, rules=rules: count_query(text, rules=rules, ground=True))
            listed = seconds(lambda text=text, rules=unasked: sum(1 for _ in query(text, rules=rules, ground=True)))
            brute = seconds(BRUTE[name])
            cells = []
            for peer in ("swi", "z3"):
                answers, spent = others.get(peer, {}).get(name, (0, None))
                assert answers <= number
                part = "" if answers in (0, number) else f" ({'stopped' if answers < 0 else answers})"
                cells.append("not measured" if spent is None else f"{spent * 1000:.1f}{part}")
            print(
                f"{name:12}{counted * 1000:>10.1f}{listed * 1000:>10.1f}{cells[0]:>22}{cells[1]:>22}"
                f"{brute * 1000:>14.1f}"
            )

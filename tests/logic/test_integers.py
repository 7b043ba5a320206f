"""`relaylogic.logic.integers`: polynomial constraints over integers, against brute force and by name."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from collections import Counter
from functools import cache
from itertools import islice, pairwise, product
from math import comb, prod
from random import Random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from relaylogic.logic import integers
from relaylogic.logic.integers import System, component, drawing, drawn, least_sum, of_least_sum, powers, searches
from relaylogic.logic.integers.largest import bound_by_largest
from relaylogic.logic.integers.ordering import order
from relaylogic.typings.query import count_query
from tests.effort import examples

NATURAL = (0, None)
UNIT = st.sampled_from([-1, 1])


def holds(relation, poly, point):
    total = 0
    for monomial, coefficient in poly.items():
        for variable in monomial:
            coefficient *= point[variable]
        total += coefficient
    return {"=": total == 0, "!=": total != 0, "<=": total <= 0}[relation]


def solutions(bounds, constraints):
    """Brute force."""
    return [
        point
        for point in product(*(range(low, high + 1) for low, high in bounds))
        if all(holds(relation, poly, point) for relation, poly in constraints)
    ]


@cache
def some_constraints(width, degree):
    """Constraints on so many variables. Made once: most of the time went into making what draws them."""
    monomials = st.lists(st.integers(0, width - 1), max_size=degree).map(lambda m: tuple(sorted(m)))
    polys = st.dictionaries(monomials, st.integers(-5, 5), min_size=1, max_size=5)
    return st.lists(st.tuples(st.sampled_from(["=", "!=", "<="]), polys), min_size=1, max_size=3)


def systems(least=0, most=6, degree=3):
    """Bounds, constraints, and how many variables are asked for."""

    @st.composite
    def draw_system(draw):
        width = draw(st.integers(1, 5))
        room = most if width < 4 else (4 if width == 4 else 3)
        bounds = []
        for _ in range(width):
            low = draw(st.integers(least, room))
            bounds.append((low, draw(st.integers(low, room))))
        constraints = draw(some_constraints(width, degree))
        return (bounds, constraints, draw(st.integers(0, width)))

    return draw_system()


def agrees(bounds, constraints, asked):
    """The system is solved as brute force solves it, in every way there is to ask."""
    expected = solutions(bounds, constraints)
    projected = sorted({point[:asked] for point in expected})
    system = System(bounds, constraints, asked)
    assert system.narrow() or not expected
    for point in expected:
        assert all(low <= value <= high for value, (low, high) in zip(point, system.bounds, strict=True))
    assert system.finite
    assert list(system) == projected
    assert System(bounds, constraints, asked).count() == len(projected)
    assert System(bounds, constraints, asked).satisfiable() is bool(expected)
    witness = system.witness()
    assert witness in expected if expected else witness is None


thorough = settings(max_examples=examples(500), suppress_health_check=[HealthCheck.too_slow])


@thorough
@given(systems())
def test_as_brute_force(system):
    agrees(*system)


@thorough
@given(systems(least=-3, most=3))
def test_as_brute_force_below_zero(system):
    agrees(*system)


@thorough
@given(systems(degree=1))
def test_as_brute_force_where_all_is_linear(system):
    agrees(*system)


@settings(max_examples=examples(500))
@given(st.data())
def test_as_brute_force_where_a_sum_is_left_out(data):
    """The sums are remembered all at once, wherever there is one of three variables that others do not depend on."""
    bounds, constraints, asked = data.draw(systems(least=-2, most=3, degree=2))
    bounds = (bounds + [(0, 2)] * 2)[:5]
    weights = data.draw(st.lists(st.integers(-3, 3), min_size=len(bounds), max_size=len(bounds)))
    if len(bounds) < 5:  # a product, which has one value
        bounds.append((-12, 12))
        constraints.append(("=", {(0, 1): 1, (len(bounds) - 1,): -1}))
        weights.append(data.draw(st.sampled_from([-2, 1, 3])))
    relation = data.draw(st.sampled_from(["=", "<="]))
    constraints.append((relation, {**{(v,): w for v, w in enumerate(weights)}, (): data.draw(st.integers(-6, 6))}))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(searches, "MANY_STATES", -1)
        patch.setattr(searches, "PATIENCE", 0)
        patch.setattr(searches, "states_met", lambda names, problem, functions: 10.0 ** len(problem[0]))
        agrees(bounds, constraints, data.draw(st.sampled_from([asked, len(bounds) - 1, len(bounds)])))


@settings(max_examples=examples(600))
@given(st.data())
def test_the_least_sum_as_brute_force(data):
    """Of numbers, and of products that nothing else mentions, as an objective has them."""
    bounds, constraints, _ = data.draw(systems(least=data.draw(st.sampled_from([-1, 0, 1])), most=4, degree=2))
    width = len(bounds)
    for _ in range(data.draw(st.integers(0, 3)) if width < 4 else 0):
        factors = tuple(sorted(data.draw(st.lists(st.integers(0, width - 1), min_size=1, max_size=2))))
        bounds.append((-9, 36))
        constraints.append(("=", {factors: data.draw(st.sampled_from([1, 2])), (len(bounds) - 1,): -1}))
    weights = {v: data.draw(st.integers(-2, 2)) for v in range(len(bounds))}
    found = []
    for point in product(*(range(a, b + 1) for a, b in bounds[:width])):
        for _, poly in constraints[len(constraints) - (len(bounds) - width) :]:
            point = (*point, sum(c * prod(point[v] for v in m) for m, c in poly.items() if m != (len(point),)))
        if all(low <= x <= high for x, (low, high) in zip(point, bounds, strict=True)):
            if all(holds(relation, poly, point) for relation, poly in constraints):
                found.append(point)
    sums = [sum(weights[v] * x for v, x in enumerate(point)) for point in found]
    system = System(bounds, constraints)
    assert least_sum(system, weights) == min(sums, default=None)
    best = sorted(point for point, total in zip(found, sums, strict=True) if total == min(sums))
    assert list(of_least_sum(system, weights)) == best


def test_the_greatest_sum_over_a_chain_of_layers():
    """What no constraint speaks against is as large as can be; what is left of the sum is small then."""
    system = System(
        [(1, 64)] * 7 + [(1, 9)] * 6 + [(1, 64 * 64 * 9)] * 6,
        [
            *(("=", {(i, i + 1, 7 + i): 1, (13 + i,): -1}) for i in range(6)),
            ("<=", {**{(7 + i,): 1 for i in range(6)}, (): -20}),
        ],
    )
    weights = {13 + i: -1 for i in range(6)}
    assert least_sum(system, weights) == -64 * 64 * 20
    best = of_least_sum(system, weights)
    kernels = [sizes for sizes in product(range(1, 10), repeat=6) if sum(sizes) == 20]
    assert best.count() == len(kernels)
    assert [found[:13] for found in best] == [(*(64,) * 7, *sizes) for sizes in kernels]


def test_multiples_of_a_large_number_are_not_looked_for_one_by_one():
    steps = 0

    def charge(number):
        nonlocal steps
        steps += number

    system = System([(0, 10**9), (0, 10**4)], [("=", {(0,): 1, (1,): -(10**6)})], asked=1, charge=charge)
    assert list(islice(system, 4)) == [(0,), (10**6,), (2 * 10**6,), (3 * 10**6,)]
    assert steps < 5_000


def test_multiples_of_what_is_known_by_then_are_not_looked_for_one_by_one():
    steps = 0

    def charge(number):
        nonlocal steps
        steps += number

    bounds = [(1000, 1003), (0, 10**8), (0, 10**6)]  # a product before its second factor
    system = System(bounds, [("=", {(0, 2): 9, (1,): -1})], charge=charge)
    assert list(islice(system, 3)) == [(1000, 0, 0), (1000, 9000, 1), (1000, 18000, 2)]
    assert steps < 5_000


@pytest.mark.parametrize("most", [0, 400_000])
def test_draws_are_uniform_whether_states_are_few_or_many(monkeypatch, most):
    monkeypatch.setattr(component, "MOST_DRAWN", most)
    monkeypatch.setattr(drawing, "FEW", 2)
    system = chain_of_layers(2, 5, width=4)
    listed, random = list(system), Random(7)
    draws = Counter(drawn(system, random) for _ in range(20 * len(listed)))
    assert draws.keys() <= set(listed)
    assert sum((draws[answer] - 20) ** 2 / 20 for answer in listed) < len(listed) + 4 * (2 * len(listed)) ** 0.5


@settings(max_examples=examples(200))
@given(systems(), st.integers(0, 99))
def test_what_is_drawn_is_an_answer(system, seed):
    bounds, constraints, asked = system
    found, listed = drawn(System(bounds, constraints, asked), Random(seed)), list(System(bounds, constraints, asked))
    assert found in listed if listed else found is None


def chain_of_layers(layers, most, width=12):
    """Channels of a chain of convolutions, with the numbers of their weights, which are at most so many together."""
    bounds = [(1, width)] * (layers + 1) + [(1, width**2)] * layers
    weights = {(layers + 1 + i,): 1 for i in range(layers)}
    products = [("=", {(i, i + 1): 1, (layers + 1 + i,): -1}) for i in range(layers)]
    return System(bounds, [*products, ("<=", {**weights, (): -most})], layers + 1)


def test_a_budget_over_all_layers_of_a_chain():
    """All pairs of channels and partial sums were remembered one by one: three layers of 64 channels took 0.5 s, four
    were a step limit."""
    ways = {(c, 0): 1 for c in range(1, 13)}
    for _ in range(6):
        found = {}
        for (last, used), number in ways.items():
            for c in range(1, 13):
                if used + last * c <= 300:
                    found[c, used + last * c] = found.get((c, used + last * c), 0) + number
        ways = found
    system = chain_of_layers(6, 300)
    assert system.count() == sum(ways.values())


def test_what_just_meets_a_budget_is_found_where_most_ways_lead_nowhere():
    exact = chain_of_layers(8, 900).also("<=", {**{(9 + i,): -1 for i in range(8)}, (): 900})
    first, second = islice(exact, 2)
    assert first < second
    assert all(sum(a * b for a, b in pairwise(channels)) == 900 for channels in (first, second))
    assert sum(a * b for a, b in pairwise(exact.witness()[:9])) == 900


@settings(max_examples=examples(300))
@given(
    st.lists(st.tuples(st.integers(-9, 9).filter(bool), st.integers(-4, 4), st.integers(0, 5)), min_size=1, max_size=4),
    st.sampled_from(["=", "!=", "<="]),
    st.integers(-40, 40),
    st.booleans(),
)
def test_one_sum_as_brute_force(terms, relation, constant, squared):
    poly = {((i, i) if squared and i == 0 else (i,)): c for i, (c, _, _) in enumerate(terms)}
    agrees([(low, low + size) for _, low, size in terms], [(relation, {**poly, (): constant})], len(terms))


@settings(max_examples=examples(300))
@given(
    st.lists(st.tuples(st.integers(1, 3), st.integers(-4, 2), st.integers(0, 14)), min_size=1, max_size=3),
    st.integers(-3, 3).filter(bool),
    st.integers(-60, 60),
)
def test_one_product_as_brute_force(factors, coefficient, constant):
    monomial = tuple(i for i, (exponent, _, _) in enumerate(factors) for _ in range(exponent))
    bounds = [(low, low + size) for _, low, size in factors]
    agrees(bounds, [("=", {monomial: coefficient, (): constant})], len(factors))


@settings(max_examples=examples(200))
@given(systems(), st.data())
def test_upper_bounds_that_follow_need_not_be_given(system, data):
    bounds, constraints, asked = system
    stated = [("<=", {(i,): 1, (): -high}) for i, (_, high) in enumerate(bounds)]
    opened = [(low, None) for low, _ in bounds]
    expected = sorted({point[:asked] for point in solutions(bounds, constraints)})
    system = System(opened, [*data.draw(st.permutations(stated)), *constraints], asked)
    assert system.finite
    assert list(system) == expected


@settings(max_examples=examples(300))
@given(systems(), st.sets(st.integers(0, 4)))
def test_unbounded_answers_are_sound(system, opened):
    bounds, constraints, asked = system
    inside = solutions(bounds, constraints)
    wide = [(low, None if i in opened else high) for i, (low, high) in enumerate(bounds)]
    system = System(wide, constraints, asked)
    possible = system.narrow()
    assert possible or not inside
    for point in inside:
        assert all(a <= x and (b is None or x <= b) for x, (a, b) in zip(point, system.bounds, strict=True))
    if inside:
        assert system.satisfiable() is not False
    witness = system.witness()
    if witness is not None:
        assert system.satisfiable() is True
        assert all(holds(relation, poly, witness) for relation, poly in constraints)
        assert all(low <= x and (high is None or x <= high) for x, (low, high) in zip(witness, wide, strict=True))


def total(count):
    return {(i,): 1 for i in range(count)}


def squares_25():
    return System([NATURAL] * 2, [("=", {(0, 0): 1, (1, 1): 1, (): -25})])


def test_two_squares():
    assert squares_25().count() == 4
    assert list(squares_25()) == [(0, 5), (3, 4), (4, 3), (5, 0)]
    system = squares_25()
    assert system.narrow()
    assert system.bounds == [(0, 5), (0, 5)]


def test_taxicab():
    system = System([NATURAL] * 2, [("=", {(0, 0, 0): 1, (1, 1, 1): 1, (): -1729})])
    assert system.count() == 4
    assert list(system) == [(1, 12), (9, 10), (10, 9), (12, 1)]


def test_pythagorean_triples():
    constraints = [
        ("=", {(0, 0): 1, (1, 1): 1, (2, 2): -1}),
        ("<=", {(0,): -1, (): 1}),
        ("<=", {(0,): 1, (1,): -1}),
        ("<=", {(2,): 1, (): -200}),
    ]
    assert System([NATURAL] * 3, constraints).count() == 127
    found = list(System([NATURAL] * 3, constraints))
    assert len(found) == 127 and found == sorted(found) and found[0] == (3, 4, 5)
    # With the hypotenuse existential, what is listed is the legs; each pair once.
    assert list(System([NATURAL] * 3, constraints, asked=2)) == [(n, m) for n, m, _ in found]


def test_five_factors():
    system = System([NATURAL] * 5, [("=", {(0, 1, 2, 3, 4): 1, (): -30030})])
    assert system.count() == 15_625
    found = list(system)
    assert len(found) == 15_625 and found == sorted(set(found))
    assert found[0] == (1, 1, 1, 1, 30030)


def test_factors_with_bounds_that_matter():
    system = System([(2, 100), (0, None), (0, 50)], [("=", {(0, 1, 2): 1, (): -360})])
    expected = sum(1 for a in range(2, 101) for c in range(1, 51) if 360 % (a * c) == 0)
    assert system.count() == len(list(system)) == expected


def test_factors_of_a_large_number():
    p, q = 1_000_000_007, 999_999_937
    system = System([NATURAL] * 2, [("=", {(0, 1): 1, (): -p * q})])
    assert system.count() == 4
    assert list(system) == [(1, p * q), (q, p), (p, q), (p * q, 1)]


def test_four_summands():
    system = System([NATURAL] * 4, [("=", {**total(4), (): -100})])
    assert system.count() == 176_851
    assert list(islice(system, 2)) == [(0, 0, 0, 100), (0, 0, 1, 99)]
    assert sum(1 for _ in system) == 176_851


def test_ten_bounded_summands():
    system = System([(0, 1000)] * 10, [("=", {**total(10), (): -5000})])
    expected = sum((-1) ** j * comb(10, j) * comb(5000 - 1001 * j + 9, 9) for j in range(5))
    assert system.count() == expected


def test_summands_of_a_huge_goal():
    goal = 10**60
    assert System([NATURAL] * 4, [("=", {**total(4), (): -goal})]).count() == comb(goal + 3, 3)
    system = System([NATURAL] * 2, [("=", {(0,): 3, (1,): 5, (): -goal})])
    assert system.count() == goal // 15 + 1
    assert next(iter(system)) == (0, goal // 5)


def test_coins():
    system = System([NATURAL] * 6, [("=", {(i,): c for i, c in enumerate((1, 5, 10, 25, 50, 100))} | {(): -100})])
    assert system.count() == 293
    assert len(list(system)) == 293


def test_parity_after_elimination():
    sums = [(0, 1, 3), (1, 2, 4), (0, 2, 6)]
    system = System([NATURAL] * 3, [("=", {(i,): 1, (j,): 1, (): -n}) for i, j, n in sums])
    assert system.satisfiable() is False
    assert system.count() == 0
    assert list(system) == []


def test_two_names_of_one_sum():
    constraints = [("=", {(0,): 1, (1,): 1, (): -1}), ("=", {(0,): 1, (1,): 1, (2,): -1}), ("!=", {(2,): 1, (): -1})]
    assert System([NATURAL] * 3, constraints).narrow() is False
    assert System([NATURAL] * 3, constraints[:2]).count() == 2


def test_what_is_zero_everywhere_differs_from_zero_nowhere():
    apart = [("!=", {(0, 1): 1, (1,): -1})]  # n * m - m, where m is 0 and n anything
    assert System([NATURAL, (0, 0)], apart).narrow() is False
    assert System([(3, 10**9), (0, 0)], apart).narrow() is False
    cubic = {(0, 0, 0): 1, (0, 0): -3, (0,): 2}  # n * (n - 1) * (n - 2)
    system = System([NATURAL], [("!=", cubic)])
    assert system.narrow() and system.bounds[0] == (3, None)


def test_even_is_not_odd():
    assert System([NATURAL] * 2, [("=", {(0,): 2, (1,): -2, (): -1})]).satisfiable() is False
    assert System([NATURAL] * 2, [("=", {(0,): 2, (1,): -3, (): -1})]).satisfiable() is True


def test_roots():
    assert System([NATURAL], [("=", {(0, 0): 1, (): -50})]).satisfiable() is False
    assert list(System([NATURAL], [("=", {(0, 0): 1, (): -9})])) == [(3,)]
    assert list(System([NATURAL], [("=", {(0, 0, 0): 1, (): -(10**180)})])) == [(10**60,)]


def test_the_root_of_two_is_irrational():
    constraints = [("=", {(0, 0): 1, (1, 1): -2})]
    assert list(System([(0, 10_000)] * 2, constraints)) == [(0, 0)]
    assert System([(1, 10_000)] * 2, constraints).satisfiable() is False
    assert System([NATURAL] * 2, constraints).witness() == (0, 0)


@settings(max_examples=examples(300))
@given(st.lists(st.integers(-4, 4), min_size=6, max_size=6), st.booleans())
def test_an_equation_that_is_a_product_bounds_its_two_variables(coefficients, fixed):
    """x * y = x + y + 17 has finitely many solutions, and so has x * x = y * y + 105; a third variable may be known."""
    poly = dict(zip([(0, 0), (0, 1), (1, 1), (0,), (1,), (2,) if fixed else ()], coefficients, strict=True))
    system = System([NATURAL, NATURAL, (2, 2)], [("=", poly)])
    if system.finite:
        room = range(40)
        found = [x for x in system if x[0] in room and x[1] in room]
        assert found == solutions([(0, 39), (0, 39), (2, 2)], [("=", poly)])


@settings(max_examples=examples(300))
@given(
    st.lists(st.sampled_from([(0, 1, 2), (0, 0, 1), (0, 1), (0, 1, 3), (1, 1, 1), (0, 2)]), min_size=1, max_size=2),
    st.lists(st.sampled_from([(), (0,), (1,), (2,), (3,), (0, 1), (3, 3)]), min_size=1, max_size=4),
    st.lists(st.integers(1, 4), min_size=6, max_size=6),
    st.tuples(*[st.integers(0, 1)] * 4),
)
def test_an_equation_of_which_one_side_outgrows_the_other_bounds_its_variables(more, less, coefficients, lows):
    poly = dict(zip(more, coefficients, strict=False))
    for monomial, c in zip(less, coefficients[2:], strict=False):
        poly[monomial] = poly.get(monomial, 0) - c
    free = [variable in {v for monomial in poly for v in monomial} for variable in range(4)]
    system = System([(low, None if is_free else low) for low, is_free in zip(lows, free, strict=True)], [("=", poly)])
    found = system.narrow()
    ranges = [range(low, 16 if is_free else low + 1) for low, is_free in zip(lows, free, strict=True)]
    for point in product(*ranges):
        if holds("=", poly, point):
            assert found and all(
                low <= n and (high is None or n <= high) for n, (low, high) in zip(point, system.bounds)
            )


@pytest.mark.parametrize(
    ("poly", "answers"),
    [
        ({(0, 1, 2): 1, (0,): -1, (1,): -1, (2,): -1}, 7),
        ({(0, 1, 2, 3): 1, (0,): -1, (1,): -1, (2,): -1, (3,): -1}, 13),
        ({(0, 0, 1): 1, (0,): -1, (1,): -3, (): -10}, 1),
        ({(0, 1, 2): 2, (0, 0): -1, (1, 1): -1, (2, 2): -1, (0, 0, 0): 1}, None),
    ],
)
def test_where_one_side_outgrows_the_other_there_are_finitely_many_answers(poly, answers):
    """What is a sum, if it is a product as well, was counted up without end."""
    system = System([(0, None)] * (1 + max(v for monomial in poly for v in monomial)), [("=", poly)])
    assert system.finite == (answers is not None) and (answers is None or system.count() == answers)


@pytest.mark.parametrize(
    "poly",
    [
        {(0, 1): 1, (0,): -1, (1,): -1, (): -17},
        {(0, 1): 1, (0,): -1, (1,): -1},
        {(0, 0): 1, (1, 1): -1, (): -105},
        {(0, 0): 2, (0, 1): -5, (1, 1): 2, (): 9},
        {(0, 0): 6, (0, 1): -5, (1, 1): 1, (0,): 1, (): -8},
        {(0, 0): 1, (0, 1): 2, (): -8},
        {(1, 1): 1, (0, 1): -3, (0,): 1, (): -3},
    ],
)
def test_what_is_a_product_is_listed_to_the_end(poly):
    assert list(System([NATURAL] * 2, [("=", poly)])) == solutions([(0, 99), (0, 99)], [("=", poly)]) != []


def test_of_a_variable_that_may_be_anything_up_to_a_huge_number_nothing_is_tried():
    """How many values it may have was more than Python's `len` can say: OverflowError."""
    bounds = [(1, None), (1, None), (1, 10**20)]
    product_is_sum = {(0, 1, 2): 1, (0,): -1, (1,): -1, (2,): -1}
    assert not bound_by_largest(bounds, [("=", product_is_sum)], lambda _: None)
    assert bounds == [(1, None), (1, None), (1, 10**20)]


def test_where_a_product_is_zero_there_are_answers_without_end():
    assert not System([NATURAL, NATURAL, (0, 0)], [("=", {(0, 2): 1, (1, 2): 1})]).finite
    assert not System([NATURAL] * 2, [("=", {(0, 1): 1, (0,): -2, (1,): -3, (): 6})]).finite
    assert not System([NATURAL] * 2, [("=", {(0, 0): 1, (1, 1): -1})]).finite


monomials_of_three = st.lists(st.integers(0, 2), max_size=4).map(lambda m: tuple(sorted(m)))


@settings(max_examples=examples(300))
@given(monomials_of_three, monomials_of_three, st.integers(1, 40), st.integers(1, 40))
def test_what_is_no_power_is_not_where_brute_force_finds_a_solution(first, second, c, d):
    assume(first != second)
    equation = ("=", {first: c, second: -d})
    if powers.refuted([equation], [(1, None)] * 3):
        assert not solutions([(1, 12)] * 3, [equation])


def test_what_is_no_power_is_refuted():
    for poly in ({(0, 0): 3, (1, 1): -1}, {(0, 0, 0): 1, (1, 1, 1, 1, 1, 1): -4}, {(0, 0, 1, 1): 2, (2, 2): -1}):
        assert System([(1, None)] * 3, [("=", poly)]).satisfiable() is False
    for poly in ({(0, 0): 4, (1, 1): -1}, {(0, 0, 0): 1, (1, 1): -4}, {(0, 0, 1): 2, (2, 2): -1}):
        assert System([(1, None)] * 3, [("=", poly)]).satisfiable() is True


def test_what_makes_a_polynomial_grow_bounds_its_variable():
    quadratic = [("=", {(0, 0): 1, (0,): -1, (): -2})]
    assert list(System([NATURAL], quadratic)) == [(2,)]
    assert System([NATURAL] * 2, [("=", {(0, 0): 1, (0,): -3, (1,): 1, (): -4})]).count() == 5


def test_squares_are_not_three_modulo_four():
    system = System([NATURAL] * 3, [("=", {(0, 0): 1, (1, 1): 1, (2,): -4, (): -3})])
    assert not system.finite
    assert system.satisfiable() is False


def test_a_product_that_is_zero():
    system = System([(0, 3)] * 2, [("=", {(0, 1): 1})])
    assert system.count() == len(list(system)) == 7


def test_cross_inequalities():
    constraints = [("<=", {(0,): 1, (1,): -1, (): 1}), ("<=", {(0,): -1, (1,): 1, (): 1})]
    assert System([NATURAL] * 2, constraints).satisfiable() is False


def test_narrowing_that_creeps_ends():
    # x < y, y < z, z < x: no pair contradicts, and no bound is ever reached.
    constraints = [("<=", {(i,): 1, ((i + 1) % 3,): -1, (): 1}) for i in range(3)]
    system = System([NATURAL] * 3, constraints)
    system.narrow()
    assert system.satisfiable() is not True


def test_unbounded():
    system = System([NATURAL] * 2, [("<=", {(0,): 1, (1,): -1})])
    assert not system.finite
    with pytest.raises(ValueError, match="infinitely many"):
        system.count()
    with pytest.raises(ValueError, match="infinitely many"):
        iter(system)
    assert system.satisfiable() is True
    assert system.witness() == (0, 0)


def test_undecided():
    # Pell's equation for 61: the least solution has ten digits.
    system = System([NATURAL, (1, None)], [("=", {(0, 0): 1, (1, 1): -61, (): -1})])
    assert system.satisfiable() is None
    assert system.witness() is None


def test_nothing_to_solve():
    assert list(System([], [])) == [()]
    assert System([], [("=", {(): 1})]).count() == 0
    assert list(System([(0, 5)], [("=", {(0,): 2, (): -6})], asked=0)) == [()]
    assert list(System([(0, 5)], [("=", {(0,): 2, (): -5})], asked=0)) == []
    assert System([(3, 2)], []).count() == 0
    assert list(System([(0, 1)] * 2, [])) == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_components_multiply():
    pairs = [(i, 19 - i) for i in range(10)]
    system = System([NATURAL] * 20, [("=", {(i,): 1, (j,): 1, (): -99}) for i, j in pairs])
    assert system.count() == 100**10
    assert list(islice(system, 2)) == [(0,) * 10 + (99,) * 10, (0,) * 9 + (1, 98) + (99,) * 9]


def test_interleaved_components_are_listed_in_order():
    constraints = [("=", {(0,): 1, (2,): 1, (): -3}), ("=", {(1,): 1, (3,): 1, (): -2}), ("<=", {(4,): 1, (): -1})]
    found = list(System([NATURAL] * 5, constraints))
    assert len(found) == 4 * 3 * 2 and found == sorted(found)


def test_interleaved_components_too_long_to_keep():
    constraints = [("=", {(0,): 1, (2,): 1, (4,): 1, (): -600}), ("=", {(1,): 1, (3,): 1, (5,): 1, (): -2})]
    system = System([NATURAL] * 6, constraints)
    assert list(islice(system, 3)) == [(0, 0, 0, 0, 600, 2), (0, 0, 0, 1, 600, 1), (0, 0, 0, 2, 600, 0)]
    assert system.count() == comb(602, 2) * 6


def test_an_existential_component_counts_once():
    constraints = [("=", {(1,): 1, (2,): 1, (): -5})]
    assert System([(0, 3), NATURAL, NATURAL], constraints, asked=1).count() == 4
    odd = [("=", {(1, 2): 2, (1,): 4, (): -5})]
    assert list(System([(0, 3), (0, 9), (0, 9)], odd, asked=1)) == []


def test_letters_for_digits():
    # SEND + MORE = MONEY over S, E, N, D, M, O, R, Y.
    weights = (1000, 91, -90, 1, -9000, -900, 10, -1)
    different = [("!=", {(i,): 1, (j,): -1}) for i in range(8) for j in range(i)]
    bounds = [(1 if i in (0, 4) else 0, 9) for i in range(8)]
    system = System(bounds, [("=", {(i,): w for i, w in enumerate(weights)}), *different])
    assert list(system) == [(9, 5, 6, 7, 1, 0, 8, 2)]
    assert system.count() == 1


def test_queens():
    attacks = [("!=", {(i,): 1, (j,): -1, (): d}) for i in range(6) for j in range(i) for d in (0, i - j, j - i)]
    system = System([(0, 5)] * 6, attacks)
    assert system.count() == len(list(system)) == 4


@settings(max_examples=examples(60, 6))
@given(st.permutations(range(6)))
def test_a_chain_of_windows_is_counted_whichever_order_its_kernels_come_in(places):
    """The smallest ranges came first, with all their combinations to remember: six kernels were a step limit."""
    last, extents = 6, range(6, 12)
    bounds, constraints, functions, ways = [(1, 40)] * 6 + [(1, 60)] * 6, [], {}, {58: 1}
    for layer, extent in enumerate(extents):
        kernel, stride = places[layer], 1 + layer % 2
        before = {(last,): 1, (kernel,): -1, (): 2} if layer else {(kernel,): -1, (): 58}
        constraints.append(("<=", {**{m: -c for m, c in before.items()}, (extent,): stride, (): -before[()] - stride}))
        constraints.append(("<=", {**before, (extent,): -stride, (): before[()] + 1}))
        functions[extent] = frozenset((last, kernel) if layer else (kernel,))
        found = {}
        for room, number in ways.items():
            for size in range(1, 41):
                made = (room + (2 if layer else 0) - size) // stride + 1
                if 1 <= made <= 60:
                    found[made] = found.get(made, 0) + number
        last, ways = extent, found
    steps = 0

    def charge(number):
        nonlocal steps
        steps += number

    system = System([*bounds[:-1], (7, 7)], constraints, 6, charge, functions)
    assert system.count() == ways[7]
    assert steps < 500_000


def test_a_thousand_variables_in_a_chain():
    bounded = [("<=", {(i,): 1, (i + 1,): 1, (): -1}) for i in range(999)]
    system = System([(0, 1)] * 1000, bounded)
    fibonacci = [1, 1]
    for _ in range(1001):
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    assert system.count() == fibonacci[1001]
    assert next(iter(system)) == (0,) * 1000
    assert system.satisfiable() is True
    successors = [("=", {(i,): 1, (i + 1,): -1, (): 1}) for i in range(999)]
    assert System([(0, 1001)] * 1000, successors).count() == 3


def test_a_sum_of_a_thousand_variables():
    system = System([(0, 1)] * 1000, [("=", {**total(1000), (): -500})])
    assert system.count() == comb(1000, 500)
    assert next(iter(system)) == (0,) * 500 + (1,) * 500


def test_many_products_in_one_sum():
    pairs = {(i, 100 + i): 1 for i in range(100)}
    assert next(iter(System([(0, 1)] * 200, [("=", {**pairs, (): -100})]))) == (1,) * 200
    # The search that lists has all products of a row open at once.
    found = next(iter(System([(0, 1)] * 200, [("=", {**pairs, (): -1})])))
    assert found == (0,) * 99 + (1,) + (0,) * 99 + (1,)


def test_a_polynomial_of_high_degree():
    tall = {(0,) * 300: 1, (0,) * 7: -3, (1,): -1}
    assert list(System([(0, 20), (0, 9)], [("=", {**tall, (): 3 * 7**7 + 5 - 7**300})])) == [(7, 5)]


def test_contingency_tables():
    rows = [("=", {**{(4 * i + j,): 1 for j in range(4)}, (): -5}) for i in range(4)]
    columns = [("=", {**{(4 * i + j,): 1 for i in range(4)}, (): -5}) for j in range(4)]
    assert System([NATURAL] * 16, rows + columns).count() == 40_176  # A001496 of the OEIS


def test_composites():
    system = System([(0, 100), (2, None), (2, None)], [("=", {(0,): 1, (1, 2): -1})], asked=1)
    assert list(system) == [(n,) for n in range(4, 101) if any(n % d == 0 for d in range(2, n))]


class Limit(Exception):
    """The work took more steps than it was granted."""


def limited(steps):
    left = [steps]

    def charge(taken):
        assert taken >= 0
        left[0] -= taken
        if left[0] < 0:
            raise Limit

    return charge


SEMIPRIME = (10**29 + 319) * (10**30 + 57)


def test_a_limit_stops_factoring():
    constraints = [("=", {(0, 1): 1, (): -SEMIPRIME})]
    for steps in (10, 5000):
        with pytest.raises(Limit):
            System([NATURAL] * 2, constraints, charge=limited(steps)).count()
        with pytest.raises(Limit):
            next(iter(System([(2, SEMIPRIME - 1)] * 2, constraints, charge=limited(steps))))


def test_a_limit_stops_a_search():
    constraints = [("=", {(0, 0, 0): 1, (1, 1, 1): 1, (2, 2, 2): -1})]
    for steps in (10, 5000):
        for ask in (System.count, list, System.satisfiable):
            with pytest.raises(Limit):
                ask(System([(1, 100_000)] * 3, constraints, charge=limited(steps)))


def test_a_limit_stops_a_filter():
    # No bound says that x*x - 10^9*x - 7 has no zero: every value is tried.
    constraints = [("=", {(0, 0, 1): 1, (0, 1): -(10**9), (0,): 1, (1,): -7})]
    with pytest.raises(Limit):
        System([(1, 10**12), (1, 10**12)], constraints, charge=limited(5000)).count()


def test_a_limit_stops_a_listing():
    with pytest.raises(Limit):
        list(System([(0, 10**9)] * 2, [("<=", {(0,): 1, (1,): -1})], charge=limited(5000)))


def test_work_can_go_on_after_a_limit():
    granted = [10]

    def charge(taken):
        granted[0] -= taken
        if granted[0] < 0:
            raise Limit

    system = System([NATURAL] * 5, [("=", {(0, 1, 2, 3, 4): 1, (): -30030})], charge=charge)
    with pytest.raises(Limit):
        list(system)
    granted[0] = 10**9
    assert len(list(system)) == 15_625


def test_doctests():
    names = [f"{integers.__name__}.{module.name}" for module in pkgutil.iter_modules(integers.__path__)]
    assert sum(doctest.testmod(importlib.import_module(name)).attempted for name in names) > 8
    assert not any(doctest.testmod(importlib.import_module(name)).failed for name in names)


@settings(max_examples=examples(400, 16))
@given(st.data())
def test_what_has_one_value_may_come_before_what_is_asked_for(data):
    """Quotients that nothing asks for: the answers are those of brute force, in order."""
    asked, hidden = 3, 2
    bounds = [(0, data.draw(st.integers(2, 6))) for _ in range(asked)] + [(0, 6)] * hidden
    constraints, functions = [], {}
    for quotient in range(asked, asked + hidden):
        a, b = data.draw(st.permutations(range(quotient)))[:2]
        constraints.append(("<=", {(): 1, (b,): -1}))
        constraints.append(("<=", {tuple(sorted((b, quotient))): 1, (a,): -1}))
        constraints.append(("<=", {(a,): 1, tuple(sorted((b, quotient))): -1, (b,): -1, (): 1}))
        functions[quotient] = frozenset((a, b))
    coefficients = [data.draw(st.integers(-2, 2)) for _ in bounds]
    relation = data.draw(st.sampled_from(["=", "<=", "!="]))
    constraints.append((relation, {**{(v,): c for v, c in enumerate(coefficients)}, (): data.draw(st.integers(-4, 4))}))
    expected = sorted({point[:asked] for point in solutions(bounds, constraints)})
    system = System(bounds, constraints, asked, functions=functions)
    assert list(system) == expected
    assert System(bounds, constraints, asked, functions=functions).count() == len(expected)


@settings(max_examples=examples(200))
@given(st.data())
def test_each_variable_comes_once(data):
    """What is not asked for may be taken first, and be determined afterwards, too."""
    variables = range(6)
    asked = data.draw(st.integers(0, 4))
    bounds = [(0, data.draw(st.integers(0, 5))) for _ in variables]
    terms = st.dictionaries(st.lists(st.sampled_from(variables), min_size=1, max_size=2).map(sorted).map(tuple), UNIT)
    constraints = data.draw(st.lists(st.tuples(st.just("="), terms.filter(bool)), min_size=2, max_size=6))
    inputs = st.frozensets(st.sampled_from(variables), min_size=1, max_size=2)
    drawn = data.draw(st.dictionaries(st.sampled_from(variables[asked:]), inputs, min_size=1))
    functions = {v: known for v, known in drawn.items() if v not in known}
    chosen, others = variables[:asked], variables[asked:]
    for arguments in [(chosen, ()), ((), chosen)]:
        found, stop, settled = order(*arguments, others, (constraints, bounds), functions)
        assert stop <= settled
        assert sorted(found) == list(variables)
        assert set(chosen) <= set(found[:stop])


def test_quotients_of_what_is_asked_for_do_not_multiply_its_values():
    """Each of n and j was tried at each value, since what they are equal to came after all that is asked for."""
    text = (
        "(34 - m) // s + 1 = n, (34 - k) // t + 1 = j, i * ((n - 2) // 2 + 1) * ((j - 2) // 2 + 1) = l,"
        "1 <= s, s <= 4, 1 <= t, t <= 4, m <= 34, k <= 34, 1 <= m, 1 <= k, 1 <= l, l <= 64, 1 <= i, 2 <= n, 2 <= j"
    )
    assert count_query(text, ground=True, steps=1_000_000) == 140_521

"""reshape, contrib_reverse_reshape, reshape_like: the codes, forwards and backwards."""

from __future__ import annotations

from itertools import product

import pytest

from relaylogic.logic.terms.look import Shown
from relaylogic.logic.terms.rebuilding import canonical
from relaylogic.logic.terms.variables import fresh
from relaylogic.rulebase import default_rules
from relaylogic.types import TensorType, TypeVar
from relaylogic.typings.query import query
from rules.reshape_codes import WIDTH, greatest_rank, least_ranks, read_codes
from tests.rules.asking import ask, tensor

CODES = [
    # newshape, input, result
    ([6, 4], (2, 3, 4), (6, 4)),
    ([-1], (2, 3, 4), (24,)),
    ([-1, 4], (2, 3, 4), (6, 4)),
    ([4, 0, 2], (2, 3, 4), (4, 3, 2)),
    ([0, -3], (2, 3, 4), (2, 12)),
    ([-3, -2], (2, 3, 4, 5), (6, 4, 5)),
    ([-2, 1, 1], (2, 3), (2, 3, 1, 1)),
    ([2, 3, 4, -2], (24,), (2, 3, 4)),
    ([-4, 1, 2, -2], (2, 3, 4), (1, 2, 3, 4)),
    ([2, -4, -1, 3, -2], (2, 3, 4), (2, 1, 3, 4)),
    ([-2, -1], (2, 3, 4), (2, 3, 4, 1)),
    ([-4, 2, 2, -1], (4, 6), (2, 2, 6)),
    ([0, -1], (0, 3), (0, 3)),
    ([-1], (0, 3), (0,)),
    ([-1], ("?", 3), ("?",)),
    ([2, 4], ("?", 3), (2, 4)),
    ([-1, 0], (2, "?", 3), (6, "?")),
    ([5, 5], (2, 3, 4), None),
    ([5, -1], (2, 3, 4), None),
    ([-1, -1], (2, 3, 4), None),
    ([0, 0, 0, 0], (2, 3, 4), None),
    ([-2, 0], (2, 3, 4), None),
    ([-4, 2, -1, 0], (7, 3), None),
    ([-4, -1, -1], (4,), None),
    ([-4, 2], (4,), None),
    ([-5], (4,), None),
]


@pytest.mark.parametrize(("newshape", "given", "expected"), CODES)
def test_codes(newshape, given, expected):
    found = ask("reshape", tensor(*given), "_", newshape=newshape)
    assert found == (None if expected is None else [tensor(*given), tensor(*expected)])


def test_zero_with_allowzero():
    assert ask("reshape", tensor(0, 3), "_", newshape=[3, 0], allowzero=True) == [tensor(0, 3), tensor(3, 0)]
    assert ask("reshape", tensor(0, 3), "_", newshape=[-1, 0], allowzero=True) is None
    assert ask("reshape", tensor("?", 3), "_", newshape=[-1, 0], allowzero=True)[1] == tensor("?", 0)


BACKWARDS = [
    # newshape, input, result, what the input must be
    ([-1, 4], ("_", 4), (6, 4), (6, 4)),
    ([2, 6], ("_", 4), (2, 6), (3, 4)),
    ([0, -3], ("_", 3, 4), (2, 12), (2, 3, 4)),
    ([-4, 2, -1, 3], ("_", 3), (2, 4, 3), (8, 3)),
    ([0, 4], ("_", "_"), (2, 4), (2, 4)),
]


@pytest.mark.parametrize(("newshape", "given", "result", "expected"), BACKWARDS)
def test_backwards(newshape, given, result, expected):
    assert ask("reshape", tensor(*given), tensor(*result), newshape=newshape)[0] == tensor(*expected)


def test_rank_of_the_input():
    assert ask("reshape", "_", tensor(2, 3, 4), newshape=[-2])[0] == tensor(2, 3, 4)
    assert ask("reshape", "_", "_", newshape=[2, 3]) == ["Tensor[_, _]", "Tensor[(2, 3), _]"]
    assert ask("reshape", "_", tensor(2, 3), newshape=[0, 0, 0]) is None


def test_from_the_right():
    assert ask("contrib_reverse_reshape", tensor(10, 5, 4), "_", newshape=[-1, 0])[1] == tensor(50, 4)
    assert ask("contrib_reverse_reshape", tensor("_", 5, 4), tensor(50, 4), newshape=[-1, 0])[0] == tensor(10, 5, 4)
    assert ask("contrib_reverse_reshape", tensor(2, 3, 4), "_", newshape=[5, 0]) is None


LIKE = [
    # attributes, input, other, result
    ({}, (2, 3), (6,), (6,)),
    ({}, (2, 3), (7,), None),
    ({}, ("?", 3), (7,), (7,)),
    ({"lhs_begin": 1, "rhs_begin": -2}, (2, 12), (9, 3, 4), (2, 3, 4)),
    ({"lhs_end": 2, "rhs_end": 1}, (2, 3, 4), (6, 9), (6, 4)),
    ({"lhs_begin": 3}, (2, 3), (6,), None),
    ({"rhs_end": 3}, (2, 3), (6,), None),
]


@pytest.mark.parametrize(("attrs", "given", "like", "expected"), LIKE)
def test_reshape_like(attrs, given, like, expected):
    found = ask("reshape_like", tensor(*given), tensor(*like), "_", **attrs)
    assert found == (None if expected is None else [tensor(*given), tensor(*like), tensor(*expected)])


def test_reshape_like_backwards():
    assert ask("reshape_like", tensor("_", 3), tensor(2, 6), "_")[0] == tensor(4, 3)


HIDDEN = Shown()
VALUES = range(-5, 2)


def ranks(codes, allowzero):
    """The least ranks of the input and the result that known codes allow; None if they are nothing sensible."""
    said = read_codes(codes, allowzero)
    if said is None:
        return None
    used = max((position + WIDTH[word] for word, position, _ in said if WIDTH[word]), default=0)
    return used, sum({"split": 2, "rest": 0}.get(word, 1) for word, _, _ in said)


@pytest.mark.parametrize("allowzero", [False, True])
def test_what_codes_that_are_partly_known_say_of_ranks(allowzero):
    """Against all codes that they can be."""
    for length in range(4):
        for codes in product((HIDDEN, *VALUES), repeat=length):
            each = (VALUES if code is HIDDEN else (code,) for code in codes)
            found = [r for completed in product(*each) if (r := ranks(completed, allowzero)) is not None]
            expected = (min(used for used, _ in found), min(made for _, made in found)) if found else None
            assert least_ranks(codes, allowzero) == expected, codes


def made_of(said, rank):
    """How many extents what codes say makes of an input of a rank, which has those that are used."""
    return sum(max(0, rank - position) if word == "rest" else 1 + (word == "split") for word, position, _ in said)


@pytest.mark.parametrize("rank", [0, 1, 3])
def test_what_codes_that_are_partly_known_say_of_the_greatest_rank(rank):
    """Against all codes that they can be."""
    for length in range(4):
        for codes in product((HIDDEN, *VALUES), repeat=length):
            each = (VALUES if code is HIDDEN else (code,) for code in codes)
            known = [said for completed in product(*each) if (said := read_codes(completed, False)) is not None]
            possible = [s for s in known if all(at + WIDTH[word] <= rank for word, at, _ in s if WIDTH[word])]
            expected = max((made_of(said, rank) for said in possible), default=None)
            assert greatest_rank(codes, False, rank) == expected, codes


def test_codes_that_no_call_accepts_are_refused_whatever_is_open():
    for codes in ("[n, -1, -1]", "[-1, n, -1]", "[n, -7]", "[n, -4]", "[-2, n, 0]", "[-4, -1, -1, n]"):
        found = query(f"reshape(T, newshape={codes}) = Y")
        assert (list(found), found.status) == ([], "exhausted"), codes


def test_codes_that_are_partly_known_say_how_many_extents_there_are_at_least():
    (answer,) = query("reshape(T, newshape=[0, n, 8, 0]) = Y")
    assert str(answer).startswith("T = Tensor[(m, k, ...s), t], Y = Tensor[(i, j, l, ...u), t]")  # n may split


@pytest.mark.parametrize("operator", ["reshape", "contrib_reverse_reshape"])
def test_codes_that_become_known_say_the_result_whatever_rank_it_has(operator):
    """The goal waited for the rank of the result, which nothing but the codes tells; natural ones stayed open."""
    call = f"{operator}(Tensor[(2, 3), int8], newshape=%s) = B"
    found = {str(answer) for answer in query(call % "K", max_attr=3, max_attr_length=2)}
    codes = [list(codes) for length in (0, 1, 2) for codes in product(range(-3, 4), repeat=length)]
    expected = {f"K = {known}, {answer}" for known in codes for answer in query(call % known)}
    assert expected and expected == found


def test_a_product_with_an_extent_that_has_a_name_is_some_number():
    """That there is one was left over, as if the name might stand for what is negative."""
    rules = default_rules()
    data = TensorType((TypeVar("N", "ShapeVar"), fresh()), "int8")
    for operator, newshape in (("reshape", [-1, 0]), ("contrib_reverse_reshape", [0, -1])):
        asked = rules.operator(operator)
        solution = rules.solve(asked.relation, canonical((data, fresh()), {}), asked.attrs({"newshape": newshape}))
        assert solution.decided and solution.general[0] is solution.general[1]


@pytest.mark.parametrize("operator", ["reshape", "contrib_reverse_reshape"])
def test_an_open_code_leaves_no_rank_without_end(operator):
    """Results of any rank were tried, although no code makes more than one extent, or all of a known input."""
    found = query(f"{operator}(Tensor[(3, 2), int8], newshape=[-1, n]) = B", ground=True, max_attr=3)
    made = {answer.bindings["n"]: answer.texts["B"] for answer in found}
    calls = {n: ask(operator, tensor(3, 2), "_", newshape=[-1, n], allowzero=False) for n in range(-4, 4)}
    assert made == {n: types[1].replace("float32", "int8") for n, types in calls.items() if types is not None}
    assert found.status == "exhausted"

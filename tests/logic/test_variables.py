"""Variables of the engine and of `unification` serve alike; ours are told apart by identity alone."""

import copy
import pickle
import re
from pathlib import Path

import kanren
import pytest
from unification import Var, isvar, reify, unify, var

import relaylogic
from relaylogic.logic import eq, fresh
from relaylogic.logic.states.state import State
from relaylogic.logic.terms.terms import is_ground, variables_of, walk
from relaylogic.logic.terms.variables import VARIABLES, Shown, Variable, fresh_list
from relaylogic.types import TensorType


def test_the_variables_of_the_engine_are_variables_of_unification():
    mine = fresh()
    assert type(mine) is Variable and isinstance(mine, Var) and isvar(mine) and type(mine) in VARIABLES
    assert unify(mine, 3, {}) == {mine: 3} and reify((mine, mine), {mine: 3}) == (3, 3)


def test_no_two_are_equal_whatever_they_are_called():
    one, other = fresh(), fresh()
    named = object.__new__(Variable)
    named.token = one.token
    assert one in {one} and one not in (other, named, Var(one.token))
    assert len({one, other, named}) == 3


@pytest.mark.parametrize("make", [fresh, var], ids=["ours", "stock"])
def test_both_kinds_are_open_wherever_it_is_asked(make):
    hole = make()
    tensor = TensorType((hole, 3), "float32")
    assert not is_ground(hole) and not tensor.ground and list(variables_of(tensor, {})) == [hole]
    assert walk(hole, {hole: 5}) == 5
    assert kanren.run(0, tensor, eq(hole, 4)) == (TensorType((4, 3), "float32"),)


@pytest.mark.parametrize("make", [fresh, var], ids=["ours", "stock"])
def test_what_is_shown_stands_for_the_variable_itself(make):
    hole, other = make(), make()
    first, second = reify((hole, other), State({}))
    assert type(first) is Shown and first == hole and hole == first and {hole: 1}[first] == 1
    assert first != other and second not in (hole, first)
    back = pickle.loads(pickle.dumps((first, first)))
    assert back[0] is back[1] and type(back[0]) is Shown and str(back[0]) == f"~{back[0].token}"


def test_a_copy_in_a_pickle_is_one_variable_and_a_new_one():
    holes = fresh_list(2)
    a, b = pickle.loads(pickle.dumps((holes[0], (holes[0], holes[1]))))
    assert a is b[0] and a is not b[1] and not {a, *b} & set(holes)
    assert copy.copy(holes[0]) != holes[1]


def test_nobody_asks_for_one_class_of_variables_only():
    imports = re.compile(r"^from unification import .*\bVar\b(?! as)", re.MULTILINE)
    asks = re.compile(r"\bis (not )?Var\b")
    files = list(Path(relaylogic.__file__).parent.rglob("*.py"))
    texts = {file: file.read_text(encoding="utf-8") for file in files}
    assert any(map(imports.search, texts.values()))
    assert not [file for file, text in texts.items() if imports.search(text) and asks.search(text)]

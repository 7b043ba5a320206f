"""What is kept of what calls come to is what goals find: programs say it of all numbers, and change no answer."""

from __future__ import annotations

import random
from collections import Counter
from contextlib import suppress
from itertools import islice
from pathlib import Path

import pytest

from relaylogic.ahead.questions import LARGEST, LARGEST_RANK, is_program, usual_questions
from relaylogic.host.cache import made_folder
from relaylogic.logic.control import FREE, KEPT, Budget, Search
from relaylogic.logic.search.options import options_of
from relaylogic.logic.states.calls import Call
from relaylogic.logic.terms.rebuilding import canonical, instantiate
from relaylogic.logic.terms.terms import slot
from relaylogic.logic.terms.variables import fresh, fresh_list
from relaylogic.rulebase import AttributeProblem, Attrs, RuleBase, load_rules
from relaylogic.rulebase.recipe import rules_folder
from relaylogic.rulebase.relation import Clause
from relaylogic.rulebase.specialised.codes import program_in
from relaylogic.rulebase.specialised.made import Made
from relaylogic.rulebase.specialised.store import content_of
from relaylogic.rulebase.specialised.way_programs import program_of_profile, program_of_ways, with_calls_made
from relaylogic.rulebase.specialised.ways import PROFILES, Asked, name_of
from relaylogic.types import TensorType
from relaylogic.typings.program import count_typings, typings
from relaylogic.typings.query import count_query, query
from tests.conformance.facts import facts, known_type, without_widths
from tests.effort import in_turn

FEW = 40
Kept = dict[tuple[str, object], object]


def asked_of(question: str, rules: RuleBase, **bounds):
    ask = typings if is_program(question) else query
    return ask(question, rules=rules, **{"max_dim": LARGEST, "max_rank": LARGEST_RANK, **bounds})


def answered(question: str, rules: RuleBase, **bounds):
    found = asked_of(question, rules, **bounds)
    return [(str(answer), answer.clauses) for answer in islice(found, FEW)], found.status


class _Kept:
    """A store of the programs that are made here."""

    def __init__(self, programs: Kept) -> None:
        self.programs = programs

    def program(self, name, key):
        return self.programs.get((name, key))


@pytest.fixture(scope="module")
def calls() -> dict[tuple[str, object], Asked]:
    """The calls that come up in usual questions."""
    rules = load_rules()
    rules.kept_ways._store = lambda: _Kept({})
    rules.kept_ways.noted = noted = {}
    for question in usual_questions():
        list(islice(asked_of(question, rules), FEW))
    return {(name_of(relation), form): call for (relation, form), call in noted.items()}


@pytest.fixture(scope="module")
def kept(calls) -> Kept:
    """The programs for these: those that were made of these sources when the package was installed, the others as they
    are made ahead, where there are none yet."""
    rules = with_ways({})
    ahead = Made(made_folder(), content_of(rules_folder()))
    made = {}
    for key, call in calls.items():
        relation = rules.relation(call.relation.name)
        made[key] = ahead.program(*key) or program_in(program_of_ways(rules, call._replace(relation=relation)))
    for relation in rules.relations.values():
        made[PROFILES, (relation.name, None)] = program_in(program_of_profile(rules, relation))
    return made


def with_ways(programs: Kept) -> RuleBase:
    """A rule base that knows only these programs."""
    rules = load_rules()
    rules.kept_ways._store = lambda: _Kept(programs)
    return rules


def test_most_calls_have_a_program(calls, kept):
    made = [key for key in calls if kept[key].answer is not None]
    assert len(made) > 400 and len(made) > 0.9 * len(calls)


def replaced(term, draw):
    """A term with other numbers in place of those from 2 on."""
    if type(term) is int:
        return term if term < 2 else draw()
    if type(term) is tuple:
        return tuple(replaced(part, draw) for part in term)
    return type(term).make(replaced(term.args, draw)) if hasattr(term, "shape") or hasattr(term, "fields") else term


def test_programs_say_of_any_numbers_what_goals_say(calls, kept):
    """Alike and different ones, small and large: of ways as options, once calls are made that leave no choice, and
    whether they are disjoint, where that is known; of answers all."""
    drawing = random.Random(0)
    plain, knowing = with_ways({}), with_ways(kept)
    tried = made = 0
    for (key, call), numbers in in_turn(calls.items(), ([2, 3], [2, 3, 4, 6, 8, 12], [7, 224, 10**6, 10**30])):
        if kept[key].answer is None:
            continue
        arguments = tuple([replaced(term, lambda given=numbers: drawing.choice(given)) for term in call.arguments])
        name, found, disjoint = call.relation.name, [], []
        for rules in (plain, knowing):
            relation = rules.relation(name)
            attributes = (call.attrs,) if relation.takes_attrs else ()
            if not call.postponed:
                found.append([rules.solve(relation, arguments, call.attrs, defaults=what) for what in (FREE, KEPT)])
                continue
            search = Search(Budget(10_000), postpones=True, gradual=call.gradual, defaults=FREE, rules=rules)
            options = options_of((relation, *arguments, *attributes), {}, search)
            found.append([with_calls_made(told, search) for told in (options, options.decided())])
            disjoint.append(options.disjoint)
            made += any(option.steps for option in options.options or ())
        assert repr(found[0]) == repr(found[1]), (name, arguments)
        assert disjoint == sorted(disjoint), (name, arguments)
        tried += 1
    assert tried > 400 and made > 20


OTHER_QUESTIONS = (
    ("Broadcast(Tensor[a, t], Tensor[b, t], Tensor[(7, 1, 9), t])", {"max_rank": 3}),
    ("Broadcast(Tensor[a, t], Tensor[(3, 1, 5), t], Tensor[c, t])", {"max_rank": 4, "max_dim": 5}),
    ("Broadcast(Tensor[(x, 4), t], Tensor[(4, y), t], Tensor[c, t])", {"max_dim": 5}),
    ("add(Tensor[(a, b), float32], Tensor[(b, a), float32]) = Tensor[(4, 4), float32]", {}),
    (
        "nn.conv2d(Tensor[(1, c, h, w), float32], Tensor[(8, c, 5, 3), float32], strides=(2, 1), padding=(2, 1))"
        " = Tensor[(1, 8, 9, 11), float32], c <= 3",
        {"max_dim": 40},
    ),
    ("nn.conv2d(Tensor[(2, 3, h, w), float32], Tensor[(4, 3, k, k), float32]) = Tensor[(2, 4, 6, 6), float32]", {}),
    ("concatenate((Tensor[(a, 3), int8], Tensor[(b, 3), int8], Tensor[(c, d), int8]), axis=0) = Tensor[s, int8]", {}),
    ("fn (%a: Tensor[(3, _), float32], %b: Tensor[(_, _), float32]) { add(nn.dense(%a, %b), %a) }", {"max_dim": 4}),
    ("fn (%a: Tensor[(3, _), float32], %b: Tensor[(_, 3), float32]) { nn.matmul(%a, %b) }", {}),
    ("fn (%a: Tensor[(_), int8], %b: Tensor[(?), int8]) -> Tensor[(5), int8] { add(%a, %b) }", {}),
    ("fn (%a: Tensor[(_), int8], %b: Tensor[(_), int8]) -> Tensor[(0), int8] { add(add(%a, %b), %a) }", {"max_dim": 2}),
)


@pytest.mark.parametrize(("question", "bounds"), OTHER_QUESTIONS)
def test_answers_come_as_they_come_without_programs(kept, question, bounds):
    """All of them, in the same order, by the same clauses; the same number; symbolic ones with the same residue."""
    plain, knowing = with_ways({}), with_ways(kept)
    for more in ({}, bounds):
        both = []
        for rules in (plain, knowing):
            ask = typings if is_program(question) else query
            found = ask(question, rules=rules, **more)
            both.append(([(str(answer), answer.clauses) for answer in islice(found, 200)], found.status))
        assert both[0] == both[1]
    count = count_typings if is_program(question) else count_query
    bounds = {"max_dim": 4, "max_rank": 2, **bounds}
    assert count(question, rules=plain, **bounds) == count(question, rules=knowing, **bounds)


def test_usual_questions_run_no_clauses(kept, monkeypatch):
    """Of other numbers, too."""
    run: list[str] = []
    goal = Clause.goal

    def noted(self, arguments):
        run.append(repr(self))
        return goal(self, arguments)

    rules = with_ways(kept)
    monkeypatch.setattr(Clause, "goal", noted)
    vector = "Tensor[(_), float32]"
    chain = f"fn (%a: {vector}, %b: {vector}, %c: {vector}, %d: {vector}) -> Tensor[(9), float32]"
    assert count_typings(f"{chain} {{ add(add(add(%a, %b), %c), %d) }}", rules=rules) == 15
    layer = "fn (%x: Tensor[(3, _), float32], %w: Tensor[(_, _), float32], %b: Tensor[(_), float32])"
    assert count_typings(f"{layer} {{ add(nn.dense(%x, %w), %b) }}", rules=rules, max_dim=3) == 21
    assert count_query("Broadcast(Tensor[a, t], Tensor[b, t], Tensor[(3, 8, 2), t])", rules=rules, max_rank=3) == 53
    for question, number in NO_CLAUSES.items():
        count = count_typings if is_program(question) else count_query
        assert count(question, rules=rules, max_rank=4, max_dim=8) == number, question
    assert not run


NO_CLAUSES = {
    "add(Tensor[a, float32], Tensor[b, float32]) = Tensor[(n, 5), float32], n * n = 9": 17,
    "add(Tensor[(n, m), float32], Tensor[(m), float32]) = Tensor[(n, k), float32], n * m = 8": 4,
    "nn.dense(Tensor[(n, k), float32], Tensor[(m, k), float32]) = Tensor[(7, 5), float32]": 8,
    "fn (%x: Tensor[(5, _), float32], %w: Tensor[(5, _), float32]) -> Tensor[(5, 6), float32] "
    "{ concatenate((%x, split(%w, indices_or_sections=2, axis=1).0), axis=1) }": 4,
    "fn (%x: Tensor[(1, 5, 7, 7), float32], %w: Tensor[(3, _, _, _), float32]) -> Tensor[(1, 3, 6, 5), float32] "
    "{ nn.relu(nn.conv2d(%x, %w)) }": 1,
    "fn (%x: Tensor[(_, _), float32], %w: Tensor[(_, _), float32], %b: Tensor[(_), float32]) -> Tensor[(7, 5), float32]"
    " { nn.softmax(nn.bias_add(nn.dense(%x, %w), %b)) }": 8,
    "fn (%x: Tensor[(1, _, _, _), float32]) -> Tensor[(1, 5, 4, 4), float32] "
    "{ nn.max_pool2d(%x, pool_size=[2, 2], strides=[2, 2], padding=[0, 0, 0, 0]) }": 1,
}
"""Further questions, and how many answers each has."""


def test_a_program_pays_the_steps_that_goals_take(calls, kept):
    """Limits of steps say the same, whether programs are there or not."""
    both = with_ways({}), with_ways(kept)
    for key, call in calls.items():
        if kept[key].answer is None or not call.postponed:
            continue
        left = []
        for rules in both:
            rules.forget()
            relation = rules.relation(call.relation.name)
            search = Search(Budget(10_000), postpones=True, gradual=call.gradual, defaults=FREE, rules=rules)
            options_of((relation, *call.arguments, *((call.attrs,) if relation.takes_attrs else ())), {}, search)
            left.append(search.budget.left)
        assert left[0] == left[1]


def test_programs_say_whether_a_number_may_be_unknown_as_goals_do(calls, kept):
    plain, knowing = with_ways({}), with_ways(kept)
    said = Counter()
    for key, call in calls.items():
        if kept[key].answer is None or not call.postponed:
            continue
        found = []
        for rules in (plain, knowing):
            relation = rules.relation(call.relation.name)
            arguments = instantiate((*call.arguments, *((call.attrs,) if relation.takes_attrs else ())), {})
            search = Search(Budget(10_000), postpones=True, gradual=True, defaults=FREE, rules=rules)
            found.append(rules.profiles.may_make_unknown([Call.draft((relation, *arguments))], search))
        assert found[0] == found[1], (call.relation.name, call.arguments)
        said[found[0]] += 1
    assert said[False] > 300


def test_a_program_says_that_a_number_may_be_unknown(tmp_path: Path):
    (tmp_path / "half.rel").write_text("Half(n, ?).\nHalf(n, n).\nTwice(n, m) :- Half(n, k), Half(k, m).\n")
    for name in ("Half", "Twice"):
        found = []
        for is_kept in (False, True):
            rules = load_rules(tmp_path)
            call = Asked(rules.relation(name), (slot(0), slot(1)), None, True, True)
            program = program_in(program_of_ways(rules, call))
            assert program.answer is not None
            numbers: list[int] = []
            programs = {(name_of(call.relation), call.form(numbers)): program} if is_kept else {}
            rules.kept_ways._store = lambda programs=programs: _Kept(programs)
            search = Search(Budget(10_000), postpones=True, gradual=True, defaults=FREE, rules=rules)
            asked = Call.draft((call.relation, fresh(), fresh()))
            found.append(rules.profiles.may_make_unknown([asked], search))
        assert found == [True, True], name


def test_a_profile_that_is_kept_is_that_of_the_clauses(kept):
    plain, knowing = with_ways({}), with_ways(kept)
    for name, relation in plain.relations.items():
        assert plain.profiles.of(relation) == knowing.profiles.of(knowing.relation(name))


def test_relations_that_state_no_defaults_leave_none(tmp_path: Path):
    """Their programs answer wherever defaults are taken, too. What is stated by a goal that is made before counts."""
    rules = with_ways({})
    left = set()
    for name, measured in facts().items():
        operator = rules.operators.get(name)
        typed = [fact for fact in measured if "error" not in fact and len(fact["in"]) > 1 and "_" not in fact["in"]]
        if operator is None or operator.variadic or not typed:
            continue
        with suppress(AttributeProblem):
            attrs = operator.attrs(typed[0]["attrs"])
            known, *others = [known_type(without_widths(text)) for text in typed[0]["in"]]
            for given in ((known, *map(opened, others)), (known, *(fresh() for _ in others))):
                asked = canonical((*given, fresh()), {})
                if rules.solve(operator.relation, asked, attrs, programs=False, most=8).kept:
                    left.add(operator.relation)
    assert len(left) > 8 and all(rules.profiles.of(relation).has_defaults for relation in left)
    assert not rules.profiles.of(rules.relation("Broadcast")).has_defaults
    (tmp_path / "made.py").write_text(OF_DEFAULTS)
    own = load_rules(tmp_path, python=True)
    said = {name: own.profiles.of(own.relation(name)).has_defaults for name in ("Made", "Held", "Called", "Plain")}
    assert said == {"Made": True, "Held": True, "Called": True, "Plain": False}


def opened(term):
    """A tensor type of the rank of another."""
    return TensorType(fresh_list(len(term.shape)), fresh()) if type(term) is TensorType else term


OF_DEFAULTS = """
from relaylogic.logic import default, eq, lall
from relaylogic.rulebase import relation

STATED = default(1, 1)

def holding(goal):
    return lambda data, out: lall(eq(data, out), goal)

@relation
def Made(data, out):
    pass

@Made.clause
def made(data, out):
    return lall(eq(data, out), STATED)

@relation
def Held(data, out):
    pass

Held.clause(holding(default(1, 1)))

@relation
def Called(data, out):
    pass

@Called.clause
def called(data, out):
    return Made(data, out)

@relation
def Plain(data, out):
    pass

@Plain.clause
def plain(data, out):
    return eq(data, out)
"""


def test_rules_of_ones_own_have_no_programs(tmp_path: Path):
    """What was made of the shipped rules says nothing of a rule base that has others, too."""
    (tmp_path / "more.rel").write_text("BroadcastDim(7, 9, 11).\n")
    rules = load_rules(tmp_path)
    found = query("BroadcastDim(7, b, c)", rules=rules, max_dim=12)
    assert ("9", "11") in {(answer.texts["b"], answer.texts["c"]) for answer in found}


def test_what_has_no_form_has_no_program():
    rules = load_rules()
    dense = rules.relation("Dense")
    attrs = Attrs({"units": None, "out_dtype": ""})
    numbers: list[int] = []
    known = Asked(dense, (TensorType((4, 1), "int8"),), attrs, True, False)
    assert known.form(numbers) == (True, False, (("Tensor[", (None, 1), "int8"),), attrs.key) and numbers == [4]
    for term in (-1, True, 2.0, None, fresh()):
        assert Asked(dense, (term,), attrs, True, False).form([]) is None
    deep = 3
    for _ in range(10_000):
        deep = (deep,)
    assert Asked(dense, (deep,), attrs, True, False).form([]) is None
    assert Asked(dense, (tuple(range(2, 100)),), attrs, True, False).form([]) is None

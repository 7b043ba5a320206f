"""What stands in several places of an expression is in scope at each of them: against all paths, which may be many."""

from __future__ import annotations

from random import Random

import pytest

from relaylogic import IRModule, infer, relay
from relaylogic.errors import IllFormed
from relaylogic.infer.checks.well_formed import check_well_formed
from relaylogic.ir import Call, Expr, Function, Let, Match, Var, children, free_vars, pattern_vars
from relaylogic.text import astext, parse
from tests.counted import at_most
from tests.effort import examples

ADD = relay.op.get("add")


def test_what_is_bound_in_a_function_is_not_in_scope_behind_it_however_it_is_shared() -> None:
    x = relay.var("x", shape=(2, 3))
    shared = relay.exp(x)
    function = relay.Function([x], shared)
    match = relay.Match(function, [relay.Clause(relay.PatternWildcard(), shared)])
    with pytest.raises(IllFormed, match="bound in another only"):
        infer(IRModule.from_expr(match))


def test_what_uses_nothing_of_a_scope_may_stand_behind_it() -> None:
    x, y = relay.var("x", shape=(2, 3)), relay.var("y", shape=(2, 3))
    shared = relay.exp(y)
    function = relay.Function([x], relay.add(x, shared))
    result = infer(IRModule.from_expr(relay.Function([y], relay.Tuple([function, shared]))))
    assert result.verdict == "typed"
    assert infer(result.module.astext()).verdict == "typed"


def test_a_type_parameter_of_another_function() -> None:
    a = relay.TypeVar("a")
    x, y = relay.var("x", a), relay.var("y")
    shared = Function([y], y, a)
    poly = Function([x], Call(shared, [x]), None, [a])
    with pytest.raises(IllFormed, match="bound in another only"):
        check_well_formed(relay.Tuple([poly, shared]))


def test_what_is_used_in_an_attribute_is_in_scope() -> None:
    x, y = relay.var("x", shape=(2, 3)), relay.var("y", shape=(2,))
    for value in (y, relay.exp(y)):
        call = Call(relay.op.get("nn.softmax"), [x], {"axis": value})
        with pytest.raises(IllFormed, match="`%y` is not bound where an attribute uses it"):
            check_well_formed(IRModule({relay.GlobalVar("main"): Function([x], call)}))
    inner = Function([y], y)
    with pytest.raises(IllFormed, match="outside of the scope"):
        check_well_formed(relay.Tuple([inner, Call(relay.op.get("nn.softmax"), [x], {"axis": y})]))


def test_a_long_chain_of_scopes_that_are_left_is_linear() -> None:
    """Each of many nodes stands deep in a chain of lets, and again behind all of them."""
    for count in (500, 2_000):
        x = relay.var("x", shape=(2,))
        nodes = [relay.exp(x) for _ in range(count)]
        chain: Expr = x
        for node in reversed(nodes):
            chain = Let(relay.var("t"), node, chain)
        root = Function([x], relay.Tuple([relay.Tuple([chain]), *nodes]))
        with at_most(200 * count):
            check_well_formed(root)


def random_graph(random: Random) -> Function:
    """An expression of shared nodes; binders take variables at random, each once."""
    variables = [relay.var(f"v{i}", shape=(2,)) for i in range(random.randint(1, 5))]
    free = list(variables)
    pool: list[Expr] = [*variables, *variables]
    for _ in range(random.randint(3, 14)):
        some = [random.choice(pool[-6:] if random.random() < 0.7 else pool) for _ in range(2)]
        kind = random.randrange(5)
        if kind <= 1 or not free:
            made: Expr = Call(ADD, some)
        else:
            variable = free.pop(random.randrange(len(free)))
            if kind == 2:
                made = Function([variable], some[0])
            elif kind == 3:
                made = Let(variable, some[0], some[1])
            else:
                made = Match(some[0], [relay.Clause(relay.PatternVar(variable), some[1])])
        pool.append(made)
    return Function(free_vars(pool[-1]), pool[-1])


def out_of_scope(root: Expr) -> bool:
    """Whether, on some path, a variable that is bound somewhere stands where it is not: each path is gone."""
    bound: set[Var] = set()
    used: list[tuple[Var, frozenset[Var]]] = []
    agenda: list[tuple[Expr, frozenset[Var]]] = [(root, frozenset())]
    while agenda:
        node, scope = agenda.pop()
        if type(node) is Var:
            used.append((node, scope))
        elif isinstance(node, Function):
            bound.update(node.params)
            agenda.append((node.body, scope | set(node.params)))
        elif isinstance(node, Let):
            bound.add(node.var)
            own = scope | {node.var}
            agenda += [(node.value, own if type(node.value) is Function else scope), (node.body, own)]
        elif isinstance(node, Match):
            agenda.append((node.data, scope))
            for clause in node.clauses:
                own = frozenset(pattern_vars(clause.lhs))
                bound |= own
                agenda.append((clause.rhs, scope | own))
        else:
            agenda += [(child, scope) for child in children(node)]
    return any(variable in bound and variable not in scope for variable, scope in used)


def test_random_graphs_are_well_formed_if_all_their_paths_are_and_then_their_text_is_read_again() -> None:
    random, wrong, tried = Random(13), 0, examples(3_000, 3)
    for _ in range(tried):
        root = random_graph(random)
        expected = out_of_scope(root)
        wrong += expected
        assert relay.analysis.well_formed(root) != expected, astext(root)
        if not expected:
            module = IRModule({relay.GlobalVar("main"): root})
            assert parse(astext(module)).astext() == astext(module)
    assert 0.1 * tried < wrong < 0.9 * tried

"""Order and sharing of traversals."""

from __future__ import annotations

from relaylogic.ir import Call, Op, Tuple, Var, children, free_vars, post_order
from relaylogic.text import parse, parse_expr


def callees(text: str) -> list[str]:
    return [
        node.op.name for node in post_order(parse(text)["main"]) if isinstance(node, Call) and isinstance(node.op, Op)
    ]


def test_children_come_before_parents_from_left_to_right() -> None:
    assert callees("def @main(%x) { a(b(%x), c(d(%x))) }") == ["b", "d", "c", "a"]


def test_the_order_of_each_construct() -> None:
    assert callees("def @main(%x) { let %y = a(%x); b(%y) }") == ["a", "b"]
    assert callees("def @main(%x) { if (a(%x)) { b(%x) } else { c(%x) } }") == ["a", "b", "c"]
    assert callees("def @main(%x) { match (a(%x)) { (%p, _) => b(%p), _ => c(%x) } }") == ["a", "b", "c"]
    assert callees("def @main(%x) { (a(%x))(b(%x)) }") == ["a", "b"]
    assert callees("def @main(%x) { ref_write(ref(a(%x)), b(ref_read(%x))) }") == ["a", "b"]
    assert callees("def @main(%x) { (fn (%y) { a(%y) }, b(%x).0) }") == ["a", "b"]


def test_a_shared_node_is_met_once_where_it_is_first_used() -> None:
    assert callees("def @main(%x) { %0 = a(%x); c(b(%0), %0) }") == ["a", "b", "c"]


def test_an_unused_binding_does_not_exist() -> None:
    assert callees("def @main(%x) { %0 = a(%x); b(%x) }") == ["b"]


def test_leaves_have_no_children() -> None:
    leaf = Var("x")
    assert children(leaf) == () and list(post_order(leaf)) == [leaf]
    assert children(Tuple([leaf])) == (leaf,)


def test_free_variables() -> None:
    expr = parse_expr("let %a = %x; match (%a) { (%b, _) => (fn (%c) { (%a, %b, %c, %y, %x) }) }")
    assert [v.name_hint for v in free_vars(expr)] == ["x", "y"]

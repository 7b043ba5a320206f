"""The texts that TVM's users see: with the version from `astext`, without it from `str`, constants with their types."""

from relaylogic import relay
from relaylogic.ir import IRModule, structural_equal

X = relay.var("x", shape=(2,), dtype="int32")


def test_astext_says_the_version_and_str_does_not():
    added = X + relay.const(1)
    text = "free_var %x: Tensor[(2), int32];\nadd(%x, 1)"
    assert str(added) == text
    assert added.astext() == relay.astext(added) == f'#[version = "0.0.5"]\n{text}'
    mod = IRModule.from_expr(added)
    assert mod.astext() == f'#[version = "0.0.5"]\n{mod}'
    for printed in (str(added), added.astext()):
        assert structural_equal(relay.parse_expr(printed), added, map_free_vars=True)


def test_str_leaves_the_metadata_out():
    added = X + relay.const([1, 2])
    assert "#[metadata]" in added.astext() and "#[metadata]" in IRModule.from_expr(added).astext()
    assert "#[metadata]" not in str(added) + str(IRModule.from_expr(added))


def test_constants_are_shown_with_their_types():
    mod = relay.parse("def @main() { let %x = 2; (add(1, %x), 3f) }")
    assert str(mod).splitlines()[1:-1] == [
        "  let %x /* ty=int32 */ = 2 /* ty=int32 */;",
        "  %0 = add(1 /* ty=int32 */, %x) /* ty=int32 */;",
        "  (%0, 3f /* ty=float32 */) /* ty=(int32, float32) */",
    ]
    assert structural_equal(relay.parse(mod.astext()), mod)


def test_names_of_constructors_and_functions_have_no_comment():
    mod = relay.parse("type T { C(int32) } def @f() { C } def @g() { @f }")
    assert "C\n" in str(mod) and "@f\n" in str(mod)


def test_annotate_may_give_texts():
    marked = (X + relay.const(1)).astext(annotate=lambda expr: " /* here */" if isinstance(expr, relay.Call) else None)
    assert marked.splitlines()[-1] == "add(%x, 1) /* here */"


def test_an_expression_may_name_functions_of_any_module():
    assert isinstance(relay.parse_expr("@foo"), relay.GlobalVar)
    called = relay.parse_expr("(@foo(1), @foo(@bar))")
    assert called.fields[0].op is called.fields[1].op
    assert str(relay.parse_expr(str(called))) == str(called)

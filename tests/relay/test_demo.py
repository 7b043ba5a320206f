"""The demo script of the InferType document, verbatim but for its imports and the indentation that the page lost."""

from __future__ import annotations


def test_demo_script(capsys):
    import relaylogic as tvm
    from relaylogic import relay

    def get_demo_mod():
        a = relay.var("a", shape=(2, 3, 10), dtype="float32")
        b = relay.var("b", shape=(1, 10), dtype="float32")
        c = relay.add(a, b)
        func = relay.Function([a, b], c)
        mod = tvm.IRModule.from_expr(func)
        return mod  # noqa: RET504

    mod = get_demo_mod()
    print("------before InferType------")
    try:
        print(mod["main"].body.checked_type)
    except Exception:
        print("can't get checked_type")
    print("------after InferType------")
    mod = relay.transform.InferType()(mod)
    print(mod["main"].body.checked_type)

    assert capsys.readouterr().out.splitlines() == [
        "------before InferType------",
        "can't get checked_type",
        "------after InferType------",
        "Tensor[(2, 3, 10), float32]",
    ]

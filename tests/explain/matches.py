"""Random programs of one match over a value that may be of another type than its arms take."""

from __future__ import annotations

from hypothesis import strategies as st

__all__ = ["matches"]

EITHER = "type Either { L(Tensor[(2, 2), float32]), R(Tensor[(2, 3), float32]), }"
TYPES = ["Either", "Tensor[(2, 2), float32]", "Tensor[(2, 3), float32]"]
ARMS = ["{0}", "nn.relu({0})", "add({0}, %p0)", "%p0", "%p1"]


@st.composite
def matches(draw: st.DrawFn, annotated: bool = True) -> str:
    """A program, many of which are refused; parameters lack annotations here and there unless all are `annotated`."""
    types = [f": {type_}" for type_ in TYPES] + ([] if annotated else [""])
    parameters = ", ".join(f"%p{i}{draw(st.sampled_from(types))}" for i in range(2))
    looked_at = draw(st.sampled_from(["%p0", "%p1", "L(%p0)", "%l"]))
    wide = draw(st.sampled_from(["R(%b)", "L(%b)", "%b"]))
    left, right = (draw(st.sampled_from(ARMS)).format(name) for name in ("%a", "%b"))
    bound = "let %l = %p1; " if looked_at == "%l" else ""
    arms = f"L(%a) => {left}, {wide} => {right}"
    return f"{EITHER} def @main({parameters}) {{ {bound}match? ({looked_at}) {{ {arms} }} }}"

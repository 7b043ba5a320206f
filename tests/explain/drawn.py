"""Random programs, small enough for brute force over sets of their places: of one match, and of all kinds of places."""

from __future__ import annotations

from hypothesis import strategies as st

__all__ = ["matches", "mixed"]

SQUARE, WIDE = "Tensor[(2, 2), float32]", "Tensor[(2, 3), float32]"

EITHER = f"type Either {{ L({SQUARE}), R({WIDE}), }}"
TYPES = ["Either", SQUARE, WIDE]
ARMS = ["{0}", "nn.relu({0})", "add({0}, %p0)", "%p0", "%p1"]

LIST = "type List[A] { Cons(A, List[A]), Nil, }"
IDENTITY = "def @id[A](%x: A) -> A { %x }"
SUM = "def @sum(%a, %b) { let %r = add(%a, %b); %r }"
OF_SQUARES = [f"({SQUARE}, {WIDE})", f"List[{SQUARE}]", f"ref({SQUARE})", f"fn ({SQUARE}) -> {SQUARE}"]
MIXED_TYPES = [SQUARE, WIDE, "bool", *OF_SQUARES]
EXPRESSIONS = [
    *("True", "{0}", "nn.relu({0})", "add({0}, {1})", "nn.dense({0}, {1}, units=2)"),
    *("({0}, {1})", "{0}.0", "{0}.1", "ref({0})", "ref_read({0})", "ref_write({0}, {1})"),
    *("{0}({1})", "@id({0})", "@sum({0}, {1})", "fn (%z{type}) {{ add(%z, {0}) }}", "fn (%z){result} {{ {0} }}"),
    *("{{ let %q{type} = {0}; %q }}", "if ({0}) {{ {1} }} else {{ {2} }}", "Cons({0}, {1})", "Nil"),
    "match? ({0}) {{ Cons(%h, %t) => {{ {1} }}, Nil => {{ {2} }} }}",
    "match? ({0}) {{ Cons(%h, _) => {{ add(%h, {1}) }}, _ => {{ {2} }} }}",
    "match ({0}) {{ (%h, %t) => {{ add(%h, {1}) }} }}",
    "match ({0}) {{ (%h{type}, _) => {{ %h }} }}",
]


@st.composite
def matches(draw: st.DrawFn, annotated: bool = True) -> str:
    """A program of one match; many are refused. All parameters are `annotated`, or only some."""
    types = [f": {type_}" for type_ in TYPES] + ([] if annotated else [""])
    parameters = ", ".join(f"%p{i}{draw(st.sampled_from(types))}" for i in range(2))
    looked_at = draw(st.sampled_from(["%p0", "%p1", "L(%p0)", "%l"]))
    wide = draw(st.sampled_from(["R(%b)", "L(%b)", "%b"]))
    left, right = (draw(st.sampled_from(ARMS)).format(name) for name in ("%a", "%b"))
    bound = "let %l = %p1; " if looked_at == "%l" else ""
    arms = f"L(%a) => {left}, {wide} => {right}"
    return f"{EITHER} def @main({parameters}) {{ {bound}match? ({looked_at}) {{ {arms} }} }}"


@st.composite
def mixed(draw: st.DrawFn) -> str:
    """A program of up to three expressions of any kind, most of which are refused."""

    def annotation(before: str = ": ", rare: int = 3) -> str:
        return draw(st.sampled_from([""] * rare + [before + type_ for type_ in MIXED_TYPES]))

    names = ["%p0", "%p1"]
    parameters = ", ".join(name + annotation() for name in names)
    body = ""
    for i in range(draw(st.integers(1, 3))):
        chosen = [draw(st.sampled_from(names)) for _ in range(3)]
        written = draw(st.sampled_from(EXPRESSIONS))
        value = written.format(*chosen, type=annotation(), result=annotation(" -> "))
        body += f"let %v{i}{annotation(rare=20)} = {value}; "
        names.append(f"%v{i}")
    called = [text for name, text in (("@id", IDENTITY), ("@sum", SUM)) if name in body]
    return "\n".join([LIST, *called, f"def @main({parameters}){annotation(' -> ')} {{ {body}{names[-1]} }}"])

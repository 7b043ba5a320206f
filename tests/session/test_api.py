"""What a session takes and gives, and what stays as it was."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest

import relaylogic
from relaylogic import IRModule, LimitReached, Session, ir, limits, relay
from relaylogic.errors import IllFormed
from relaylogic.frontend import from_onnx
from relaylogic.ir import Source, Span
from relaylogic.session.later import Later
from relaylogic.text import ParseError, astext, parse
from tests.frontend.models import model
from tests.text.test_metadata import program as constants
from tests.text.test_metadata import saved

LINES = "\n".join(
    [
        "def @f(%x: Tensor[(2, 3), float32]) {",
        *(f"  %{i + 1} = nn.relu(%{i});" if i else "  %1 = nn.relu(%x);" for i in range(12)),
        "  add(%12, %12)",
        "}",
        "def @main(%x: Tensor[(2, 3), float32]) {",
        "  @f(%x)",
        "}",
    ]
)
F = "fn (Tensor[(2, 3), float32]) -> Tensor[(2, 3), float32]"


def shown(result):
    return {name: str(known) for name, known in result.functions.items()}


def test_the_place_of_an_edit_in_all_its_forms():
    session = Session(LINES)
    assert shown(session.infer()) == {"f": F, "main": F}
    call = session.result.calls[3]
    assert call.span.text == "nn.relu(%3)" and session.edit(call.span, "exp(%3)").text == "exp(%3)"
    assert [c.callee for c in session.infer().calls][3] == "exp"
    span = session.edit(((5, 8), (5, 11)), "sqrt")
    assert (span.text, span.line, span.column, span.source.text) == ("sqrt", 5, 8, session.text)
    at = session.text.index("exp") if "exp" in session.text else session.text.index("sqrt")
    session.edit((at, at + 4), "tanh")
    assert [c.callee for c in session.infer().calls][3] == "tanh"
    session.edit("main", "def @main(%y: Tensor[(2, 3), float32]) { negative(@f(%y)) }")
    session.edit("more", "def @more(%y) { @main(%y) }")
    assert shown(session.infer()) == {"f": F, "main": F, "more": F}
    session.edit("more", "")
    assert list(session.infer().functions) == ["f", "main"]
    assert shown(relaylogic.infer(session.text)) == shown(session.result)


def test_places_that_are_none():
    session = Session("def @f(%x) { %x }\n")
    other = relaylogic.parse("def @f(%x) { %x } ")
    for where in [(3, 2), (-1, 2), (0, 99), ((1, 1), (9, 1)), ((0, 1), (1, 1)), ((1, 1), (1, 99)), other["f"].span]:
        with pytest.raises(ValueError, match="place"):
            session.edit(where, "")
    with pytest.raises(ValueError, match="place"):
        session.edit(Span(Source("def @f(%x) { %x }\n"), 0, 99), "")
    for where in [None, 3, (1,), (1.0, 2), ((1, 2, 3), (1, 2)), ["f"]]:
        with pytest.raises(IllFormed):
            session.edit(where, "")
    with pytest.raises(IllFormed):
        session.edit((0, 1), None)
    with pytest.raises(IllFormed):
        Session(3)
    for rules in (3, "", "rules"):
        with pytest.raises(IllFormed, match="rule base"):
            Session("def @f(%x) { %x }\n", rules=rules)
    assert session.text == "def @f(%x) { %x }\n"


def test_a_new_function_begins_a_line():
    """It stood behind the last one where the text ended with a line of its own, or with a comment."""
    for text in ("def @f(%x) { %x }", "def @f(%x) { %x }\n", "def @f(%x) { %x } // end\n"):
        session = Session(text)
        session.edit("g", "def @g(%x) { @f(%x) }")
        assert "}\ndef @g" in session.text and session.infer().verdict == "typed"
    session = Session("")
    session.edit("g", "def @g(%x) { %x }")
    assert session.text == "def @g(%x) { %x }"


def test_a_parse_error_leaves_the_types_of_functions_that_were_not_touched():
    session = Session(LINES)
    good = session.infer()
    at = session.text.index("@f(%x)\n}") + 3
    session.edit((at, at + 2), "(")
    assert set(session.functions) == {"f"}
    with pytest.raises(ParseError) as raised:
        session.infer()
    assert session.errors == [raised.value] and session.result is good and session.module is good.module
    assert {name: str(known) for name, known in session.functions.items()} == {"f": F}
    session.edit((at, at + 1), "%x")
    assert shown(session.infer()) == {"f": F, "main": F} and session.errors == []
    assert type(session.result) is Later  # what was read before the error is still known


def test_an_expression_that_stands_alone_keeps_its_type():
    """It is a function, too, though no `def` says where."""
    session = Session("def @f(%x: int8) { copy(%x) }\n// alone\n@f(%y)\n")
    assert str(session.infer().functions["main"]) == "fn (int8) -> int8"
    session.edit(((1, 20), (1, 21)), "(")
    with pytest.raises(ParseError):
        session.infer()
    assert list(session.functions) == ["main"]
    session.edit(((3, 1), (3, 1)), "%")
    assert session.functions == {}


def test_what_is_no_program_yet():
    session = Session("")
    with pytest.raises(ParseError):
        session.infer()
    assert session.result is None and session.functions == {} and session.module is None
    session.edit((0, 0), "def @f(%x: int32) { %x }")
    assert shown(session.infer()) == {"f": "fn (int32) -> int32"}


def test_results_stay_what_they_are():
    session = Session(LINES)
    session.edit("main", "def @main() { 1 }")
    session.infer()
    found, texts = [], []
    at = session.text.index("(2, 3)") + 1
    for number in (1, 4, 7, 2):
        session.edit((at, at + 1), str(number))
        found.append(session.infer())
        texts.append(session.text)
    for number, result, text in zip((1, 4, 7, 2), found, texts, strict=True):
        whole = relaylogic.infer(text)
        assert result.calls == whole.calls and result.verdict == whole.verdict
        assert f"({number}, 3)" in str(result.functions["f"])
        assert str(result.type_of(result.module["f"])) == str(result.functions["f"])
        again = pickle.loads(pickle.dumps(result))
        assert again.calls == result.calls and type(again) is relaylogic.Result
        assert result.to_dict() == whole.to_dict()


def test_the_second_inference_infers_only_what_depends_on_the_edit(monkeypatch):
    session = Session(LINES)
    session.infer()
    asked = []
    operator_call = relaylogic.infer.sites.driver.Driver.operator_call

    def noted(driver, call, *rest):
        asked.append(call.op.name)
        return operator_call(driver, call, *rest)

    monkeypatch.setattr(relaylogic.infer.sites.driver.Driver, "operator_call", noted)
    session.edit(((4, 8), (4, 15)), "tanh")
    session.infer()
    assert asked == ["tanh"]
    asked.clear()
    session.edit(((10, 3), (10, 3)), "/* a comment */ ")
    result = session.infer()
    assert len(asked) <= 2
    assert result.calls == relaylogic.infer(session.text).calls


def test_nothing_is_inferred_where_nothing_was_edited():
    session = Session(LINES)
    assert session.infer() is session.infer()


def test_a_module_that_was_parsed_is_edited_by_its_text():
    module = relaylogic.parse(LINES, "some.relay")
    session = Session(module)
    assert session.text == LINES
    session.infer()
    span = session.edit(module["main"].body.span, "@f(@f(%x))")
    assert span.file == "some.relay" and session.infer().calls[-1].span.file == "some.relay"


def test_a_module_that_says_more_than_its_text_is_edited_by_function():
    module = relaylogic.parse("def @f(%x: int32) { %x }")
    module["g"] = relaylogic.parse("def @g(%x: int8) { %x }")["g"]
    session = Session(module)
    assert session.text is None
    assert shown(session.infer()) == {"f": "fn (int32) -> int32", "g": "fn (int8) -> int8"}
    with pytest.raises(ValueError, match="by the names of its functions"):
        session.edit((0, 1), "")


def test_an_onnx_model_is_edited_by_function():
    given = model("(float[2,3] x) => (float[2,3] y) { a = Relu(x)  y = Tanh(a) }")
    session = Session(from_onnx(given))
    before = str(session.infer().functions["main"])
    session.edit("twice", "def @twice(%x) { add(%x, %x) }")
    session.edit("main", "def @main(%x: Tensor[(2, 3), float32]) { @twice(nn.relu(%x)) }")
    result = session.infer()
    assert str(result.functions["main"]) == before and result.verdict == "typed"
    assert [(c.function, c.callee) for c in result.calls] == [
        ("main", "nn.relu"),
        ("main", "@twice"),
        ("twice", "add"),
    ]
    session.edit("main", "def @main(%x: Tensor[(2, 3), float32]) { nn.dense(%x, %x, units=3) }")
    assert session.infer().verdict == "refuted" and len(session.errors) == 1
    session.edit("main", "def @main(%x: Tensor[(2, 3), float32]) { @twice(%x) }")
    assert session.infer().verdict == "typed"
    session.edit("twice", "")
    assert session.infer().verdict == "refuted"
    for name, text in [
        ("main", "def @other() { 1 }"),
        ("main", "def @main(%x) {"),
        ("main", "def @other(%x) {"),
        ("main", "%x"),
        ("main", "type A {}"),
    ]:
        with pytest.raises(ParseError):
            session.edit(name, text)
    with pytest.raises(ValueError, match="no function"):
        session.edit("gone", "")


def test_functions_between_others_that_are_broken_keep_their_types():
    session = Session("\n".join(f"def @{name}(%x: int8) {{ negative(%x) }}" for name in "abcde"))
    session.infer()
    for name in "bd":
        session.edit(name, f"def @{name}(%x: int8) {{ negative%x) }}")
        with pytest.raises(ParseError):
            session.infer()
    assert list(session.functions) == ["a", "c", "e"]


@pytest.mark.parametrize(
    "broken",
    [
        "def @f(%x: int8) { negative(%x }",
        "def @f(%x: int8 { %x }",
        "def @f(%x: int8) { %x } }",
        "def @f(%x: int8) { (%x }}",
        "def @f(%x: int8) { %x",
        "def @f(",
    ],
)
def test_a_function_is_found_by_its_name_beside_one_whose_brackets_do_not_match(broken):
    good = "def @f(%x: int8) { negative(%x) }"
    text = f"{good}\ntype E {{ Z }}\ndef @g(%x: int8) {{ abs(%x) }}\n"
    session = Session(text)
    session.infer()
    session.edit("f", broken)
    with pytest.raises(ParseError):
        session.infer()
    session.edit("g", "def @g(%x: int8) { exp(%x) }")
    session.edit("f", good)
    assert session.text == text.replace("abs", "exp") and session.infer().verdict == "typed"


def test_a_model_out_of_onnx_says_the_same_after_its_own_text():
    built = from_onnx(model("(float[2,3] x) => (float[2,3] y) { a = Relu(x)  y = Tanh(a) }"))
    session = Session(built)
    before = session.infer()
    session.edit("main", astext(built)[astext(built).index("def @main") :].partition("\n#[metadata]")[0])
    assert shown(session.infer()) == shown(before)
    assert [(c.callee, str(c.type)) for c in session.result.calls] == [(c.callee, str(c.type)) for c in before.calls]


def test_a_program_that_was_built():
    x = ir.Var("x", relay.TensorType((2, 3), "float32"))
    module = IRModule.from_expr(ir.Function([x], ir.Call(ir.Op("nn.relu"), [x])))
    session = Session(module)
    assert shown(session.infer()) == {"main": F} and session.result.calls[0].span is None


def test_limits_end_an_inference_and_the_next_goes_on():
    session = Session(LINES)
    session.infer()
    at = session.text.index("(2, 3)") + 1
    session.edit((at, at + 1), "5")
    with limits(steps=1):
        assert session.infer().verdict == "unknown"
    assert session.infer().verdict == "refuted"
    assert [e.message for e in session.errors] == [e.message for e in relaylogic.infer(session.text).errors]
    with pytest.raises(LimitReached), limits(steps=1):
        session.edit((at, at + 1), "2")
        session.infer().whole()


def test_threads_share_a_session():
    session = Session(LINES)
    session.infer()

    def work(number):
        session.edit("main", f"def @main(%x: Tensor[(2, 3), float32]) {{ @f(%x) }} // {number}")
        result = session.infer()
        return result.verdict, len(result.calls), result.calls[0].span.text

    with ThreadPoolExecutor(4) as threads:
        assert set(threads.map(work, range(12))) == {("typed", 14, "nn.relu(%x)")}


def test_a_span_that_is_not_of_the_text():
    session = Session(LINES)
    span = session.edit((0, 0), "\n")
    session.edit((0, 0), "\n")
    assert isinstance(span, Span)
    with pytest.raises(ValueError, match="edited"):
        session.edit(span, "")


def test_constants_of_the_metadata_section_stay_known():
    section = constants(saved((2, 3), 2, 32, bytes(24))).partition("#[metadata]")[2]
    lines = "\n".join(f"  %{i + 1} = add(%{i}, meta[relay.Constant][0]);" for i in range(10))
    text = f"def @main(%x: Tensor[(2, 3), float32]) {{\n  %0 = copy(%x);\n{lines}\n  %10\n}}\n#[metadata]{section}"
    session = Session(text)
    assert session.infer().verdict == "typed"
    at = text.index("add")
    session.edit((at, at + 3), "subtract")
    result = session.infer()
    whole = relaylogic.infer(session.text)
    assert type(result) is Later and result.verdict == whole.verdict == "typed"
    assert result.calls == whole.calls and shown(result) == shown(whole)


WITH_MORE = """def @f(%x: L[int32]) -> int32 { match (%x) { C(%a) => @e(%a), N => 1 } }
type L[A] { C(A), N }
def @g(%x: int32) { %x }
@e : fn (int32) -> int32
"""


def test_something_is_put_before_what_must_stand_at_the_beginning():
    session = Session(f'#[version = "0.0.5"]\n{LINES}')
    session.infer()
    session.edit((0, 0), "\ufeff")
    assert shown(session.infer()) == {"f": F, "main": F}
    session.edit((1, 1), " type L[A] { C(A), N }")
    with pytest.raises(ParseError, match="the version must stand at the start of the text"):
        session.infer()


@pytest.mark.parametrize(
    ("gone", "said"),
    [
        ("type L[A] { C(A), N }", "unknown type `L`"),
        ("type L[A] { C(A), N }\ndef @g(%x: int32) { %x }\n", "unknown type `L`"),
        ("\n@e : fn (int32) -> int32\n", "unknown function `@e`"),
    ],
)
def test_what_stands_between_functions_is_taken_out(gone, said):
    session = Session(WITH_MORE)
    assert session.infer().verdict == "typed"
    at = WITH_MORE.index(gone)
    session.edit((at, at + len(gone)), "")
    with pytest.raises(ParseError, match=said):
        session.infer()


def test_metadata_that_is_taken_out():
    section = constants(saved((2, 3), 2, 32, bytes(24))).partition("#[metadata]")[2]
    head = "def @f(%x: Tensor[(2, 3), float32]) { add(%x, meta[relay.Constant][0]) }\ndef @g(%x) { %x }\n"
    session = Session(f"{head}#[metadata]{section}")
    assert session.infer().verdict == "typed"
    session.edit((len(head), len(session.text)), "")
    assert session.infer().verdict == relaylogic.infer(head).verdict
    assert shown(session.result) == shown(relaylogic.infer(head))


def test_a_byte_order_mark_stands_at_the_beginning_only():
    session = Session(LINES)
    session.infer()
    session.edit((0, 0), "\ufeff")
    assert session.infer().verdict == "typed"
    for behind in ("}\n", ";\n", ") {"):
        session = Session(LINES)
        session.infer()
        at = LINES.index(behind) + len(behind.rstrip())
        session.edit((at, at), "\ufeff")
        with pytest.raises(ParseError, match="is this a text"):
            session.infer()
        with pytest.raises(ParseError, match="is this a text"):
            relaylogic.parse(session.text)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda session: pickle.loads(pickle.dumps(session))])
@pytest.mark.parametrize("given", [LINES, parse(LINES, "net.relay")], ids=["text", "module"])
def test_a_copy_is_edited_apart(copied, given):
    """A copy shared what was inferred with the first, and a deep one could not be made."""
    session = Session(given)
    before = str(session.infer())
    other = copied(session)
    session.edit("f", "def @f(%x) { add(%x, 1f) }")
    session.infer()
    assert str(other.infer()) == before and other.text == LINES
    other.edit("f", "def @f(%x) { (%x, %x) }")
    assert shown(other.infer()) == shown(relaylogic.infer(other.text))
    assert shown(session.infer()) == shown(relaylogic.infer(session.text))
    assert other.result.calls[0].span.file == session.result.calls[0].span.file


def test_a_copy_of_a_session_without_a_text():
    module = parse(LINES)
    module.source = None
    session = Session(module)
    session.edit("f", "def @f(%x) { negative(%x) }")
    other = copy.deepcopy(session)
    assert other.text is None and shown(other.infer()) == shown(session.infer())

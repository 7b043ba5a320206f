"""What notebooks show."""

from __future__ import annotations

from html.parser import HTMLParser

import relaylogic
from relaylogic import relay


class Marks(HTMLParser):
    """Balanced tags, and the titles of the marked stretches."""

    def __init__(self, html):
        super().__init__()
        self.open, self.titles, self.classes, self.text = [], [], [], []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        found = dict(attrs)
        if "title" in found:
            self.titles.append(found["title"])
            self.classes.append(found["class"])

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


PROGRAM = "def @main(%x: Tensor[(2, 3), float32]) { nn.relu(%x + 1f) }"


def test_types_on_hover():
    html = relaylogic.infer(PROGRAM)._repr_html_()
    marks = Marks(html)
    assert marks.titles.count("Tensor[(2, 3), float32]") >= 2
    assert PROGRAM in "".join(marks.text)


def test_refused_calls_are_marked():
    result = relaylogic.infer("def @main(%x: Tensor[(2, 3), float32], %y: Tensor[(4, 5), float32]) { %x + %y }")
    marks = Marks(result._repr_html_())
    assert "refuted" in marks.classes and "refuted" in "".join(marks.text)


def test_bundle():
    bundle = relaylogic.infer(PROGRAM)._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html"} and "typed" in bundle["text/plain"]


def test_modules_built_in_python_are_shown_as_text():
    x = relay.var("x", shape=(2, 3))
    mod = relay.IRModule.from_expr(relay.nn.relu(x))
    for shown in (mod, relay.transform.InferType()(mod)):
        marks = Marks(shown._repr_html_())
        assert "nn.relu(%x)" in "".join(marks.text).replace("\n", " ") and marks.titles


def test_text_is_escaped():
    html = relaylogic.infer('def @main(%"<b>": float32) { %"<b>" }')._repr_html_()
    assert "<b>" not in html and "&lt;b&gt;" in html

"""Pages for the tests, and what stands in them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import relaylogic
from relaylogic.explain.report import infer_module
from relaylogic.report import report_page

ROOT = Path(__file__).resolve().parents[2]
RESNET = (ROOT / "examples" / "resnet50.relay").read_text(encoding="utf-8")
REFUTED = """\
def @head(%h: Tensor[(1, 64), float32], %w: Tensor[(10, 32), float32]) {
  nn.dense(%h, %w, units=10)
}
def @main(%x: Tensor[(1, 3, 32, 32), float32], %k: Tensor[(8, 3, 3, 3), float32], %b: Tensor[(16), float32]) {
  let %c = nn.conv2d(%x, %k, padding=[1, 1]);
  nn.relu(nn.bias_add(%c, %b))
}
"""
TREES = """\
type Tree[A] { Leaf(A), Node(Tree[A], Tree[A]) }

def @map[A, B](%f: fn (A) -> B, %t: Tree[A]) -> Tree[B] {
  match (%t) {
    Leaf(%a) => { Leaf(%f(%a)) },
    Node(%l, %r) => { Node(@map(%f, %l), @map(%f, %r)) },
  }
}

def @main(%x: Tensor[(2, 3), float32], %w) {
  let %t = Node(Leaf(%x), Leaf(%x));
  @map(fn (%a: Tensor[(2, 3), float32]) { nn.dense(%a, %w, units=3) }, %t)
}
"""
HOSTILE = """\
type T { A }
def @"</script><script>alert(1)</script>"(%"<img src=x onerror=alert(1)>": Tensor[(2), int8]) {
  let %"' onmouseover='alert(1)" = add(%"<img src=x onerror=alert(1)>", zeros(shape=[3], dtype="int8"));
  // \u202e evil <b>bold</b> &amp; ]]> --> \u2028 {{ 7 * 7 }} {% raw %}
  %"' onmouseover='alert(1)"
}
def @main(%x: Tensor[(2), int8]) { @"</script><script>alert(1)</script>"(%x) }
"""
OPEN = "def @main(%x: Tensor[(2), int8], %y) { add(%x, %y) }"
UNKNOWN = "def @main(%x: int8) { expand_dims(%x, axis=0, num_newaxis=1000000000) }"
DOUBTFUL = "type T { A, B }\ndef @main(%t: T) -> int32 { match (%t) { A => { 1 }, B => { 2 }, _ => { 3 }, } }"

PROGRAMS = {
    "resnet": RESNET,
    "refuted": REFUTED,
    "trees": TREES,
    "hostile": HOSTILE,
    "open": OPEN,
    "unknown": UNKNOWN,
    "doubtful": DOUBTFUL,
}


def page_of(program: Any, name: str = "net.relay", closed: bool = True) -> str:
    """The page of a program, a text or a module."""
    module = relaylogic.parse(program, name) if isinstance(program, str) else program
    return report_page(infer_module(module, closed=closed), name, lambda module: infer_module(module, closed=closed))


_VOID = {"meta", "input", "br", "link", "img"}


@dataclass
class Seen(HTMLParser):
    """What an HTML parser sees of a page: elements with their attributes, texts, and what is not well-formed."""

    page: str
    tags: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._open: list[tuple[str, str]] = []
        self._texts: dict[str, list[str]] = {}
        self.feed(self.page)
        self.close()
        self.texts = {key: "".join(parts) for key, parts in self._texts.items()}
        self.faults += [f"<{tag}> is not closed" for tag, _ in self._open]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        if len(set(names)) < len(names):
            self.faults.append(f"<{tag}> has an attribute twice")
        self.tags.append((tag, dict(attrs)))
        if tag not in _VOID:
            self._open.append((tag, dict(attrs).get("id") or ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if not self._open or self._open[-1][0] != tag:
            self.faults.append(f"</{tag}> closes {self._open[-1:]}")
        else:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        for tag, identity in self._open:
            for key in (tag, f"#{identity}") if tag != "span" else (f"#{identity}",):
                self._texts.setdefault(key, []).append(data)

    @property
    def ids(self) -> list[str]:
        """The ids of all elements."""
        return [found["id"] or "" for _, found in self.tags if "id" in found]

    @property
    def data(self) -> dict[str, Any]:
        """What the script is told."""
        return json.loads(self.texts["#data"])

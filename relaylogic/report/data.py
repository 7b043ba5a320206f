"""What the script of the page is told: derivations and steps, as JSON that no reader of HTML takes for markup."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..host.governor import paced
from .texts import LeftOut, cut

if TYPE_CHECKING:
    from ..infer.results.reasons import Derivation
    from ..infer.results.steps import Step

__all__ = ["Strings", "as_script", "node_rows", "step_rows"]

MOST_STEPS = 20_000
MOST_NODES = 30_000
ENOUGH = 1_200_000
"""So many characters of JSON the steps have at most, and the derivations."""


class Strings:
    """Texts by number: most occur again and again."""

    def __init__(self, left_out: LeftOut) -> None:
        self.texts: list[str] = []
        self.lists: list[list[int]] = []
        self.left_out = left_out
        self.size = 0
        self._numbers: dict[str, int] = {}
        self._list_numbers: dict[tuple[str, ...], int] = {}

    def __call__(self, text: str) -> int:
        number = self._numbers.get(text)
        if number is None:
            number = self._numbers[text] = len(self.texts)
            self.texts.append(cut(text, self.left_out))
            self.size += len(self.texts[-1]) + 4
        return number

    def all(self, texts: tuple[str, ...]) -> int:
        """The number of a list of texts."""
        number = self._list_numbers.get(texts)
        if number is None:
            number = self._list_numbers[texts] = len(self.lists)
            self.lists.append([self(text) for text in texts])
            self.size += 6 * len(texts) + 4
        return number


def node_rows(nodes: Iterable[Derivation], strings: Strings, marks: dict[tuple[int, int], int]) -> list[Any]:
    """Derivations as rows: kind, name, type, relation, clause, premises, what it rests on, the mark of its place.

    What one rests on stands before it, so that the first many are whole. `marks` are known by their places.
    """
    rows: list[Any] = []
    start, size = strings.size, 0
    for node in paced(nodes):
        if len(rows) == MOST_NODES or size + strings.size - start > ENOUGH:
            strings.left_out.say(f"The derivations of the first {len(rows):,} types are shown.")
            break
        said = [strings(text) for text in (node.kind, node.name, node.type, node.relation, node.clause)]
        rows.append([*said, strings.all(node.premises), list(node.rests), _marked(node.span, marks)])
        size += 40 + 6 * len(node.rests)
    return rows


def step_rows(steps: Iterable[Step], total: int, strings: Strings, marks: dict[tuple[int, int], int]) -> list[Any]:
    """Steps as rows: see `step` in page.js for what stands where."""
    rows: list[Any] = []
    start, size = strings.size, 0
    for step in paced(steps):
        if len(rows) == MOST_STEPS or size + strings.size - start > ENOUGH:
            strings.left_out.say(
                f"The inference has {total:,} steps; the first {len(rows):,} are shown. "
                "`relaylogic infer --trace FILE` writes all."
            )
            break
        concluded = [[strings(c.variable), strings(c.before), strings(c.after)] for c in step.concluded]
        said = (step.function, step.callee, step.place, step.relation, step.clause, step.outcome, step.message)
        rows.append(
            [
                step.site,
                *map(strings, said),
                step.attempt,
                strings.all(step.knew),
                step.alternatives,
                [strings.all(answer) for answer in step.answers],
                int(step.exhausted),
                concluded,
                list(step.woke),
                _marked(step.span, marks),
            ]
        )
        size += 80 + 20 * len(concluded) + 6 * len(step.woke)
    return rows


def _marked(span: Any, marks: dict[tuple[int, int], int]) -> int:
    """The mark of a place; -1 if it has none."""
    return -1 if span is None else marks.get((span.start, span.end), -1)


_UNSAFE = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def as_script(data: Any) -> str:
    """Data as JSON that can stand in an element of HTML: nothing in it ends that, or begins another."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for letter, written in _UNSAFE.items():
        text = text.replace(letter, written)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")

"""The rules of a SARIF log: relations and clauses, described from the rule base, by ids that stay the same."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .rules import clause_text

if TYPE_CHECKING:
    from ..rulebase import Relation, RuleBase

__all__ = ["Descriptors"]

_FIXED = {
    "relaylogic.malformed": "Wrong whatever the types are: what is no program, unknown names, wrong attributes.",
    "relaylogic.refused": "No types of its parts would make this right: a match that misses a value, a call of what is"
    " no function, or takes other arguments.",
    "relaylogic.warning": "Doubtful, though there are types.",
    "relaylogic.undecided": "What is left open in the program.",
    "relaylogic.limit": "A limit was reached: nothing is known of the rest.",
    "relaylogic.unreadable": "A file that cannot be read.",
    "relaylogic.internal": "A fault of relaylogic itself, which is no verdict on the input.",
    "Call": "What is called is a function that takes such arguments.",
    "Equal": "Where two things meet that must have one type, they have one: an annotation and what it annotates, the"
    " branches of an `if`, the arms of a match, a result type and the result.",
    "Extent": "Extents that must be equal are.",
    "Scope": "A type parameter does not leave the function that it belongs to.",
    "Where": "What the type of a function demands of its arguments holds where it is called.",
}
"""What is no relation of the rule base."""


class Descriptors:
    """The rules and notifications that results refer to, each once, in the order in which they are asked for."""

    def __init__(self, rules: RuleBase | None) -> None:
        self._known = rules
        self.rules: list[dict[str, Any]] = []
        self.notifications: list[dict[str, Any]] = []
        self._indices: dict[str, int] = {}

    def rule(self, relation: str, clause: str = "") -> tuple[int, str]:
        """The number and id of the rule for a clause, or for a relation."""
        identity = f"{relation}/{clause}" if clause else relation
        if identity not in self._indices:
            self._indices[identity] = len(self.rules)
            self.rules.append(self._described(identity, relation, clause))
        return self._indices[identity], identity

    def notification(self, identity: str) -> tuple[int, str]:
        """The number and id of what a notification is about."""
        if identity not in self._indices:
            self._indices[identity] = len(self.notifications)
            self.notifications.append(_descriptor(identity, _FIXED[identity]))
        return self._indices[identity], identity

    def _described(self, identity: str, name: str, clause: str) -> dict[str, Any]:
        relation = None if self._known is None else self._known.relations.get(name)
        if name in _FIXED and not (relation is not None and clause):
            return _descriptor(identity, _FIXED[name])
        if relation is None:
            return _descriptor(identity, f"The relation of `{name}`, which the program defines.")
        found = _descriptor(identity, " ".join(relation.doc.split()) or f"The relation {relation!r}.")
        text = _help(relation, clause)
        found["help"] = {"text": text, "markdown": f"```\n{text}\n```"}
        return found


def _descriptor(identity: str, text: str) -> dict[str, Any]:
    """A rule, described by a text of which the first sentence says enough (3.49)."""
    level = {"relaylogic.warning": "warning", "relaylogic.undecided": "note"}.get(identity, "error")
    first = re.split(r"(?<=[.;:])\s", text, maxsplit=1)[0].rstrip(":;")
    words = re.findall(r"[A-Za-z0-9]+", identity)
    return {
        "id": identity,
        "name": "".join(word[0].upper() + word[1:] for word in words) or "Relation",
        "shortDescription": {"text": first},
        "fullDescription": {"text": text},
        "help": {"text": text},
        "defaultConfiguration": {"level": level},
    }


def _help(relation: Relation, name: str) -> str:
    """A relation with its documentation and, as the rule base has it, one clause; all if it is not said which."""
    lines = [repr(relation), *(f"  {line}".rstrip() for line in relation.doc.splitlines())]
    for clause in relation.clauses:
        if name in ("", clause.name):
            lines += ["", f"clause {clause.name}", *(f"  {line}".rstrip() for line in clause_text(clause).splitlines())]
    return "\n".join(lines)

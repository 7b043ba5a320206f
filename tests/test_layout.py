"""The rooms of the package stand above each other: no import leads upwards, be it for typing or made when needed.

What a lower room needs of an upper one is registered by the package.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import relaylogic
from relaylogic.host import above
from relaylogic.ir.imports import KNOWN_MODULES

PACKAGE = Path(relaylogic.__file__).parent
FLOORS = (
    ("__main__", "ahead", "cli"),
    ("__init__", "prelude", "relay", "rules"),
    ("session", "frontend", "api"),
    ("explain",),
    ("typings", "report"),
    ("infer", "clauses"),
    ("text", "rulebase"),
    ("ir",),
    ("types",),
    ("logic",),
    ("host", "error", "schema"),
    ("errors",),
)
"""The rooms from the top floor down; those of one floor know nothing of each other, but the package itself all."""
FLOOR_OF = {room: number for number, rooms in enumerate(reversed(FLOORS)) for room in rooms}
NEIGHBOURS = {("__main__", "cli"), ("__init__", "relay"), ("relay", "prelude"), ("cli", "ahead")}
FILES = {path: path.relative_to(PACKAGE).with_suffix("").parts for path in sorted(PACKAGE.rglob("*.py"))}


@cache
def nodes(path: Path) -> list[ast.AST]:
    """The syntax of a file."""
    return list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """The lines of a file that import something of the package, with the room that it is in."""
    for node in nodes(path):
        if isinstance(node, ast.ImportFrom) and node.level:
            steps = (*FILES[path][: -node.level], *(node.module or "").split("."))
            names = [steps[0]] if steps[0] else [alias.name for alias in node.names]
            yield from ((node.lineno, name if name in FLOOR_OF else "__init__") for name in names)
        elif isinstance(node, ast.ImportFrom | ast.Import):
            named = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
            yield from ((node.lineno, [*name.split("."), "__init__"][1]) for name in named if "relaylogic" in name)


def may_know(room: str, other: str) -> bool:
    """Whether a room may import another one."""
    return other == room or (room, other) in NEIGHBOURS or FLOOR_OF[other] < FLOOR_OF[room]


def test_every_room_has_its_floor():
    assert {parts[0] for parts in FILES.values()} == set(FLOOR_OF)


def test_no_import_leads_upwards():
    found = [(path, line, room) for path in FILES for line, room in imports(path)]
    assert len(found) > 1_000
    assert [at for at in found if not may_know(FILES[at[0]][0], at[2])] == []


def test_what_lower_rooms_ask_for_is_registered_and_served_by_upper_ones():
    asked: dict[str, str] = {}
    for path, parts in FILES.items():
        for node in nodes(path):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "above":
                name = node.args[0]
                several = [f"{module}.rly" for module in KNOWN_MODULES]
                asked |= dict.fromkeys([name.value] if isinstance(name, ast.Constant) else several, parts[0])
    assert asked.keys() == above._WHERE.keys()
    for name, where in above._WHERE.items():
        assert above.above(name) is not None
        assert not may_know(asked[name], where.split(".")[1].partition(":")[0]), "it could be imported"

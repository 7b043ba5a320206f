"""The rooms of the package stand above each other: no import leads upwards, be it for typing or made when needed.
Nor do files import each other in a circle.

What a lower room needs of an upper one is registered by the package.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import relaylogic
from relaylogic.host import above
from relaylogic.ir.imports import KNOWN_MODULES

PACKAGE = Path(relaylogic.__file__).parent
FLOORS = (
    ("__main__", "ahead", "cli"),
    ("__init__", "relay", "rules"),
    ("session", "frontend", "api", "prelude"),
    ("explain",),
    ("explain/why",),
    ("explain/blame",),
    ("explain/conflicts",),
    ("explain/places", "explain/refusals"),
    ("typings", "report"),
    ("clauses", "infer/__init__"),
    ("infer",),
    ("infer/open", "infer/results"),
    ("infer/sites",),
    ("infer/numbers", "infer/checks"),
    ("text", "rulebase"),
    ("ir",),
    ("types/__init__",),
    ("types",),
    ("logic/__init__",),
    ("logic/circuits",),
    ("logic/search",),
    ("logic/constraints",),
    ("logic/states",),
    ("logic/terms",),
    ("logic/integers",),
    ("logic",),
    ("host", "error", "schema"),
    ("errors",),
)
"""The rooms from the top floor down; those of one floor know nothing of each other. Rooms within rooms
have their own."""
FLOOR_OF = {room: number for number, rooms in enumerate(reversed(FLOORS)) for room in rooms}
NEIGHBOURS = {("__main__", "cli"), ("__init__", "relay")}
FILES = {path: path.relative_to(PACKAGE).with_suffix("").parts for path in sorted(PACKAGE.rglob("*.py"))}
PLACES = frozenset(FILES.values())


def room_of(steps: Sequence[str]) -> str:
    """The room of a file, or of what is imported, by the steps that lead to it from the package."""
    inner = "/".join((*steps, "__init__")[:2])
    return inner if inner in FLOOR_OF else steps[0] if steps[0] in FLOOR_OF else "__init__"


@cache
def nodes(path: Path) -> list[ast.AST]:
    """The syntax of a file."""
    return list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def imports(path: Path) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The lines of a file that import something of the package, with the steps that lead to that."""
    for node in nodes(path):
        if isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").startswith("relaylogic")):
            base = FILES[path][: -node.level] if node.level else ()
            steps = [step for step in (*base, *(node.module or "").split(".")) if step not in ("", "relaylogic")]
            yield from ((node.lineno, (*steps, alias.name)) for alias in node.names)
        elif isinstance(node, ast.Import):
            named = [alias.name.split(".")[1:] for alias in node.names if alias.name.startswith("relaylogic")]
            yield from ((node.lineno, tuple(steps or ["__init__"])) for steps in named)


def file_of(steps: tuple[str, ...]) -> tuple[str, ...] | None:
    """The file, as the steps that lead to it, that holds what is imported; None for what a package gives out."""
    return next((found for found in (steps, steps[:-1]) if found in PLACES), None)


def may_know(room: str, other: str) -> bool:
    """Whether a room may import another one."""
    return other == room or (room, other) in NEIGHBOURS or FLOOR_OF[other] < FLOOR_OF[room]


def test_every_room_has_its_floor():
    assert {room_of(parts) for parts in FILES.values()} == set(FLOOR_OF)


def test_no_import_leads_upwards():
    found = [(path, line, room_of(steps)) for path in FILES for line, steps in imports(path)]
    assert len(found) > 1_000
    assert [at for at in found if not may_know(room_of(FILES[at[0]]), at[2])] == []


def test_no_files_import_each_other_in_a_circle():
    order = TopologicalSorter(
        {parts: {file_of(steps) for _, steps in imports(path)} - {None} for path, parts in FILES.items()}
    )
    assert len([*order.static_order()]) == len(FILES)  # raises CycleError, which names the circle


def test_what_lower_rooms_ask_for_is_registered_and_served_by_upper_ones():
    asked: dict[str, str] = {}
    for path, parts in FILES.items():
        for node in nodes(path):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "above":
                name = node.args[0]
                several = [f"{module}.rly" for module in KNOWN_MODULES]
                asked |= dict.fromkeys([name.value] if isinstance(name, ast.Constant) else several, room_of(parts))
    assert asked.keys() == above._WHERE.keys()
    for name, where in above._WHERE.items():
        assert above.above(name) is not None
        server = room_of(where.replace(":", ".").split(".")[1:])
        assert server == asked[name] or not may_know(asked[name], server), "it could be imported"

"""The JSON Schemas of what the commands print with `--format json` (draft 2020-12), one file for each command.

A form changes only with its version, which stands in the schema as the constant of `version`.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

__all__ = ["NAMES", "schema", "schema_text"]

NAMES = ("infer", "query", "typings")
"""The commands whose JSON has a schema."""


def schema_text(name: str) -> str:
    """The schema of a command's JSON, as text. Raises KeyError for a command that has none."""
    if name not in NAMES:
        raise KeyError(name)
    return files(__name__).joinpath(f"{name}.schema.json").read_text(encoding="utf-8")


def schema(name: str) -> dict[str, Any]:
    """The schema of a command's JSON, as plain data. Raises KeyError for a command that has none."""
    return json.loads(schema_text(name))  # type: ignore[no-any-return]

"""The JSON Schemas (draft 2020-12) of what the commands print with `--format json`, and of traces: a file for each.

A form changes only with its version, which stands in the schema as the constant of `version`.
"""

from __future__ import annotations

import json
from typing import Any

__all__ = ["NAMES", "schema", "schema_text"]

NAMES = ("infer", "query", "typings", "why", "trace")
"""What has a schema: the JSON of commands, and the file that `infer --trace` writes."""


def schema_text(name: str) -> str:
    """The schema of a form, as text. Raises KeyError for a name that is not one of `NAMES`."""
    if name not in NAMES:
        raise KeyError(name)
    from importlib.resources import files  # a tenth of the start of a command

    return files(__name__).joinpath(f"{name}.schema.json").read_text(encoding="utf-8")


def schema(name: str) -> dict[str, Any]:
    """The schema of a form, as plain data. Raises KeyError for a name that is not one of `NAMES`."""
    return json.loads(schema_text(name))  # type: ignore[no-any-return]

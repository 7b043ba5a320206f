"""`relaylogic schema`: the JSON Schemas of what the other commands print."""

from __future__ import annotations

from typing import Any

import click

from ..host.governor import governed, limits
from ..schema import NAMES, schema_text
from .limits import limit_options, taken
from .output import say

__all__ = ["schema"]


@click.command()
@click.argument("form", type=click.Choice(NAMES))
@limit_options("The most steps of search.")
def schema(form: str, **options: Any) -> None:
    """Print the JSON Schema of what a command prints with `--format json`, or of the file of `infer --trace`."""
    with limits(**taken(options)):
        say(governed(lambda: schema_text(form).rstrip("\n")))

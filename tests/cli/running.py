"""The command line, run in this process, or to be interrupted in one of its own."""

from __future__ import annotations

import signal
from dataclasses import dataclass

from click.testing import CliRunner

from relaylogic.cli.commands import main


@dataclass(frozen=True)
class Run:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str


def run(*arguments: object, given: str | bytes | None = None) -> Run:
    """Run a command; an exception that is not its way to end is raised."""
    result = CliRunner().invoke(main, [str(a) for a in arguments], input=given)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Run(result.exit_code, result.stdout, result.stderr)


def interruptible() -> None:
    """Let SIGINT end this process: it is ignored in what a shell has started in the background, the tests among it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)

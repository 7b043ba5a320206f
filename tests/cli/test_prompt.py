"""Lines of the top level as prompt_toolkit reads them."""

from __future__ import annotations

import asyncio

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from relaylogic.cli.inputs import read_definitions
from relaylogic.cli.repl import Interrupted, Session, prompting


def test_an_interruption_when_the_line_has_just_ended():
    """It was told with a traceback: there was no line to end."""
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        prompt = prompting(Session(definitions=read_definitions))

        async def interrupt() -> None:
            prompt.app.key_processor.send_sigint()

        asyncio.run(interrupt())
        keys.send_text("true\n")
        assert prompt.prompt("?- ") == "true"


def test_an_interruption_ends_the_line():
    with create_pipe_input() as keys, create_app_session(input=keys, output=DummyOutput()):
        prompt = prompting(Session(definitions=read_definitions))
        keys.send_text("Broadcast(")

        def twice() -> None:
            prompt.app.key_processor.send_sigint()
            prompt.app.key_processor.send_sigint()

        with pytest.raises(Interrupted):
            prompt.prompt("?- ", pre_run=twice)

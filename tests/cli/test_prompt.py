"""Lines of the top level as prompt_toolkit reads them."""

from __future__ import annotations

import asyncio

import pytest
from prompt_toolkit.application import create_app_session
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
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


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("Flatten(Tens", "Tensor"),
        ("n = 1,nn.batch_fl", "nn.batch_flatten"),
        (":expl", ":explain"),
        (":set max_ar", "max_arity"),
    ],
)
def test_names_are_completed_wherever_they_begin(typed, found):
    with create_app_session(output=DummyOutput()):
        completer = prompting(Session(definitions=read_definitions)).completer
        assert found in [offered.text for offered in completer.get_completions(Document(typed), CompleteEvent())]

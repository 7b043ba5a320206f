"""The interactive top level: queries, `;` for the next answer, rule files loaded and loaded again.

`Session` is the top level without a terminal: it takes lines and gives lines. `run` puts prompt_toolkit around it, if
there is a terminal.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

from click import ClickException

from ..clauses.words import WORDS
from ..clauses.written import ARITHMETIC_WORDS
from ..errors import RelayLogicError, clipped, several
from ..host.governor import LimitReached, afford_text, governed, limits
from ..ir import IRModule
from ..logic.control import StepLimit
from ..logic.large import shown
from ..rulebase import RuleBase, load_rules
from ..types.dtypes import dtype_list
from ..typings.answers import Answers, QueryAnswer
from ..typings.numbers import why_uncounted
from ..typings.query import count_query, query

__all__ = ["COMMANDS", "Session", "run"]

BOUNDS = (
    *("max_rank", "max_dim", "min_dim", "max_arity", "tuples", "functions", "data_depth", "nesting"),
    *("max_attr", "max_attr_length", "dtypes", "ground", "steps"),
)
COMMANDS = {
    ":load": "FILE or FOLDER: load a file of clauses (*.rel), or a folder of them",
    ":program": "FILE: know the data types of this Relay program, `Cons` and `ConsPattern`; `prelude` is the prelude",
    ":reload": "read all rule files again, and the program",
    ":explain": "how the last answer follows",
    ":count": "QUERY: the number of answers",
    ":set": "NAME VALUE: bound the universe: " + ", ".join(BOUNDS),
    ":doc": "NAME: a relation with its clauses, or an operator",
    ":help": "this list",
    ":quit": "leave",
}
_ALONE = frozenset({":reload", ":explain", ":help", ":quit"})
_NUMBER = re.compile("[0-9]{1,18}")
_COMPLETED = re.compile(r"[\w.:]+")
"""What is completed: a name, of an operator perhaps, or a command; read backwards, too."""
_ON = ("on", "true", "yes", "1")
_OFF = ("", "none", "off", "false", "no")


class Session:
    """A rule base, the answers of the last query, the bounds that are set, the limits that hold for each line.

    `paths` are those of folders of rules and of files of clauses; the Python of folders runs only with `python`.
    `definitions` reads the program in a file of which queries may speak, or the prelude where it is told True;
    `program` is what it is first asked for.
    """

    def __init__(
        self,
        paths: tuple[Path, ...] = (),
        allowed: Mapping[str, Any] | None = None,
        steps: int | None = None,
        *,
        definitions: Callable[[str | None, bool], IRModule | None],
        program: tuple[str | None, bool] = (None, False),
        python: bool = False,
    ) -> None:
        self.allowed = dict(allowed or {})
        self.paths = list(paths)
        self.python = python
        self.definitions = definitions
        self.program = program
        self.bounds: dict[str, Any] = {} if steps is None else {"steps": steps}
        self.answers: Answers | None = None
        self.last: QueryAnswer | None = None
        self.done = False
        self.rules = self._loaded()

    def _loaded(self) -> RuleBase:
        return load_rules(*self.paths, python=self.python, program=self.definitions(*self.program))

    def execute(self, line: str) -> Iterator[str]:
        """What the top level has to say to a line; errors are said, not raised, and so are limits."""
        try:
            with limits(**self.allowed):
                said = governed(lambda: [text for text in self._execute(line) if _afforded(text)])
        except LimitReached as reached:
            said = [str(reached)]
        yield from said

    def _execute(self, line: str) -> Iterator[str]:
        line = line.strip()
        if not line:
            return
        try:
            if line == ";":
                yield from self._next()
            elif line.startswith(":"):
                yield from self._command(line)
            else:
                self.last = None
                self.answers = query(line, rules=self.rules, **self.bounds)
                yield from self._next()
        except LimitReached:
            raise
        except RelayLogicError as problem:
            yield str(problem)
        except OSError as problem:
            yield f"error: {problem.filename}: {problem.strerror}"
        except ClickException as problem:  # a program that cannot be read
            yield problem.message

    def _next(self) -> Iterator[str]:
        if self.answers is None:
            yield "there is no query"
            return
        answer = next(self.answers, None)
        if answer is None and self.answers.limit is not None:
            yield str(self.answers.limit)
            return
        if answer is None:
            yield {"exhausted": "no more answers" if self.answers.found else "no"}.get(
                self.answers.status, self.answers.status
            )
            return
        self.last = answer
        yield str(answer)

    def _command(self, line: str) -> Iterator[str]:
        command, *words = line.split(None, 1)
        rest = "".join(words)
        actions: dict[str, Callable[[str], Iterator[str]]] = {
            ":load": self._load,
            ":program": self._program,
            ":reload": self._reload,
            ":explain": self._explain,
            ":count": self._count,
            ":set": self._set,
            ":doc": self._doc,
            ":help": self._help,
            ":quit": self._quit,
        }
        action = actions.get(command)
        if action is None:
            yield f"there is no command {command}; the commands are {', '.join(COMMANDS)}"
            return
        if rest and command in _ALONE:
            yield clipped(f"`{command}` takes nothing, not `{rest}`")
            return
        yield from action(rest)

    def _load(self, rest: str) -> Iterator[str]:
        paths = _paths(rest)
        if not paths:
            yield "`:load` takes files of clauses, or folders of them"
        for path in paths:
            before = len(self.rules.notes)
            path.stat()  # what is not there is neither a file nor a folder
            self.rules.load(path, python=self.python)
            if path not in self.paths:
                self.paths.append(path)
            yield from self.rules.notes[before:]
            yield f"loaded {path}"

    def _program(self, rest: str) -> Iterator[str]:
        names = _paths(rest)
        if len(names) != 1:
            yield "`:program` takes one file, or `prelude`"
            return
        before = self.program
        self.program = (None, True) if rest == "prelude" else (str(names[0]), False)
        try:
            self.rules = self._loaded()
        except BaseException:
            self.program = before
            raise
        self.answers = self.last = None
        handles = self.rules.handles or {}
        yield f"loaded {names[0]}: {several(len({id(handle) for handle in handles.values()}), 'data type')}"

    def _reload(self, _: str) -> Iterator[str]:
        self.rules = self._loaded()
        self.answers = self.last = None
        yield from self.rules.notes
        yield f"{len(self.rules.relations)} relations, {len(self.rules.operators)} operators"

    def _explain(self, _: str) -> Iterator[str]:
        yield "there is no answer to explain" if self.last is None else self.last.explain()

    def _count(self, rest: str) -> Iterator[str]:
        try:
            yield shown(count_query(rest, rules=self.rules, **self.bounds))
        except StepLimit as problem:
            yield why_uncounted(problem)

    def _set(self, rest: str) -> Iterator[str]:
        name, _, value = rest.replace("=", " ").partition(" ")
        value = value.strip()
        if name and name not in BOUNDS:
            yield f"there is no bound `{name}`; the bounds are {', '.join(BOUNDS)}"
            return
        if name and value in _OFF:
            self.bounds.pop(name, None)
        elif name == "dtypes":
            try:
                self.bounds[name] = dtype_list(",".join(value.replace(",", " ").split()))
            except ValueError as problem:
                yield f"error: {problem}"
                return
        elif name == "ground":
            if value not in _ON:
                yield clipped(f"ground is on or off, not `{value}`")
                return
            self.bounds[name] = True
        elif name:
            if not _NUMBER.fullmatch(value):
                yield clipped(f"{name} is a number of up to 18 digits, not `{value}`")
                return
            if name == "steps" and int(value) == 0:
                yield "steps are 1 at least"
                return
            self.bounds[name] = int(value)
        yield ", ".join(f"{key} = {bound}" for key, bound in self.bounds.items()) or "no bounds"

    def _doc(self, rest: str) -> Iterator[str]:
        if not rest:
            yield "`:doc` takes the name of a relation or of an operator"
            return
        relation = self.rules.named(rest)
        if relation is None:
            operator = self.rules.operator(rest)
            yield f"{operator}"
            relation = operator.relation
        yield f"{relation}: {relation.doc}" if relation.doc else f"{relation}"
        for clause in relation.clauses:
            yield clause.source or f"  {clause.name}{': ' + clause.doc if clause.doc else ''}"

    def _help(self, _: str) -> Iterator[str]:
        yield "A query is answered; `;` gives the next answer."
        for command, text in COMMANDS.items():
            yield f"{command} {text}"

    def _quit(self, _: str) -> Iterator[str]:
        self.done = True
        yield from ()

    def words(self) -> list[str]:
        """What may be completed."""
        known = {*self.rules.relations, *self.rules.operators, *WORDS, *ARITHMETIC_WORDS, *COMMANDS, *BOUNDS, "Tensor"}
        return sorted({*known, *(self.rules.handles or ())})


def _afforded(text: str) -> bool:
    """Pay for a text that is about to be printed. Raises Stopped."""
    afford_text(len(text) + 1)
    return True


def _paths(text: str) -> list[Path]:
    """The paths in a line, which are quoted as a shell demands. Raises RelayLogicError."""
    try:
        return [Path(_file_name(word)).expanduser() for word in shlex.split(text)]
    except (ValueError, RuntimeError) as problem:  # a quotation without end; `~` of a user there is not
        raise RelayLogicError(f"`{text}` names no file: {problem}") from None


def _file_name(word: str) -> str:
    """A word as the name of a file; what no name can have in it is replaced, so that there is no such file."""
    try:
        os.fsencode(word)
    except UnicodeEncodeError:
        encoding = sys.getfilesystemencoding()
        word = word.encode(encoding, "replace").decode(encoding)
    return word.replace("\0", "\N{REPLACEMENT CHARACTER}")


class Interrupted(Exception):
    """A line that a signal ended. No KeyboardInterrupt: asyncio lets that out of its loop, and complains later."""


def prompting(session: Session, history: Path | None = None) -> Any:
    """What reads a line from the terminal. It raises Interrupted, KeyboardInterrupt (for a key) and EOFError."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import WordCompleter
    from prompt_toolkit.history import InMemoryHistory
    from prompt_toolkit.key_binding import KeyBindings

    from .history import KeptHistory

    bindings = KeyBindings()

    @bindings.add("<sigint>")
    def interrupt(event: Any) -> None:
        # An interruption may come when the line has just ended: prompt_toolkit's own binding fails then.
        line = event.app.future
        if line is not None and not line.done():
            event.app.exit(exception=Interrupted(), style="class:aborting")

    completer = WordCompleter(session.words, pattern=_COMPLETED)
    kept = InMemoryHistory() if history is None else KeptHistory(history)
    return PromptSession(history=kept, completer=completer, complete_while_typing=False, key_bindings=bindings)


def line_of(file: TextIO) -> str:
    """The next line of a file; the last need not end. Raises EOFError."""
    line = file.readline()
    if not line:
        raise EOFError
    return line


def run(session: Session, write: Callable[[str], None], history: Path | None = None) -> int:
    """Read lines until the end, from the terminal or, without prompts, from a pipe or a file; the exit code."""
    piped = sys.stdin is not None and not sys.stdin.isatty()
    if piped and isinstance(sys.stdin, TextIOWrapper):  # as any other input; what is no UTF-8 belongs to no notation
        sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")
    read = partial(line_of, sys.stdin) if piped else partial(prompting(session, history).prompt, "?- ")
    byte_order_mark = "\ufeff"  # a file may begin with one
    while not session.done:
        try:
            line = read()
        except (Interrupted, KeyboardInterrupt):
            continue
        except EOFError:
            break
        try:
            for text in session.execute(line.removeprefix(byte_order_mark)):
                write(text)
        except KeyboardInterrupt:
            write("interrupted")
    return 0

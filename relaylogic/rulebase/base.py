"""The rule base: relations and operators by name, loaded from folders of rule files, and the table of solved calls."""

from __future__ import annotations

import difflib
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

from ..logic.bounded import Bounded
from ..logic.control import Budget, Search
from ..logic.goals import Goal, lall, succeed
from ..logic.mistakes import MISTAKES, RuleError, misasked
from ..logic.options import may_be_unknown
from ..logic.profiles import Profiles
from ..logic.resolution import Resolution
from ..logic.search import Solution, search
from ..logic.terms import Term, canonical, instantiate, variables_of
from .attribute_universe import UNBOUNDED, AttributeBounds
from .attributes import Attribute, Attrs, known_and_open, parse_attributes
from .open_attributes import Spec, attributes_of
from .python_files import ALLOW, not_run, python_files, rule_base_of, run_files
from .recipe import Recipe, Source, arrived, loaded_again, recipe_of, source_of
from .relation import Relation
from .transaction import transaction

__all__ = ["Operator", "RuleBase", "RuleError", "default_rules", "existing", "operator", "relation"]

STEPS = 200_000
TABLE_SIZE = 2048


class Operator:
    """The signature of an operator: inputs by name, declared attributes, and the relation that types its calls.

    `variadic` operators take any number of arguments.
    """

    __slots__ = ("attributes", "doc", "family", "inputs", "name", "relation", "variadic")

    def __init__(
        self, name: str, inputs: tuple[str, ...], relation: Relation, attributes: Mapping[str, Attribute]
    ) -> None:
        self.name = name
        self.inputs = inputs
        self.relation = relation
        self.attributes = attributes
        self.family = ""
        self.variadic = False
        self.doc = ""

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(self.inputs)}): {self.relation.name}"

    def attrs(self, given: Mapping[str, Any] | None, bounds: AttributeBounds = UNBOUNDED) -> Any:
        """The complete attributes of a call: an `Attrs`, or an `Open` term if a variable stands in them.

        `bounds` are those of what is open. Raises AttributeProblem.
        """
        known, unknown = known_and_open(self.attributes, given or {})
        return attributes_of(self.attributes, known, unknown, bounds) if unknown else known


def _weight(solution: Solution) -> int:
    """About how much a solution holds, in answers of a few short shapes each."""
    return 1 + sum([1 + len(a.residue) + sum([_length(t) >> 4 for t in a.terms]) for a in solution.answers])


def _length(term: Any) -> int:
    """How many extents a tensor type has, or fields a tuple."""
    parts = term.args[0] if isinstance(term, Term) and term.args else ()
    return len(parts) if type(parts) is tuple else 0


class RuleBase:
    """Relations and operators, and what is known of calls already solved."""

    def __init__(self) -> None:
        self.relations: dict[str, Relation] = {}
        self.operators: dict[str, Operator] = {}
        self.notes: list[str] = []
        self.sources: list[Source] = []  # what was loaded, for a copy elsewhere
        self.table: dict[Any, Solution] = Bounded(TABLE_SIZE, _weight)
        self.options = Bounded(TABLE_SIZE, lambda options: 1 + options.count)  # of `relaylogic.logic.options`
        self.attrs_table: dict[Any, Attrs] = Bounded(TABLE_SIZE)
        self.asked: dict[Any, Relation] = Bounded(TABLE_SIZE)  # relations of which attributes are asked for
        self.profiles = Profiles(self)

    def load(self, path: Path, *, python: bool = False) -> None:
        """Load every rule file of a folder, or one file of clauses (`*.rel`).

        Of a folder, a file that cannot be loaded is reported in `notes`; the others load. Files in Python are programs
        that may do anything: they run only with `python`, otherwise they are named in `notes`.

        Raises RuleError if there is no such folder or file, if a folder holds files in Python only and these are not
        allowed, or if one of them ends the program; ClauseError for a single file that is wrong. Then, as whenever this
        raises, the rule base is as before.
        """
        with transaction(self):
            if path.suffix == ".rel" and not path.is_dir():
                self._load_file(path)
            else:
                self._load_folder(path, python)

    def _load_file(self, path: Path) -> None:
        from ..clauses.load import load_clauses

        try:
            load_clauses(self, path.read_text(encoding="utf-8-sig"), str(path))
        except OSError as problem:
            raise RuleError(f"{path}: cannot be read: {problem.strerror}") from None
        except UnicodeDecodeError as problem:
            raise RuleError(f"{path}: this is no text: byte {problem.start} is not UTF-8") from None

    def _load_folder(self, folder: Path, python: bool) -> None:
        if not folder.is_dir():
            raise RuleError(f"there is no folder of rules at {folder}, and no file of clauses (*.rel)")
        programs, clause_files = python_files(folder), sorted(folder.glob("*.rel"))
        if programs and not python:
            if not clause_files:
                raise RuleError(f"{folder}: nothing is loaded: {not_run(programs)}", None, (ALLOW,))
            self.notes.append(f"{folder}: {not_run(programs)}; {ALLOW}")
        elif programs:
            run_files(self, folder, programs)
        if clause_files:
            from ..clauses.load import load_files

            load_files(self, clause_files)
        self.sources.append(source_of(folder, rules_folder(), python))

    def __copy__(self) -> RuleBase:
        return loaded_again(recipe_of(self), RuleBase())

    def __deepcopy__(self, memo: Any) -> RuleBase:
        return self.__copy__()

    def __reduce__(self) -> Any:
        return (_arrived, (self in _default, recipe_of(self)))

    def forget(self) -> None:
        """Drop what is known of calls already solved: the rules have changed."""
        self.table.clear()
        self.options.clear()
        self.attrs_table.clear()
        self.asked.clear()
        self.profiles.clear()

    def operator(self, name: str) -> Operator:
        """The operator `name`. Raises RuleError with the nearest names."""
        found = self.operators.get(name)
        if found is None:
            raise RuleError(f"there is no operator `{name}`{nearest(name, self.operators)}")
        return found

    def relation(self, name: str) -> Relation:
        """The relation `name`. Raises RuleError with the nearest names."""
        found = self.relations.get(name)
        if found is None:
            raise RuleError(f"there is no relation `{name}`{nearest(name, self.relations)}")
        return found

    def asking(self, relation: Relation, spec: Spec) -> Relation:
        """The relation of which open attributes are arguments (`Relation.asking`); one for each `spec`."""
        found: Relation | None = self.asked.get((relation, spec))
        if found is None:
            found = self.asked[relation, spec] = relation.asking(spec)
        return found

    def solve(
        self,
        relation: Relation,
        arguments: tuple[Any, ...],
        attrs: Any,
        also: Callable[..., tuple[tuple[Any, ...], Goal]] | None = None,
        steps: int = STEPS,
        defaults: bool = True,
    ) -> Solution:
        """All that is known of one call: canonical arguments (with `Slot`s) in, answers over the same slots out.

        `also`, a top-level function, changes what is asked: from the arguments with variables it makes the arguments
        for the relation and one more goal. Without `defaults`, rules fill in nothing by default.
        """
        key = (relation, arguments, attrs, also, defaults)
        found = self.table.get(key)
        if found is None:
            with _blaming(relation):
                terms = given = instantiate(arguments, {})
                more: Goal = succeed
                if also is not None:
                    given, more = also(terms)
                control = self.control(steps, relation, arguments, attrs, defaults=defaults)
                try:
                    cases = relation.cases(given, attrs)
                    found = search(cases if also is None else _with(more, cases), terms, control)
                except RecursionError:
                    found = search(_with(more, self._tabled(relation, given, attrs, control)), terms, control)
            self.table[key] = found
        return found

    def _tabled(
        self, relation: Relation, arguments: tuple[Any, ...], attrs: Any, control: Search
    ) -> Iterator[tuple[str, Goal]]:
        """The answers of a relation that calls itself without an end, one goal for each."""
        given = (relation, *arguments, attrs) if relation.takes_attrs else (relation, *arguments)
        postponing = control.but(postpones=True)
        known = variables_of(arguments)
        return (
            (option.clause, option.goal(given[1:], known))
            for option in Resolution(postponing, self.options).forest(canonical(given, {})).answers()
        )

    def control(
        self, steps: int, relation: Relation, arguments: Any, attrs: Any, *, defaults: bool = True, trace: Any = None
    ) -> Search:
        """What the search for the answers of one call is given."""

        def gradual() -> bool:
            return may_be_unknown((arguments, attrs)) or self.profiles.of(relation).makes_unknown

        return Search(
            Budget(steps),
            gradual=gradual,
            defaults=defaults,
            rules=self,
            trace=trace,
        )

    def solve_terms(self, relation: Relation, arguments: tuple[Any, ...], attrs: Any = None) -> Solution:
        """`solve` for arguments with variables."""
        return self.solve(relation, canonical(arguments, {}), attrs)


def _with(more: Goal, cases: Iterable[tuple[str, Goal]]) -> Iterator[tuple[str, Goal]]:
    """Each case, with one more goal."""
    return ((name, lall(run, more)) for name, run in cases)


@contextmanager
def _blaming(relation: Relation) -> Iterator[None]:
    """Turn what a rule's own Python trips over (an attribute that it did not expect) into an error about the rule."""
    try:
        yield
    except MISTAKES as problem:
        raise misasked(relation.name, problem) from problem


def nearest(name: str, known: Any) -> str:
    """`; did you mean ...?` with the names most like `name`, or nothing."""
    close = difflib.get_close_matches(name, list(known), n=3, cutoff=0.6)
    if not close:
        close = [k for k in known if k.rpartition(".")[2] == name.rpartition(".")[2]][:3]
    return f"; did you mean {' or '.join(f'`{c}`' for c in close)}?" if close else ""


def _loading(module: dict[str, Any]) -> RuleBase:
    base = rule_base_of(module)
    if base is None:
        raise RuleError("operators are declared in rule files, which a RuleBase loads")
    return base


def relation(declaration: Callable[..., Any]) -> Relation:
    """Decorator: a relation with the function's name, parameters and docstring.

    In a rule file it joins the rule base that loads the file; a relation of a name that is loaded already replaces that
    one, for everybody who uses it. Elsewhere (a script, a notebook) it is a relation on its own.
    """
    base = rule_base_of(declaration.__globals__)
    parameters = tuple(inspect.signature(declaration).parameters)
    code, doc = declaration.__code__, inspect.getdoc(declaration) or ""
    new = Relation(declaration.__name__, parameters, doc, code.co_filename, code.co_firstlineno)
    if base is None:
        return new
    known = base.relations.get(new.name)
    if known is None:
        base.relations[new.name] = new
        return new
    if known.file == new.file:
        raise RuleError(f"{new.file}:{new.line}: relation `{new.name}` is defined twice (first in line {known.line})")
    base.notes.append(f"{new.file}:{new.line}: relation `{new.name}` replaces the one of {known.file}:{known.line}")
    known.__init__(new.name, parameters, new.doc, new.file, new.line)  # type: ignore[misc]
    base.forget()
    return known


def existing(name: str) -> Relation:
    """For rule files: a relation that is loaded already, to call it or to add a clause. Raises RuleError."""
    base = _loading(sys._getframe(1).f_globals)
    base.forget()
    return base.relation(name)


def operator(
    name: str, inputs: str, relation: Relation, attributes: str | dict[str, Attribute] = "", doc: str = ""
) -> None:
    """For rule files: declare an operator.

    `inputs` are names separated by commas, `...` for any number of arguments; `attributes` is a declaration that
    `parse_attributes` reads, or an already parsed one shared by several operators.
    """
    base = _loading(sys._getframe(1).f_globals)
    names = tuple(part.strip() for part in inputs.split(",") if part.strip())
    declared = parse_attributes(attributes) if isinstance(attributes, str) else attributes
    new = Operator(name, tuple(n for n in names if n != "..."), relation, declared)
    new.variadic = "..." in names
    new.doc = doc
    new.family = Path(sys._getframe(1).f_code.co_filename).stem
    if not new.variadic and len(new.inputs) + 1 != relation.arity:
        count = len(new.inputs)
        raise RuleError(f"operator `{name}` has {count} inputs, but {relation} relates {relation.arity} types")
    if name in base.operators:
        base.notes.append(f"operator `{name}` is declared again in {new.family}, which wins")
    base.operators[name] = new


def rules_folder() -> Path:
    """The folder of the rule base that came with the package."""
    here = Path(__file__).resolve().parent.parent
    shipped = here / "_rules"
    return shipped if shipped.is_dir() else here.parent / "rules"


def load_rules(*paths: Path, python: bool = False) -> RuleBase:
    """A rule base of its own: the shipped rules and those of `paths`, later ones winning.

    A path is that of a folder of rule files or of a file of clauses (`*.rel`). Files in Python may do anything: those
    of folders run only with `python`. Raises what `RuleBase.load` raises.
    """
    base = RuleBase()
    base.load(rules_folder(), python=True)
    for path in paths:
        base.load(path, python=python)
    return base


_default: list[RuleBase] = []
_default_lock = Lock()


def default_rules_loaded() -> bool:
    """Whether somebody has asked for the shipped rule base."""
    return bool(_default)


def default_rules() -> RuleBase:
    """The shipped rule base, loaded once for the process, by whichever thread asks first."""
    if not _default:
        with _default_lock:
            if not _default:
                _default.append(load_rules())
    return _default[0]


def _arrived(default: bool, recipe: Recipe) -> RuleBase:
    """The rule base that was pickled in another process. Raises RuleError if it cannot be had here."""
    return arrived(recipe, RuleBase, default_rules() if default else None)

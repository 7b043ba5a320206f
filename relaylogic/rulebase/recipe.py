"""A rule base as a recipe: what was loaded, in order, so that another process can load the same.

Pickling a rule base pickles its recipe: folders by path, texts of clauses as they are. The shipped rule base stays the
shipped rule base; the last few others that came to a process are kept, so that tasks sent to it one by one share one.
What is loaded must be what was loaded there: a folder that has changed, or a rule base into which Python put relations
by hand, is refused. Rule files in Python run again only where they were allowed to, and unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

from ..host.above import above
from ..logic.bounded import Bounded
from ..logic.terms.mistakes import RuleError
from .contents import Contents, Source

__all__ = ["Recipe", "arrived", "load_sources", "loaded_again", "recipe_of", "rules_folder", "source_of"]

Rules = TypeVar("Rules", bound=Contents)
Recipe = tuple[tuple[Source, ...], str]
"""What was loaded, in order, and a digest of what came of it."""

KEPT = 4

_known: dict[Recipe, Any] = Bounded(KEPT)
_lock = Lock()


def rules_folder() -> Path:
    """The folder of the rule base that came with the package."""
    here = Path(__file__).resolve().parent.parent
    shipped = here / "_rules"
    return shipped if shipped.is_dir() else here.parent / "rules"


def source_of(folder: Path, shipped: Path, python: bool) -> Source:
    """What to write down of a folder that was loaded, with its Python or without."""
    if python and folder.resolve() == shipped:
        return ("shipped", "", "")
    said = _digest()
    for path in sorted((*folder.glob("*.rel"), *(folder.glob("*.py") if python else ()))):
        said.update(f"{path.name}\n".encode())
        with suppress(OSError):  # what cannot be read was not loaded
            said.update(path.read_bytes())
    return ("programs" if python else "folder", str(folder.resolve()), said.hexdigest())


def recipe_of(rules: Contents) -> Recipe:
    """How to load a rule base again."""
    said = _digest()
    for name, relation in sorted(rules.relations.items()):
        said.update(f"{name}{relation.parameters}: {[clause.name for clause in relation.clauses]}\n".encode())
    for _, data in sorted(rules.data_types.items()):
        said.update(f"{data.name}{data.kinds}: {data.constructors}\n".encode())
    for _, operator in sorted(rules.operators.items()):
        said.update(f"{operator!r}, {list(operator.attributes.values())}\n".encode())
    return tuple(rules.sources), said.hexdigest()


def _digest() -> Any:
    from hashlib import sha256  # rule bases that are not copied need none of it

    return sha256()


def loaded_again(recipe: Recipe, rules: Rules) -> Rules:
    """`rules`, which is empty, with all that a recipe says. Raises RuleError if that is not what was there."""
    load_sources(recipe[0], rules)
    return _checked(rules, recipe)


def load_sources(sources: Iterable[Source], rules: Contents) -> None:
    """Load what was loaded somewhere else. Raises RuleError if it is not what was there."""
    shipped = rules_folder()
    for kind, name, text in sources:
        if kind == "clauses":
            above("clauses of a text")(rules, text, name)
        elif kind == "shipped":
            rules.load(shipped, python=True)
        else:
            folder, python = Path(name), kind == "programs"
            if folder.is_dir() and source_of(folder, shipped, python) != (kind, name, text):
                raise _changed()  # before anything of it runs
            rules.load(folder, python=python)


def _checked(rules: Rules, recipe: Recipe) -> Rules:
    if recipe_of(rules) != recipe:
        raise _changed()
    return rules


def _changed() -> RuleError:
    return RuleError(
        "this rule base cannot be loaded again from its files: they have changed, or something was put into it "
        "from Python"
    )


def arrived(recipe: Recipe, empty: Callable[[], Rules], default: Rules | None) -> Rules:
    """The rule base of a recipe that was pickled: `default` if that is the one; the same for the same recipe."""
    if default is not None:
        return _checked(default, recipe)
    with _lock:
        known: Rules | None = _known.get(recipe)
        if known is None or recipe_of(known) != recipe:
            known = _known[recipe] = loaded_again(recipe, empty())
        return known

"""All consistent typings of a program: assignments of types to its holes that satisfy every call site.

They are listed, counted, drawn at random, put into families, restricted by clauses, or looked through for the least.
A hole is an annotation that is left out or contains `_`: of a parameter, a let-bound variable, a function's result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ..clauses.syntax import ClauseError
from ..errors import IllFormed, RelayLogicError, said
from ..host.governor import governed
from ..infer.checks.well_formed import check_well_formed
from ..ir import IRModule
from ..rulebase import RuleBase
from ..text import parse
from ..types.universe import Universe, UniverseError, check_number, check_numbers
from .answers import Answers
from .asked import Asked, Typing
from .drawn import Drawn
from .families import Families
from .members import Typings
from .numbers import number_of
from .optimum import Optimal, optimal
from .placed import placed
from .polymorphic import polymorphic_in
from .query import COUNT_STEPS, STEPS

__all__ = ["Typing", "check_seed", "count_typings", "typings"]


def typings(
    program: IRModule | str,
    *,
    rules: RuleBase | None = None,
    limit: int | None = None,
    max_rank: int | None = None,
    max_dim: int | None = None,
    dtypes: Sequence[str] | None = None,
    ground: bool = False,
    min_dim: int = 1,
    max_arity: int | None = None,
    tuples: int | None = None,
    functions: int | None = None,
    data_depth: int | None = None,
    nesting: int = 1,
    max_attr: int | None = None,
    max_attr_length: int | None = None,
    steps: int = STEPS,
    where: str | Sequence[str] = (),
    project: str | Sequence[str] | None = None,
    sample: int | None = None,
    seed: int | None = None,
    minimize: str | None = None,
    maximize: str | None = None,
    families: bool = False,
    polymorphic: bool = False,
) -> Answers:
    """The typings of a program, lazily, each once, smallest first.

    `where`: clauses about the holes that must hold, `"%w = Tensor[(n, n, 3, 3), _], n < 8"`; variables of one name are
    one in all of them. `project`: only these holes are looked at, `["%x", "%w"]`, each combination comes once.
    `sample`: so many typings, each drawn on its own and as likely as any other; `seed` repeats a draw. `minimize`,
    `maximize`: only the typings for which a number is least or greatest, an extent `"%w[0]"`, a sum, a product, or
    `elements`, those of all parameters; `found.optimum` says what it comes to. Types are ground then. `families`:
    typings as disjoint families (`Family`), each with its count in the universe that is asked for.

    An open type is taken to be a tensor, or what else is asked for: a tuple of up to `tuples` fields, a function of up
    to `functions` parameters, one of the program's data types. At most `nesting` tuples, `nesting` functions and
    `data_depth` data types stand within each other; what is asked for is not admitted beyond these bounds.

    A typing gives each binding one type. If there is none that does, or if it is asked for, functions that inference
    makes `polymorphic` have a type of their own at each use, and what is bound in them is no hole; `notes` name them.

    `steps` bounds the search for each typing. A refuted program has none. How the search ended is in the result's
    `status` once it is consumed. Raises ParseError for text that is no program, IllFormed for a module that no text
    could say and for what is neither, RelayLogicError for a program that is wrong whatever its types are, for a
    component of an unknown tuple that no tuple of 100,000 has and for questions that exclude each other, ClauseError
    for clauses that are none, UniverseError for a bound that is none; when answers are looked for, RuleError for an
    attribute that must be given, as there is none to choose from.
    """
    objective = _objective(minimize, maximize)
    bounds: dict[str, Any] = {"max_rank": max_rank, "max_dim": max_dim, "min_dim": min_dim, "max_arity": max_arity}
    bounds |= {"tuples": tuples, "functions": functions, "data_depth": data_depth, "nesting": nesting}
    bounds |= {"max_attr": max_attr, "max_attr_length": max_attr_length}
    check_numbers(limit=limit, sample=sample)
    check_number("steps", steps)
    check_seed(seed, sample)
    if families and (sample is not None or objective is not None):
        raise RelayLogicError("families are not drawn, and none is the least: ask for one thing at a time")
    universe = Universe.of(**bounds, dtypes=dtypes, ground=ground)

    def found() -> Answers:
        asked = _asked(program, rules, universe, where, project, objective, steps, polymorphic)
        with placed(asked.place_of):
            made = answers_of(asked)
        made.place_of = asked.place_of
        return made

    def answers_of(asked: Asked) -> Answers:
        if families:
            return Families(asked, limit, steps)
        if objective is not None:
            return Optimal(asked, limit, steps, minimize is not None, sample, seed)
        node, search = asked.root(steps)
        if sample is not None:
            return Drawn(node, asked, limit, steps, search, sample, seed)
        return Typings(node, asked, limit, steps, search)

    return governed(found, lambda reached: Answers.stopped(universe, reached))


def count_typings(
    program: IRModule | str,
    *,
    rules: RuleBase | None = None,
    steps: int = COUNT_STEPS,
    where: str | Sequence[str] = (),
    project: str | Sequence[str] | None = None,
    minimize: str | None = None,
    maximize: str | None = None,
    progress: Callable[[int], None] | None = None,
    note: Callable[[str], None] | None = None,
    polymorphic: bool = False,
    **bounds: Any,
) -> int:
    """How many typings a program has, without enumerating them; the options are those of `typings`.

    `progress` is called with the number of parts of the count that were looked at, as it grows, `note` with what is
    known to lie outside of the universe. Raises what `typings` raises, StepLimit and LimitReached.
    """
    objective = _objective(minimize, maximize)
    check_number("steps", steps)
    universe = Universe.of(**bounds)

    def number() -> int:
        asked = _asked(program, rules, universe, where, project, objective, steps, polymorphic)
        with placed(asked.place_of):
            if note is not None:
                for outside in asked.outside():
                    note(outside)
            if objective is None:
                return number_of(asked.root(steps)[0], universe, progress)
            best, node, _ = optimal(asked, steps, steps, minimize is not None)
            return 0 if best is None else number_of(node, universe, progress)

    return governed(number)


def check_seed(seed: Any, sample: int | None) -> None:
    """Raise UniverseError for a seed that is none, RelayLogicError for one where nothing is drawn."""
    if seed is not None and type(seed) is not int:
        raise UniverseError(f"`seed` is an integer, not {said(seed)}")
    if seed is not None and sample is None:
        raise RelayLogicError("a seed repeats a draw, and nothing is drawn here: `sample` says how many typings")


def _objective(minimize: str | None, maximize: str | None) -> str | None:
    if minimize is not None and maximize is not None:
        raise RelayLogicError("one number is made least or greatest, not two")
    return maximize if minimize is None else minimize


def _asked(
    program: IRModule | str,
    rules: RuleBase | None,
    universe: Universe,
    where: str | Sequence[str],
    project: str | Sequence[str] | None,
    objective: str | None,
    steps: int,
    at_each_use: bool,
) -> Asked:
    """What is asked of a program: of typings that give each binding one type, if there are any, and others are not
    asked for; else of those where polymorphic functions have a type of their own `at_each_use`."""
    module = _module_of(program)
    clauses = [where] if isinstance(where, str) else _texts("where", where)
    names = project.split(",") if isinstance(project, str) else None if project is None else _texts("project", project)
    listed = None if names is None else [" ".join(name.split()) for name in names]
    # What is least is sought among values.
    sought = universe if objective is None else replace(universe, ground=True)
    asked = Asked(module, rules, sought, clauses, listed, objective)
    polymorphic = polymorphic_in(module, asked.nodes, asked.rules)
    if not polymorphic.names or not (at_each_use or asked.has_none(steps)):
        asked.at_several = polymorphic.at_several
        return asked
    try:
        return Asked(module, rules, sought, clauses, listed, objective, polymorphic.names)
    except ClauseError:  # a condition speaks of what stands in such a function
        if at_each_use or asked.inference.driver.failed:
            raise
        return asked


def _texts(name: str, given: Any) -> list[str]:
    """The texts that are given in a list. Raises IllFormed."""
    if not isinstance(given, Sequence) or not all(isinstance(text, str) for text in given):
        raise IllFormed(f"`{name}` is a text, or a list of texts, which {said(given)} is not")
    return list(given)


def _module_of(program: IRModule | str) -> IRModule:
    """The module that is given, or that a text writes. Raises ParseError, IllFormed."""
    if isinstance(program, str):
        return parse(program)
    if not isinstance(program, IRModule):
        raise IllFormed(f"a program is an IRModule or Relay text, which {said(program)} is not")
    check_well_formed(program)
    return program

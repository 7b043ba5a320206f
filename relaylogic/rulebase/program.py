"""The rule base of a program: a rule base, and above it the relations of the program's data types and tuples.

A constructor `Cons` is the relation `Cons`, its pattern the relation `ConsPattern`; `Projection1` is that of `%t.1`.
They are made when they are first asked for, by what rules/adt.py says of them, and only here: the rule base below is
shared, and stays as it is. Handles tell data types apart; where names do not, `program.Cons` is the constructor that
the program itself defines, `prelude.Cons` that of the module it imports, `rules.Cons` the relation of the rule base.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Iterable, Mapping, MutableMapping
from os import PathLike
from typing import Any

from ..errors import IllFormed, said
from ..host.once import cached_property
from ..ir import Constructor, IRModule, TypeData
from ..logic.bounded import Bounded
from ..logic.control import KEPT, Search
from ..logic.search.options import Ways
from ..logic.search.profiles import Profile, Profiles
from ..logic.search.search import MAX_ANSWERS, Solution
from ..logic.terms.mistakes import RuleError
from ..logic.terms.rebuilding import instantiate
from ..types import FuncType, TypeRelation, TypeVar
from .base import STEPS, TABLE_SIZE, RuleBase, Structure, index_in, weight
from .contents import Source
from .data_types import DataType
from .head import Head
from .layers import OptionsAbove, ProfilesAbove, RelationsAbove
from .open_attributes import Spec
from .operators import Operator
from .recipe import load_sources
from .relation import Relation
from .running import Also
from .shipped import default_rules
from .specialised.compiled import Alike, Compiled
from .spellings import BELOW, Entry, Spellings

__all__ = ["ProgramRules", "program_rules", "rule_base"]

_SHORT = 4096
"""A text of so many characters weighs as much as a relation."""


class ProgramRules(RuleBase):
    """`base`, and the relations of `module`. Files of rules that are loaded here may speak of those."""

    def __init__(self, base: RuleBase, module: IRModule | None) -> None:
        self.base = base
        self.module = IRModule() if module is None else module
        self._has_program = module is not None
        self.loaded: dict[str, Relation] = {}
        self._made: dict[tuple[str, Any], Relation] = {}
        self._parameters: dict[Relation, tuple[Any, ...]] = {}
        self.heads = {}
        self.structures = {}
        self.projections = {}
        self._spellings: Spellings | None = None
        self.operators = base.operators
        self.makers = base.makers
        self.notes = base.notes
        self.sources = []
        self.attrs_table = base.attrs_table
        self.asked = base.asked
        self.meant = base.meant
        self.computed = base.computed

    # What follows is made when it is asked for: each inference has a rule base of its own, and most programs have no
    # data types, so that all they ask is known to the rule base below.

    @cached_property
    def relations(self) -> MutableMapping[str, Relation]:  # type: ignore[override]
        """The relations by name."""
        return RelationsAbove(self)

    @cached_property
    def data_types(self) -> MutableMapping[str, DataType]:
        """The data types that files of clauses declare."""
        return ChainMap({}, self.base.data_types)

    @cached_property
    def table(self) -> dict[Any, Solution]:
        """What is known of calls of the program's own relations."""
        return Bounded(TABLE_SIZE, weight)

    @cached_property
    def results(self) -> dict[Any, Any]:
        """The results of calls as they are written, if something was loaded here."""
        return Bounded(TABLE_SIZE)

    def instances_of(self, relations: Iterable[Relation]) -> dict[Any, Any]:
        """Where it stands whether something satisfies demands of some relations."""
        return self.base.instances if all(map(self.is_below, relations)) else self.instances

    @cached_property
    def options(self) -> Any:
        """The options of calls."""
        return OptionsAbove(self)

    @cached_property
    def rows(self) -> dict[Any, Any]:
        """What is known of rows that relations of the program are asked about."""
        return Bounded(TABLE_SIZE)

    @cached_property
    def instances(self) -> dict[Any, Any]:
        """Whether there is something that satisfies some demands."""
        return Bounded(TABLE_SIZE)

    @cached_property
    def profiles(self) -> Profiles:
        """The profiles of relations."""
        return ProfilesAbove(self)

    @cached_property
    def compiled(self) -> Compiled:
        """The compiled modes of the program's own relations."""
        return Compiled(self)

    def __copy__(self) -> ProgramRules:
        return _arrived(self.base.__copy__(), self.module if self._has_program else None, tuple(self.sources))

    def __reduce__(self) -> Any:
        return (_arrived, (self.base, self.module if self._has_program else None, tuple(self.sources)))

    @property
    def spellings(self) -> Spellings:
        """What the names of the program's data types and constructors mean."""
        if self._spellings is None:
            self._spellings = Spellings(self.module)
        return self._spellings

    @property
    def handles(self) -> Mapping[str, Any] | None:  # type: ignore[override]
        """The handles of the data types, by every name that means one of them only; None if there is no program."""
        return self.spellings.handles if self._has_program else None

    def types_named(self, name: str) -> list[str]:
        """The data types that a name means, in words, if it means several."""
        return self.spellings.types_named(name)

    def known_data_types(self) -> list[tuple[Any, tuple[str, ...]]]:
        """As `RuleBase.known_data_types`, those of the program first."""
        return [*((data.header, data.kinds) for data in self.module.data_types()), *super().known_data_types()]

    def parameter_kinds(self, handle: Any) -> tuple[str, ...] | None:
        """As `RuleBase.parameter_kinds`."""
        data = self.module.get_type_data(handle)
        return super().parameter_kinds(handle) if data is None else data.kinds

    def named(self, name: str) -> Relation | None:
        """The relation of that name, if there is one. Raises RuleError if the name means several."""
        meant = self.spellings.relations.get(name, ())
        below = self.base.relations.get(name)
        if len(meant) + (below is not None) > 1:
            told = [f"`{BELOW}.{name}` (the relation of the rule base)"] if below is not None else []
            told += [f"`{self.spellings.longer(entry)}` ({entry.place})" for entry in meant]
            raise RuleError(f"`{name}` means several relations: {', '.join(told)}", None, ("write one of these names",))
        return self.relations.get(name)

    def load(self, path: str | PathLike[str], *, python: bool = False) -> None:
        """As `RuleBase.load`; what is loaded may speak of the program's relations.

        Raises RuleError besides if the rule base below is the shipped one, which everybody uses.
        """
        if self.base is default_rules():
            raise RuleError("the shipped rules are shared: load_rules(..., program=module) makes rules of your own")
        super().load(path, python=python)

    def forget(self) -> None:
        """Drop what is known of calls already solved, of the rule base below too."""
        self.table.clear()
        self.results.clear()
        self.options.clear()
        self.rows.clear()
        self.instances.clear()
        self.profiles.clear()
        self.compiled.clear()
        self.heads.clear()
        self._made.clear()
        self.base.forget()

    @property
    def changes(self) -> int:
        """How often something was loaded or forgotten, here or in the rule base below."""
        return self.base.changes

    @changes.setter
    def changes(self, number: int) -> None:
        self.base.changes = number

    def own_relations(self) -> Iterable[Relation]:
        """The relations that were loaded into this rule base."""
        return self.loaded.values()

    def begin(self) -> None:
        """As `RuleBase.begin`, of the rules below."""
        self.base.compiled.begin()

    def keep(self) -> None:
        """Keep what was made of the rules below."""
        self.base.compiled.keep()

    @property
    def of_operators(self) -> RuleBase:
        """The rule base below, if nothing was loaded above it."""
        return self if self.loaded else self.base.of_operators

    def is_below(self, relation: Relation) -> bool:
        """Whether a relation is one of the rule base below, which knows nothing of what is above it."""
        origin = relation if relation.asked is None else relation.asked[0]
        return not self.loaded and self.base.relations.get(relation.name) is origin

    def ways(self, relation: Relation, arguments: tuple[Any, ...], search: Search) -> Ways | None:
        """As `RuleBase.ways`, of relations of the rule base below."""
        return self.base.ways(relation, arguments, search) if self.is_below(relation) else None

    def kept_profile(self, relation: Relation) -> Profile | None:
        """As `RuleBase.kept_profile`."""
        return None

    def _by_kept_answers(
        self, relation: Relation, arguments: tuple[Any, ...], attrs: Any, steps: int, most: int
    ) -> Solution | None:
        """Nothing is kept of the program's own relations."""
        return None

    def solve(
        self,
        relation: Relation,
        arguments: tuple[Any, ...],
        attrs: Any,
        also: Also | None = None,
        steps: int = STEPS,
        defaults: str = KEPT,
        most: int = MAX_ANSWERS,
        types_only: bool = False,
        by_rows: bool = False,
        programs: bool = True,
        derived: Callable[[], Solution | None] | None = None,
    ) -> Solution:
        """As `RuleBase.solve`; what the rule base below is asked stays in its table."""
        below = self.base.relations.get(relation.name) is relation and not self.loaded  # `is_below`, of most relations
        if below or self.is_below(relation):
            return self.base.solve(
                relation, arguments, attrs, also, steps, defaults, most, types_only, by_rows, programs, derived
            )
        return super().solve(
            relation, arguments, attrs, also, steps, defaults, most, types_only, by_rows, programs, derived
        )

    def result(self, relation: Relation, inputs: tuple[Any, ...], attrs: Any, defaults: str) -> Any:
        """As `RuleBase.result`."""
        if self.base.relations.get(relation.name) is relation and not self.loaded:
            return self.base.result(relation, inputs, attrs, defaults)
        return super().result(relation, inputs, attrs, defaults)

    def outcome(
        self, relation: Relation, arguments: tuple[Any, ...], attrs: Any, goals: bool = True
    ) -> tuple[Any, ...] | None:
        """As `RuleBase.outcome`."""
        below = self.base.relations.get(relation.name) is relation and not self.loaded
        if below or self.is_below(relation):
            return self.base.outcome(relation, arguments, attrs, goals)
        return super().outcome(relation, arguments, attrs, goals)

    def all_of(self, relation: Relation, spec: Spec, inputs: tuple[Any, ...], about: str) -> Any:
        """As `RuleBase.all_of`."""
        if self.is_below(relation):
            return self.base.all_of(relation, spec, inputs, about)
        return super().all_of(relation, spec, inputs, about)

    def alike(self, operator: Operator, usual: bool) -> tuple[Alike, ...]:
        """As `RuleBase.alike`."""
        return self.base.alike(operator, usual) if self.is_below(operator.relation) else ()

    def constructor(self, constructor: Constructor) -> Relation | None:
        """The relation of a constructor; None if its data type is not defined in the program."""
        return self._of_constructor("constructor_relation", constructor)

    def pattern(self, constructor: Constructor) -> Relation | None:
        """The relation of the patterns of a constructor; None if its data type is not defined in the program."""
        return self._of_constructor("pattern_relation", constructor)

    def projection(self, index: int) -> tuple[Relation, Head | None] | None:
        """As `RuleBase.projection`: tuples are no data types of the program."""
        return self.base.projections.get(index) or self.base.projection(index)

    def constructor_type(self, constructor: Constructor) -> Any:
        """The type of a constructor as a value, as its relation says it: `fn [A](A, List[A]) -> List[A]`; or None.

        If that depends on more than equations, it is `fn [t1, t2](t1) -> t2 where C(t1, t2)`.
        """
        relation = self.constructor(constructor)
        if relation is None:
            return None
        head, parameters = self.head(relation), self._parameters[relation]
        if head is None or len(head.parameters) != len(parameters):
            names = tuple(TypeVar(f"t{i + 1}") for i in range(relation.arity))
            return FuncType(names[:-1], names[-1], names, (TypeRelation(relation.name, names),))
        *fields, result = instantiate(head.terms, dict(zip(head.parameters, parameters, strict=True)))
        return FuncType(tuple(fields), result, parameters)

    def head(self, relation: Relation) -> Head | None:
        """As `RuleBase.head`."""
        try:
            return self.heads[relation]
        except KeyError:
            return super().head(relation) if self.loaded else self.base.head(relation)

    def _of_constructor(self, maker: str, constructor: Constructor) -> Relation | None:
        known = self._made.get((maker, constructor))
        if known is None:
            data = self.module.get_type_data(constructor.belong_to)
            if data is None:
                return None
            known, head, _ = self._structure(maker, constructor, data)
            self._made[maker, constructor] = known
            self._parameters[known] = data.type_vars
            self.heads[known] = head
        return known

    def _structure(self, maker: str, constructor: Constructor, data: TypeData) -> Structure:
        """A relation as a definition says it; it is kept in the rule base below, by all that it says."""
        name = self.spellings.name_of(Entry("", data, constructor, maker), self.base.relations)
        span = constructor.span
        said = (maker, name, constructor.name_hint, constructor.inputs, data.header, data.type_vars, span)
        known = self.base.structures.get(said)
        if known is None:
            relation = self.maker(maker)(data, constructor)
            relation.name = name
            head = self.new_head(relation, [parameter.kind for parameter in data.type_vars])
            # It holds on to the text of the program.
            known = Structure(relation, head, 1 if span is None else 1 + len(span.source.text) // _SHORT)
            self.base.structures[said] = known
        return known

    def of_program(self, name: str) -> Relation | None:
        """The relation of the program of that name, if the name means one."""
        index = index_in(name)
        if index is not None:
            projection = self.projection(index)
            return None if projection is None else projection[0]
        if name.startswith(f"{BELOW}."):
            return self.base.relations.get(name.removeprefix(f"{BELOW}."))
        meant = self.spellings.relations.get(name, ())
        return self._of_constructor(meant[0].maker, meant[0].constructor) if len(meant) == 1 else None


def rule_base(rules: RuleBase | None) -> RuleBase:
    """The rule base that is given, the shipped one for None. Raises IllFormed for what is none."""
    if rules is None:
        return default_rules()
    if not isinstance(rules, RuleBase):
        raise IllFormed(f"rules are a rule base, as `load_rules` gives it, which {said(rules)} is not")
    return rules


def program_rules(rules: RuleBase | None, module: IRModule | None) -> ProgramRules:
    """The rule base of a program above `rules` (None: the shipped ones); `rules` itself if it is that.

    Without a program, it is one that says nothing of data types: then a name is its own data type. Raises IllFormed for
    what is no rule base and no module.
    """
    rules = rule_base(rules)
    if module is not None and not isinstance(module, IRModule):
        raise IllFormed(f"a program is an IRModule, which {said(module)} is not")
    if isinstance(rules, ProgramRules) and (module is None or rules.module is module):
        return rules
    return ProgramRules(rules, module)


def _arrived(base: RuleBase, module: IRModule | None, sources: tuple[Source, ...]) -> ProgramRules:
    """The rule base of a program from another process. Raises RuleError if it cannot be had here."""
    rules = ProgramRules(base, module)
    load_sources(sources, rules)
    return rules

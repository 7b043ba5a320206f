"""One file of clauses: what it defines, of which kinds that is, and what is made of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from ..errors import several
from ..host.governor import paced
from ..host.watcher import whole
from ..rulebase import Attribute, Clause, Operator, Relation, RuleBase, nearest
from ..rulebase.data_types import DataType
from ..rulebase.given_attributes import accepted
from .calls import operator_call
from .compile import compile_clause, shape_of, uses_attrs
from .data import Declaration
from .definition import Definition
from .kinds import Kinds
from .scope import Names, Scope, static
from .syntax import ClauseError, Syntax, parse_file
from .written import A_KIND

__all__ = ["RuleFile"]

FEW = 16  # what takes so long that limits are looked at more often
_KINDS = ("type", "shape", "types", "list", "dim", "number", "dtype")
_MORE_OF = {"number": ("dim",), "list": ("shape", "types", "type")}  # what says more; `(a, b)` may be a type, too
_SORTS = {"type": "type", "shape": "list", "types": "list", "dim": "number", "number": "number"}


class RuleFile:
    """A file of clauses: its statements, and what they define."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.statements = parse_file(text, name)
        self.definitions: dict[str, Definition] = {}
        labels = (s.items[1] for s in self.statements if s.kind == "clause")
        self.labels = {str(label.value) for label in labels if label.kind != "none"}
        self.operators: list[tuple[Operator, Syntax]] = []
        self.data: list[Declaration] = []

    def declare_data(self, names: Names) -> None:
        """The data types of the file, by name. Raises ClauseError for a name that is declared twice."""
        self.data = [Declaration(s, self.name) for s in self.statements if s.kind == "data"]
        for declaration in self.data:
            known = names.data.get(declaration.name)
            if known is not None:
                message = f"the data type `{declaration.name}` is declared twice"
                raise ClauseError(message, declaration.where.span, (f"first at {known.file}:{known.line}",))
            names.data[declaration.name] = declaration.data

    def _define_constructors(self, names: Names) -> None:
        """The relations of the constructors. Raises ClauseError for a name that is taken, or a field that is none."""
        known = names.data_types
        for declaration in paced(self.data, 1):
            for stated in declaration.stated(known):
                name, where = stated.name, stated.constructor.label
                taken = self.definitions.get(name)
                if taken is not None:
                    message = f"`{name}` is declared twice, as what the data types of this file say"
                    raise ClauseError(message, where.span, (f"first on line {taken.relation.line}",))
                relation = Relation(name, stated.parameters, stated.doc, self.name, where.span.line)
                definition = self.definitions[name] = Definition(relation, False)
                definition.kinds = ["type"] * relation.arity
                definition.given = declaration.kinds
                definition.constructor = stated.constructor.name
                definition.clauses.append(("signature", stated.statement(known), stated.head, None, None))

    def declare(self, rules: RuleBase, names: Names, labels: dict[str, set[str]]) -> None:
        """The relations of the file, before any clause is compiled. Raises ClauseError.

        `names` and `labels` hold the relations that files before this one define, and the names of the clauses that
        these state, and learn those of this one.
        """
        declared = _declared([s for s in self.statements if s.kind == "declaration"], "relation")
        clauses = [s for s in self.statements if s.kind == "clause"]
        self._define_constructors(names)
        for statement in paced(declared.values(), 1):
            self._define(statement, rules, names, declared, clauses)
        for statement in paced(clauses, 1):
            self._define(statement, rules, names, declared, clauses)
            self._add(statement, labels)
        for name, definition in self.definitions.items():
            said = {clause[0] for clause in definition.clauses}
            if definition.extends:
                labels.setdefault(name, set()).update(said)
            else:
                labels[name] = said
                names.defined[name] = definition.relation
                names.kinds[name] = definition.kinds

    def _define(
        self, statement: Syntax, rules: RuleBase, names: Names, declared: dict[str, Syntax], clauses: list[Syntax]
    ) -> None:
        is_clause = statement.kind == "clause"
        name = statement.items[2].value[0] if is_clause else str(statement.items[0].value)
        extends = is_clause and statement.items[0].kind != "none"
        known = self.definitions.get(name)
        if known is not None:
            if known.constructor:
                what = f"that of the constructor `{known.constructor}`, declared on line {known.relation.line}"
                raise ClauseError(f"the relation `{name}` is {what}; it has no other clauses", statement.span)
            if extends and not known.extends and is_clause:
                raise ClauseError(f"`{name}` is defined in this file; its clauses need no `extend`", statement.span)
            if known.extends and not extends:
                raise ClauseError(f"this file extends `{name}`; mark this clause with `extend` too", statement.span)
            return
        if "." in name:
            raise ClauseError(f"`{name}` cannot name a relation", statement.span)
        if extends:
            relation = rules.relations.get(name)
            if relation is None:
                beside = names.defined.get(name)
                together = "is loaded together with this file, not before"
                hints = () if beside is None else (f"that of {beside.file} {together}",)
                message = f"there is no relation `{name}` to extend{nearest(name, rules.relations)}"
                raise ClauseError(message, statement.span, hints)
            self.definitions[name] = Definition(names.defined.get(name, relation), True)
            return
        mine = [c for c in clauses if c.items[2].value[0] == name]
        doc = ""
        if name in declared:
            _, given, text = declared[name].items
            parameters = tuple(str(token.value) for token in given.items) if given.kind == "names" else ()
            _check_once(given.items if given.kind == "names" else (), "parameter")
            if "attrs" in parameters[:-1]:
                where = given.items[parameters.index("attrs")]
                raise ClauseError("`attrs` is the last parameter: the attributes of a call", where.span)
            doc = "" if text.kind == "none" else str(text.value)[1:-1]
        else:
            parameters = (*(f"arg{i + 1}" for i in range(len(mine[0].items[2].items) - 1)), "out")
        if "attrs" not in parameters and any(uses_attrs(c.items[2], c.items[3]) for c in mine):
            parameters = (*parameters, "attrs")
        line = statement.span.line
        self.definitions[name] = Definition(Relation(name, parameters, doc, self.name, line), False)

    def _add(self, statement: Syntax, labels: dict[str, set[str]]) -> None:
        _, label, head, body = statement.items
        name, span = head.value
        definition = self.definitions[name]
        relation = definition.relation
        if len(head.items) != relation.arity:
            parameters = ", ".join(relation.parameters)
            terms = several(relation.arity, "term")
            message = f"`{name}` relates {terms} ({parameters}), this clause {len(head.items)}"
            raise ClauseError(message, span)
        taken = {c.name for c in relation.clauses} | labels.get(name, set()) if definition.extends else set()
        taken |= {clause[0] for clause in definition.clauses}
        if label.kind == "none":
            number = len(taken) + 1
            while f"clause_{number}" in taken | self.labels:
                number += 1
            clause_name = f"clause_{number}"
        else:
            clause_name = str(label.value)
        if clause_name in taken:
            raise ClauseError(f"`{name}` has a clause `{clause_name}` already", label.span)
        stated = None if body.kind == "none" else body
        for other, _, known_head, known_body, _ in definition.clauses:
            if shape_of(head, stated) == shape_of(known_head, known_body):
                raise ClauseError(f"this clause repeats `{other}` of line {known_head.span.line}", statement.span)
        definition.clauses.append((clause_name, statement, head, stated, None))

    def infer_kinds(self, names: Names) -> bool:
        """Learn what the arguments of the file's relations stand for; whether something new was learned.

        Raises ClauseError if that differs from clause to clause.
        """
        learned = False
        for definition in paced(self.definitions.values(), FEW):
            if definition.extends:
                continue
            while len(definition.learned) < len(definition.clauses):
                definition.learned.append(definition.kinds_in(names))
            for (_, _, head, body, _), kinds in zip(definition.clauses, definition.learned, strict=True):
                kinds.learn(head.items, definition.kinds, body)
                if definition.constructor:
                    continue
                for index, argument in enumerate(head.items):
                    known = definition.kinds[index]
                    found = kinds.term(argument, known)
                    if found is None and argument.kind == "name" and argument.value in kinds.listed:
                        found = "list"
                    if found in _KINDS and found != known and known not in _MORE_OF.get(found, ()):
                        if known is not None and found not in _MORE_OF.get(known, ()):
                            raise _differs(argument, found, known)
                        definition.kinds[index] = found
                        learned = True
        return learned

    def decide(self, stage: int) -> bool:
        """Decide what may be read in two ways in the clauses, at a stage; whether there was any."""
        found = [kinds.decide(stage) for definition in self.definitions.values() for kinds in definition.learned]
        return any(found)

    @property
    def related(self) -> list[str]:
        """The names of the relations that the operators of the file have."""
        return [str(s.items[3].value) for s in self.statements if s.kind in ("operator", "signature")]

    @property
    def attributes(self) -> list[tuple[str, str]]:
        """The attributes that the operators of the file declare, each with its kind."""
        declared = [a for s in self.statements if s.kind == "operator" for a in s.items[2].items]
        return [(str(a.value), str(a.items[0].value)) for a in declared]

    def compile(self, names: Names) -> None:
        """Compile all clauses and operators. Raises ClauseError."""
        names.strict = bool(self.data)
        for definition in self.definitions.values():
            relation = definition.relation
            for number, (label, statement, head, body, _) in enumerate(paced(definition.clauses, FEW)):
                kinds = definition.kinds_in(names) if definition.extends else definition.learned[number]
                known = names.positions(relation.name) if definition.extends else definition.kinds
                expected = known or [None] * relation.arity
                kinds.infer(head.items, expected, body)
                if not definition.constructor:
                    _check_kinds(head.items, expected, kinds)
                    own = definition.kinds_in(names)  # what this clause says by itself, whichever clause came first
                    own.infer(head.items, [None] * relation.arity, body)
                    _check_kinds(head.items, expected, own)
                made = compile_clause(head.items, expected, body, names, kinds, relation.takes_attrs)
                definition.clauses[number] = (label, statement, head, body, made)
        for definition in self.definitions.values():
            if definition.extends and definition.relation.takes_attrs:
                for operator in names.rules.operators.values():
                    if operator.relation is definition.relation:
                        _check_declared(definition, operator.name, operator.attributes)
        stated = _declared([s for s in self.statements if s.kind in ("operator", "signature")], "operator")
        self.operators = [(self._operator(statement, names), statement) for statement in stated.values()]

    def _operator(self, statement: Syntax, names: Names) -> Operator:
        items = statement.items
        if statement.kind == "operator":
            token, inputs, attributes, target = items
        else:
            token, inputs, result, target, order = items
            attributes = Syntax("none", None, (), statement.source, 0, 0)
            wanted = [*(str(t.value) for t in inputs.items), str(result.value)]
            if order.kind != "none" and [str(t.value) for t in order.items] != wanted:
                raise ClauseError(f"a relation takes the inputs, then the result: ({', '.join(wanted)})", order.span)
        relation = names.relation(str(target.value), target.span)
        if relation is None:
            known = [*names.defined, *names.rules.relations]
            raise ClauseError(f"there is no relation `{target.value}`{nearest(str(target.value), known)}", target.span)
        parameters = tuple(str(t.value) for t in inputs.items) if inputs.kind == "names" else ()
        _check_once(inputs.items if inputs.kind == "names" else (), "input")
        _check_once(attributes.items, "attribute")
        declared = {a.value: _attribute(a, names) for a in attributes.items}
        new = Operator(str(token.value), tuple(p for p in parameters if p != "..."), relation, declared)
        new.variadic = "..." in parameters
        new.family = Path(self.name).stem
        if not new.variadic and len(new.inputs) + 1 != relation.arity:
            count, types = several(len(new.inputs), "input"), several(relation.arity, "type")
            message = f"`{new.name}` has {count}, but {relation} relates {types}"
            raise ClauseError(message, statement.span)
        for argument, kind in zip(relation.parameters, names.positions(relation.name) or (), strict=False):
            if kind not in (None, "type"):
                message = f"`{argument}` of {relation} stands for {A_KIND[kind]}, but an operator relates types"
                raise ClauseError(message, target.span)
        definition = self.definitions.get(relation.name)
        if definition is not None:
            _check_declared(definition, new.name, declared)
        return new

    @whole
    def commit(self, rules: RuleBase) -> None:
        """Put what the file defines into the rule base."""
        for declaration in self.data:
            self._replace(rules.data_types.get(declaration.name), rules)
            rules.data_types[declaration.name] = declaration.data
        for name, definition in self.definitions.items():
            relation = _installed(definition, rules)
            if not definition.extends:
                relation.kinds = tuple(definition.kinds)
            for label, statement, _, _, made in definition.clauses:
                assert made is not None
                clause = Clause(relation, made.build(), label, statement.text)
                clause.file, clause.line, clause.doc = self.name, statement.span.line, ""
                clause.mentions, clause.known = made.mentions, rules.relations
                relation.add(clause)
            rules.relations[name] = relation
            if not relation.clauses:
                rules.notes.append(f"{self.name}:{relation.line}: relation `{name}` has no clauses, so it never holds")
        for operator, _ in self.operators:
            operator.relation = rules.relations[operator.relation.name]
            if operator.name in rules.operators:
                rules.notes.append(f"operator `{operator.name}` is declared again in {self.name}, which wins")
            rules.operators[operator.name] = operator
        rules.adopt()
        rules.forget()

    def _replace(self, known: DataType | None, rules: RuleBase) -> None:
        """Take out the relations of a data type that this file declares anew, as far as it does not define them."""
        if known is None:
            return
        rules.notes.append(f"{self.name}: the data type `{known.name}` replaces the one of {known.file}:{known.line}")
        for name in known.constructors:
            for relation in (name, f"{name}Pattern"):
                if relation not in self.definitions:
                    with suppress(KeyError):  # it stays in a rule base that is below this one
                        del rules.relations[relation]


def _installed(definition: Definition, rules: RuleBase) -> Relation:
    """The relation object that everybody uses, emptied if the definition replaces it."""
    new = definition.relation
    known = rules.relations.get(new.name)
    if known is None:
        return new
    if definition.extends:
        return known
    where = f"{known.file}:{known.line}"
    rules.notes.append(f"{new.file}:{new.line}: relation `{new.name}` replaces the one of {where}")
    parameters = (*new.parameters, "attrs") if new.takes_attrs else new.parameters
    known.__init__(new.name, parameters, new.doc, new.file, new.line)  # type: ignore[misc]
    return known


def _check_kinds(arguments: Sequence[Syntax], expected: Sequence[str | None], kinds: Kinds) -> None:
    """Raise ClauseError for a type, a list or a number where the other clauses of a relation speak of another one."""
    for argument, wanted in zip(arguments, expected, strict=True):
        found = kinds.term(argument, None)
        if wanted in _SORTS and found in _SORTS and _SORTS[found] != _SORTS[wanted]:
            raise _differs(argument, found, wanted)


def _check_declared(definition: Definition, operator: str, declared: Collection[str]) -> None:
    """Raise ClauseError for an attribute that a relation reads and an operator that it types does not declare."""
    for _, _, _, _, made in definition.clauses:
        for field, where in made.attributes.items() if made is not None else ():
            if field not in declared:
                message = f"`{operator}` does not declare attribute `{field}`{nearest(field, declared)}"
                raise ClauseError(message, where.span)


def _differs(argument: Syntax, found: str, wanted: str) -> ClauseError:
    message = f"`{argument.text}` stands for {A_KIND[found]}, but this argument for {A_KIND[wanted]}"
    return ClauseError(message, argument.span)


def _attribute(node: Syntax, names: Names) -> Attribute:
    kind, default, *values = node.items
    try:
        attribute = Attribute(node.value, str(kind.value), universe=_universe(values))
    except ValueError as problem:
        raise ClauseError(str(problem), kind.span) from None
    if default.kind == "none":
        return attribute
    made = static(default, Scope(names, Kinds(names.positions, names.parameters), operator_call))
    if made is None:
        raise ClauseError("a default is a literal", default.span)
    value = made([None])
    try:
        value = accepted(attribute, (value,) if kind.value == "list" and type(value) is int else value)
    except ValueError as problem:
        detail = f" ({problem})" if str(problem) else ""
        raise ClauseError(f"the default is not {attribute.accepts}{detail}", default.span) from None
    return Attribute(node.value, attribute.kind, value, universe=attribute.universe)


def _universe(values: Sequence[Syntax]) -> str:
    """The values that an attribute ranges over, as they are declared. Raises ClauseError for a text that is none."""
    for value in values:
        if value.value == '""' or {"|", "\\"} & {*value.value}:
            raise ClauseError(
                "a value that an attribute ranges over is a text that is not empty, without `|` and `\\`", value.span
            )
    return "|".join(str(value.value).strip('"') for value in values)


def _check_once(items: Iterable[Syntax], what: str) -> None:
    """Raise ClauseError for what an operator declares twice."""
    seen = set()
    for item in items:
        if item.value in seen:
            raise ClauseError(f"the {what} `{item.value}` is declared twice", item.span)
        seen.add(item.value)


def _declared(statements: Iterable[Syntax], what: str) -> dict[str, Syntax]:
    """Statements by the name of what they declare. Raises ClauseError for a name that is declared twice."""
    found: dict[str, Syntax] = {}
    for statement in statements:
        token = statement.items[0]
        first = found.setdefault(str(token.value), statement)
        if first is not statement:
            message = f"the {what} `{token.value}` is declared twice"
            raise ClauseError(message, token.span, (f"first on line {first.span.line}",))
    return found

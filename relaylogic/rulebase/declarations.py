"""What rule files in Python declare: relations, operators, and who makes the relations of data types."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from os.path import basename, splitext
from types import FunctionType
from typing import Any

from ..errors import several
from ..logic.terms.mistakes import RuleError
from .attributes import REQUIRED, Attribute, parse_attributes
from .contents import Contents
from .given_attributes import accepted
from .operators import Operator
from .python_files import rule_base_of
from .relation import Relation
from .term_kinds import annotated_kinds

__all__ = ["existing", "makes_relations", "operator", "relation"]


def _loading(module: dict[str, Any]) -> Contents:
    base = rule_base_of(module)
    if base is None:
        raise RuleError("operators are declared in rule files, which a RuleBase loads")
    return base


def relation(declaration: Callable[..., Any]) -> Relation:
    """Decorator: a relation with the function's name, parameters, docstring and annotated kinds (see `term_kinds`).

    In a rule file it joins the rule base that loads the file; a relation of a name that is loaded already replaces that
    one, for everybody who uses it. Elsewhere (a script, a notebook) it is a relation on its own.
    """
    base = rule_base_of(declaration.__globals__)
    parameters = _parameters_of(declaration)
    code, doc = declaration.__code__, inspect.getdoc(declaration) or ""
    new = Relation(declaration.__name__, parameters, doc, code.co_filename, code.co_firstlineno)
    new.kinds = annotated_kinds(declaration, new.parameters)
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
    known.kinds = new.kinds
    base.forget()
    return known


def _check_default(name: str, attribute: Attribute) -> None:
    """Raise RuleError for a default that the attribute does not accept."""
    for value in (attribute.default, attribute.omitted):
        try:
            if value is not REQUIRED:
                accepted(attribute, value)
        except ValueError as problem:
            detail = f" ({problem})" if str(problem) else ""
            message = f"operator `{name}`: the default of `{attribute.name}` is not {attribute.accepts}{detail}"
            raise RuleError(message) from None


def _parameters_of(declaration: Callable[..., Any]) -> tuple[str, ...]:
    """The names of a function's parameters; of a plain function its code has them, which is looked at faster."""
    code = declaration.__code__
    if type(declaration) is not FunctionType or hasattr(declaration, "__wrapped__") or code.co_flags & _STARRED:
        return tuple(inspect.signature(declaration).parameters)
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


_STARRED = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS


def existing(name: str) -> Relation:
    """For rule files: a relation that is loaded already, to call it or to add a clause. Raises RuleError."""
    base = _loading(sys._getframe(1).f_globals)
    base.forget()
    return base.relation(name)


def makes_relations(maker: Callable[..., Relation]) -> Callable[..., Relation]:
    """Decorator, for rule files: the relations of data types and tuples are made by this function, under its name.

    `constructor_relation(data, constructor)` and `pattern_relation(data, constructor)` take the definition of a data
    type and a constructor of it, `projection_relation(index)` a place in a tuple.
    """
    base = rule_base_of(maker.__globals__)
    if base is not None:
        base.makers[maker.__name__] = maker
        base.forget()
    return maker


def operator(
    name: str, inputs: str, relation: Relation, attributes: str | dict[str, Attribute] = "", doc: str = ""
) -> None:
    """For rule files: declare an operator.

    `inputs` are names separated by commas, `...` for any number of arguments; `attributes` is a declaration that
    `parse_attributes` reads, or an already parsed one shared by several operators.
    """
    base = _loading(sys._getframe(1).f_globals)
    if not isinstance(relation, Relation):
        raise RuleError(f"operator `{name}` needs a relation, which {relation!r} is not")
    names = tuple(part.strip() for part in inputs.split(",") if part.strip())
    declared = parse_attributes(attributes) if isinstance(attributes, str) else attributes
    for attribute in declared.values():
        _check_default(name, attribute)
    new = Operator(name, tuple(n for n in names if n != "..."), relation, declared)
    new.variadic = "..." in names
    new.doc = doc
    new.family = splitext(basename(sys._getframe(1).f_code.co_filename))[0]  # of hundreds; paths take ten times as long
    if not new.variadic and len(new.inputs) + 1 != relation.arity:
        count = len(new.inputs)
        inputs, types = several(count, "input"), several(relation.arity, "type")
        raise RuleError(f"operator `{name}` has {inputs}, but {relation} relates {types}")
    if name in base.operators:
        base.notes.append(f"operator `{name}` is declared again in {new.family}, which wins")
    base.operators[name] = new

"""Writing programs as Relay text, laid out as TVM lays it out.

One statement stands on one line: a let, or a graph binding `%0 = ...;` for every argument that is not a name
or a constant. A node that is used twice is bound once, where it is first met. What is printed reads back as
the same program.
"""

from __future__ import annotations

from collections.abc import Callable

from ..host.governor import written
from ..ir import Expr, IRModule, TypeData, free_vars
from .constant_table import ConstantTable
from .expr_printer import ExprPrinter, Piece, TypeOf
from .names import sigiled
from .trampoline import trampoline
from .type_text import parameters_text, type_text

__all__ = ["HEADER", "astext"]

HEADER = '#[version = "0.0.5"]'


def astext(
    program: IRModule | Expr,
    show_types: TypeOf | None = None,
    is_assumed: Callable[[Expr], bool] = lambda _: False,
) -> str:
    """The text of a module (with the version header) or of an expression (without).

    `show_types`, a function from an expression to its type or None, adds a comment `/* ty=... */` behind every let,
    graph binding, function, constant, result and unannotated parameter that has a type; `assumed` follows the type if
    `is_assumed` says so of the expression. A text that it gives instead stands there as it is. Free variables of an
    expression are declared by `free_var`.
    Raises LimitReached; ValueError for what was built and has no text: an attribute that is no plain value, a constant
    whose type is not known.
    """
    return written(lambda: _text(program, show_types, is_assumed))


def _text(program: IRModule | Expr, show_types: TypeOf | None, is_assumed: Callable[[Expr], bool]) -> str:
    if isinstance(program, IRModule):
        return _module_text(program, show_types, is_assumed)
    constants = ConstantTable()
    printer = ExprPrinter(program, show_types, constants, is_assumed=is_assumed)
    lines = [f"free_var {printer.declared(v)};" for v in free_vars(program)]
    text = _joined([*(f"{line}\n" for line in lines), trampoline(printer.scope(program, ""))])
    section = constants.section()
    return text if section is None else f"{text}\n#[metadata]\n{section}"


def _module_text(module: IRModule, show_types: TypeOf | None, is_assumed: Callable[[Expr], bool]) -> str:
    sections = [HEADER]
    sections += [f'import "{name}"' for name in module.imports]
    named = [handle.name_hint for handle in module.type_definitions]
    for name in named:
        if named.count(name) > 1:
            raise ValueError(f"the module has two data types of the name `{name}`, which text cannot tell apart")
    sections += [_type_data_text(data) for data in module.type_definitions.values()]
    for name, declared in module.declarations.items():
        written = sigiled("@", name[1:]) if name[0] == "@" else name
        sections.append(f"{written}: {type_text(declared)}")
    constants = ConstantTable(module.metadata)
    first_number = 0
    for variable, function in module.functions.items():
        printer = ExprPrinter(function, show_types, constants, first_number, is_assumed)
        head = f"def {sigiled('@', variable.name_hint)}"
        sections.append(_joined(trampoline(printer.function(head, function, ""))))
        first_number = printer.next_number
    section = constants.section()
    if section is not None:
        sections.append(f"#[metadata]\n{section.strip()}")
    return "\n".join(sections) + "\n"


def _joined(piece: Piece) -> str:
    """The text of a piece."""
    out: list[str] = []
    agenda = [piece]
    while agenda:
        item = agenda.pop()
        if type(item) is str:
            out.append(item)
        else:
            agenda.extend(reversed(item))
    return "".join(out)


def _type_data_text(data: TypeData) -> str:
    head = f"type {data.header}{parameters_text(data.type_vars)}"
    if data.extern:
        return f"extern {head}"
    lines = [f"{head} {{"]
    for constructor in data.constructors:
        fields = ", ".join(map(type_text, constructor.inputs))
        lines.append(f"  {constructor.name_hint}{f'({fields})' if fields else ''},")
    return "\n".join([*lines, "}"])

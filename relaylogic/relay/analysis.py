"""Questions about programs and types, under the names of `tvm.relay.analysis`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..errors import IllFormed, RelayLogicError, said
from ..ir import Expr, Function, IRModule, Let, children, free_vars, post_order
from ..ir.free import all_type_vars as _all_type_vars
from ..ir.free import all_vars, bound_vars
from ..ir.free import bound_type_vars as _bound_type_vars
from ..ir.free import free_type_vars as _free_type_vars
from ..types import GlobalTypeVar, TypeRelation, TypeVar
from .absent import absent
from .cases import unmatched_cases
from .ty import TypeKind

if TYPE_CHECKING:
    from .solver import TypeSolver

__all__ = [
    "TypeSolver",
    "all_dtypes",
    "all_type_vars",
    "all_vars",
    "bound_type_vars",
    "bound_vars",
    "check_kind",
    "free_type_vars",
    "free_vars",
    "list_op_freqs",
    "post_order_visit",
    "unmatched_cases",
    "well_formed",
]


def __getattr__(name: str) -> Any:
    if name == "TypeSolver":
        from .solver import TypeSolver

        return TypeSolver
    raise absent("relay.analysis", name)


def post_order_visit(expr: Expr, fvisit: Callable[[Expr], Any]) -> None:
    """Call `fvisit` with every node, children before parents, each once.

    The parameters of a function come before its body, the variable of a let before its value.
    """
    for node in post_order(expr, _with_binders):
        fvisit(node)


def _with_binders(node: Expr) -> tuple[Expr, ...]:
    if isinstance(node, Function):
        return (*node.params, node.body)
    return (node.var, node.value, node.body) if isinstance(node, Let) else children(node)


def free_type_vars(expr: Any, mod: IRModule | None = None) -> list[Any]:
    """The type parameters that occur in an expression or a type and are bound nowhere in it."""
    return _free_type_vars(expr)


def bound_type_vars(expr: Any, mod: IRModule | None = None) -> list[Any]:
    """The type parameters that an expression or a type binds."""
    return _bound_type_vars(expr)


def all_type_vars(expr: Any, mod: IRModule | None = None) -> list[Any]:
    """The type parameters that occur in an expression or a type."""
    return _all_type_vars(expr)


def well_formed(expr: Any) -> bool:
    """Whether an expression, or a module, is a graph without cycles in which every variable and type parameter is bound
    at most once and one that is bound is used only there. Variables may be free."""
    from ..infer.checks.well_formed import check_well_formed

    try:
        check_well_formed(expr)
    except IllFormed:
        return False
    return True


def check_kind(t: Any, mod: IRModule | None = None) -> TypeKind:
    """The kind of a type. Raises RelayLogicError if it is not well-kinded in the module."""
    from ..infer.checks.kinds import kind_problems

    if mod is not None and not isinstance(mod, IRModule):
        raise IllFormed(f"a module is an IRModule, which {said(mod)} is not")
    if isinstance(t, (TypeVar, GlobalTypeVar)):
        return TypeKind(t.kind)
    kind = TypeKind.Constraint if isinstance(t, TypeRelation) else TypeKind.Type
    problems = kind_problems(t, IRModule() if mod is None else mod, kind.value)
    if problems:
        raise RelayLogicError("; ".join(problem.message for problem in problems))
    return kind


def all_dtypes(expr: Expr) -> set[str]:
    """The dtypes of all tensors of an expression whose types were inferred."""
    found = set()
    for node in post_order(expr):
        known = node.checked_type_or_none
        if known is not None and hasattr(known, "dtype") and isinstance(known.dtype, str):
            found.add(known.dtype)
    return found


def list_op_freqs(mod: IRModule) -> dict[str, int]:
    """How often each operator is called in a module. Raises IllFormed for what is none."""
    from ..ir import Call, Op

    if not isinstance(mod, IRModule):
        raise IllFormed(f"the operators of a module are asked for, which {said(mod)} is not")
    counts: dict[str, int] = {}
    for function in mod.functions.values():
        for node in post_order(function):
            if isinstance(node, Call) and isinstance(node.op, Op):
                counts[node.op.name] = counts.get(node.op.name, 0) + 1
    return counts

"""Relay's Python API, with the names of `tvm.relay`: build programs, infer their types, ask about them.

    >>> from relaylogic import relay
    >>> x = relay.var("x", shape=(2, 3))
    >>> relay.transform.InferTypeLocal(relay.nn.relu(x) + relay.const(1.0))
    Tensor[(2, 3), float32]

Functions of operators (`relay.add`, `relay.nn.conv2d`) are made from the operator table when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING
from typing import Any as _Any

from ..ir import (
    Clause,
    Constructor,
    IRModule,
    Match,
    Pattern,
    PatternConstructor,
    PatternTuple,
    PatternVar,
    PatternWildcard,
    SourceName,
    Span,
    TypeData,
)
from . import expr, ty
from .expr import (
    Call,
    Constant,
    Expr,
    Function,
    GlobalVar,
    If,
    Let,
    RefCreate,
    RefRead,
    RefWrite,
    Tuple,
    TupleGetItem,
    TupleWrapper,
    Var,
    bind,
    const,
    var,
)
from .scope_builder import ScopeBuilder
from .ty import (
    Any,
    FuncType,
    GlobalTypeVar,
    IncompleteType,
    RefType,
    ShapeVar,
    TensorType,
    TupleType,
    Type,
    TypeCall,
    TypeConstraint,
    TypeKind,
    TypeRelation,
    TypeVar,
    scalar_type,
)

if TYPE_CHECKING:
    from . import (  # noqa: F401
        adt,
        analysis,
        base,
        build_module,
        dataflow_pattern,
        frontend,
        function,
        loops,
        op,
        parser,
        prelude,
        qnn,
        scope_builder,
        testing,
        transform,
    )
    from .base import pretty_print  # noqa: F401
    from .expr_functor import ExprFunctor, ExprMutator, ExprVisitor  # noqa: F401
    from .op import annotation, contrib, dyn, image, nn, random, vision  # noqa: F401
    from .op.tensor import *  # noqa: F403
    from .parser import astext, fromtext, parse, parse_expr  # noqa: F401
    from .prelude import Prelude  # noqa: F401
    from .type_functor import TypeFunctor, TypeMutator, TypeVisitor  # noqa: F401

__all__ = [
    "Any",
    "Call",
    "Clause",
    "Constant",
    "Constructor",
    "Expr",
    "FuncType",
    "Function",
    "GlobalTypeVar",
    "GlobalVar",
    "IRModule",
    "If",
    "IncompleteType",
    "Let",
    "Match",
    "Pattern",
    "PatternConstructor",
    "PatternTuple",
    "PatternVar",
    "PatternWildcard",
    "RefCreate",
    "RefRead",
    "RefType",
    "RefWrite",
    "ScopeBuilder",
    "ShapeVar",
    "SourceName",
    "Span",
    "TensorType",
    "Tuple",
    "TupleGetItem",
    "TupleType",
    "TupleWrapper",
    "Type",
    "TypeCall",
    "TypeConstraint",
    "TypeData",
    "TypeKind",
    "TypeRelation",
    "TypeVar",
    "Var",
    "bind",
    "const",
    "expr",
    "scalar_type",
    "ty",
    "var",
]

_LATER = {
    "ExprFunctor": ".expr_functor:ExprFunctor",
    "ExprMutator": ".expr_functor:ExprMutator",
    "ExprVisitor": ".expr_functor:ExprVisitor",
    "Prelude": ".prelude:Prelude",
    "TypeFunctor": ".type_functor:TypeFunctor",
    "TypeMutator": ".type_functor:TypeMutator",
    "TypeVisitor": ".type_functor:TypeVisitor",
    "adt": ".adt",
    "analysis": ".analysis",
    "annotation": ".op.annotation",
    "astext": ".parser:astext",
    "base": ".base",
    "build_module": ".build_module",
    "contrib": ".op.contrib",
    "dataflow_pattern": ".dataflow_pattern",
    "dyn": ".op.dyn",
    "expr_functor": ".expr_functor",
    "fromtext": ".parser:fromtext",
    "frontend": ".frontend",
    "function": ".function",
    "image": ".op.image",
    "loops": ".loops",
    "nn": ".op.nn",
    "op": ".op",
    "parse": ".parser:parse",
    "parse_expr": ".parser:parse_expr",
    "parser": ".parser",
    "prelude": ".prelude",
    "pretty_print": ".base:pretty_print",
    "qnn": ".qnn",
    "random": ".op.random",
    "scope_builder": ".scope_builder",
    "testing": ".testing",
    "transform": ".transform",
    "type_functor": ".type_functor",
    "vision": ".op.vision",
}


_HERE = __all__
del __all__  # which is asked for below, since only the operator table says which functions there are


def __getattr__(name: str) -> _Any:
    if name == "__all__":
        return __dir__()
    if name.startswith("__"):
        raise AttributeError(name)
    path = _LATER.get(name)
    if path is None:
        from .absent import absent, is_known
        from .op.rooms import lookup

        if is_known("relay", name):
            raise absent("relay", name)
        return lookup("", name)
    module, _, attribute = path.partition(":")
    value: _Any = import_module(module, __name__)
    if attribute:
        value = getattr(value, attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    from .op.rooms import functions

    return sorted({*_HERE, *_LATER, *functions("")})

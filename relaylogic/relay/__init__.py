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
    from .. import frontend  # noqa: F401
    from . import analysis, op, parser, prelude, qnn, scope_builder, transform  # noqa: F401
    from .functors import ExprFunctor, ExprMutator, ExprVisitor  # noqa: F401
    from .op import annotation, contrib, dyn, image, nn, random, vision  # noqa: F401
    from .op.tensor import *  # noqa: F403
    from .parser import astext, fromtext, parse, parse_expr  # noqa: F401
    from .prelude import Prelude  # noqa: F401
    from .type_functors import TypeFunctor, TypeMutator, TypeVisitor  # noqa: F401

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
    "ExprFunctor": ".functors:ExprFunctor",
    "ExprMutator": ".functors:ExprMutator",
    "ExprVisitor": ".functors:ExprVisitor",
    "Prelude": ".prelude:Prelude",
    "TypeFunctor": ".type_functors:TypeFunctor",
    "TypeMutator": ".type_functors:TypeMutator",
    "TypeVisitor": ".type_functors:TypeVisitor",
    "adt": "..ir",
    "analysis": ".analysis",
    "annotation": ".op.annotation",
    "astext": ".parser:astext",
    "contrib": ".op.contrib",
    "dyn": ".op.dyn",
    "expr_functor": ".functors",
    "fromtext": ".parser:fromtext",
    "frontend": "..frontend",
    "function": ".expr",
    "image": ".op.image",
    "nn": ".op.nn",
    "op": ".op",
    "parse": ".parser:parse",
    "parse_expr": ".parser:parse_expr",
    "parser": ".parser",
    "prelude": ".prelude",
    "qnn": ".qnn",
    "random": ".op.random",
    "scope_builder": ".scope_builder",
    "transform": ".transform",
    "type_functor": ".type_functors",
    "vision": ".op.vision",
}


def __getattr__(name: str) -> _Any:
    if name.startswith("__"):
        raise AttributeError(name)
    path = _LATER.get(name)
    if path is None:
        from .op.rooms import lookup

        return lookup("", name)
    module, _, attribute = path.partition(":")
    value: _Any = import_module(module, __name__)
    if attribute:
        value = getattr(value, attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    from .op.rooms import functions

    return sorted({*__all__, *_LATER, *functions("")})

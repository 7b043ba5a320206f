"""What could be wrong in a refuted program: annotations, demands and leaves, those near the refusals first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..infer.places import tail
from ..infer.sites import EqualSite
from ..infer.structure import InstanceSite
from ..ir import Call, Constant, Expr, Function, GlobalVar, IRModule, Let, Op, TupleGetItem, children, post_order
from ..ir import Var as LocalVar

if TYPE_CHECKING:
    from ..infer.program import Inference
    from ..infer.sites import Site

__all__ = ["Suspect", "homes", "suspects"]

MOST = 150
"""How many annotations and how many demands are suspected at most."""

LEAVES = 40
"""How many leaves are suspected at most, and how many annotations before them."""


@dataclass(frozen=True)
class Suspect:
    """One part of a program.

    `kind` is "annotation" (of the variable, or the result type of the function, `node`), "leaf" (a constant, a
    projection, or a call of an operator for its attributes) or "demand" (the site `site`).
    """

    kind: str
    node: Any
    span: Any
    site: Any = None

    @property
    def name(self) -> str:
        """The annotated thing in words."""
        return f"`%{self.node.name_hint}`" if isinstance(self.node, LocalVar) else "the result"


def suspects(inference: Inference, refused: Iterable[Site]) -> Iterator[Suspect]:
    """All that could be wrong where `refused` demands are, each once: annotations, leaves, then demands."""
    refused = list(refused)
    order = _nearest(inference.module, refused)
    rank = {id(node): i for i, node in enumerate(order)}
    owners = {site.owner for site in refused}
    results = [f for v, f in inference.module.functions.items() if v.name_hint in owners]
    annotated = {id(s.node): s for s in map(_annotation, [*results, *order]) if s is not None}
    yield from list(annotated.values())[:LEAVES]
    yield from [s for s in (_leaf(node, inference) for node in order) if s is not None][:LEAVES]
    yield from list(annotated.values())[LEAVES:MOST]
    demands = [s for s in inference.driver.sites if isinstance(s, (EqualSite, InstanceSite)) and id(s.expr) in rank]
    demands.sort(key=lambda s: rank[id(s.expr)])
    seen = set()
    for site in [*refused, *demands][:MOST]:
        if site.identity not in seen:
            seen.add(site.identity)
            yield Suspect("demand", site.expr, site.span, site)


def homes(module: IRModule) -> tuple[dict[int, str], dict[str, set[str]]]:
    """The name of the function that each node is in, by identity, and the names of the callers of each function."""
    owners: dict[int, str] = {}
    callers: dict[str, set[str]] = {}
    for variable, function in module.functions.items():
        name = variable.name_hint
        for node in post_order(function):
            owners[id(node)] = name
            if isinstance(node, GlobalVar):
                callers.setdefault(node.name_hint, set()).add(name)
            elif isinstance(node, Function):
                owners.update((id(p), name) for p in node.params)
            elif isinstance(node, Let):
                owners[id(node.var)] = name
    return owners, callers


def _annotation(node: Any) -> Suspect | None:
    if isinstance(node, LocalVar) and node.type_annotation is not None:
        return Suspect("annotation", node, node.type_span or node.span)
    if isinstance(node, Function) and node.ret_type is not None:
        return Suspect("annotation", node, node.ret_span)
    return None


def _leaf(node: Any, inference: Inference) -> Suspect | None:
    if type(node) is Call and type(node.op) is Op:
        operator = inference.driver.rules.operators.get(node.op.name)
        return Suspect("leaf", node, node.span) if operator is not None and operator.attributes else None
    return Suspect("leaf", node, node.span) if type(node) in (Constant, TupleGetItem) else None


def _nearest(module: IRModule, refused: list[Site]) -> list[Any]:
    """The nodes of the program, those that the refused demands are about first; bound variables count as nodes."""
    functions = {v.name_hint: f for v, f in module.functions.items()}
    values: dict[int, Any] = {}
    for function in module.functions.values():
        for node in post_order(function):
            if type(node) is Let:
                values[id(node.var)] = node.value
    found: dict[int, Any] = {}
    starts = [tail(site.expr)[0] for site in refused]
    owners = [functions[name] for name in dict.fromkeys(site.owner for site in refused) if name in functions]
    for level in (starts, owners, list(functions.values())):
        while level:
            following: list[Any] = []
            for node in level:
                if id(node) not in found:
                    found[id(node)] = node
                    following.extend(_behind(node, values, functions))
            level = following
    return list(found.values())


def _behind(node: Any, values: dict[int, Any], functions: dict[str, Any]) -> list[Any]:
    """What the type of a node depends on directly."""
    kind: Any = type(node)
    if kind is LocalVar:
        return [values[id(node)]] if id(node) in values else []
    if kind is GlobalVar:
        return [functions[node.name_hint]] if node.name_hint in functions else []
    if not isinstance(node, Expr):
        return []
    found = list(reversed(children(node)))
    if isinstance(node, Function):
        found.extend(node.params)
    elif isinstance(node, Let):
        found.append(node.var)
    return found

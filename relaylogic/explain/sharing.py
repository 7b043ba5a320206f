"""One variable used in two calls that want different types of it, while another variable is never used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..ir import Call, post_order
from ..ir import Var as LocalVar

if TYPE_CHECKING:
    from ..infer.program import Inference
    from ..infer.sites import Site

__all__ = ["misused"]


def misused(site: Site, inference: Inference) -> tuple[Call, Any, LocalVar] | None:
    """The call that most likely has a wrong argument, that argument, and the unused parameter that belongs there.

    None if the refused `site` does not share a parameter with another call, or if no parameter is unused. Parameters
    are declared in the order of their use, so the unused one belongs to the call with arguments declared next to it.
    """
    function = next((f for v, f in inference.module.functions.items() if v.name_hint == site.owner), None)
    if type(site.expr) is not Call or function is None:
        return None
    nodes = list(post_order(function))
    used = {id(node) for node in nodes if isinstance(node, LocalVar)}
    unused = [p for p in function.params if id(p) not in used]
    place = {id(p): i for i, p in enumerate(function.params)}
    shared = [a for a in site.expr.args if id(a) in place]
    if len(unused) != 1 or not shared:
        return None
    calls = [n for n in nodes if type(n) is Call and n is not site.expr and any(a is s for a in n.args for s in shared)]
    wanted = place[id(unused[0])]

    def apart(call: Call, argument: Any) -> int:
        own = [abs(place[id(a)] - wanted) for a in call.args if id(a) in place and a is not argument]
        return min(own, default=len(place))

    for call in calls:
        argument = next(a for a in call.args if any(a is s for s in shared))
        if apart(call, argument) == 1 < apart(site.expr, argument):
            return call, argument, unused[0]
    return None

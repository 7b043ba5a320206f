"""relaylogic: the types of Relay programs by logic programming.

    >>> import relaylogic
    >>> relaylogic.infer("def @main(%x: Tensor[(2, 3), float32]) { nn.relu(%x) }").functions["main"]
    fn (Tensor[(2, 3), float32]) -> Tensor[(2, 3), float32]

Everything is loaded when it is first used, so that importing the package is cheap. Threads may be the first users: they
load one after the other, since Python's import locks know a package from its modules only when one waits for the other.
"""

from __future__ import annotations

from importlib import import_module
from threading import RLock
from typing import TYPE_CHECKING, Any

from .host.above import register
from .host.version import VERSION

if TYPE_CHECKING:
    from . import error, ir, relay
    from .api import infer, infer_call, parse
    from .errors import RelayLogicError
    from .errors import RelayLogicError as TVMError
    from .host.governor import LimitReached, limits
    from .infer.results.result import Result
    from .ir import IRModule
    from .relay import instrument, nd, parser, te
    from .relay import passes as transform
    from .relay import te as tir
    from .relay.nd import cpu
    from .session import Session
    from .typings.program import typings
    from .typings.query import query
    from .typings.running import run

__version__ = VERSION

__all__ = [
    "IRModule",
    "LimitReached",
    "RelayLogicError",
    "Result",
    "Session",
    "TVMError",
    "cpu",
    "error",
    "infer",
    "infer_call",
    "instrument",
    "ir",
    "limits",
    "nd",
    "parse",
    "parser",
    "query",
    "relay",
    "run",
    "te",
    "tir",
    "transform",
    "typings",
]

_WHERE = {
    "IRModule": "ir:IRModule",
    "LimitReached": "host.governor:LimitReached",
    "RelayLogicError": "errors:RelayLogicError",
    "Result": "infer.results.result:Result",
    "Session": "session:Session",
    "TVMError": "errors:RelayLogicError",
    "cpu": "relay.nd:cpu",
    "error": "error",
    "infer": "infer",
    "infer_call": "api:infer_call",
    "instrument": "relay.instrument",
    "ir": "ir",
    "limits": "host.governor:limits",
    "nd": "relay.nd",
    "parse": "api:parse",
    "parser": "relay.parser",
    "query": "typings.query:query",
    "relay": "relay",
    "run": "typings.running:run",
    "te": "relay.te",
    "tir": "relay.te",
    "transform": "relay.passes",
    "typings": "typings",
}

register(
    {
        "Call.attrs": "relaylogic.relay.attrs:attributes_of",
        "Call.told": "relaylogic.relay.attrs:told",
        "Call.type_args": "relaylogic.relay.instances:type_arguments",
        "Constant.data": "relaylogic.relay.constants:NDArray",
        "Op.get": "relaylogic.relay.op.op:get",
        "attribute of Op": "relaylogic.relay.op.op:entry_attribute",
        "clauses of a text": "relaylogic.clauses.load:load_clauses",
        "clauses of files": "relaylogic.clauses.load:load_files",
        "core.rly": "relaylogic.prelude:core_module",
        "module as HTML": "relaylogic.relay.display:module_html",
        "names of tvm.ir": "relaylogic.relay.names_of_ir:named",
        "nat.rly": "relaylogic.prelude:nat_module",
        "plain text": "relaylogic.text.typed:plain_text",
        "prelude.rly": "relaylogic.prelude:prelude_module",
        "result as HTML": "relaylogic.relay.display:result_html",
        "result in a notebook": "relaylogic.relay.display:result_bundle",
        "rules": "relaylogic.rulebase:default_rules",
        "typed text": "relaylogic.text.typed:typed_text",
    }
)

# What needs no inference as long as programs are only built, and is imported at the price of what it needs.
_BUILDING = frozenset({"error", "errors", "host.governor", "ir", "relay", "relay.nd", "relay.te"})

_loading = RLock()


def __getattr__(name: str) -> Any:
    where = _WHERE.get(name)
    if where is None:
        if name.startswith("__"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from .relay.absent import absent

        raise absent("", name)
    module, _, attribute = where.partition(":")
    with _loading:
        if module not in _BUILDING:
            import_module(".api", __name__)  # what all the others build on, and calls of `infer` need
        value: Any = import_module(f".{module}", __name__)
        if attribute:
            value = getattr(value, attribute)
        globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_WHERE})

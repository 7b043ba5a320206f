"""Errors under the names of `tvm.error`; all are the one base of what relaylogic reports."""

from __future__ import annotations

from .errors import RelayLogicError

__all__ = [
    "DiagnosticError",
    "InternalError",
    "OpAttributeInvalid",
    "OpAttributeRequired",
    "OpAttributeUnImplemented",
    "OpError",
    "OpNotImplemented",
    "TVMError",
]

TVMError = DiagnosticError = InternalError = OpError = RelayLogicError
OpAttributeInvalid = OpAttributeRequired = OpAttributeUnImplemented = OpNotImplemented = RelayLogicError

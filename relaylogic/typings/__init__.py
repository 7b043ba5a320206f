"""Queries and all consistent typings of programs. The package is called as `program.typings`."""

from ..host.callable_package import make_callable

make_callable(__name__, "relaylogic.typings.program", "typings")

"""From reductions of the pattern rules to patterns."""

from __future__ import annotations

from typing import Any

from ..ir import Constructor, Pattern, PatternConstructor, PatternTuple, PatternVar, PatternWildcard, Var
from .context import unquoted
from .term_builder import TermBuilder
from .tokens import Token, shown

__all__ = ["PatternBuilder"]


class PatternBuilder(TermBuilder):
    """Patterns bind their variables when the arm's head is complete; until then they wait in `pending`."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.pending: list[Var] = []
        self.in_case = False

    def constructor_named(self, name: str) -> Constructor | None:
        found = self.constructors.get(name)
        if found is None and (self.module.imports or self.module.type_definitions):
            return self.module.find_constructor(name)
        return found

    def wildcard(self, c: list[Any]) -> Pattern:
        return PatternWildcard(self.token_span(c[0]))

    def pattern_var(self, c: list[Any]) -> Pattern:
        annotated = len(c) > 1
        variable = Var(
            unquoted(c[0]),
            c[2] if annotated else None,
            self.token_span(c[0]),
            self.annotation(c[1]) if annotated else None,
        )
        self.pending.append(variable)
        return PatternVar(variable, self.span(c[0].start))

    def pattern_name(self, c: list[Any]) -> Pattern:
        token: Token = c[0]
        constructor = self.constructor_named(token.value)
        if constructor is not None:
            return PatternConstructor(constructor, (), self.token_span(token))
        if self.in_case and token.value[0].islower():
            variable = Var(token.value, None, self.token_span(token))
            self.pending.append(variable)
            self.bare_vars.add(variable)
            return PatternVar(variable, variable.span)
        raise self.unknown_constructor(token)

    def unknown_constructor(self, token: Token) -> Exception:
        known = list(self.constructors)
        for module in self.module.imports.values():
            known += [c.name_hint for data in module.type_definitions.values() for c in data.constructors]
        return self.unknown("constructor", token.value, token, known, f"a variable is written `%{shown(token.value)}`")

    def pattern_constructor(self, c: list[Any]) -> Pattern:
        constructor = self.constructor_named(c[0].value)
        if constructor is None:
            raise self.unknown_constructor(c[0])
        return PatternConstructor(constructor, c[2] if type(c[2]) is list else (), self.span(c[0].start))

    def pattern_unit(self, c: list[Any]) -> Pattern:
        return PatternTuple((), self.span(c[0].start))

    def pattern_tuple(self, c: list[Any]) -> Pattern:
        return PatternTuple(c[1], self.span(c[0].start))

    def case_open(self, c: list[Any]) -> int:
        self.in_case = True
        return c[0].start  # type: ignore[no-any-return]

    def case_head(self, c: list[Any]) -> Any:
        self.in_case = False
        return self.bind_pattern(c[1], c[0])

    def arm_head(self, c: list[Any]) -> Any:
        pattern: Pattern = c[0]
        return self.bind_pattern(pattern, pattern.span.start if pattern.span else 0)

    def bind_pattern(self, pattern: Pattern, start: int) -> Any:
        self.locals.enter()
        for variable in self.pending:
            self.locals.bind(variable.name_hint, variable)
        self.pending = []
        return pattern, start

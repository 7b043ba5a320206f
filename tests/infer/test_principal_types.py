"""The type that is inferred for an open program says no less and no more than the program.

Every parameter is given every type of a small universe that its annotation allows: the function with these annotations
has a type exactly if a call of the open function with arguments of these types has one, and then the results are the
same. The call knows nothing of the function but its type, as text.
"""

from __future__ import annotations

from itertools import product

from hypothesis import assume, given, settings

from relaylogic.api import infer
from relaylogic.rulebase import load_rules
from relaylogic.types import show_type
from tests.typings.test_random_programs import MOST, choices, programs

RULES = load_rules()
UNIVERSE = (2, 2, ("int8",))


def result_of(result, name):
    """The result type that a function has, as text, or the verdict if that is not `typed`."""
    return str(result.functions[name].ret_type) if result.verdict == "typed" else result.verdict


def differences(program, universe):
    """What the program and its inferred type say differently, for all arguments of a universe."""
    options = [given or [None] for given in choices(program, universe)]
    size = 1
    for given_types in options:
        size *= len(given_types)
    assume(size <= MOST)
    opened = infer(program.text(), rules=RULES)
    assert opened.verdict in ("typed", "refuted", "unknown"), opened.verdict
    scheme = show_type(opened.functions["main"])
    found = []
    for chosen in product(*options):
        annotated = [str(a) if t is None else f": {t}" for a, t in zip(program.parameters, chosen, strict=True)]
        direct = result_of(infer(program.text(annotated), rules=RULES), "main")
        if opened.verdict == "refuted":
            if direct != "refuted":
                found.append((annotated, direct, "refuted"))
            continue
        header = ", ".join(f"%p{i}{a}" for i, a in enumerate(annotated))
        arguments = ", ".join(f"%p{i}" for i in range(len(annotated)))
        caller = f"@main: {scheme}\ndef @caller({header}) {{ @main({arguments}) }}"
        called = result_of(infer(caller, rules=RULES), "caller")
        if direct != called:
            found.append((annotated, direct, called))
    return scheme, found


@settings(max_examples=150, deadline=None, derandomize=True)
@given(programs())
def test_an_inferred_type_has_the_instances_that_the_program_has(program):
    scheme, found = differences(program, UNIVERSE)
    assert not found, (program.text(), scheme, found[:3], len(found))

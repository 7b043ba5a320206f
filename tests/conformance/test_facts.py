"""What TVM 0.14 says of call sites, and where the rule base differs on purpose."""

from __future__ import annotations

from relaylogic.rulebase import default_rules
from tests.conformance.facts import by_operator, compared, deviations, facts
from tests.together import together


@together("name", sorted(facts()))
def test_every_fact_holds_or_is_a_listed_deviation(name):
    misses = [
        f"{fact['id']} {name} {fact['attrs']} {', '.join(fact['in'])}\n"
        f"    TVM:  {'refused: ' + fact['error'] if 'error' in fact else fact['out']}\n    ours: {ours}"
        for fact, ours, same in compared(name)
        if not same and not any(entry.covers(fact) for entry in by_operator(name))
    ]
    assert not misses, f"{len(misses)} of {len(facts()[name])} facts differ:\n" + "\n".join(misses[:10])


@together("entry", deviations(), lambda entry: f"{entry.operators[0]}: {entry.condition}")
def test_every_deviation_covers_facts_that_differ_and_no_other(entry):
    unknown = [name for name in entry.operators if name not in default_rules().operators]
    assert not unknown, f"the entry names operators that do not exist: {unknown}"
    covered = [
        (fact, same)
        for name in entry.operators
        if name in facts()
        for fact, _, same in compared(name)
        if entry.covers(fact)
    ]
    assert covered, "no fact meets the condition"
    agreed = [f"{fact['id']} {fact['op']} {fact['attrs']} {', '.join(fact['in'])}" for fact, same in covered if same]
    assert not agreed, "TVM and the rule base agree on facts that meet the condition:\n" + "\n".join(agreed[:10])


def test_counts(record_property):
    same = differs = 0
    for name in facts():
        for _, _, agreed in compared(name):
            same, differs = same + agreed, differs + (not agreed)
    total = same + differs
    on_purpose = f"{differs} differ on purpose, by {len(deviations())} listed deviations"
    record_property("told", f"{total} facts: {same} agree, {on_purpose}")
    assert same > 0.9 * total

"""The parts of a refuted program that have nothing to do with each other, to be explained each on its own.

Functions of which none mentions one of the others, not over third ones either, say nothing of each other: what they say
is consistent if what each of them says is. So the faults of such parts are independent, and a question about one part
need not look at another. What is tied so is told by union and find.
"""

from __future__ import annotations

from collections import defaultdict

from .said import Part, Said

__all__ = ["apart"]


def apart(said: Said) -> list[Said]:
    """What is said in each part that has something refused, the first refusal first."""
    refused = said.refused(said.all)
    if len({site.owner for site in refused}) < 2:
        return [said]
    part_of = _parts(said)
    wrong = dict.fromkeys(part_of.get(site.owner, "") for site in refused)
    if len(wrong) < 2 or "" in wrong:
        return [said]
    functions, places, behind = defaultdict(list), defaultdict(list), defaultdict(list)
    for name, part in part_of.items():
        functions[part].append(name)
    for index in said.all:
        places[part_of[said.places.all[index].owner]].append(index)
    for site in () if said.further is None else said.further.failed():
        behind[part_of.get(site.owner, "")].append(site.identity)
    return [said.only(functions[part], Part(places[part]), frozenset(behind[part])) for part in wrong]


def _parts(said: Said) -> dict[str, str]:
    """The name of a function of its part, by the name of each function."""
    places = said.places
    parent = {name: name for name in places.nodes}

    def found(name: str) -> str:
        while parent[name] != name:
            parent[name] = name = parent[parent[name]]
        return name

    for callee, callers in places.mentions.items():
        for caller in callers if callee.name_hint in parent else ():
            parent[found(caller.name_hint)] = found(callee.name_hint)
    for name, nodes in places.nodes.items():  # what is built by a program may share its expressions
        for index in (index for node in nodes for index in places.at(node)):
            parent[found(name)] = found(places.all[index].owner)
    return {name: found(name) for name in parent}

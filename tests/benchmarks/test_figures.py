"""The README's table of speeds is the one that the command makes: its rows, and what was measured on TVM."""

from tests.benchmarks.figures import BEGIN, CLASSES, END, README, class_of, known, measured, table


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def test_the_table_has_the_networks_that_were_measured():
    text = README.read_text(encoding="utf-8")
    shown = text[text.index(BEGIN) + len(BEGIN) : text.index(END)].strip().split("\n")
    classes = {name: [(n, None) for n in known() if class_of(n) == name] for name in CLASSES}
    assert all(classes.values()) and sum(map(len, classes.values())) == 150
    for row, made in zip(shown, table(classes), strict=True):
        theirs = (0, 1, 2, 7)
        assert [cells(row)[i] for i in theirs] == [cells(made)[i] for i in theirs]
        assert all(cells(row))


def test_a_network_is_measured():
    network = next(n for n in known() if n.name == "mlp")
    found = measured(network, unit=1e-6)
    assert min(found.fresh, found.stored, found.parse) > 0
    (row,) = list(table({"small": [(network, found)]}))[2:]
    assert cells(row)[1] == f"1, {network.calls}" and all(cells(row))

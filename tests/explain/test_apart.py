"""Parts of a program that have nothing to do with each other are explained each on its own."""

import relaylogic
from tests.counted import at_most, growth

HELPER = "def @half(%x, %y) { nn.dense(%x, %y, units=4) }\n"

FAULTY = [
    "def @f(%x: Tensor[(2, 3), float32], %w: Tensor[(4, 5), float32]) { nn.dense(%x, %w, units=4) }\n",
    "def @g(%x: Tensor[(2, 3), float32]) -> Tensor[(2, 4), float32] { nn.relu(nn.relu(%x)) }\n",
    "def @h(%x: Tensor[(2, 3), float32], %b: bool) { if (%b) { %x } else { nn.batch_flatten(%b) } }\n",
    HELPER + "def @k(%x: Tensor[(2, 3), float32], %w: Tensor[(3, 4), float32]) { @half(%x, %w) }\n",
]
"""Programs of which each is refused for a fault of its own."""

RIGHT = "def @right(%x: Tensor[(7), int8]) { add(%x, %x) }\n"


def told(text):
    """What is said of each error but where it stands."""
    errors = relaylogic.infer(text).errors
    return sorted((e.message, e.relation, e.clause, e.hints, [label.message for label in e.related]) for e in errors)


def counted(count):
    """How many functions are called for the errors of so many faulty functions."""
    function = "def @f{}(%x: Tensor[(2, 3), float32], %w: Tensor[(4, 5), float32]) {{ nn.dense(%x, %w) }}\n"
    result = relaylogic.infer("".join(function.format(i) for i in range(count)))
    assert result.verdict == "refuted"
    with at_most(10**7) as calls:
        assert len(result.errors) == count
    return calls.made


def test_what_is_wrong_in_one_part_is_told_as_if_there_was_no_other():
    alone = [error for text in FAULTY for error in told(text)]
    assert len(alone) == len(FAULTY)
    assert told("".join(FAULTY) + RIGHT) == sorted(alone)


def test_functions_that_call_the_same_one_are_no_parts_of_their_own():
    """What both need of it may be wrong there."""
    text = """def @shared(%x: Tensor[(9, 3), float32]) { nn.relu(%x) }
    def @f(%x: Tensor[(2, 3), float32]) { @shared(%x) }
    def @g(%y: Tensor[(2, 3), float32]) { @shared(%y) }
    """
    (error,) = relaylogic.infer(text).errors
    assert error.span.text == "Tensor[(9, 3), float32]"


def test_faults_of_parts_take_a_time_that_is_linear_in_their_number():
    """That of each was looked for in all: 24 took nine seconds, as they take half of one now."""
    counted(2)
    few, many = counted(6), counted(24)
    assert many < 6 * few


def test_conflicts_of_parts_are_those_of_each():
    """What is refused in several parts was told apart by all corrections of all of them: of eight, for minutes."""
    function = "def @f{}(%x: Tensor[({}), int8], %y: Tensor[(99), int8]) {{ add(%x, %y) }}\n"
    result = relaylogic.infer("".join(function.format(i, i + 2) for i in range(16)))
    with at_most(400_000):
        assert [len(conflict.places) for conflict in result.conflicts()] == [3] * 16


def test_the_first_correction_is_one_of_each_part():
    """It was looked for in all of them together, with an inference of all for each place: 80 took over a second."""

    def corrected(count):
        function = "def @f{}(%x: Tensor[({}), int8], %y: Tensor[(99), int8]) {{ add(%x, %y) }}\n"
        result = relaylogic.infer("".join(function.format(i, i + 2) for i in range(count)))
        first = next(result.corrections())
        assert len(first.places) == count
        without = [place.span for place in first.places]
        assert len({span.line for span in without}) == count

    assert growth(corrected, 40) < 2.3

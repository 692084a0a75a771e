"""Random choices that must never change, and strict YAML in several shapes."""

import pytest

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.readers.strictyaml import Either, check_yaml
from cnfgen_puzzles.common.seededchoice import SeededChoice


def test_the_sequence_of_a_seed_is_fixed():
    choice = SeededChoice("test", 7)
    assert [choice.below(1000) for _ in range(6)] == [213, 842, 275, 458, 19, 20]
    assert "".join(choice.shuffled("abcdefgh")) == "egchdfba"
    assert choice.chosen(range(100)) == 58


def test_purposes_have_sequences_of_their_own():
    assert SeededChoice("a", 1).random() != SeededChoice("b", 1).random()
    assert SeededChoice("a", 1).random() == SeededChoice("a", 1).random()


def test_choices_are_even():
    choice = SeededChoice("even", 1)
    counts = [0] * 5
    for _ in range(5000):
        counts[choice.below(5)] += 1
    assert min(counts) > 850
    firsts = {choice.shuffled("abc")[0] for _ in range(50)}
    assert firsts == set("abc")


SHAPES = {"a": Either(scalar=int, list=[int]), "b": Either(scalar=("x", "y"), mapping={"c": str})}


@pytest.mark.parametrize("text, value", [
    ("a: 1\nb: x", {"a": 1, "b": "x"}),
    ("a: [1, 2]\nb: {c: 1.10}", {"a": [1, 2], "b": {"c": "1.10"}}),
])  # fmt: skip
def test_the_shape_of_the_value_selects_the_schema(text, value):
    assert check_yaml(text, SHAPES, source="f").value == value


@pytest.mark.parametrize(
    "text, message",
    [
        ("a: {c: 1}", "f:1: found a mapping, expected a whole number or a list in 'a'"),
        ("a:\n", "f:1: found '', expected a whole number or a list in 'a'"),
        ("a: x", "f:1: found 'x', expected a whole number"),
        ("a: 1\nb: [1]", "f:2: found a list, expected one of x, y or a mapping"),
        ("b: z", "f:1: found 'z', expected one of x, y"),
        ("b: {d: z}", "f:1: unknown key 'd'"),
    ],
)
def test_other_shapes_are_refused(text, message):
    with pytest.raises(InputError) as caught:
        check_yaml(text, SHAPES, source="f")
    assert str(caught.value).startswith(message)

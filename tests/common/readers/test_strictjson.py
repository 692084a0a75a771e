"""JSON of other programs, in one value or in lines: limited, finite, without duplicate keys; otherwise a one-line error."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import other_input_limits
from cnfgen_puzzles.common.journal import end_last_line, read_lines
from cnfgen_puzzles.common.readers.strictjson import NotJson, parse_json, parse_object

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4),
    max_leaves=8,
)


def read(text, **place):
    return parse_json(text, "a map", source="x.json", **place)


def refusal(text, **place):
    with pytest.raises(InputError) as caught:
        read(text, **place)
    told = str(caught.value)
    assert told.startswith("x.json")
    assert "\n" not in told
    assert len(told) < 400
    return told


@given(VALUES, st.booleans())
def test_values_are_read(value, ascii_only):
    text = json.dumps(value, ensure_ascii=ascii_only)
    assert read(text) == value
    assert read(text.encode()) == value


@pytest.mark.parametrize("text", ["[" * 101 + "]" * 101, "[" * 100_000, '{"a":' * 100_000, '[{"a":' * 70 + "1" + "}]" * 70])
def test_depth_has_a_limit(text):
    assert "CNFGEN_INPUT_LIMITS=depth=" in refusal(text)
    assert read("[" * 100 + "]" * 100)


def test_values_are_counted_before_they_are_made():
    with other_input_limits(values=100):
        assert "CNFGEN_INPUT_LIMITS=values=" in refusal("[" + "{}," * 100)
        assert len(read("[" + "{}," * 40 + "{}]")) == 41


@pytest.mark.parametrize("text", ["1" * 1001, "-" + "1" * 5000, "[" + "1" * 100_000 + "]", '{"a": ' + "9" * 4301 + "}"])
def test_digits_are_counted(text):
    assert "digits" in refusal(text)


def test_long_numbers_and_texts_of_digits_are_accepted():
    assert read(f'["{"7" * 100_000}", {"1" * 1000}]') == ["7" * 100_000, int("1" * 1000)]


@pytest.mark.parametrize(
    "text",
    [
        "NaN",
        "[Infinity]",
        "-Infinity",
        "1e999",
        "-1e999",
        '{"a": 1, "a": 2}',
        '[{"b": {"a": 1, "c": 3, "a": 1}}]',
        r'"\ud800"',
        r'{"\uDFFF": 1}',
        "",
        "{",
        "[1,]",
        "01",
        "1_0",
        "+1",
        ".5",
        "\u0665",
        "'a'",
        "[1] x",
        '"\n"',
        "\ufeff[]",
        b"\xff",
        b"\xff\xfe1\x00",
        b'"\xed\xa0\x80"',
        b"\x00",
        "nul",
        '{"' + "k" * 100_000 + '": 1, "' + "k" * 100_000 + '": 1}',
    ],
)
def test_errors_of_invalid_json_are_one_line(text):
    refusal(text)


def test_errors_name_lines():
    assert refusal("{\n\n x").startswith("x.json:3: ")
    assert refusal("[x", line=7).startswith("x.json:7: ")
    with pytest.raises(InputError, match="found an array, expected a JSON object"):
        parse_object("[]", "a map", source="x")


@given(st.binary(max_size=80) | st.text('{}[]",:\\u0d8e1-.N ', max_size=40).map(str.encode))
def test_any_bytes_are_a_value_or_refused(data):
    try:
        json.dumps(read(data), allow_nan=False, ensure_ascii=False).encode()
    except InputError as error:
        assert "\n" not in str(error)


def read_jsonlines(path):
    return [line.entry for line in read_lines(path)]


# -- lines ----------------------------------------------------------------------------------------------------------------


@given(st.lists(st.dictionaries(st.text(max_size=3), VALUES, max_size=3), max_size=4), st.integers(0, 400))
def test_incomplete_last_lines_are_omitted_and_removed(tmp_path_factory, entries, cut):
    path = tmp_path_factory.getbasetemp() / "lines.jsonl"
    text = "".join(json.dumps(entry) + "\n" for entry in entries).encode()[:cut]
    path.write_bytes(text)
    kept = read_jsonlines(path)
    assert kept == entries[: len(kept)]
    assert len(kept) in (text.count(b"\n"), text.count(b"\n") + 1)
    end_last_line(path)
    assert read_jsonlines(path) == kept
    assert path.read_bytes()[-1:] in (b"", b"\n")


def test_a_long_last_line_is_found(tmp_path):
    path = tmp_path / "lines.jsonl"
    path.write_text('{"a": 1}\n{"b": "' + "x" * 1_000_000)
    end_last_line(path)
    assert path.read_text() == '{"a": 1}\n'


@given(st.binary(max_size=80))
def test_any_bytes_are_lines_or_refused(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    path.write_bytes(data)
    try:
        assert all(isinstance(entry, dict) for entry in read_jsonlines(path))
    except InputError as error:
        assert "\n" not in str(error)


def test_a_last_line_that_is_refused_is_not_one_that_was_cut_off(tmp_path):
    path = tmp_path / "lines.jsonl"
    path.write_text('{"a": 1}\n{"a": ' + "[" * 300 + "]" * 300 + "}")
    with pytest.raises(InputError, match="depth") as caught:
        read_jsonlines(path)
    assert not isinstance(caught.value, NotJson)
    with pytest.raises(InputError, match="depth"):
        end_last_line(path)


def test_lines_without_an_end_are_bounded(tmp_path):
    with other_input_limits(size=1000):
        with pytest.raises(InputError, match="a line of more than 1000 bytes"):
            path = tmp_path / "lines.jsonl"
            path.write_bytes(bytes(5000))
            read_jsonlines(path)
        path.write_text('{"a": 1}\n' * 1000)
        assert len(read_jsonlines(path)) == 1000

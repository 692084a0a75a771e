"""A strict YAML reader: each fault is an InputError with the file, the line, and the closest valid key.

A schema is made of plain Python:

- `str`, `int`, `float`, `bool`: one value (`str` takes any scalar exactly as it is written, so `version: 2.20` stays `2.20`);
- `("a", "b")`: one of these words;
- `[schema]`: a list;
- `{"key": schema, ...}`: these keys and no others; `Required(schema)` marks required keys;
- `{str: schema}`: any keys, each with such a value;
- `ANYTHING`: any value, which `Document.part` checks later;
- `Either(scalar=..., list=..., mapping=...)`: the shape of the value selects one of these schemas.

Duplicate keys, which YAML libraries accept, are refused. Documents that are too deep or too large (`inputlimits.py`) are refused
before YAML libraries read them, since these recurse without a bound.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import yaml
from yaml.constructor import SafeConstructor

from cnfgen_puzzles.common.errors import InputError, unknown_name
from cnfgen_puzzles.common.inputlimits import WORDS, checked_amount, input_limits, shortened, too_much
from cnfgen_puzzles.common.sources import open_file

LINE_END = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
MOST_DIRECTIVES = 100
TAGS: Mapping[type, str] = {kind: f"tag:yaml.org,2002:{kind.__name__}" for kind in (int, float, bool)}
CONVERTERS: Mapping[type, Callable[[SafeConstructor, yaml.ScalarNode], Any]] = {
    int: SafeConstructor.construct_yaml_int,
    float: SafeConstructor.construct_yaml_float,
    bool: SafeConstructor.construct_yaml_bool,
}
KINDS = {"str": "text", "int": "a whole number", "float": "a number", "bool": "true or false"}


@dataclass(frozen=True)
class Required:
    """A required key of a mapping."""

    schema: Any


@dataclass(frozen=True)
class Either:
    """A value with several allowed shapes; None for a shape that is not allowed."""

    scalar: Any = None
    list: Any = None
    mapping: Any = None

    def description(self) -> str:
        """The shapes that are allowed, in words."""
        shapes = (("a list", self.list), ("a mapping (key: value)", self.mapping))
        words = [expected_of(self.scalar)] if self.scalar is not None else []
        return " or ".join([*words, *(name for name, schema in shapes if schema is not None)])


ANYTHING: Final = object()


@dataclass(frozen=True)
class Document:
    """A checked document: its value, the line on which each path of keys (`("kissat", "executable")`) was written, and how."""

    value: Any
    lines: dict[tuple[str, ...], int]
    source: str = ""
    nodes: dict[tuple[str, ...], yaml.Node] = field(default_factory=dict)

    def part(self, schema: Any, *path: str) -> Any:
        """The value at this path, for which the schema has `ANYTHING`, checked now."""
        node = self.value
        for key in path:
            node = node[key]
        return _Checker(self.source).check(node, schema, path)


def expected_of(scalar: Any) -> str:
    """The description of a scalar schema."""
    return f"one of {', '.join(scalar)}" if isinstance(scalar, tuple) else KINDS[scalar.__name__]


def read_yaml(path: Path, schema: Any) -> Document:
    """The document in the file at `path`, checked against `schema`."""
    return check_yaml(open_file(path).text(), schema, source=str(path))


def lines_of(text: str) -> list[str]:
    """The lines of a document as YAML counts them, with more line ends than `\\n`."""
    return LINE_END.split(text)


def check_yaml(text: str, schema: Any, *, source: str) -> Document:
    """The document in `text`, checked against `schema`; `source` is the name to give in errors."""
    try:
        _check_extent(text, source)
        node = yaml.compose(text, Loader=LOADER)
    except yaml.MarkedYAMLError as error:
        line = min(error.problem_mark.line + 1, len(lines_of(text))) if error.problem_mark else None
        problem = ", ".join(filter(None, (error.context, error.problem)))
        raise InputError(f"not YAML: {problem}", source=source, line=line) from None
    except (yaml.YAMLError, UnicodeEncodeError) as error:
        raise InputError(f"not YAML: {' '.join(str(error).split())}", source=source) from None
    if node is None:
        raise InputError("found no content, expected a YAML document", source=source, line=1)
    checker = _Checker(source)
    return Document(checker.check(node, schema, ()), checker.lines, source, checker.nodes)


def _check_extent(text: str, source: str) -> None:
    """InputError for a document that is too deep or too large: composing it needs stack and memory."""
    limits = input_limits()
    directives = text.count("\n%")
    if directives > MOST_DIRECTIVES:  # the time for each grows with their number
        raise InputError(f"found {directives} lines that begin with %, expected at most {MOST_DIRECTIVES}", source=source)
    depth = values = 0
    for event in yaml.parse(text, LOADER):
        values += isinstance(event, yaml.NodeEvent)
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > limits.depth or values > limits.elements:
            name, most = ("depth", limits.depth) if depth > limits.depth else ("elements", limits.elements)
            line = event.start_mark.line + 1 if event.start_mark else None
            raise too_much(name, f"more than {most} {WORDS[name]}", source=source, line=line)


class _Checker:
    """Checks a document against its schema. The target of an alias counts at each use."""

    def __init__(self, source: str):
        self.source = source
        self.lines: dict[tuple[str, ...], int] = {}
        self.nodes: dict[tuple[str, ...], yaml.Node] = {}
        self.values = 0
        self.limits = input_limits()

    def check(self, node: yaml.Node, schema: Any, path: tuple[str, ...]) -> Any:
        self.lines[path] = node.start_mark.line + 1
        self.nodes[path] = node
        self.values += 1
        if self.values > self.limits.elements:
            found = f"more than {self.limits.elements} values, those that aliases repeat among them"
            raise too_much("elements", found, source=self.source, line=self.lines[path])
        if len(path) > self.limits.depth:
            found = f"more than {self.limits.depth} levels of nesting, those of aliases among them"
            raise too_much("depth", found, source=self.source, line=self.lines[path])
        if schema is ANYTHING:
            return node
        if isinstance(schema, Required):
            return self.check(node, schema.schema, path)
        if isinstance(schema, Either):
            return self.check(node, self._shape(node, schema, path), path)
        if isinstance(schema, dict):
            return self._mapping(node, schema, path)
        if isinstance(schema, list):
            return self._list(node, schema[0], path)
        return self._scalar(node, schema, path)

    def _shape(self, node: yaml.Node, schema: Either, path: tuple[str, ...]) -> Any:
        """The schema for the shape of this value."""
        shapes: dict[type[yaml.Node], Any] = {yaml.MappingNode: schema.mapping, yaml.SequenceNode: schema.list}
        shape = shapes.get(type(node), schema.scalar)
        if shape is None or node.tag.endswith(":null"):
            raise self._wrong(node, path, schema.description())
        return shape

    def _mapping(self, node: yaml.Node, schema: dict[Any, Any], path: tuple[str, ...]) -> dict[str, Any]:
        if not isinstance(node, yaml.MappingNode):
            raise self._wrong(node, path, "a mapping (key: value)")
        value: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = self._scalar(key_node, str, path)
            if key in value:
                raise self._error(key_node, f"found the key {shortened(key)} a second time")
            if str not in schema and key not in schema:
                raise self._error(key_node, unknown_name("key", key, map(str, schema)))
            value[key] = self.check(value_node, schema.get(key, schema.get(str)), (*path, key))
        for key, part in schema.items():
            if isinstance(part, Required) and key not in value:
                raise self._error(node, f"the key {key!r} is missing{_inside(path)}")
        return value

    def _list(self, node: yaml.Node, schema: Any, path: tuple[str, ...]) -> list[Any]:
        if not isinstance(node, yaml.SequenceNode):
            raise self._wrong(node, path, "a list")
        return [self.check(item, schema, (*path, str(number))) for number, item in enumerate(node.value)]

    def _scalar(self, node: yaml.Node, schema: Any, path: tuple[str, ...]) -> Any:
        words = schema if isinstance(schema, tuple) else ()
        expected = expected_of(schema)
        if not isinstance(node, yaml.ScalarNode) or node.tag.endswith(":null"):
            raise self._wrong(node, path, expected)
        if words or schema is str:
            if words and node.value not in words:
                raise self._wrong(node, path, expected)
            return node.value
        return self._converted(node, schema, path)

    def _converted(self, node: yaml.ScalarNode, schema: type, path: tuple[str, ...]) -> Any:
        """The number or truth value of a scalar in YAML's notation; `.inf` and `.nan` are refused."""
        kinds = {int: (int,), float: (int, float), bool: (bool,)}[schema]
        kind = next((kind for kind in kinds if node.tag == TAGS[kind]), None)
        if kind is None:
            raise self._wrong(node, path, expected_of(schema))
        digits = len(node.value)
        message = f"a number of {digits} characters{_inside(path)}"
        checked_amount("digits", digits, found=message, source=self.source, line=self.lines[path])
        try:
            value = schema(CONVERTERS[kind](SafeConstructor(), node))
        except (ValueError, LookupError, OverflowError):  # `!!int x`, `!!bool x`, a number above all floating-point numbers
            raise self._wrong(node, path, expected_of(schema)) from None
        if schema is float and not math.isfinite(value):
            raise self._wrong(node, path, f"{expected_of(schema)}, neither infinite nor undefined,")
        return value

    def _wrong(self, node: yaml.Node, path: tuple[str, ...], expected: str) -> InputError:
        kinds: dict[type[yaml.Node], str] = {yaml.MappingNode: "a mapping", yaml.SequenceNode: "a list"}
        found = kinds.get(type(node)) or shortened(node.value)
        return self._error(node, f"found {found}, expected {expected}{_inside(path)}")

    def _error(self, node: yaml.Node, message: str) -> InputError:
        return InputError(message, source=self.source, line=node.start_mark.line + 1)


def _inside(path: tuple[str, ...]) -> str:
    return f" in {shortened('.'.join(path))}" if path else ""

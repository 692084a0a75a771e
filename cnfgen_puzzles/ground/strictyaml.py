"""YAML that people write, read strictly: every mistake is an InputError with the file, the line and the nearest right key.

A schema is made of plain Python:

- `str`, `int`, `float`, `bool`: one value (`str` takes any scalar exactly as it is written, so `version: 2.20` stays `2.20`);
- `("a", "b")`: one of these words;
- `[schema]`: a list;
- `{"key": schema, ...}`: these keys and no others, `Required(schema)` marks those that must be there;
- `{str: schema}`: any keys, each with such a value;
- `Either(scalar=..., list=..., mapping=...)`: what is written decides which of these schemas holds.

It knows nothing of solvers. Duplicate keys, which YAML libraries let pass, are refused.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from cnfgen_puzzles.ground.errors import InputError
from cnfgen_puzzles.ground.suggestions import unknown_name

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
KINDS = {"str": "text", "int": "a whole number", "float": "a number", "bool": "true or false"}


@dataclass(frozen=True)
class Required:
    """A key of a mapping that must be there."""

    schema: Any


@dataclass(frozen=True)
class Either:
    """A value that may be written in more than one shape; None for a shape that is not allowed."""

    scalar: Any = None
    list: Any = None
    mapping: Any = None

    def told(self) -> str:
        """The shapes that are allowed, in words."""
        shapes = (("a list", self.list), ("a mapping (key: value)", self.mapping))
        words = [expected_of(self.scalar)] if self.scalar is not None else []
        return " or ".join([*words, *(name for name, schema in shapes if schema is not None)])


@dataclass(frozen=True)
class Document:
    """A checked document: its value, the line on which each path of keys (`("kissat", "executable")`) was written, and how."""

    value: Any
    lines: dict[tuple[str, ...], int]
    nodes: dict[tuple[str, ...], yaml.Node] = field(default_factory=dict)


def expected_of(scalar: Any) -> str:
    """What a scalar schema expects, in words."""
    return f"one of {', '.join(scalar)}" if isinstance(scalar, tuple) else KINDS[scalar.__name__]


def read_yaml(path: Path, schema: Any) -> Document:
    """The document in the file at `path`, checked against `schema`."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot be read: {reason}", source=str(path)) from None
    return check_yaml(text, schema, source=str(path))


def check_yaml(text: str, schema: Any, *, source: str) -> Document:
    """The document in `text`, checked against `schema`; `source` is the name to give in errors."""
    try:
        node = yaml.compose(text, Loader=LOADER)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else None
        raise InputError(f"not YAML: {error.problem}", source=source, line=line) from None
    except yaml.YAMLError as error:
        raise InputError(f"not YAML: {error}", source=source) from None
    if node is None:
        raise InputError("found nothing, expected a YAML document", source=source, line=1)
    checker = _Checker(source)
    return Document(checker.check(node, schema, ()), checker.lines, checker.nodes)


class _Checker:
    """Walks a document and its schema side by side."""

    def __init__(self, source: str):
        self.source = source
        self.lines: dict[tuple[str, ...], int] = {}
        self.nodes: dict[tuple[str, ...], yaml.Node] = {}

    def check(self, node: yaml.Node, schema: Any, path: tuple[str, ...]) -> Any:
        self.lines[path] = node.start_mark.line + 1
        self.nodes[path] = node
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
        """The schema that holds for what is written here."""
        shapes: dict[type[yaml.Node], Any] = {yaml.MappingNode: schema.mapping, yaml.SequenceNode: schema.list}
        shape = shapes.get(type(node), schema.scalar)
        if shape is None or node.tag.endswith(":null"):
            raise self._wrong(node, path, schema.told())
        return shape

    def _mapping(self, node: yaml.Node, schema: dict[Any, Any], path: tuple[str, ...]) -> dict[str, Any]:
        if not isinstance(node, yaml.MappingNode):
            raise self._wrong(node, path, "a mapping (key: value)")
        value: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = self._scalar(key_node, str, path)
            if key in value:
                raise self._error(key_node, f"found the key {key!r} a second time")
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
        tags = {int: ("int",), float: ("int", "float"), bool: ("bool",)}[schema]
        if node.tag.rsplit(":", 1)[1] not in tags:
            raise self._wrong(node, path, expected)
        return schema(yaml.load(node.value, LOADER))

    def _wrong(self, node: yaml.Node, path: tuple[str, ...], expected: str) -> InputError:
        kinds: dict[type[yaml.Node], str] = {yaml.MappingNode: "a mapping", yaml.SequenceNode: "a list"}
        found = kinds.get(type(node)) or repr(node.value)
        return self._error(node, f"found {found}, expected {expected}{_inside(path)}")

    def _error(self, node: yaml.Node, message: str) -> InputError:
        return InputError(message, source=self.source, line=node.start_mark.line + 1)


def _inside(path: tuple[str, ...]) -> str:
    return f" in {'.'.join(path)!r}" if path else ""

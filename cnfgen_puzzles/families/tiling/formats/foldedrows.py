"""Drawings whose rows YAML joined to one, as it does where a key has no `|` behind it: another puzzle than is meant."""

from __future__ import annotations

import re
from collections.abc import Sequence

import yaml


def folded_rows(key: str, node: yaml.Node, lines: Sequence[str]) -> int:
    """On how many lines of the file a drawing stands; 0 if all of them are rows of its value, too.

    `pinned` need not be a drawing: its places, such as `0,0 0,1`, may run on over lines.
    """
    if not isinstance(node, yaml.ScalarNode) or node.style == "|":
        return 0
    if key == "pinned" and all("," in text for text in re.split(r"\bor\b", node.value)):
        return 0
    start, end = node.start_mark.line + (node.style == ">"), node.end_mark.line + (node.end_mark.column > 0)
    rows = sum(bool(line.strip()) for line in lines[start:end])
    return rows if rows > sum(bool(line.strip()) for line in node.value.split("\n")) else 0

"""XML as a tree of elements with their lines, for readers whose errors name the line.

Nothing outside the text is read: declared entities are refused, and a DTD is not fetched.
"""

from __future__ import annotations

import contextlib
from html.entities import html5
from xml.parsers import expat

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.inputlimits import SHOWN, checked_amount, input_limits, shortened

BEGINNING = 10_000
"""Characters at the beginning of a file that are searched for its first element."""


def root_name(text: str) -> str:
    """The name of the first element, in lower case; `""` for text that does not begin like XML."""
    names: list[str] = []
    if text.lstrip().startswith("<"):
        parser = expat.ParserCreate("utf-8")
        parser.StartElementHandler = lambda name, attributes: names.append(name)
        with contextlib.suppress(expat.ExpatError):
            parser.Parse(text.lstrip()[:BEGINNING].encode("utf-8", "replace"), False)
    return names[0].lower() if names else ""


class Element:
    """One element: its name, attributes, children, text and line."""

    __slots__ = ("attributes", "children", "line", "name", "pieces", "source")

    def __init__(self, name: str, attributes: dict[str, str], source: str, line: int):
        self.name, self.attributes, self.source, self.line = name, attributes, source, line
        self.children: list[Element] = []
        self.pieces: list[str] = []

    @property
    def text(self) -> str:
        """The text between the tags, without that of elements inside."""
        return "".join(self.pieces)

    def error(self, message: str) -> InputError:
        return InputError(message, source=self.source, line=self.line)

    def named(self, name: str) -> list[Element]:
        """The children of this name."""
        return [child for child in self.children if child.name == name]

    def only(self, name: str) -> Element:
        """The one child of this name; InputError if there are none or several."""
        found = self.named(name)
        if len(found) != 1:
            raise self.error(f"found {len(found) or 'no'} <{name}> in <{self.name}>, expected one")
        return found[0]

    def holds_only(self, name: str) -> None:
        """InputError if this element contains text or elements other than `name`."""
        if self.text.strip():
            raise self.error(f"found the text {shortened(self.text.strip())} in <{self.name}>, expected only <{name}> elements")
        for child in self.children:
            if child.name != name:
                raise child.error(f"found <{child.name[:SHOWN]}> in <{self.name}>, expected <{name}>")


def parse_xml(text: str, source: str, expected: str, *, lower: bool = False) -> Element:
    """The root element; InputError if the text is not well-formed (`expected` describes the expected text).

    With `lower`, element names are converted to lower case. HTML's entities (`&copy;`) are predefined.
    """
    if not text.strip():
        raise InputError(f"found an empty file, expected {expected}", source=source, line=1)
    # The parser collects all attributes of an element before it calls this reader, and two million elements take seconds.
    checked_amount("elements", amount := text.count("="), found=f"{amount} equals signs (attributes)", source=source)
    checked_amount("elements", amount := text.count("<") - text.count("</"), found=f"{amount} opening tags", source=source)
    limits = input_limits()
    parser = expat.ParserCreate()
    parser.buffer_text = True
    before = text[: len(text) - len(text.lstrip())].count("\n")  # blank lines, which are not allowed before an XML declaration
    top = Element("", {}, source, 1)
    inside = [top]
    count = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1 + len(attributes)
        element = Element(name.lower() if lower else name, attributes, source, before + parser.CurrentLineNumber)
        if count > limits.elements or len(inside) > limits.depth:
            for limit, amount in (("elements", count), ("depth", len(inside))):
                checked_amount(limit, amount, source=source, line=element.line)
        inside[-1].children.append(element)
        inside.append(element)

    def refuse(name: str, *_: object) -> None:
        message = f"found a declaration of the entity {shortened(name)}, expected none: entities are not expanded"
        raise InputError(message, source=source, line=before + parser.CurrentLineNumber)

    def refuse_default(name: str, attribute: str, kind: str, default: str | None, required: int) -> None:
        if default is not None:  # it applies to each element of that name: kilobytes could become gigabytes
            message = f"found a value for all attributes {shortened(attribute)}, expected that each element has its own"
            raise InputError(message, source=source, line=before + parser.CurrentLineNumber)

    def skipped(name: str, parameter: bool) -> None:
        if not parameter:
            inside[-1].pieces.append(html5.get(f"{name};", f"&{name};"))

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda name: inside.pop()
    parser.CharacterDataHandler = lambda piece: inside[-1].pieces.append(piece)
    parser.EntityDeclHandler = refuse
    parser.AttlistDeclHandler = refuse_default
    parser.SkippedEntityHandler = skipped
    try:
        parser.Parse(text.lstrip(), True)
    except expat.ExpatError as error:
        message = f"found XML that is not well-formed ({expat.ErrorString(error.code)}), expected {expected}"
        raise InputError(message, source=source, line=before + error.lineno) from None
    return top.children[0]

"""Detection of the family of a puzzle file by its suffix and its content. `fileformats.py` detects the format within a family."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common.addresses import ALIASES, FORM, PENPA, Address, addresses_in, is_pzpr
from cnfgen_puzzles.common.errors import InputError, InputWarning, unknown_name
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.families import BUILT_IN, ENDINGS, GENRES, Family, family_names, find_family
from cnfgen_puzzles.families.fileformats import Format, explain, foreign_kind

GENERIC = (".txt",)
"""Suffixes that say nothing about the family."""


def installed_families(built_in: Iterable[str] = BUILT_IN) -> tuple[Family, ...]:
    """All installed families, or those of this package with these names and the third-party families."""
    return (*map(find_family, built_in), *third_party_families())


@cache
def third_party_families() -> tuple[Family, ...]:
    """The families of other packages. An InputWarning names each one that cannot be loaded."""
    found = []
    for name in family_names():
        if name not in BUILT_IN:
            try:
                found.append(find_family(name))
            except InputError as error:
                warnings.warn(InputWarning(error.message, source=error.source), stacklevel=2)
    return tuple(found)


def detect_family(source: Source, format: str | None = None, families: Iterable[Family] | None = None) -> Family:
    """The family of a puzzle file; InputError if no family, or more than one, can have such a file. `families`: the candidates
    (None: all that are installed; those with the suffix are tried first, so that the others are not imported).

    Families that recognize the content precede families that only have the suffix. `format` is the name of a format that the
    family must have. A family that detects its files by suffix alone keeps a suffix that no other family has, whatever the
    content is.
    """
    source.check_puzzle()
    text = source.data.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")

    def fitting(families: Iterable[Family]) -> list[Family]:
        """The families with the suffix that recognize the content, or detect their files by the suffix alone."""
        named = ((family, _of_ending(family, source)) for family in families)
        return [each for each, entries in named if entries and (_knows(each, text) or not any(e.recognise for e in entries))]

    if families is None:
        if format is None and (addresses := addresses_of(source)):
            return find_genre(next((each for each in addresses if _readable(each.genre)), addresses[0]), source.name)
        near = [each for each in installed_families(ENDINGS.get(source.suffix, ())) if format is None or format in each.formats]
        if len(found := fitting(near)) == 1:
            return found[0]
        families = installed_families()
    known = [family for family in families if format is None or format in family.formats]
    by_suffix = [family for family in known if _of_ending(family, source) and (source.suffix not in GENERIC or format)]
    content = [family for family in known if _knows(family, text)]
    candidates = fitting(known) or content or by_suffix or ([] if format is None else known)
    if len(candidates) == 1:
        return candidates[0]
    if any(family.name in GENRES for family in candidates) and source.data.strip():
        raise InputError(f"found no address, expected {FORM}, or a file that begins with pzprv3", source=source.name, line=1)
    if candidates and foreign_kind(source.data) is None and source.data.strip():
        several = _listed(family.formats.expected for family in candidates)
        calls = _listed(f"`{family.name} {source.name}`" for family in candidates)
        raise InputError(f"found a file that may be {several}; name the family before the file: {calls}", source=source.name)
    if not known:
        raise InputError(unknown_name("format", format or "", {name for family in families for name in family.formats}))
    wanted = _listed({family.formats.expected if family.name not in GENRES else "a grid puzzle": None for family in known})
    raise explain(None, source, wanted, [entry for family in known for entry in family.formats.readable])


def _readable(genre: str) -> bool:
    """Whether a family reads addresses of this genre; a third-party family does if it has the name."""
    return genre in ("nonogram", *GENRES) or (genre not in BUILT_IN and genre in family_names())


def find_genre(address: Address, source: str) -> Family:
    """The genre that an address or a file of pzpr names; InputError for a genre that this package does not have."""
    if _readable(address.genre):
        return find_family(address.genre)
    if drawing := PENPA.fullmatch(address.text):
        from cnfgen_puzzles.families.links import penpa  # seldom needed

        try:
            name, why = penpa.genre_of(drawing["data"]), ""
        except ValueError as error:
            name, why = "", str(error)
        if _readable(name):
            return find_family(name)
        why = (
            why or f"found an address of penpa-edit whose tags name {repr(name) if name else 'no genre'}, expected one; name it "
        )
        why += "" if why[-1] == ")" else "before the address, such as: solve-puzzle slither 'https://...'"
    elif not address.genre:
        why = f"found another URL, expected {FORM}"
    elif address.genre in Path(__file__).with_name("links").joinpath("pzpr-genres.txt").read_text().split():
        why = f"found the genre {address.genre} of puzz.link, whose addresses this package does not read; "
        why += "`gen-cnf --help` lists its genres"
    else:
        why = unknown_name("genre", address.genre, ("nonogram", *GENRES))
    raise InputError(why, source=source, line=None if address.text == source else address.line)


def addresses_of(source: Source) -> Sequence[Address]:
    """The addresses of a file, or one for a file of pzpr; none for other files."""
    text = source.data.decode("utf-8-sig", "replace")
    if is_pzpr(text):
        head, name = 1 + text.startswith("v:"), ""
        if lines := text.split("\n", head + 1)[head : head + 1]:
            name = lines[0].strip()
        return [Address("", ALIASES.get(name, name) or "(none)", head + 1)]
    try:
        return addresses_in(text)
    except ValueError as error:
        raise InputError(str(error), source=source.name) from None


def _of_ending(family: Family, source: Source) -> list[Format[Any]]:
    """The formats with the suffix of the source."""
    return [entry for entry in family.formats.values() if source.suffix in entry.suffixes]


def _knows(family: Family, text: str) -> bool:
    return any(entry.recognise is not None and entry.recognise(text) for entry in family.formats.values())


def _listed(words: Iterable[str]) -> str:
    """`a`, `a or b`, `a, b or c`."""
    *first, last = list(words) or [""]
    return f"{', '.join(first)} or {last}" if first else last

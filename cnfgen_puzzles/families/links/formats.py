"""The formats of a genre: addresses of puzz.link and game IDs, one or a file of them, and files of pzpr."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from cnfgen_puzzles.common.addresses import (
    ALIASES,
    FORM,
    GAME_ID,
    GAMES,
    PENPA,
    PUZZ_LINK,
    PZPR_FILE,
    SUDOKU,
    Address,
    addresses_in,
)
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.lazy import module
from cnfgen_puzzles.families.fileformats import Format

if TYPE_CHECKING:
    from cnfgen_puzzles.families.links import penpa, pzpr, pzprfile, tatham
    from cnfgen_puzzles.families.links.pzpr import Size
else:  # nonograms do not need them: they are seldom addresses
    penpa, pzpr, pzprfile, tatham = (module(f"{__package__}.{name}") for name in ("penpa", "pzpr", "pzprfile", "tatham"))


def url_format(genre: Any) -> Format[Any]:
    """Addresses of this genre, a `Genre` or a module with the same members. A file can have several, also of other genres, which
    count but cannot be read."""

    def recognise(text: str) -> bool:
        if text.startswith("SAVEFILE:"):
            return genre.name in GAMES.values()
        return any(address.genre == genre.name or PENPA.fullmatch(address.text) for address in addresses_in(text))

    def read_set(text: str, name: str) -> list[Callable[[], Any]]:
        try:
            found = addresses_in(text)
        except ValueError as error:
            raise InputError(str(error), source=name) from None
        if not found:
            raise InputError(f"found no address, expected {FORM}", source=name, line=1)
        if text.strip() == name:  # it is the address itself and not a file
            found = tuple(address._replace(line=0) for address in found)
        return [partial(_read, genre, address, name) for address in found]

    def write(puzzle: Any) -> str:
        body = pzpr.write_body(genre.url, _size_of(puzzle), vars(puzzle))
        variant = "".join(f"{flags}/" for flags in (getattr(puzzle, "variant", ""),) if flags)
        return f"{genre.name}/{variant}{puzzle.width}/{puzzle.height}/{body}\n"

    return Format("url", "a puzz.link URL", (".url",), recognise, None, write, read_set)


def _read(genre: Any, address: Address, name: str) -> Any:
    """The puzzle of an address; InputError with the line and the character of what is wrong."""
    try:
        if found := PENPA.fullmatch(address.text):
            return _checked(genre, *penpa.read(genre.url, genre.name, found["data"]))
        if address.genre != genre.name:
            raise ValueError(f"found the genre {address.genre}, expected {genre.name}")
        if found := GAME_ID.fullmatch(address.text):
            reader = pzpr.Reader(address.text, found.start("desc"))
            size, fields = tatham.read_game(found["game"], found["params"], found.start("params"), reader)
            more = {name: fields.pop(name, ()) for name in ("rooms", "sets")}  # rules of Sudoku that addresses of puzz.link lack
            return replace(_checked(genre, size, {**pzpr.read_body(genre.url, size, ""), **fields}), **more)
        if SUDOKU.fullmatch(address.text):
            numbers = [int(sign) if sign in "123456789" else pzpr.NONE for sign in address.text]
            return genre.puzzle(9, 9, numbers=pzpr.cut(numbers, [9] * 9))
        if found := PZPR_FILE.fullmatch(address.text):
            return _read_file(genre, unquote(found["file"]).replace("/", "\n"))
        found = PUZZ_LINK.fullmatch(address.text)
        assert found is not None
        variant = "".join(flag for flag in genre.variants if flag in (found["variant"] or ""))
        if set(found["variant"] or "") - set("".join((*genre.styles, variant))):
            raise ValueError(f"character {found.start('variant') + 1}: {_variant(genre, found['variant'])}")
        for side in ("width", "height"):
            if not 1 <= int(found[side][:9]) <= pzpr.MOST_SIDE:
                raise ValueError(
                    f"character {found.start(side) + 1}: found the {side} {found[side]:.20}, expected 1 to {pzpr.MOST_SIDE}"
                )
        size = pzpr.Size(int(found["height"]), int(found["width"]))
        body, start = ("", 0) if found["body"] is None else (address.text[: found.end("body")], found.start("body"))
        return _puzzle(genre, size, pzpr.read_body(genre.url, size, body, start), variant)
    except ValueError as error:
        raise InputError(str(error), source=name, line=address.line or None) from None


def _variant(genre: Any, flags: str) -> str:
    """The sentence that names a variant."""
    if "d" in flags and "c" in genre.styles:
        return (
            f"found {flags!r:.40}, an old form of addresses of {genre.name}; open it in puzz.link, which shows the present form"
        )
    known = f"one of {', '.join(genre.variants)}" if genre.variants else "no variant"
    rules = " (other rules that only its author tells)" if flags.startswith("v:") else ""
    return f"found the variant {flags!r:.40} of {genre.name}{rules}, expected {known}"


def _size_of(puzzle: Any) -> Size:
    """The size of a puzzle; ValueError for one that cannot be read again."""
    if max(puzzle.height, puzzle.width) > pzpr.MOST_SIDE:
        raise ValueError(f"found {puzzle.width}x{puzzle.height} cells, expected sides of at most {pzpr.MOST_SIDE}")
    return pzpr.Size(puzzle.height, puzzle.width)


def _checked(genre: Any, size: Size, fields: dict[str, Any]) -> Any:
    """The puzzle as its address has it; ValueError for clues that addresses of the genre cannot have."""
    body = pzpr.read_body(genre.url, size, pzpr.write_body(genre.url, size, fields))
    return _puzzle(genre, size, body, fields.get("variant", ""))


def _puzzle(genre: Any, size: Size, fields: dict[str, Any], variant: str) -> Any:
    return genre.puzzle(*size, **fields, **({"variant": variant} if variant else {}))


def file_format(genre: Any) -> Format[Any]:
    """Files of pzpr."""

    def recognise(text: str) -> bool:
        first, _, rest = text.lstrip().partition("\n")
        if first.startswith("v:"):
            first, _, rest = rest.partition("\n")
        name = rest.split("\n", 1)[0].strip()
        return first.startswith("pzprv3") and ALIASES.get(name, name) == genre.name

    def write(puzzle: Any) -> str:
        layouts = (*genre.older, genre.file)
        return pzprfile.write_file(genre.name, _size_of(puzzle), vars(puzzle), layouts, genre.answer_of(puzzle))

    return Format("pzprv3", "a file of pzpr", (".txt",), recognise, lambda text, name: _read_file(genre, text), write)


def _read_file(genre: Any, text: str) -> Any:
    size, found = pzprfile.read_file(text, genre.name, (*genre.older, genre.file), genre.variants)
    saved = pzprfile.answer_in(found)
    if missing := [codec.field for codec in genre.url if codec.field not in found]:
        raise ValueError(f"found a file that ends after {len(text.splitlines())} lines, expected {missing[0]}")
    return genre.with_saved(_checked(genre, size, found), saved)

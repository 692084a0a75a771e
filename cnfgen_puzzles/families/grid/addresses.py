"""The formats of a genre: addresses of puzz.link and game IDs, one or a file of them, and files of pzpr."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from cnfgen_puzzles.common.addresses import FORM, GAME_ID, PUZZ_LINK, Address, addresses_in
from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.lazy import module
from cnfgen_puzzles.families.fileformats import Format, OnDemand

if TYPE_CHECKING:
    from cnfgen_puzzles.families.grid import pzpr, pzprfile, tatham
    from cnfgen_puzzles.families.grid.pzpr import Codec, Size
    from cnfgen_puzzles.families.grid.pzprfile import Answer, Section
else:  # nonograms do not need them: they are seldom addresses
    pzpr, pzprfile, tatham = (module(f"{__package__}.{name}") for name in ("pzpr", "pzprfile", "tatham"))


class Written(NamedTuple):
    """The members of a genre that formats need (see `Genre`): name, parts of addresses and files, `puzzle(height, width,
    **fields)`, and the answer that a file of the puzzle has."""

    name: str
    url: Sequence[Codec]
    file: Sequence[Section]
    puzzle: Callable[..., Any]
    answer_of: Callable[[Any], Answer]
    with_saved: Callable[[Any, Answer], Any]
    styles: Sequence[str] = ("",)
    older: Sequence[Sequence[Section]] = ()
    variants: Mapping[str, str] = {}


def url_format(genre: Any) -> Format[Any]:
    """Addresses of this genre, a `Genre` or `Written`. A file can have several, also of other genres, which count but cannot be
    read."""

    def recognise(text: str) -> bool:
        return any(address.genre == genre.name for address in addresses_in(text))

    def read_set(text: str, name: str) -> OnDemand[Any]:
        found = addresses_in(text)
        if not found:
            raise InputError(f"found no address, expected {FORM}", source=name, line=1)
        if text.strip() == name:  # it is the address itself and not a file
            found = tuple(address._replace(line=0) for address in found)
        return OnDemand([partial(_read, genre, address, name) for address in found])

    def write(puzzle: Any) -> str:
        body = pzpr.write_body(genre.url, _size_of(puzzle), vars(puzzle))
        return f"{genre.name}/{puzzle.width}/{puzzle.height}/{body}\n"

    return Format("url", "a puzz.link URL", (".url",), recognise, None, write, read_set)


def _read(genre: Any, address: Address, name: str) -> Any:
    """The puzzle of an address; InputError with the line and the character of what is wrong."""
    try:
        if address.genre != genre.name:
            raise ValueError(f"found the genre {address.genre}, expected {genre.name}")
        if found := GAME_ID.fullmatch(address.text):
            reader = pzpr.Reader(address.text, found.start("desc"))
            size, fields = tatham.read_game(found["game"], found["params"], found.start("params"), reader)
            return _checked(genre, size, {**pzpr.read_body(genre.url, size, ""), **fields})
        found = PUZZ_LINK.fullmatch(address.text)
        assert found is not None
        if (found["variant"] or "") not in genre.styles:
            raise ValueError(
                f"character {found.start('variant') + 1}: found the variant {found['variant']!r} of {genre.name}, whose rules "
                f"are others; expected {found['genre']}/WIDTH/HEIGHT/BODY"
            )
        for side in ("width", "height"):
            if not 1 <= int(found[side][:9]) <= pzpr.MOST_SIDE:
                raise ValueError(
                    f"character {found.start(side) + 1}: found the {side} {found[side]:.20}, expected 1 to {pzpr.MOST_SIDE}"
                )
        size = pzpr.Size(int(found["height"]), int(found["width"]))
        start = found.start("body") if found["body"] is not None else len(address.text)
        return genre.puzzle(*size, **pzpr.read_body(genre.url, size, address.text, start))
    except ValueError as error:
        raise InputError(str(error), source=name, line=address.line or None) from None


def _size_of(puzzle: Any) -> Size:
    """The size of a puzzle; ValueError for one that cannot be read again."""
    if max(puzzle.height, puzzle.width) > pzpr.MOST_SIDE:
        raise ValueError(f"found {puzzle.width}x{puzzle.height} cells, expected sides of at most {pzpr.MOST_SIDE}")
    return pzpr.Size(puzzle.height, puzzle.width)


def _checked(genre: Any, size: Size, fields: dict[str, Any]) -> Any:
    """The puzzle as its address has it; ValueError for clues that addresses of the genre cannot have."""
    return genre.puzzle(*size, **pzpr.read_body(genre.url, size, pzpr.write_body(genre.url, size, fields)))


def file_format(genre: Any) -> Format[Any]:
    """Files of pzpr."""

    def recognise(text: str) -> bool:
        first, _, rest = text.lstrip().partition("\n")
        if first.startswith("v:"):
            first, _, rest = rest.partition("\n")
        return first.startswith("pzprv3") and rest.split("\n", 1)[0].strip() == genre.name

    def read(text: str, name: str) -> Any:
        size, found = pzprfile.read_file(text, genre.name, (*genre.older, genre.file), genre.variants)
        saved = pzprfile.answer_in(found)
        if missing := [codec.field for codec in genre.url if codec.field not in found]:
            raise ValueError(f"found a file that ends after {len(text.splitlines())} lines, expected {missing[0]}")
        return genre.with_saved(_checked(genre, size, found), saved)

    def write(puzzle: Any) -> str:
        layouts = (*genre.older, genre.file)
        return pzprfile.write_file(genre.name, _size_of(puzzle), vars(puzzle), layouts, genre.answer_of(puzzle))

    return Format("pzprv3", "a file of pzpr", (".txt",), recognise, read, write)

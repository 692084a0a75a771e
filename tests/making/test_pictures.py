"""Pictures from files: each format gives the same picture; damaged and hostile files are refused in one line."""

from __future__ import annotations

import contextlib
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.sources import Source
from cnfgen_puzzles.making.pictures import cells_of, open_picture, otsu

DRAWN = (".#.", "##.", "..#", "...", "#.#")
ROWS = tuple(tuple(int(sign == "#") for sign in row) for row in DRAWN)


def image(scale=1, mode="RGB"):
    made = Image.new("L", (3, 5))
    made.putdata([0 if cell else 255 for row in ROWS for cell in row])
    return made.resize((3 * scale, 5 * scale), Image.Resampling.NEAREST).convert(mode)


def saved(picture, kind, **how):
    file = io.BytesIO()
    picture.save(file, kind, **how)
    return file.getvalue()


def cells(data, *size, **how):
    return cells_of(open_picture(Source("x", data)), *size, **how).rows


SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 3 5">{}</svg>'
SQUARES = "".join(
    f'<rect x="{x}" y="{y}" width="1" height="1"/>' for y, row in enumerate(ROWS) for x, cell in enumerate(row) if cell
)

KINDS = {
    "signs": "\n".join(DRAWN).encode(),
    "spaces": b"\n\n" + "\r\n".join(row.replace(".", " ").rstrip() for row in DRAWN).encode() + b"\n\n",
    "P1": b"P1 # made\n3\n# by hand\n5\n" + b"\n".join(" ".join(map(str, row)).encode() for row in ROWS),
    "P4": saved(image(mode="1"), "PPM"),
    "PGM": saved(image(mode="L"), "PPM"),
    "PNG": saved(image(), "PNG"),
    "GIF": saved(image(mode="P"), "GIF"),
    "transparent": saved(Image.merge("RGBA", [Image.new("L", (3, 5))] * 3 + [image(mode="L").point(lambda v: 255 - v)]), "PNG"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_the_same_picture(kind):
    assert cells(KINDS[kind]) == ROWS


def test_large_ones_are_made_smaller():
    assert cells(saved(image(40), "PNG"), (3, 5)) == ROWS == cells(saved(image(40), "JPEG"), 5)
    assert cells(SVG.format(SQUARES).encode(), (3, 5)) == ROWS == cells(saved(image(40, "1"), "PPM"), 5)
    assert cells(SVG.format(SQUARES).encode(), (6, 10))[::2] == tuple(tuple(v for v in row for _ in "ab") for row in ROWS)
    turned = saved(image(40).rotate(90, expand=True), "JPEG", exif=exif(6))
    assert cells(turned, (3, 5)) == ROWS, "a photograph that lies on its side"


def exif(orientation):
    made = Image.Exif()
    made[0x0112] = orientation
    return made


def test_options():
    data = KINDS["PNG"]
    assert cells(data, invert=True) == tuple(tuple(1 - cell for cell in row) for row in ROWS)
    grey = Image.new("L", (2, 1))
    grey.putdata([100, 200])
    assert [cells(saved(grey, "PNG"), threshold=percent) for percent in (30, 50, 90)] == [((0, 0),), ((1, 0),), ((1, 1),)]


def test_colors():
    made = Image.new("RGB", (90, 60), "#fffff0")
    draw = ImageDraw.Draw(made)
    draw.rectangle((10, 10, 39, 49), fill="#c00000")
    draw.rectangle((50, 10, 89, 49), fill="#0000c0")
    got = cells_of(open_picture(Source("x", saved(made, "PNG"))), (9, 6), colors=2)
    assert got.values == ("#ffffff", "#c00000", "#0000c0")
    assert got.rows[3] == (0, 1, 1, 1, 0, 2, 2, 2, 2) and got.rows[0] == (0,) * 9


HOSTILE = {
    "empty": b"",
    "blank": b" \n \n",
    "another sign": b"#.\n#x\n",
    "damaged": KINDS["PNG"][:40],
    "no picture": b"\0\1\2" * 30,
    "short P1": b"P1 3 5 101",
    "short P4": KINDS["P4"][:-1],
    "strange P1": b"P1 2 1 1 7",
    "P4 of no size": b"P4 0 4 \n",
    "huge P4": b"P4 99999999 9999999 \n",
    "P1 without size": b"P1 x",
    "a file in an SVG": SVG.format('<image href="/etc/passwd" width="3" height="3"/>').encode(),
    "an xlink in an SVG": (
        SVG[:-6].replace("{}", "") + '<image xmlns:x="http://www.w3.org/1999/xlink" x:href="a.png"/></svg>'
    ).encode(),
    "an SVG of no size": b'<svg xmlns="http://www.w3.org/2000/svg" width="0" height="9"/>',
    "an SVG as long as a street": b'<svg xmlns="http://www.w3.org/2000/svg" width="900000" height="1"/>',
    "a broken SVG": b"<svg><rect></svg>",
    "entities": b'<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg xmlns="http://www.w3.org/2000/svg">&a;</svg>',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile(name):
    with pytest.raises(InputError) as caught:
        cells(HOSTILE[name])
    assert "\n" not in str(caught.value)


@given(st.binary(max_size=60))
def test_anything(data):
    for start in (b"", b"P1", b"P4 3 3\n", b"\x89PNG\r\n\x1a\n", b"<svg", b"GIF89a"):
        with contextlib.suppress(InputError):
            cells(start + data)


def test_a_picture_too_large_and_no_size():
    with pytest.raises(InputError, match="no size"):
        cells(saved(image(60), "PNG"))


@given(st.lists(st.integers(0, 255), min_size=2, max_size=12))
def test_otsu_maximizes_the_variance_between_groups(greys):
    """By its definition: no other threshold gives a smaller sum of squares within both groups."""

    def within(level):
        groups = [grey for grey in greys if grey <= level], [grey for grey in greys if grey > level]
        return sum(sum((grey - sum(group) / len(group)) ** 2 for grey in group) for group in groups if group)

    if len(set(greys)) > 1:
        assert within(otsu([list(map(float, greys))])) == pytest.approx(min(map(within, greys)), abs=1e-6)


def test_a_drawing_is_reduced_like_a_picture():
    drawing = "\n".join("".join(char * 4 for char in row) for row in DRAWN for _ in range(4)).encode()
    assert cells(drawing, (3, 5)) == cells(saved(image(4), "PNG"), (3, 5)) == ROWS

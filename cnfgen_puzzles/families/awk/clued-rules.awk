# Is this picture a solution of the nonogram or the triddler in puzzle.json?
#
#     awk -f json.awk -f rules.awk puzzle.json solution.txt
#
# A picture has one row per line, each from the left. A `.` is a cell of the background, `#` a filled one; with several colors,
# a, b, ... are cells of colors 1, 2, ... The runs of equal cells in every line must be those of its clue, and known cells
# must have their color. Several pictures: an empty line after each.
#
# Lines of a nonogram: the rows from the top, the columns from the left. A triddler is a hexagon of triangles with the sides A
# (upper left), B (lower left), C (below), D (lower right), E (upper right), F (above). Its lines are the rows from the top, the
# rising lines (/) from the left, and the falling lines (\) from the left, both read from the top down.

BEGIN {
    known[""] = " about rows columns known sides clues colors row_colors column_colors clue_colors "
    known["about"] = "*"; known["colors/*"] = " name value sign "
}
function begin(    inks, r) {
    inks = "colors" in value ? list_at("colors") - 1 : 1; several = inks > 1
    letters = several ? substr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", 1, inks) : "#"
    if (inks < 1 || several && length(letters) < inks) wrong("found " inks " colors")
    hexagon = "sides" in value
    if (hexagon) {
        if ("rows" in value || "columns" in value || "known" in value) wrong("found rows or columns of a triddler")
        A = number_at("sides/0"); B = number_at("sides/1"); C = number_at("sides/2"); D = number_at("sides/3")
        E = number_at("sides/4"); F = number_at("sides/5"); height = A + B
        if (list_at("sides") != 6 || E != A + B - D || F != C + D - A) wrong("found no hexagon")
        if (A < 0 || B < 0 || C < 0 || D < 0 || E < 0 || F < 0) wrong("found a side below 0")
        if (list_at("clues") != 3) wrong("found clues in other than three directions")
        read_clues("row", "clues/0", "clue_colors/0", height); read_clues("rising", "clues/1", "clue_colors/1", E + F)
        read_clues("falling", "clues/2", "clue_colors/2", C + D)
    } else {
        height = list_at("rows"); width = list_at("columns")
        read_clues("row", "rows", "row_colors", height); read_clues("column", "columns", "column_colors", width)
        if ("known" in value && list_at("known") != height) wrong("found known cells of another number of rows")
        for (r = 0; r < size["known"]; r++) if (list_at("known/" r) != width) wrong("found a row with other known cells")
    }
}
# clue[kind, i] has the lengths, with letters for colors
function read_clues(kind, clues, colors, expected,    i, k, told, hued, ink) {
    if (list_at(clues) != expected) wrong("found clues of another number of lines")
    hued = colors in value # otherwise, all blocks have color 1
    if (hued && list_at(colors) != expected) wrong("found colors of another number of lines")
    for (i = 0; i < expected; i++) {
        if (hued && list_at(colors "/" i) != list_at(clues "/" i)) wrong("found a clue with another number of colors")
        told = ""
        for (k = 0; k < list_at(clues "/" i); k++) {
            ink = hued ? number_at(colors "/" i "/" k) : 1
            told = told (k ? " " : "") number_at(clues "/" i "/" k) (several ? color(ink) : "")
        }
        clue[kind, i + 1] = told
    }
}
function color(ink) { if (ink < 1 || ink > length(letters)) wrong("found the color " ink); return substr(letters, ink, 1) }
function fault(what) { print what; faults = 1 }
function runs(line,    sign, n, i, told) {
    for (i = 1; i <= length(line); i += n) {
        sign = substr(line, i, 1)
        for (n = 1; substr(line, i + n, 1) == sign; n++);
        if (sign != ".") told = told (told == "" ? "" : " ") n (several ? sign : "")
    }
    return told
}
function compare(kind, number, line) {
    if (runs(line) "" == clue[kind, number] "") return
    fault(kind " " number " has the runs " runs(line) ", expected " clue[kind, number])
}
function left(y) { return y <= A ? -y : y - 2 * A } # the ends of the edge above row y, in half cells
function right(y) { return y <= E ? 2 * F + y : 2 * F + 2 * E - y }

$0 == "" { whole(); next }
++n > height { fault("line " FNR " is one too many"); next }
{
    ended = 0; r = n - 1; length_of_row = width
    if (hexagon) {
        first = r < A ? left(r + 1) : left(r)
        length_of_row = (right(r) - left(r) + right(r + 1) - left(r + 1)) / 2
    }
    for (i = 1; i <= length($0) && index("." letters, substr($0, i, 1)); i++);
    if (i <= length($0) || length($0) != length_of_row) fault("line " FNR " is not a row of " length_of_row " cells")
    compare("row", n, $0)
    for (i = 1; i <= length_of_row; i++) {
        sign = substr($0, i, 1)
        if (hexagon) { # the cell from half cell x to x + 2; up: 1 if it points up
            x = first + i - 1; up = (x + 2 * A + r) % 2
            falling[(x - r - up) / 2 + A + 1] = falling[(x - r - up) / 2 + A + 1] sign
        } else column[i] = column[i] sign
        cell = value["known/" r "/" i - 1]
        if (cell != "" && cell != "null" && sign != (cell == 0 ? "." : color(cell)))
            fault("row " n ", column " i " is known to have another color")
    }
    for (i = length_of_row; hexagon && i >= 1; i--) {
        x = first + i - 1; up = (x + 2 * A + r) % 2
        rising[(x + r + up) / 2 + 1] = rising[(x + r + up) / 2 + 1] substr($0, i, 1)
    }
}
function whole(    k) {
    if (n != height) fault(n + 0 " rows, expected " height)
    for (k = 1; k <= width; k++) compare("column", k, column[k])
    for (k = 1; hexagon && k <= E + F; k++) compare("rising", k, rising[k])
    for (k = 1; hexagon && k <= C + D; k++) compare("falling", k, falling[k])
    n = 0; ended = 1; split("", column); split("", rising); split("", falling)
}
END { if (!ended) whole(); exit faults }

# Are these pieces a solution of the tiling in puzzle.json?
#
#     awk -f json.awk -f rules.awk puzzle.json solution.txt
#
# A line has a piece: its number (from 1), then the cells that it covers, each as its coordinates. Cells of the kind `covered`
# must be covered once, those of the kind `optional` at most once, and no others. Each piece must have its shape, moved and
# perhaps rotated and reflected, and occur as often as it may, alone and in groups. Cells ascend, and so do pieces: boards with
# different texts are different. Several boards: an empty line after each.

BEGIN {
    turn["square"] = "0 1 -1 0"; mirror["square"] = "1 0 0 -1"; axes["square"] = 2 # matrices, row by row
    turn["cubic"] = "1 0 0 0 0 1 0 -1 0;0 1 0 -1 0 0 0 0 1"; mirror["cubic"] = "1 0 0 0 1 0 0 0 -1"; axes["cubic"] = 3
    turn["hexagonal"] = "1 1 -1 0"; mirror["hexagonal"] = "0 1 1 0"; axes["hexagonal"] = 2
    turn["triangular"] = "1 1 -1 0"; mirror["triangular"] = "0 1 1 0"; axes["triangular"] = 2
    known[""] = " lattice covered optional empty colors wrap reflections rotations pieces groups about labels "
    known["pieces/*"] = " name shape least most reflect rotate colors pinned "; known["groups/*"] = " pieces least most "
    known["about"] = "*"
}
function begin(    i, p) {
    lattice = substr(value["lattice"], 2); dimension = axes[lattice]; step = lattice == "triangular" ? 3 : 1
    if (!dimension) wrong("found the unknown lattice " lattice)
    for (i = 0; i < size["wrap"]; i++) if (value["wrap/" i] != "null") ring[i + 1] = number_at("wrap/" i)
    for (i = 0; i < list_at("covered"); i++) board[cell_at("covered/" i)] = "covered"
    for (i = 0; i < list_at("optional"); i++) board[cell_at("optional/" i)] = "optional"
    for (i = 0; i < size["colors"]; i++) color[cell_at("colors/" i "/0")] = value["colors/" i "/1"]
    for (p = 0; p < list_at("pieces"); p++) turn_piece("pieces/" p, p + 1)
}
function cell_at(path,    i, told) {
    if (size[path] != dimension) wrong("found no cell at " path)
    for (i = 0; i < dimension; i++) told = told (i ? "," : "") number_at(path "/" i)
    return told
}
function may(piece, what, otherwise,    told) {
    told = value[(piece "/" what) in value ? piece "/" what : otherwise]
    if (told != "true" && told != "false") wrong("found neither true nor false at " otherwise)
    return told == "true"
}
function turn_piece(path, p,    shape, generator, n, i, g, seen, rotations) { # images[p, 1 .. turns[p]]: all allowed images
    for (i = 0; i < list_at(path "/shape"); i++) shape = shape (i ? " " : "") cell_at(path "/shape/" i)
    cells[p] = i; image[p, 1] = shape; seen[shape]; rotations = 1; n = split(turn[lattice], generator, ";")
    for (i = 1; may(path, "rotate", "rotations") && i <= rotations; i++) for (g = 1; g <= n; g++) {
        shape = turned(generator[g], image[p, i])
        if (!(shape in seen)) { seen[shape]; image[p, ++rotations] = shape }
    }
    turns[p] = rotations
    for (i = 1; may(path, "reflect", "reflections") && i <= rotations; i++)
        image[p, ++turns[p]] = turned(mirror[lattice], image[p, i])
}
function turned(matrix, shape,    entry, part, x, n, k, i, j, sum, told) { # the cells of a shape by a matrix
    split(matrix, entry, " "); n = split(shape, part, " ")
    for (k = 1; k <= n; k++) {
        split(part[k], x, ","); if (k > 1) told = told " "
        for (i = 1; i <= dimension; i++) {
            sum = 0; for (j = 1; j <= dimension; j++) sum += entry[(i - 1) * dimension + j] * x[j]
            told = told (i > 1 ? "," : "") sum
        }
    }
    return told
}
function fault(what) { if (++faults <= 5) print what }
function moved(cell, from, onto,    a, b, c, i, x, told) { # a cell as `from` moves onto `onto`, on a ring around it
    split(cell, a, ","); split(from, b, ","); split(onto, c, ",")
    for (i = 1; i <= dimension; i++) {
        if ((c[i] - b[i]) % step) return ""
        x = a[i] + c[i] - b[i]; if (ring[i]) x = (x % ring[i] + ring[i]) % ring[i]
        told = told (i > 1 ? "," : "") x
    }
    return told
}
function has_shape(p,    cell, n, u, k, i, hit, hits, to) { # the cells `mine`, as many as the piece has
    if (cells[p] != NF - 1) return 0
    for (u = 1; u <= turns[p]; u++) {
        n = split(image[p, u], cell, " ")
        for (k = 2; k <= NF; k++) {
            split("", hit); hits = 0
            for (i = 1; i <= n; i++) {
                to = moved(cell[i], cell[1], $k)
                if (!(to in mine) || to in hit) break
                hit[to]; hits++
            }
            if (hits == n) return 1
        }
    }
    return 0
}
function pinned(path,    i, k, n, cell, hits) { # whether the piece lies where it must, if it must
    for (i = 0; i < size[path]; i++) {
        n = list_at(path "/" i); hits = 0; split("", pin)
        for (k = 0; k < n; k++) {
            cell = cell_at(path "/" i "/" k)
            if (cell in pin) fault("puzzle.json: a place of a pinned piece has the cell " cell " twice")
            pin[cell]; hits += (cell in mine)
        }
        if (hits == n && hits == NF - 1) return 1
    }
    return !size[path]
}
function fits(path, c,    i) { # whether the piece may cover the color of cell c
    if (!(path in size) || !(c in color)) return 1
    for (i = 0; i < size[path]; i++) if (value[path "/" i] == color[c]) return 1
    return 0
}
function precedes(a, b,    x, y, i) { # in ascending order
    split(a, x, ","); split(b, y, ",")
    for (i = 1; i <= dimension; i++) if (x[i] != y[i]) return x[i] + 0 < y[i] + 0
    return 0
}

$0 == "" { whole(); next }
{ ended = 0 }
!($1 in turns) { fault("line " FNR ": unknown piece " $1); next }
{
    split("", mine); used[$1]++; told = $1; path = "pieces/" $1 - 1
    if ($1 < last || $1 == last && !precedes(first, $2)) fault("line " FNR ": does not ascend")
    last = $1; first = $2
    for (i = 2; i <= NF; i++) {
        mine[$i]; told = told " " $i
        if (i > 2 && !precedes($(i - 1), $i)) fault("line " FNR ": " $i " does not ascend")
        if (!($i in board)) fault("line " FNR ": " $i " is not a cell that may be covered")
        if ($i in covered) fault("line " FNR ": " $i " is covered twice")
        covered[$i]
        if (!fits(path "/colors", $i)) fault("line " FNR ": the piece may not cover the color of " $i)
    }
    if (told != $0) fault("line " FNR ": has more than one space between two words")
    if ($0 in right) next # as in a board before
    if (!has_shape($1)) fault("line " FNR ": is not the shape of piece " $1)
    if (!pinned(path "/pinned")) fault("line " FNR ": piece " $1 " is not where it is pinned")
    right[$0]
}
function bounded(what, found, path) {
    if (found < number_at(path "/least") || value[path "/most"] != "null" && found > number_at(path "/most"))
        fault(what " occurs " found " times, expected " value[path "/least"] " to " value[path "/most"])
}
function whole(    cell, p, g, i, sum) {
    for (cell in board) if (board[cell] == "covered" && !(cell in covered)) fault(cell " is not covered")
    for (p in turns) bounded("piece " p, used[p] + 0, "pieces/" p - 1)
    for (g = 0; g < size["groups"]; g++) {
        sum = 0; for (i = 0; i < list_at("groups/" g "/pieces"); i++) sum += used[number_at("groups/" g "/pieces/" i) + 1]
        bounded("group " g + 1, sum, "groups/" g)
    }
    ended = 1; last = 0; split("", covered); split("", used)
}
END { if (!ended) whole(); exit faults > 0 }

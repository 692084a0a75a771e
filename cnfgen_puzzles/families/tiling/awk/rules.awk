# Are these pieces a solution of the puzzle? A piece a line: its number, then the cells that it covers, each as its coordinates.
# Cells of the kind 'covered' must be covered once, those of the kind 'optional' at most once, and no others. Each piece must have
# its shape, turned by one of the matrices that it may use and moved, and be there as often as it may, alone and in groups.
# Cells ascend, and so do pieces: boards with different texts are different. Several boards: an empty line behind each.
BEGIN {
    dimension = @DIMENSION@; step = @STEP@ # shapes move by multiples of step
@DATA@
}
function wrong(what) { if (++bad <= 5) print what }
function cells_are(kind, cells,    part, n, i) { n = split(cells, part, " "); for (i = 1; i <= n; i++) board[part[i]] = kind }
function cells_have(name, cells,    part, n, i) { n = split(cells, part, " "); for (i = 1; i <= n; i++) colour[part[i]] = name }
function turn(m, cell,    row, entry, x, i, j, sum, told) { # a cell by a matrix: its rows stand side by side
    split(cell, x, ","); split(matrix[m], row, ";")
    for (i = 1; i <= dimension; i++) {
        split(row[i], entry, ","); sum = 0
        for (j = 1; j <= dimension; j++) sum += entry[j] * x[j]
        told = told (i > 1 ? "," : "") sum
    }
    return told
}
function moved(cell, from, onto,    a, b, c, i, x, told) { # a cell as `from` moves onto `onto`, on a ring around it
    split(cell, a, ","); split(from, b, ","); split(onto, c, ",")
    for (i = 1; i <= dimension; i++) {
        if ((c[i] - b[i]) % step) return ""
        x = a[i] + c[i] - b[i]; if (ring[i]) x = (x % ring[i] + ring[i]) % ring[i]
        told = told (i > 1 ? "," : "") x
    }
    return told
}
function has_shape(piece,    cell, use, turned, n, u, k, i, hits) { # the cells `mine`, as many as the piece has
    n = split(shape[piece], cell, " "); u = split(uses[piece], use, " ")
    if (n != NF - 1) return 0
    for (; u >= 1; u--) {
        for (i = 1; i <= n; i++) turned[i] = turn(use[u], cell[i])
        for (k = 2; k <= NF; k++) {
            split("", hit); hits = 0
            for (i = 1; i <= n; i++) {
                to = moved(turned[i], turned[1], $k)
                if (!(to in mine) || to in hit) break
                hit[to]; hits++
            }
            if (hits == n) return 1
        }
    }
    return 0
}
function pinned(piece,    place, cell, n, k, i, hits) { # whether it lies where it must, if it must
    n = split(places[piece], place, ";")
    for (i = 1; i <= n; i++) {
        k = split(place[i], cell, " "); hits = 0
        for (; k >= 1; k--) hits += (cell[k] in mine)
        if (hits == NF - 1) return 1
    }
    return n == 0
}
function precedes(a, b,    x, y, i) { # in ascending order
    split(a, x, ","); split(b, y, ",")
    for (i = 1; i <= dimension; i++) if (x[i] != y[i]) return x[i] + 0 < y[i] + 0
    return 0
}
$0 == "" { whole(); next }
{ ended = 0 }
!($1 in shape) { wrong("line " NR ": no piece " $1); next }
{
    split("", mine); used[$1]++; told = $1
    if ($1 < last || $1 == last && !precedes(first, $2)) wrong("line " NR ": does not ascend")
    last = $1; first = $2
    for (i = 2; i <= NF; i++) {
        mine[$i]; told = told " " $i
        if (i > 2 && !precedes($(i - 1), $i)) wrong("line " NR ": " $i " does not ascend")
        if (board[$i] != "covered" && board[$i] != "optional") wrong("line " NR ": " $i " is no cell that may be covered")
        if ($i in covered) wrong("line " NR ": " $i " is covered twice")
        covered[$i]
        if ($1 in colours && $i in colour && index(colours[$1], " " colour[$i] " ") == 0) wrong("line " NR ": the colour of " $i)
    }
    if (told != $0) wrong("line " NR ": has more than one space between two words")
    if ($0 in right) next # as in a board before
    if (!has_shape($1)) wrong("line " NR ": this is not the shape of piece " $1)
    if (!pinned($1)) wrong("line " NR ": piece " $1 " does not lie where it must")
    right[$0]
}
function bounded(what, found, bounds,    bound) { # bounds: the least and the most, which may be 'any'
    split(bounds, bound, " ")
    if (found < bound[1] || (bound[2] != "any" && found > bound[2] + 0)) wrong(what ": " found " are there, expected " bounds)
}
function whole(    cell, piece, g, n, i, sum, member) {
    for (cell in board) if (board[cell] == "covered" && !(cell in covered)) wrong(cell " is not covered")
    for (piece in copies) bounded("piece " piece, used[piece] + 0, copies[piece])
    for (g in members) {
        n = split(members[g], member, " "); sum = 0; for (i = 1; i <= n; i++) sum += used[member[i]]
        bounded("pieces " members[g], sum, together[g])
    }
    ended = 1; last = 0; split("", covered); split("", used)
}
END { if (!ended) whole(); exit bad > 0 }

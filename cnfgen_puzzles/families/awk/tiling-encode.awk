# Writes the formula of a tiling, as DIMACS CNF, from puzzle.json. The encoding is pairwise, product, or sequential:
#
#     awk -v encoding=product -f json.awk -f encode.awk puzzle.json
#     awk -v encoding=product -v projection=1 -f json.awk -f encode.awk puzzle.json    # the variables of placements
#
# From the puzzle to the formula:
#   orientations  the images of a piece's shape under the symmetries of the lattice that it may use, each once
#   placements    an orientation moved so that it lies on the board, on no cell twice, on its colors, where it is pinned;
#                 each set of cells once a piece. Variable v is placement v: by piece, orientation, and first cell
#   pairwise      each cell that must be covered lies in one of its placements; two placements that share a cell, or are of one
#                 piece that is used at most once, exclude each other; each piece is used as often as it must
#   product, sequential   each cell that must be covered lies in exactly one placement, each other cell in at most one; each piece
#                 is used as often as it must. At most one of more than 6: in a grid, at most one row and column; or by a counter
BEGIN {
    generators["square"] = "0 1 -1 0"; reflection["square"] = "1 0 0 -1"; axes["square"] = 2
    generators["cubic"] = "1 0 0 0 0 1 0 -1 0;0 1 0 -1 0 0 0 0 1"; reflection["cubic"] = "1 0 0 0 1 0 0 0 -1"; axes["cubic"] = 3
    generators["hexagonal"] = "1 1 -1 0"; reflection["hexagonal"] = "0 1 1 0"; axes["hexagonal"] = 2
    generators["triangular"] = "1 1 -1 0"; reflection["triangular"] = "0 1 1 0"; axes["triangular"] = 2
    known[""] = " lattice covered optional empty colors wrap reflections rotations pieces about labels "
    known["pieces/*"] = " name shape least most reflect rotate colors pinned "; known["about"] = "*"
}
function begin() {
    lattice = substr(value["lattice"], 2); dimension = axes[lattice]; period = lattice == "triangular" ? 3 : 1
    if (!dimension) wrong("found the unknown lattice " lattice)
    if (encoding != "pairwise" && encoding != "product" && encoding != "sequential") wrong("found the unknown encoding " encoding)
}

# -- cells are texts such as 0,3; number[cell] counts those that may be covered, in ascending order -----------------------------
function cell_at(path,    i, told) {
    if (size[path] != dimension) wrong("found no cell at " path)
    for (i = 0; i < dimension; i++) told = told (i ? "," : "") number_at(path "/" i)
    return told
}
function precedes(a, b,    x, y, i) {
    split(a, x, ","); split(b, y, ",")
    for (i = 1; i <= dimension; i++) if (x[i] != y[i]) return x[i] + 0 < y[i] + 0
    return 0
}
function number_cells(    i, j, c) {
    i = 0; j = 0
    while (i < list_at("covered") || j < list_at("optional")) {
        if (j >= size["optional"] || i < size["covered"] && precedes(cell_at("covered/" i), cell_at("optional/" j)))
            { c = cell_at("covered/" i++); needed[cells + 1] } else c = cell_at("optional/" j++)
        if (c in number) wrong("the cell " c " is there twice")
        number[c] = ++cells; cell[cells] = c
    }
    for (i = 0; i < size["colors"]; i++) {
        c = cell_at("colors/" i "/0"); if (c in number) color[number[c]] = value["colors/" i "/1"]
    }
}

# -- orientations --------------------------------------------------------------------------------------------------------------
function product(a, b,    x, y, i, j, k, sum, told) { # of two matrices, row by row
    split(a, x, " "); split(b, y, " ")
    for (i = 0; i < dimension; i++) for (j = 1; j <= dimension; j++) {
        sum = 0; for (k = 1; k <= dimension; k++) sum += x[i * dimension + k] * y[(k - 1) * dimension + j]
        told = told (told == "" ? "" : " ") sum
    }
    return told
}
function make_matrices(    generator, n, i, g, image, seen) { # the rotations, then each of them reflected
    matrix[1] = dimension == 2 ? "1 0 0 1" : "1 0 0 0 1 0 0 0 1"; seen[matrix[1]]; rotations = 1
    n = split(generators[lattice], generator, ";")
    for (i = 1; i <= rotations; i++) for (g = 1; g <= n; g++) {
        image = product(generator[g], matrix[i]); if (!(image in seen)) { seen[image]; matrix[++rotations] = image }
    }
    for (i = 1; i <= rotations; i++) matrix[rotations + i] = product(reflection[lattice], matrix[i])
}
function modulo(x, y) { return (x % y + y) % y }
function turned(m, shape,    a, n, i, j, k, c, x, y, told, least, sorted) { # the cells of a shape, moved to the origin, in order
    split(m, a, " "); n = list_at(shape)
    for (k = 1; k <= n; k++) { split(cell_at(shape "/" k - 1), c, ",")
        for (i = 1; i <= dimension; i++) {
            y = 0; for (j = 1; j <= dimension; j++) y += a[(i - 1) * dimension + j] * c[j]
            x[k, i] = y; if (k == 1 || y < least[i]) least[i] = y
        } }
    for (k = 1; k <= n; k++) {
        told = ""; for (i = 1; i <= dimension; i++) told = told (i > 1 ? "," : "") (x[k, i] - least[i] + modulo(least[i], period))
        for (j = k; j > 1 && precedes(told, sorted[j - 1]); j--) sorted[j] = sorted[j - 1]
        sorted[j] = told
    }
    told = sorted[1]; for (k = 2; k <= n; k++) told = told " " sorted[k]
    return told
}
function may(piece, what, otherwise,    told) {
    told = value[(piece "/" what) in value ? piece "/" what : otherwise]
    if (told != "true" && told != "false") wrong("found neither true nor false at " otherwise)
    return told == "true"
}

# -- placements: item[v, 1 .. items[v]] are the cells of placement v, by number, and its piece if that is used at most once ------
function insert(set, n, x) { # into set[1..n], ascending
    for (; n >= 1 && set[n] > x; n--) set[n + 1] = set[n]
    set[n + 1] = x
}
function key_of(set, n,    i, told) { for (i = 1; i <= n; i++) told = told " " set[i]; return told }
function place_at(path,    i, c, set) { # where a piece is pinned
    for (i = 0; i < size[path]; i++) { c = cell_at(path "/" i); insert(set, i, (c in number) ? number[c] : 0) }
    return key_of(set, i)
}
function fits(piece, c,    i) { # whether the piece may cover the color of cell c
    if (!(c in color) || !(piece "/colors" in size)) return 1
    for (i = 0; i < size[piece "/colors"]; i++) if (value[piece "/colors/" i] == color[c]) return 1
    return 0
}
function lay(piece, p, shape, pinned, seen,    part, n, t, k, i, a, first, target, step, x, set, told) {
    n = split(shape, part, " "); split(part[1], first, ",")
    for (t = 1; t <= cells; t++) { # the first cell onto cell t
        split(cell[t], target, ",")
        for (i = 1; i <= dimension; i++) { step[i] = target[i] - first[i]; if (step[i] % period) break }
        if (i <= dimension) continue
        for (k = 1; k <= n; k++) {
            split(part[k], a, ","); told = ""
            for (i = 1; i <= dimension; i++) {
                x = a[i] + step[i]; if (ring[i]) x = modulo(x, ring[i])
                told = told (i == 1 ? "" : ",") x
            }
            if (!(told in number) || !fits(piece, number[told])) break
            insert(set, k - 1, number[told])
        }
        if (k <= n) continue
        told = key_of(set, n); for (k = 2; k <= n && set[k] != set[k - 1]; k++);
        if (k <= n || told in seen || size[piece "/pinned"] && !(told in pinned)) continue
        seen[told]; placement++; of_piece[p, ++laid[p]] = placement
        for (k = 1; k <= n; k++) cover(set[k])
        if (value[piece "/most"] == "1") cover("piece " p)
    }
}
function cover(what) { item[placement, ++items[placement]] = what; covering[what, ++covers[what]] = placement }
function place_piece(p,    piece, i, m, shape, turns, pinned, seen) {
    piece = "pieces/" p
    for (i = 0; i < size[piece "/pinned"]; i++) pinned[place_at(piece "/pinned/" i)]
    for (m = 1; m <= 2 * rotations; m++) {
        if (m > rotations && !may(piece, "reflect", "reflections")) continue
        if (m != 1 && m != rotations + 1 && !may(piece, "rotate", "rotations")) continue
        shape = turned(matrix[m], piece "/shape")
        if (!(shape in turns)) { turns[shape]; lay(piece, p, shape, pinned, seen) }
    }
}

# -- clauses ------------------------------------------------------------------------------------------------------------------
function add(literals) { clause[++clauses] = literals (literals == "" ? "0" : " 0") }
function add_all(sign, list, n,    i, told) { for (i = 1; i <= n; i++) told = told (i == 1 ? "" : " ") sign * list[i]; add(told) }
function add_pairs(list, n,    i, j) { for (i = 1; i < n; i++) for (j = i + 1; j <= n; j++) add(-list[i] " " (-list[j])) }
function at_most_one(list, n,    width, height, i, columns, rows) {
    if (n < 2) return
    if (n == 2) add_all(-1, list, 2)
    else if (encoding == "sequential") count_up(list, n, 1)
    else if (n <= 6) add_pairs(list, n)
    else {
        while (width * width < n) width++
        height = int((n + width - 1) / width)
        for (i = 1; i <= width; i++) columns[i] = ++variables
        for (i = 1; i <= height; i++) rows[i] = ++variables
        for (i = 0; i < n; i++) {
            add(-list[i + 1] " " rows[int(i / width) + 1]); add(-list[i + 1] " " columns[i % width + 1])
        }
        at_most_one(rows, height); at_most_one(columns, width)
    }
}
function total(j, i) { return counter + (j - 1) * wide + i } # variable: j of the first j + i - 1 are true
function count_up(list, n, k,    i, j) { # at most k of more than k + 1, by running totals
    counter = variables; wide = n - k; variables += k * wide
    for (j = 1; j <= k; j++) {
        for (i = 1; i <= wide; i++) add(-list[j + i - 1] " " (j > 1 ? -total(j - 1, i) " " : "") total(j, i))
        for (i = 2; i <= wide; i++) add(-total(j, i - 1) " " total(j, i))
    }
    for (i = 1; i <= wide; i++) add(-list[k + i] " " (-total(k, i)))
}
function at_most(list, n, k,    i) {
    if (k < 0) add("")
    else if (k == 0) for (i = 1; i <= n; i++) add(-list[i])
    else if (k == n - 1) add_all(-1, list, n)
    else if (k < n - 1) count_up(list, n, k)
}
function exactly(list, n, k,    i, j) {
    if (k > n) add("")
    else if (k == 0 || k == n) for (i = 1; i <= n; i++) add((k ? 1 : -1) * list[i])
    else if (n == 2) { add_all(1, list, 2); add_all(-1, list, 2) }
    else {
        count_up(list, n, k)
        for (j = 1; j <= k; j++) {
            for (i = 1; i <= wide; i++) {
                add(-total(j, i) " " list[j + i - 1] (i > 1 ? " " total(j, i - 1) : ""))
                if (j > 1) add(-total(j, i) " " total(j - 1, i))
            }
            add(total(j, wide) " " list[j + wide])
        }
    }
}
function use_piece(p,    piece, n, list, least, most, room, i) { # as often as it may be
    piece = "pieces/" p; n = laid[p] + 0; least = number_at(piece "/least"); most = value[piece "/most"]
    if (most != "null" && (most = number_at(piece "/most")) < least) wrong("found a piece that must be used more than it may")
    for (i = 1; i <= n; i++) list[i] = of_piece[p, i]
    room = int(cells / size[piece "/shape"])
    if (most == "1") {
        if (least == 1) add_all(1, list, n)
        if (encoding != "pairwise") at_most_one(list, n)
    } else if (most < room && most != "null" && most == least) exactly(list, n, least)
    else {
        for (i = 1; i <= n; i++) none[i] = -list[i]
        if (least > 0) at_most(none, n, n - least)
        if (most != "null" && most < room) at_most(list, n, most)
    }
}
function settled(    k) { # one piece covers the whole board: how often is clear
    if (size["pieces"] != 1 || size["optional"]) return 0
    k = cells / size["pieces/0/shape"]
    return k == int(k) && number_at("pieces/0/least") <= k && (value["pieces/0/most"] == "null" || k <= value["pieces/0/most"])
}
function exclude(p,    k, i, name, q) { # each later placement that shares an item
    for (k = 1; k <= items[p]; k++) {
        name = item[p, k]; passed[name]++
        for (i = passed[name] + 1; i <= covers[name]; i++) shares[covering[name, i]] = p
    }
    for (q = p + 1; q <= placement; q++) if (shares[q] == p) add(-p " " (-q))
}
END {
    if (bad) exit 1
    for (i = 0; i < size["wrap"]; i++) if (value["wrap/" i] != "null") ring[i + 1] = number_at("wrap/" i)
    number_cells(); make_matrices()
    for (p = 0; p < list_at("pieces"); p++) place_piece(p)
    variables = placement + 0
    for (v = 1; projection && v <= variables; v++) print v
    if (projection) exit
    for (c = 1; c <= cells; c++) {
        n = covers[c] + 0; for (i = 1; i <= n; i++) list[i] = covering[c, i]
        if (c in needed) add_all(1, list, n)
        if (encoding != "pairwise") at_most_one(list, n)
    }
    if (encoding == "pairwise") for (p = 1; p <= placement; p++) exclude(p)
    if (!settled()) for (p = 0; p < size["pieces"]; p++) use_piece(p)
    print "p cnf " variables " " clauses + 0
    for (i = 1; i <= clauses; i++) print clause[i]
}

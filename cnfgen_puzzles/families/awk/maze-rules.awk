# Does this string solve the mazes in puzzle.json?
#
#     awk -f json.awk -f rules.awk puzzle.json solution.txt
#
# If puzzle.json lists mazes, the string must solve each of them; otherwise every maze of this kind on the grid. The program walks
# through the mazes one by one. A small grid has so few sets of walls or blocked cells that the program tries all of them in any
# case: if the string solves every maze of the grid, it says so. The string must fit the pattern, where * is any letter. Several
# strings: an empty line after each.
#
# Blocked: the walk begins in the first cell and must visit the last one, if any walk can. Thin: it must visit each cell that any
# walk can. A step against a wall or a blocked cell does not move.

BEGIN { known[""] = " kind size pattern mazes reduced first count " }
function begin() {
    kind = substr(value["kind"], 2); height = number_at("size/0"); width = number_at("size/1"); goal = height * width - 1
    pattern = substr(value["pattern"], 2); sets = kind == "blocked" ? goal - 1 : height * (width - 1) + width * (height - 1)
    if (kind != "blocked" && kind != "thin" || height < 1 || width < 1 || value["pattern"] !~ /^"/)
        wrong("found mazes of an unknown kind or size, or no pattern")
    if ("mazes" in value) list_at("mazes")
    few = goal > 0 && sets <= (kind == "blocked" ? 16 : 12)
    if (!("mazes" in size) && !few) wrong("found too many mazes: 2^" sets " sets of walls or blocked cells")
}
function fault(what) { if (++faults <= 5) print what }
function walk(start,    i, cell) { # the cells that the string visits
    split("", seen); seen[cell = start]
    for (i = 1; i <= length(string); i++) { cell = to[cell, way[i]]; seen[cell] }
}
function reach(start,    queue, first, d, c) { # the cells that any string could visit
    split("", within); within[start]; queue[reached = 1] = start
    for (first = 1; first <= reached; first++) for (d = 1; d <= 4; d++) {
        c = to[queue[first], d]
        if (!(c in within)) { within[c]; queue[++reached] = c }
    }
}
function solved(start,    c) { # blocked: the goal is visited if it can be; thin: all cells that can be
    reach(start)
    if (kind == "blocked" && !(goal in within)) return 1
    mazes++; walk(start)
    if (kind == "blocked") return goal in seen
    for (c in within) if (!(c in seen)) return 0
    return 1
}
function pass(a, b, d) { to[a, d] = b; to[b, (d + 1) % 4 + 1] = a } # ways: 1 north, 2 east, 3 south, 4 west
function closed(    c, d) { for (c = 0; c <= goal; c++) for (d = 1; d <= 4; d++) to[c, d] = c }

function listed(    n, part, rows, at, r, k, c, sign, sides) {
    for (n = 0; n < size["mazes"]; n++) {
        k = split(substr(value["mazes/" n], 2), part, "\003")
        if (k != (kind == "thin" ? 2 : 1) || length(part[1]) != height * (width + 1) - 1)
            wrong("maze " n + 1 " is not a maze of this size")
        closed(); split(part[1], rows, "/"); split(part[2], at, ",")
        for (r = 0; r < height; r++) for (k = 0; k < width; k++) {
            c = r * width + k; sign = substr(rows[r + 1], k + 1, 1)
            if (sign == "" || length(rows[r + 1]) != width || !index(kind == "blocked" ? ".#" : ".0123456789abcdef", sign))
                wrong("maze " n + 1 " is not a maze of this size")
            if (kind == "blocked") {
                if (sign == "." && k + 1 < width && substr(rows[r + 1], k + 2, 1) == ".") pass(c, c + 1, 2)
                if (sign == "." && r + 1 < height && substr(rows[r + 2], k + 1, 1) == ".") pass(c, c + width, 3)
            } else { # hexadecimal: 1 north, 2 east, 4 south, 8 west are open
                sides = index("123456789abcdef", sign)
                if (int(sides / 2) % 2 && k + 1 < width) pass(c, c + 1, 2)
                if (int(sides / 4) % 2 && r + 1 < height) pass(c, c + width, 3)
            }
        }
        if (kind == "thin" && !(part[2] ~ /^[0-9]+,[0-9]+$/ && at[1] < height && at[2] < width))
            wrong("maze " n + 1 " has no start")
        if (!solved(kind == "blocked" ? 0 : at[1] * width + at[2])) fault("maze " n + 1 " is not solved")
    }
}
function every(    set, c, e, start, edges, from, onto, turn, bit) { # 1 if the string solves every maze of the grid
    bit[0] = 1; for (e = 1; e <= sets; e++) bit[e] = 2 * bit[e - 1] # some awks have no powers
    for (c = 0; kind == "thin" && c <= goal; c++) { # the places where a wall may be
        if ((c + 1) % width) { from[++edges] = c; onto[edges] = c + 1; turn[edges] = 2 }
        if (c + width <= goal) { from[++edges] = c; onto[edges] = c + width; turn[edges] = 3 }
    }
    for (set = 0; set < bit[sets]; set++) {
        closed()
        if (kind == "blocked") { # cells 1 .. goal - 1 of the set are blocked
            split("", open); open[0]; open[goal]
            for (c = 1; c < goal; c++) if (int(set / bit[c - 1]) % 2 == 0) open[c]
            for (c = 0; c <= goal; c++) if (c in open) {
                if ((c + 1) % width && (c + 1) in open) pass(c, c + 1, 2)
                if (c + width <= goal && (c + width) in open) pass(c, c + width, 3)
            }
            if (!solved(0)) return 0
        } else {
            for (e = 1; e <= edges; e++) if (int(set / bit[e - 1]) % 2 == 0) pass(from[e], onto[e], turn[e])
            for (start = 0; start <= goal; start++) if (!solved(start)) return 0
        }
    }
    return 1
}

$0 == "" && lines && !ended { ended = 1; next }
lines++ && !ended { fault("no empty line between two strings") }
{
    string = $0; ended = 0
    if (string !~ /^[NESW]*$/ || length(string) != length(pattern))
        fault("line " FNR " has no string of " length(pattern) " letters")
    for (i = 1; i <= length(pattern) && !faults; i++) {
        letter = substr(pattern, i, 1); way[i] = index("NESW", substr(string, i, 1))
        if (letter != "*" && letter != substr(string, i, 1)) fault("letter " i " is not " letter ", as in the pattern")
    }
    if (faults) exit 1
    mazes = 0; listed()
    if (faults) exit 1
    mazes = 0
    strings++
    if (few && every()) complete++
    else if (!("mazes" in size)) { fault("line " FNR " does not solve every maze of the grid"); exit 1 }
}
END {
    if (!lines) fault("no string")
    if (complete && complete == strings) print "all " mazes " mazes of this kind on the grid are solved"
    exit faults > 0
}

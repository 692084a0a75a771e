BEGIN { kind = "@KIND@"; height = @HEIGHT@; width = @WIDTH@; pattern = "@PATTERN@"; goal = height * width - 1 }
function wrong(what) { if (++bad <= 5) print what }
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
function judge(start, told,    c) { # blocked: the goal must be visited if it can be; thin: all that can be
    reach(start)
    if (kind == "blocked" && !(goal in within)) return
    mazes++; walk(start)
    if (kind == "blocked") { if (!(goal in seen)) wrong(told ": the goal is not visited") }
    else for (c in within) if (!(c in seen)) { wrong(told ": cell " c " is not visited"); break }
}
function pass(a, b, d) { to[a, d] = b; to[b, (d + 1) % 4 + 1] = a } # ways: 1 north, 2 east, 3 south, 4 west
function closed(    c, d) { for (c = 0; c <= goal; c++) for (d = 1; d <= 4; d++) to[c, d] = c }
# Several strings: an empty line behind each.
$0 == "" && lines && !ended { ended = 1; next }
lines++ && !ended { wrong("no empty line between two strings") }
{ string = $0; ended = 0; solves() }
function solves(    i, letter, c, d, e, n, r, k, sign, set, start) {
    if (string !~ /^[NESW]*$/ || length(string) != length(pattern)) wrong("no string of " length(pattern) " letters")
    for (i = 1; i <= length(pattern); i++) {
        letter = substr(pattern, i, 1); way[i] = index("NESW", substr(string, i, 1))
        if (letter != "*" && letter != substr(string, i, 1)) wrong("letter " i " is not " letter ", as the pattern says")
    }
    if (bad) exit 1
    mazes = 0; edges = 0
@MAZES@
}
END {
    if (!lines) wrong("no string")
    if (mazes) print "    " mazes " mazes walked through"
    exit bad > 0
}

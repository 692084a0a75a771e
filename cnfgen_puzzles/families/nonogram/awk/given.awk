given && FILENAME == given { # width and height, then the clues of rows and columns; other lines are not understood
    sub(/\r$/, "")
    if (NF) told[filled++] = $0
    if (!/^[0-9 \t]*$/) strange = 1
    next
}
function compare(    size, l, i, n) { # exit code 0: the clues are those of the puzzle; 1: they are not; 3: not understood
    if (strange || split(told[0], size, " ") != 2 || filled != 1 + size[1] + size[2]) return 3
    if (size[1] != width || size[2] != height) return 1
    for (l = 1; l < filled; l++) {
        k = split(clue[l], b, " "); n = split(told[l], size, " ")
        if (n == 1 && size[1] == 0) n = 0
        if (n != k) return 1
        for (i = 1; i <= k; i++) if (size[i] != b[i]) return 1
    }
    return 0
}

#            F             The sides A .. F of the hexagon, here all 2. Row r = 0, 1, ... has its cells from left to right,
#         ________         pointing up and down by turns. A cell spans from h to h + 2, in half cells; h = 0 is the left end
#        /\  /\  /\        of side F. The left and right ends of the edge above row r are at left(r) and right(r).
#     A /__\/__\/__\ E
#      /\  /\  /\  /\      Lines: the rows; the rising lines (/), told at F from left to right, then down E; the falling
#     /__\/__\/__\/__\     lines (\), told at C from left to right, then up D: so their upper ends go up A, then along F.
#     \  /\  /\  /\  /     Both are read from the top down: below a cell that points up is the next row, beside one that
#    B \/__\/__\/__\/ D    points down the next cell.
#       \  /\  /\  /
#        \/__\/__\/
#            C

function list_cells(    r, h) {
    for (r = 0; r < A + B; r++) {
        begin[r] = r < A ? -r - 1 : r - 2 * A
        end[r] = begin[r] + (right(r) - left(r) + right(r + 1) - left(r + 1)) / 2
        for (h = begin[r]; h < end[r]; h++) { number[r, h] = count + 0; append(r + 1, count++) }
    }
    line = A + B
    for (h = 0; h < F; h++) walk(0, 2 * h, -1)
    for (r = 0; r < E; r++) walk(r, end[r] - 1, -1)
    for (r = A - 1; r >= 0; r--) walk(r, begin[r], 1)
    for (h = 0; h < F; h++) walk(0, 2 * h, 1)
    if (line != lines) wrong("there are " lines " clues, the hexagon has " line " lines")
}
function left(r) { return r < A ? -r : r - 2 * A }
function right(r) { return 2 * F + (r < E ? r : 2 * E - r) }
function walk(r, h, aside) { # down a line, from the cell at h
    for (line++; (r, h) in number;) {
        append(line, number[r, h])
        if ((r + h) % 2) r++ # it points up
        else h += aside
    }
}

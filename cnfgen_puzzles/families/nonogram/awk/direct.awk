# start(i, t): block i has moved by t, so it begins at cell base[i] + t. Each block has slack + 1 such variables, line by
# line; none if the clue does not fit. For every line:
# (1) each block i has some start(i, t)
# (2) not start(i, t) or not start(i, u), for t < u
# (3) not start(i, t) or not start(j, u), for blocks i < j, where block j would begin before the end of block i and its gap (only
#     between blocks of one color)
# (4) x(q, c) -> some start(i, t) of a block of color c that covers cell q
# (5) start(i, t) -> x(q, ink[i]) for every cell q that it covers; in a line without blocks: not x(q, c)

function add_line(    i, j, t, u, q, c, n, text) {
    n = slack < 0 ? 0 : slack + 1
    for (i = 1; i <= k; i++) { first[i] = variables + 1; variables += n }
    for (i = 1; i <= k; i++) {
        text = ""
        for (t = 0; t < n; t++) text = text (first[i] + t) " "
        clause(text) # (1)
        for (t = 0; t < n; t++)
            for (u = t + 1; u < n; u++) conflict(first[i] + t, first[i] + u) # (2)
    }
    for (i = 1; i <= k; i++)
        for (j = i + 1; j <= k; j++)
            for (t = 0; t < n; t++)
                for (u = 0; u < n && base[j] + u < base[i] + t + b[i] + (ink[i] == ink[j]); u++)
                    conflict(first[i] + t, first[j] + u) # (3)
    for (c = 1; c <= inks; c++)
        for (q = 0; q < cells[line]; q++) {
            text = -x(q, c) " "
            for (i = 1; i <= k; i++)
                for (t = 0; t < n && ink[i] == c; t++)
                    if (base[i] + t <= q && q < base[i] + t + b[i]) text = text (first[i] + t) " "
            clause(text) # (4)
        }
    for (i = 1; i <= k; i++)
        for (t = 0; t < n; t++)
            for (q = base[i] + t; q < base[i] + t + b[i]; q++) clause(-(first[i] + t) " " x(q, ink[i]) " ") # (5)
    for (c = 1; c <= inks && !k; c++)
        for (q = 0; q < cells[line]; q++) clause(-x(q, c) " ")
}
function conflict(a, b) { clause(-a " " (-b) " ") }

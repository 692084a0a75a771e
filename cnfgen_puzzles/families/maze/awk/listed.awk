@LIST@
    for (n = 1; n <= @COUNT@; n++) {
        closed(); split(maze[n], part, " "); split(part[1], rows, "/"); split(part[2], at, ",")
        for (r = 0; r < height; r++) for (k = 0; k < width; k++) {
            c = r * width + k; sign = substr(rows[r + 1], k + 1, 1)
            if (kind == "blocked") {
                if (sign == "." && k + 1 < width && substr(rows[r + 1], k + 2, 1) == ".") pass(c, c + 1, 2)
                if (sign == "." && r + 1 < height && substr(rows[r + 2], k + 1, 1) == ".") pass(c, c + width, 3)
            } else { # hexadecimal: 1 north, 2 east, 4 south, 8 west are open
                sides = index("123456789abcdef", sign)
                if (int(sides / 2) % 2) pass(c, c + 1, 2)
                if (int(sides / 4) % 2) pass(c, c + width, 3)
            }
        }
        judge(kind == "blocked" ? 0 : at[1] * width + at[2], "maze " n)
    }

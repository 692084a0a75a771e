    for (r = 1; r <= known; r++) { # cells that are known beforehand
        n = split(row_known[r], value, " ")
        if (known != height || n != width) wrong("the known cells have another shape than the puzzle")
        for (c = 1; c <= n; c++)
            for (d = 1; d <= inks && value[c] != "null"; d++) {
                if (value[c] !~ /^[0-9]+$/ || value[c] + 0 > inks) wrong("row " r " has a known cell without a colour")
                clause((value[c] == d ? "" : "-") (((r - 1) * width + c - 1) * inks + d) " ")
            }
    }

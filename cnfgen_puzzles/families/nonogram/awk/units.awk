    for (r = 1; r <= known; r++) { # cells that are known beforehand
        n = split(row_known[r], value, " ")
        for (c = 1; c <= n; c++)
            for (d = 1; d <= inks && value[c] != "null"; d++)
                clause((value[c] == d ? "" : "-") (((r - 1) * width + c - 1) * inks + d) " ")
    }

# Cells that are known beforehand must be as they are known; '?' is one that is not.
known[NR] != "" {
    for (c = 1; c <= width; c++) {
        sign = substr(known[NR], c, 1)
        if (sign != "?" && sign != substr($0, c, 1)) wrong("row " NR ", column " c " is known to be " sign)
    }
}

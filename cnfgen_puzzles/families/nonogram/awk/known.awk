# Cells that are known beforehand must be as they are known; '?' is one that is not.
known[n] != "" {
    for (c = 1; c <= width; c++) {
        sign = substr(known[n], c, 1)
        if (sign != "?" && sign != substr($0, c, 1)) wrong("row " n ", column " c " is known to be " sign)
    }
}

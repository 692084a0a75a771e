# Known cells must have their known color; '?' is an unknown cell.
known[n] != "" {
    for (c = 1; c <= width; c++) {
        sign = substr(known[n], c, 1)
        if (sign != "?" && sign != substr($0, c, 1)) wrong("row " n ", column " c " is known to be " sign)
    }
}

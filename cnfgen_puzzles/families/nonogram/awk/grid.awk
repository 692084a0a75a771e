function list_cells(    r, c) {
    count = height * width; lines = height + width
    for (r = 0; r < height; r++)
        for (c = 0; c < width; c++) { append(r + 1, r * width + c); append(height + c + 1, r * width + c) }
}

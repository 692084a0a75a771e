"""What nonograms and triddlers share: lines with clues, palettes, and encodings of a line."""

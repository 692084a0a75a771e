"""The common part of nonograms and triddlers: lines with clues, palettes, and encodings of a line."""

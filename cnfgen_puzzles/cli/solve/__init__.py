"""What solve-puzzle does besides showing a board: all boards, puzzles solved piece by piece, collections."""

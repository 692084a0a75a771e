"""Four cells removed from the chessboard: can the twelve pentominoes cover the rest? The claim is: always, except in two
cases."""

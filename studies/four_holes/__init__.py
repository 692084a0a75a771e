"""Any four cells removed from the chessboard: can the twelve pentominoes cover the rest? Claimed: always, except in two cases."""

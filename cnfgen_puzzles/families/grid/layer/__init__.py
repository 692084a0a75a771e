"""The layer that all genres of grid puzzles share: the contract `Genre`, kinds of boards, constraints, views."""

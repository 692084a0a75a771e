"""What all genres of grid puzzles share: the contract `Genre`, kinds of boards, constraints, views."""

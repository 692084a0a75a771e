"""Which of the things that a puzzle gives contradict the rest of it: `finding` finds them, `sets` by a solver, `result` tells."""

"""Queens on n x n boards: those that attack no other queen, and two armies that do not attack each other."""

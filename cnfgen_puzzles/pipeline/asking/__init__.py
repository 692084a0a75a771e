"""How solvers are asked: several side by side, and one that goes on where it was."""

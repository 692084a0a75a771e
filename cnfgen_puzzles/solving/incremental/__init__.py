"""Solvers that keep what they learnt between questions: python-sat's, under the runner's limits; and binaries, asked anew."""

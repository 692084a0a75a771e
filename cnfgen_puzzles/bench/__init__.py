"""What compares: instances x encodings x solvers from a suite, run, stored and scored."""

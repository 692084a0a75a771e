"""Studies that decide published claims, one folder for each. `reproduce` writes a table of all. Users of the package do not need
them."""

"""Where solvers and checkers come from: fetched by checksum, built or taken ready-made, installed, found. Not their runs."""

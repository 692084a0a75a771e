"""The parts of count-cnf."""

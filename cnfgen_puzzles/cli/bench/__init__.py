"""The subcommands of bench-cnf, one thin module each; `bench_cnf.py` loads the one that is called."""

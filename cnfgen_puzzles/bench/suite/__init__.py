"""What a benchmark is to run: from a suite's YAML file to a list of runs."""

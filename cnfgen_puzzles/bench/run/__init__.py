"""The runs of a benchmark: formulas made once, runs on this machine or a cluster, results kept."""

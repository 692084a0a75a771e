"""Exchange with BenchExec: `tasks` exports a suite, `results` imports result files and logs of runexec."""

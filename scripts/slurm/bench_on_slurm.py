#!/usr/bin/env python3
"""Run a suite of bench-cnf on a Slurm cluster: workers by dask-jobqueue, with one run at a time on each.

    pip install 'cnfgen-puzzles[cluster]' dask-jobqueue
    python scripts/slurm/bench_on_slurm.py suite.yaml --workers 32 --queue compute --walltime 04:00:00 -- -o results/big --report

Arguments after `--` go to `bench-cnf run`. Run it on a node that can submit jobs, in a folder that all nodes share (the workers
then read the formulas from there; otherwise they are sent). Each worker is a Slurm job with one task and one core, so Slurm
separates the runs. The scheduler runs in this process. Ctrl-C ends the benchmark after the runs in progress, and then the jobs.
"""

from __future__ import annotations

import argparse
import signal
import subprocess
import sys
from pathlib import Path


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", type=Path)
    parser.add_argument("--workers", type=int, default=2, help="Slurm jobs, one core each")
    parser.add_argument("--queue", help="Slurm partition")
    parser.add_argument("--account")
    parser.add_argument("--memory", default="4GB", help="of a worker: the suite's limit and some more")
    parser.add_argument("--walltime", default="01:00:00", help="of a worker; a run that it cuts is made again on another")
    parser.add_argument("--interface", help="network interface that the nodes reach, such as ib0")
    parser.add_argument("--directive", action="append", default=[], help="another #SBATCH line, such as --exclusive")
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    given, words = parser.parse_args(words[:end]), words[end + 1 :]

    from dask_jobqueue import SLURMCluster

    cluster = SLURMCluster(
        queue=given.queue,
        account=given.account,
        cores=1,
        processes=1,
        job_cpu=1,
        memory=given.memory,
        walltime=given.walltime,
        interface=given.interface,
        job_extra_directives=given.directive,
        scheduler_options={"dashboard_address": ":0"},
    )
    with cluster:
        cluster.scale(jobs=given.workers)
        command = [str(Path(sys.executable).with_name("bench-cnf")), "run", str(given.suite)]
        with subprocess.Popen([*command, "--scheduler", cluster.scheduler_address, *words]) as bench:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal tells bench-cnf, too
            signal.signal(signal.SIGTERM, lambda *_: bench.terminate())
            return bench.wait()


if __name__ == "__main__":
    sys.exit(main())

"""A Dask scheduler and workers in separate processes."""

import contextlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

QUIET = {"DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "error"}


class Dask:
    """Starts `dask scheduler` and, on request, workers; `address` is the scheduler's."""

    def __init__(self, stack, folder, environment):
        path = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])  # they import modules of tests
        self.stack, self.folder, self.environment = stack, folder, environment | QUIET | {"PYTHONPATH": path}
        file = folder / "scheduler.json"
        self.scheduler = self.start(
            "scheduler", "--port", "0", "--no-dashboard", "--host", "127.0.0.1", "--scheduler-file", str(file)
        )
        self.address = self.told(file)

    def start(self, word, *options, log=None, **environment):
        path = self.folder / f"dask-{log or word}.log"
        with path.open("wb") as file:
            command = [sys.executable, "-m", "distributed.cli.dask_" + word, *options]
            process = subprocess.Popen(command, stdout=file, stderr=file, env=self.environment | environment, cwd=self.folder)
        self.stack.callback(process.wait)
        self.stack.callback(process.kill)
        return process

    def worker(self, name, *options, **environment):
        """Without a nanny, so that a killed worker stays dead."""
        options = options or ("--nthreads", "1")
        place = ["--no-nanny", "--no-dashboard", "--local-directory", str(self.folder / name), "--host", "127.0.0.1"]
        return self.start("worker", self.address, "--name", name, *place, *options, log=name, **environment)

    def told(self, file, patience=60):
        end = time.monotonic() + patience
        while True:
            with contextlib.suppress(FileNotFoundError, ValueError):
                return json.loads(file.read_text())["address"]
            assert time.monotonic() < end, (self.folder / "dask-scheduler.log").read_text()
            time.sleep(0.05)

    def kill_scheduler(self):
        self.scheduler.kill()

    def await_workers(self, count):
        from distributed import Client

        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(count, timeout=60)

"""Shared by the tests of benchmarks: `bench-cnf` within this process, for tests that call it many times."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from cnfgen_puzzles.cli.start import bench_cnf


@pytest.fixture
def invoke(monkeypatch, capfd):
    """`invoke("scores", folder)` gives exit code and output (both streams) as a shell would see them."""

    def call(*words):
        monkeypatch.setattr("sys.argv", ["bench-cnf", *map(str, words)])
        with pytest.raises(SystemExit) as ended:
            bench_cnf()
        captured = capfd.readouterr()
        return SimpleNamespace(exit_code=ended.value.code or 0, output=captured.err + captured.out)

    return call

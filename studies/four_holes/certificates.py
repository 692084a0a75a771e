"""The file of certificates, one JSON object per line; an interrupted run resumes from it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from tqdm import tqdm

from cnfgen_puzzles.common.journal import Journal, read_lines
from cnfgen_puzzles.solving.distribute import distribute
from cnfgen_puzzles.solving.executors import open_executor
from studies.four_holes.classes import Holes
from studies.four_holes.decide import Certificate, decide_all

NAME = "classes.jsonl"
CHUNK = 40  # classes in one call: a second or so


def read_certificates(path: Path) -> dict[Holes, Certificate]:
    """The decided classes; an incomplete last line is ignored."""
    return {tuple(line.entry["holes"]): line.entry for line in (read_lines(path) if path.exists() else ())}


def decide_classes(path: Path, wanted: Sequence[Holes], jobs: int | None, *, quiet: bool = False) -> dict[Holes, Certificate]:
    """Decides the open classes; the certificates of each call are written when they are available."""
    found = read_certificates(path)
    left = [holes for holes in wanted if holes not in found]
    pace = 1 if sys.stderr.isatty() else 30
    bar = tqdm(total=len(wanted), initial=len(wanted) - len(left), unit="class", mininterval=pace, disable=quiet)
    with Journal(path) as journal, bar, open_executor(jobs=jobs) as executor:
        chunks = (left[start : start + CHUNK] for start in range(0, len(left), CHUNK))
        with closing(distribute(executor, chunks, lambda chunk: (decide_all, chunk), "four holes")) as results:
            for result in filter(None, results):
                for certificate in result.result():
                    found[tuple(certificate["holes"])] = certificate
                    journal.append(certificate)
                    bar.update()
    return found

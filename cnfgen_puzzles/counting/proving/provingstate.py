"""The file by which proving can be interrupted and continued: a line of JSON for each cube that is done.

The first line names the problem (SHA-256 of formula, list and symmetries). Each further line is a cube that was refuted, with its
`Proof`, or one that was divided, into cubes (`into`) that are lines of their own and `dead` literals, which unit propagation
refutes. Each line has a checksum of itself and of the line before, so that a line that was changed, lost or moved is an error;
only the last may be cut off. None of this is evidence: that is the proofs, or others that anybody can make for the same cubes.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cnfgen_puzzles.common.errors import InputError
from cnfgen_puzzles.common.jsonlines import end_last_line, iterate_jsonlines
from cnfgen_puzzles.counting.proving.refuting import Proof
from cnfgen_puzzles.evidence.allmodels import Literals

SCHEMA = "cnfgen-puzzles/cubes"
VERSION = 1
NAME = "cubes.jsonl"


@dataclass(frozen=True)
class Division:
    """A cube by which literals it goes on (`choices`), and which of these lead to a conflict at once (`dead`)."""

    choices: tuple[int, ...]
    dead: tuple[int, ...]


class ProvingState:
    """The cubes that are done: `refuted` and `divided`. InputError for a file of another problem, and for a damaged one."""

    def __init__(self, folder: Path, identity: str):
        self.folder, self.path = folder, folder / NAME
        self.refuted: dict[Literals, Proof] = {}
        self.divided: dict[Literals, Division] = {}
        self._seal = ""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._stream = self.path.open("ab")
            fcntl.flock(self._stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError("another process is using this state", source=str(folder)) from None
        except OSError as error:
            raise InputError(f"cannot keep a state here: {error.strerror or error}", source=str(folder)) from None
        try:
            end_last_line(self.path)
            self._read(identity)
        except BaseException:
            self._stream.close()
            raise
        if not self._seal:
            self._append({"schema": SCHEMA, "version": VERSION, "problem": identity})

    def _read(self, identity: str) -> None:
        for number, _, entry in iterate_jsonlines(self.path):
            seal = entry.pop("sha256", None)
            if seal != _sealed(self._seal, entry):
                raise self._damaged("its checksum is not that of its content and of the lines before", number)
            self._seal = seal
            if number == 1:
                if (entry.get("schema"), entry.get("version")) != (SCHEMA, VERSION):
                    raise self._damaged(f"found no {SCHEMA} of version {VERSION}", number)
                if entry["problem"] != identity:
                    raise InputError("this state belongs to another problem", source=str(self.path))
                continue
            try:
                cube = tuple(entry["cube"])
                if "proof" in entry:
                    self.refuted[cube] = Proof(**entry["proof"])
                else:
                    self.divided[cube] = Division(tuple(entry["choices"]), tuple(entry["dead"]))
            except (KeyError, TypeError) as error:
                raise self._damaged(f"found no cube: {error}", number) from None

    def _damaged(self, told: str, line: int) -> InputError:
        return InputError(f"damaged state: {told}; remove the folder, and all is proved anew", source=str(self.path), line=line)

    def refute(self, cube: Literals, proof: Proof) -> None:
        """A cube is done."""
        self._append({"cube": list(cube), "proof": asdict(proof)})
        self.refuted[cube] = proof

    def divide(self, cube: Literals, division: Division) -> None:
        """A cube is done when those are into which it is divided."""
        self._append({"cube": list(cube), "choices": list(division.choices), "dead": list(division.dead)})
        self.divided[cube] = division

    def _append(self, entry: dict[str, Any]) -> None:
        self._seal = _sealed(self._seal, entry)
        self._stream.write(json.dumps(entry | {"sha256": self._seal}).encode() + b"\n")
        self._stream.flush()

    def close(self) -> None:
        self._stream.close()


def _sealed(before: str, entry: dict[str, Any]) -> str:
    return hashlib.sha256(f"{before}\n{json.dumps(entry, sort_keys=True)}".encode()).hexdigest()

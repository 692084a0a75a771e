"""The table of windows: the results of each method, the fillings, and the totals."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from tabulate import tabulate

from studies.maze_windows.questions import Question, every_method
from studies.mazes.cubes import Entry

SHOWN = 5
"""The most fillings of one window that are printed."""

MEASURED = ("mazes", "tuples", "states", "rounds", "cubes", "seconds", "cpu")
HEADERS = ["offset", "pattern", "method", "verdict", *MEASURED, "proof"]


def print_report(questions: Sequence[Question], answers: dict[str, Entry]) -> None:
    """Prints the table; answers of the other methods are shown in the same row."""
    rows = []
    number: defaultdict[str, Counter[str]] = defaultdict(Counter)
    others: defaultdict[int, dict[str, None]] = defaultdict(dict)
    for question in questions:
        for answer in every_method(question, answers):
            number[answer["method"]][answer["verdict"]] += 1
            proof = answer.get("proof")
            told = "" if proof is None else "checked" if proof["verified"] else "NOT VERIFIED"
            shown = (answer[name] for name in MEASURED)
            rows.append((question.offset, question.runs, answer["method"], answer["verdict"], *shown, told))
            others[question.offset] |= dict.fromkeys(string for string in answer["found"] if string != question.string)
    print(tabulate(rows, headers=HEADERS, intfmt=","))
    for offset, strings in others.items():
        for string in list(strings)[:SHOWN]:
            print(f"\noffset {offset}, {len(string)} letters: {string}", end="")
        if len(strings) > SHOWN:
            print(f"\noffset {offset}: {len(strings) - SHOWN} more in the records", end="")
    print("\n")
    for method, counts in number.items():
        print(f"{method}: " + ", ".join(f"{count} {verdict}" for verdict, count in counts.items()))

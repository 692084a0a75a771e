"""The report of a benchmark: one HTML file with everything in it, which opens from disk and never uses the network.

    write_report(records, Path("results/small/report.html"), Path("results/small"))

`page.py` puts the file together, `summary.py` says what ran where and what is alarming, and brings the charts of
`show/plots` into the page, `details.py` makes the data of the runs and the pictures of boards.
`templates/` has the page, its style and its script. Not here: what is measured, scored or plotted.
"""

from cnfgen_puzzles.bench.show.report.page import write_report

__all__ = ["write_report"]

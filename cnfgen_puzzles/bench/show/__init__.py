"""How results are shown: tables, plots, a report, files for other programs."""

"""Output of results: tables, plots, reports, and exports."""

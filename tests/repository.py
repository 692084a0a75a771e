"""Paths in the repository that are needed before a test runs (for parameters); tests get them from fixtures."""

from __future__ import annotations

from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
INSTANCES = REPOSITORY / "instances"

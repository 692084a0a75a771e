"""Where things are in the repository, for what must be known before a test runs (parameters); in tests the fixtures say it."""

from __future__ import annotations

from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
INSTANCES = REPOSITORY / "instances"

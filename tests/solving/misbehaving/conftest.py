"""The programs in this folder are run, not imported: test discovery must skip them."""

collect_ignore_glob = ["*.py"]

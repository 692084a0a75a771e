"""One thin module for each command, without logic: options, files, and exit codes. `common` has the shared parts."""

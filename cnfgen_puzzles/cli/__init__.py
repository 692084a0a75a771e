"""One thin module a command; what they share is in `common`. No logic here: only options, files and exit codes."""

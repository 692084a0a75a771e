"""What makes the commands pleasant to type: help in groups, values that are completed, completion in three shells."""

"""What all stands on: errors, input that users name, strict readers, files that outlive a kill, choices by a seed."""

"""Common modules: errors, user input, strict readers, files that survive a killed process, seeded choices."""

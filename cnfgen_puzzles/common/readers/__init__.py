"""Strict readers of JSON, XML, YAML, and tables. Errors have file and line, and limits are checked before data is built."""

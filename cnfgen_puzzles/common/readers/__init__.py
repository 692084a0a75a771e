"""Strict readers of JSON, XML, YAML and tables: a mistake has its file and line, limits are asked before anything is made."""

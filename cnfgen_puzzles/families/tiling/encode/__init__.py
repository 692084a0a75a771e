"""Tilings as formulas, and what counting needs to know of them."""

"""Published counts of tilings, counted again."""

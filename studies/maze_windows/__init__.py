"""Can letters of a known maze string be replaced by fewer, or by others?"""

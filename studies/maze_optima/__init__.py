"""How short can a string be that solves all mazes of a grid?"""

"""The evidence of answers: checks of models, and proofs with their checkers."""

"""What an answer rests on: models that were checked, proofs and the programs that check them."""

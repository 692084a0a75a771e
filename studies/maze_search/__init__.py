"""Short maze strings, found by rounds of annealing and of SAT windows."""

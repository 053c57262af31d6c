"""The networks that simulations compare: entrants, placements, starts, and the rules that rank them."""

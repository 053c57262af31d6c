"""What simulations set side by side: entrants, placements, starts, and the rules that rank them."""

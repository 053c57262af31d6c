"""Numbers of the prose that belong to no simulation, and the calls that name them."""

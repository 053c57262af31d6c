"""What trained networks of the figures do with ten other seeds: numbers for sentences that hold for more than three."""

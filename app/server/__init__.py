"""What `panel serve` runs: routes, limits, start and stop."""

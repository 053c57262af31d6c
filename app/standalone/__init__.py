"""A simulation without its page: in a notebook, or as the only thing that `panel serve` shows."""

"""A simulation without its page: in a notebook, or as the only content that `panel serve` shows."""

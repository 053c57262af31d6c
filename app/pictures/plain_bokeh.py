"""Whether the site runs with Bokeh as it was published, to tell whether a fault is Bokeh's or ours."""

import os


def plain_bokeh() -> bool:
    """Whether `SKIP_PLAIN_BOKEH` is 1. It is set before the process starts: what replaces Bokeh's methods does so at
    import."""
    return os.environ.get("SKIP_PLAIN_BOKEH") == "1"

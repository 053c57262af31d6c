"""Why deep networks fail without skips, and what a thousand blocks need."""

"""The networks that one is compared with: itself with one thing changed."""

from typing import Any

COMPARISONS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "none": ("Nothing", "", {}),
    "no-skip": ("Itself without a skip", "without a skip", {"skip": "none", "branch_factor": "1"}),
    "additive": ("Itself with a skip", "with an additive skip", {"skip": "additive"}),
    "no-norm": ("Itself without a norm", "without a norm", {"norm": "none"}),
    "pre-layer": ("Itself with Pre-LN", "with Pre-LN", {"norm": "pre-layer"}),
    "post-layer": ("Itself with Post-LN", "with Post-LN", {"norm": "post-layer"}),
    "he": ("Itself with He weights", "with He initialization", {"initialization": "he"}),
    "scaled": (
        "Itself with branch factor 1/blocks",
        "with branch factor 1/blocks",
        {"skip": "additive", "branch_factor": "1/blocks"},
    ),
    "shallow": ("Itself with 8 layers", "with 8 layers", {"depth": 8}),
}
"""Choice → its label, the difference in words, and the parameters that differ."""

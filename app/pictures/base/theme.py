"""One palette for page and figures, safe for color blindness, in a light and a dark version.

Style sheets use a color as `var(--name)`; figures use `LIGHT[name]`, and the page repaints them from the variables when
the theme changes. The two main networks are orange and blue: all color-blind readers can tell these apart.
"""

from collections.abc import Mapping

LIGHT: Mapping[str, str] = {
    "paper": "#fffefb",
    "panel": "#ffffff",
    "wash": "#f6f3ec",
    "ink": "#211f1b",
    "soft": "#625d54",
    "rule": "#e2ddd2",
    "edge": "#8d877b",
    "accent": "#1d6a50",
    "plain": "#b54f03",
    "residual": "#1d68ad",
    "third": "#1a7155",
    "fourth": "#8446a4",
    "fifth": "#7d6b45",
    "healthy": "#1c6fa6",
    "idle": "#716c63",
    "failing": "#b34a08",
    "zero": "#8c877e",
    "positive": "#2b9168",
    "negative": "#8e50b3",
    "above": "#8b4bb0",
    "below": "#a8862a",
}
"""Name → color of the light theme. `edge` outlines clickable things; `zero` is only for values that are exactly
zero. The last four are ends of maps in which zero is transparent: entries of matrices, and units beside their rest."""

DARK: Mapping[str, str] = {
    "paper": "#15171a",
    "panel": "#1b1e22",
    "wash": "#22262b",
    "ink": "#e9e5dd",
    "soft": "#aba59b",
    "rule": "#34383f",
    "edge": "#7d8088",
    "accent": "#74c9a5",
    "plain": "#f29b52",
    "residual": "#6fb4f3",
    "third": "#5cc79c",
    "fourth": "#c99ce2",
    "fifth": "#c0ae84",
    "healthy": "#73bce6",
    "idle": "#9d988e",
    "failing": "#ff9f61",
    "zero": "#80838a",
    "positive": "#6fe0b2",
    "negative": "#d59cf5",
    "above": "#cf97f2",
    "below": "#ecca62",
}
"""The same names in the dark theme. Ends of maps are light, so that small values can be told from the panel."""

SERIES = ("plain", "residual", "third", "fourth", "fifth")
HUES: Mapping[str, str] = {name: LIGHT[name] for name in SERIES}
"""Colors of data. A plain network and a residual one have the same colors on every page; others take the next ones."""

GLYPHS: Mapping[str, str] = {"healthy": "●", "idle": "◌", "failing": "▲", "zero": "○"}
"""Sign next to each kind of health, so that it is never shown by color alone."""

SANS = '"Source Sans 3", system-ui, "Segoe UI", Roboto, "Helvetica Neue", "Liberation Sans", sans-serif'
SERIF = '"Source Serif 4", "Serif fallback", Charter, "Iowan Old Style", Georgia, serif'
MONO = 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace'


def _variables(colors: Mapping[str, str], scheme: str) -> str:
    return f"color-scheme:{scheme};" + "".join(f"--{name}:{color};" for name, color in colors.items())


def style_sheet() -> str:
    """The palette as CSS. It follows the system unless the reader has chosen a theme (`data-theme` on the root
    element)."""
    light, dark = _variables(LIGHT, "light"), _variables(DARK, "dark")
    return (
        f":root{{{light}--sans:{SANS};--serif:{SERIF};--mono:{MONO};}}"
        f"@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}}}}}"
        f":root[data-theme=dark]{{{dark}}}"
        f"@media print{{:root:root:root{{{light}}}}}"
    )

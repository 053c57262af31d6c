"""Cards that the claims page no longer has: merged into another one, turned into its true counterpart, or gone."""

ERRORS = "history#errors-that-travel"
BUILDER = "recipes#the-block-for-tokens"

FORMER_CARDS = {
    "A-01": "experiment#what-was-published",
    "A-02": "experiment#what-was-published",
    "A-05": "claims#A-03",
    "A-07": "claims#A-19",
    "A-10": "claims#A-09",
    "A-11": "history#three-myths",
    "A-13": "claims#A-17",
    "A-14": "claims#A-18",
    "B-03": "claims#G-17",
    "B-04": ERRORS,
    "B-07": "claims#B-15",
    "B-08": "matrices#w-order",
    "B-09": "matrices#p-spectral",
    "B-10": "claims#B-02",
    "B-12": "matrices#spectrum",
    "B-14": "claims#B-18",
    "B-16": "claims#B-19",
    "C-02": "claims#C-01",
    "C-03": "claims#C-13",
    "C-06": "history#three-myths",
    "C-07": "claims#C-04",
    "C-11": "claims#C-10",
    "C-12": "backward#attention_leaks",
    "C-14": "claims#C-18",
    "C-15": "claims#C-19",
    "D-01": "claims#D-09",
    "D-03": "claims#D-02",
    "D-05": ERRORS,
    "E-04": ERRORS,
    "E-05": "claims#E-17",
    "E-07": BUILDER,
    "E-11": "costs#where-shapes-change",
    "E-12": "claims#C-10",
    "E-13": ERRORS,
    "E-15": "history#backpropagation",
    "F-02": "scaling#q-beta",
    "F-03": "claims#F-10",
    "F-04": "claims#F-05",
    "F-07": "claims#F-05",
    "F-08": "scaling#rezero",
    "F-09": "claims#F-05",
    "G-02": "claims#G-17",
    "G-03": ERRORS,
    "G-04": ERRORS,
    "G-05": "claims#F-05",
    "G-06": BUILDER,
    "G-07": BUILDER,
    "G-08": "cheat-sheet#kinds-of-connections-compared",
    "G-09": "claims#H-03",
    "G-10": "connectivity#gate-how-much-gets-past",
    "G-11": "claims#G-20",
    "G-13": "claims#G-21",
    "G-14": "claims#G-21",
    "G-15": "claims#G-22",
    "G-16": "claims#G-20",
}
"""Id of a card → the address that now answers it, `slug#id`"""

ON_PAGES = {
    "gradient-paths": ("B-03",),
    "theories": ("B-12", "B-14"),
    "matrices": ("B-03", "B-12"),
    "connectivity": ("G-09", "G-10"),
    "recipes": ("G-04", "G-06", "G-07"),
    "cheat-sheet": ("G-08",),
    "scaling": ("F-03", "F-08"),
    "costs": ("E-11",),
    "history": ("E-15",),
}
"""Page → former cards that it showed"""


def places(page: str) -> dict[str, str]:
    """The former cards of a page, each with its address now."""
    shown = FORMER_CARDS if page == "claims" else ON_PAGES.get(page, ())
    return {card: FORMER_CARDS[card] for card in shown}


def pages() -> dict[str, str]:
    """The former cards' own pages, each with the page that now answers it: that of a card, or a chapter."""
    moved = {}
    for card, address in FORMER_CARDS.items():
        slug, _hash, anchor = address.partition("#")
        moved[f"claim-{card}"] = f"claim-{anchor}" if slug == "claims" else slug
    return moved

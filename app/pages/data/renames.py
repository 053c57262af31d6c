"""The one table of renamed pages, simulations and parameters, of figures and sections that moved, and of defaults that
old links relied on.

The server redirects pages and embeds; for figures and sections the page's scripts read the same table, which is
embedded in the page. Entries are never removed, since old links stay in use.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from app.pages.data import former_cards

Texts = Mapping[str, str]


@dataclass(frozen=True)
class Renames:
    """`pages`: former slug → slug. `simulations`: former name → name, in the addresses of embeds. `places`: slug → id
    of a figure, exercise or section that the page no longer has → its address now, `slug#id`. `parameters`: name of a
    simulation → former name of a parameter → name. `unsaid`: version of a link → id of a figure → initial values at
    that version that differ from today's, which a link of that version that sets anything leaves out.
    """

    pages: Texts = field(default_factory=dict)
    simulations: Texts = field(default_factory=dict)
    places: Mapping[str, Texts] = field(default_factory=dict)
    parameters: Mapping[str, Texts] = field(default_factory=dict)
    unsaid: Mapping[str, Mapping[str, Texts]] = field(default_factory=dict)

    def place(self, page: str, anchor: str) -> tuple[str, str]:
        """The page and the id under which something is now that a link of today or of former days names."""
        page = self.pages.get(page, page)
        slug, _hash, identifier = self.places.get(page, {}).get(anchor, f"{page}#{anchor}").partition("#")
        return slug, identifier

    def of_figure(self, name: str, anchor: str) -> dict[str, Any]:
        """The part that concerns one figure, for its page; empty where there is none."""
        unsaid = {version: figures[anchor] for version, figures in self.unsaid.items() if anchor in figures}
        parts = {"renamed": self.parameters.get(name, {}), "unsaid": unsaid}
        return {part: value for part, value in parts.items() if value}

    def renewed(self, name: str, anchor: str, texts: Texts, version: str) -> dict[str, str]:
        """What a link of that version sets, in current names; a current name wins over a former one."""
        names = self.parameters.get(name, {})
        renamed = {names[key]: text for key, text in texts.items() if key in names}
        renamed |= {key: text for key, text in texts.items() if key not in names}
        unsaid = self.unsaid.get(version, {}).get(anchor, {}) if texts else {}
        return {**unsaid, **renamed}


RENAMES = Renames(
    pages=former_cards.pages(),
    simulations={
        "gradient-paths.two_gradients": "matrices.two_gradients",
        "norm-placement.machine": "scaling.machine",
    },
    places={
        "claims": {
            **former_cards.places("claims"),
            "who-is-right": "history#three-myths",
            "checked": "claims#A-03",
        },
        **{page: former_cards.places(page) for page in former_cards.ON_PAGES},
        "after-2024": {
            "three-complaints": "after-2024#ten-years-of-adding",
            "more-lanes": "after-2024#one-lane-for-everything",
            "by-hand-a-mix-of-two-lanes": "after-2024#w-sinkhorn",
            "looking-back-over-depth": "after-2024#read-what-you-want",
            "p-zero": "after-2024#p-same",
            "by-hand-three-outputs-and-a-query": "after-2024#w-lookback",
            "what-do-they-learn-five-small-networks": "field#what-do-they-learn-five-small-networks",
            "stream_forms": "field#stream_forms",
            "p-moved": "field#p-moved",
            "values-of-the-first-layer-three-small-language-models": (
                "field#values-of-the-first-layer-three-small-language-models"
            ),
            "value_residual": "field#value_residual",
            "p-values": "field#p-values",
            "where-the-norm-goes-round-two": "after-2024#it-grows-and-grows",
            "seven-placements-their-laws-and-what-training-makes-of-them": "after-2024#norms",
            "a-skip-that-can-erase": "after-2024#erase-a-mistake",
            "measured-three-blocks-learn-to-forget": "after-2024#erase-a-mistake",
            "by-hand-erase-then-write": "after-2024#w-delta",
            "a-skip-that-can-be-undone": "field#a-skip-that-can-be-undone",
            "how-well-does-it-invert-in-16-and-in-32-bits": "field#reversible",
            "reversible": "field#reversible",
            "w-reversible": "field#w-reversible",
            "q-reversible": "field#q-reversible",
            "what-about-other-depths-norms-and-skips": "after-2024#other-depths",
            "how-to-read-a-claim": "after-2024#who-else-ran-it",
            "what-their-authors-report-and-what-others-found": "field#the-works",
            "what-is-settled-and-what-is-not": "after-2024#who-else-ran-it",
            "four-more-questions": "after-2024#quiz",
            "go-on-by-yourself": "after-2024#quiz",
        },
        "degradation": {
            "published": "history#published",
            "p-1202": "history#p-1202",
            "q4": "history#q4",
            "what-was-published-and-what-is-only-repeated": "history#what-was-published-and-what-circulates",
            "A-15": "claims#A-15",
            "p-test": "degradation#q1",
            "both-in-code-one-condition-apart": "degradation#by-hand-in-code-and-one-more-question",
            "so-which-of-these-networks-overfits": "degradation#a-bet-on-depth",
            "thirty-six-layers-more": "degradation#thirty-six-more-layers",
            "can-a-relu-layer-copy-at-all": "degradation#w-copy",
            "the-same-with-batchnorm": "degradation#batchnorm-and-its-exploding-gradients",
            "why-the-default-initialization-loses-the-gradient": "degradation#w-default",
            "what-helps-bet-once-more": "degradation#the-bet-once-more",
            "the-cause-on-paper": "degradation#what-did-the-authors-think",
            "how-far-can-a-plain-network-go": "degradation#what-did-the-authors-think",
            "try-this": "degradation#by-hand-in-code-and-one-more-question",
            "one-more-question": "degradation#q2",
        },
        "shortcut": {
            "E-01": "claims#E-01",
            "E-06": "claims#E-06",
            "p-starts": "shortcut#p-small",
            "which-branch-for-which-map": "shortcut#w-maps",
            "where-does-nothing-lie": "shortcut#where-is-do-nothing",
            "one-block-by-hand": "shortcut#one-block-and-a-short-chain-by-hand",
            "the-same-numbers-step-by-step": "shortcut#w-block",
            "zero-the-last-layer": "shortcut#E-02",
            "other-wishes-nothing-but-decay-and-the-opposite-of-the-input": "shortcut#p-flip",
            "three-corrections-in-numbers": "shortcut#w-chain",
            "a-digit-on-its-way-through-the-blocks": "shortcut#corrections",
            "the-jacobian-an-identity-plus-something": "gradient-paths#all-paths-added-up",
            "one-block-by-hand-backward": "shortcut#dataflow",
            "what-to-put-last": "shortcut#what-should-a-branch-end-with",
            "four-orders-in-trained-networks": "shortcut#what-should-a-branch-end-with",
            "the-block-of-2015-and-its-successor": "shortcut#what-should-a-branch-end-with",
            "the-other-half": "shortcut#half-of-the-story",
            "try-this": "shortcut#zero-the-last-layer-more-questions-and-things-to-try",
            "one-more-question": "shortcut#q3",
        },
        "gradient-paths": {
            **former_cards.places("gradient-paths"),
            "jacobian_walk": "matrices#jacobian_walk",
            "network_jacobians": "matrices#network_jacobians",
            "two_gradients": "matrices#two_gradients",
            "p-spectral": "matrices#p-spectral",
            "w-order": "matrices#w-order",
            "w-growth": "matrices#w-growth",
            "q3": "matrices#q3",
            "B-11": "matrices#B-11",
            "from-numbers-to-matrices": "matrices#from-numbers-to-matrices",
            "two-gradients-in-each-block": "matrices#two-gradients-in-each-block",
            "add-the-skip": "gradient-paths#all-paths-added-up",
        },
        "landscape": {
            "p-one": "landscape#p-two",
            "p-slice": "landscape#landscape",
            "D-06": "claims#D-06",
            "D-07": "claims#D-07",
            "a-slice-through-thousands-of-dimensions": "landscape#the-usual-story",
            "the-program-of-such-a-picture-for-a-network-of-your-own": "landscape#by-hand-and-in-code",
            "the-same-on-spirals-before-training-and-in-one-number": "landscape#switch-the-norm",
            "by-hand-the-trap-in-two-weights": "landscape#w-rescale",
            "by-hand-one-change-five-networks": "landscape#w-perturb",
            "does-a-calm-picture-promise-good-generalization": "landscape#the-scale-trap",
            "beware-of-scripted-surfaces": "landscape#scripted_surface",
            "try-this": "landscape#four-questions-and-things-to-try",
            "three-more-questions": "landscape#four-questions-and-things-to-try",
        },
        "norm-placement": {
            "machine": "scaling#machine",
            "pollute": "connectivity#pollute",
            "p-lambda": "connectivity#pollute",
            "q5": "connectivity#pollute",
            "C-10": "connectivity#C-10",
            "published-skip-paths": "connectivity#published-skip-paths",
            "published-cifar10-activation": "shortcut#published-cifar10-activation",
            "attention_leaks": "backward#attention_leaks",
            "p-batch-first": "backward#attention_leaks",
            "C-05": "claims#C-05",
            "C-09": "claims#C-09",
            "p-root": "norm-placement#last_layer",
            "w-four": "norm-placement#p-routes",
            "q2": "norm-placement#p-sum",
            "the-whole-difference-in-code": "norm-placement#by-hand-and-in-code",
            "what-a-norm-does-to-a-gradient": "norm-placement#two-orders-of-the-same-parts",
            "farther-up-to-1-000-blocks": "norm-placement#ln_jacobian",
            "by-hand-the-norm-of-three-numbers-its-powers-and-three-numbers-that-get-mixed-up": (
                "norm-placement#w-jacobian"
            ),
            "would-twice-as-many-digits-help-the-measurement-run-again": "norm-placement#probe",
            "the-honest-ratios-under-three-losses-and-at-three-depths": "norm-placement#probe",
            "find-the-edges-and-two-surprises": "norm-placement#stability",
            "four-papers-four-diagnoses": "norm-placement#is-it-the-size-of-the-first-step",
            "a-stream-that-nobody-normalizes": "norm-placement#what-do-people-use",
            "how-clean-must-the-skip-be": "connectivity#pollute",
            "two-traps-in-the-code": "backward#attention_leaks",
            "habits-and-where-they-come-from": "norm-placement#what-do-people-use",
            "try-this": "norm-placement#three-questions-and-things-to-try",
            "four-more-questions": "norm-placement#three-questions-and-things-to-try",
        },
        "arena": {
            "lesion": "theories#lesion",
            "p-lesion": "theories#p-lesion",
        },
        "theories": {
            **former_cards.places("theories"),
            "shattering": "matrices#shattering",
            "spectrum": "matrices#spectrum",
            "rank": "matrices#rank",
            "p-shattered": "matrices#p-shattered",
            "p-spectrum": "matrices#p-spectrum",
            "q-shattered": "matrices#q-shattered",
            "q-rank": "matrices#q-rank",
            "gradients-of-a-healthy-size": "matrices#gradients-of-a-healthy-size",
        },
    },
    unsaid={
        "1": {
            "degradation": {"norm": "batch", "optimizer": "momentum", "learning_rate": "0.05"},
            "last_op": {"ending": "relu"},
        },
    },
)
"""The table of this site"""

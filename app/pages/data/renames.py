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
        "norm-placement.machine": "shortcut.machine",
        "scaling.machine": "shortcut.machine",
        "scaling.skip-weights": "sum_weights",
    },
    places={
        "claims": {
            **former_cards.places("claims"),
            "who-is-right": "history#three-myths",
            "checked": "claims#A-03",
        },
        **{page: former_cards.places(page) for page in former_cards.ON_PAGES},
        "recipes": {
            **former_cards.places("recipes"),
            "p-halve": "recipes#recipes",
            "p-parameters": "recipes#recipes",
            "when-do-you-need-a-skip-at-all": "recipes#where-the-sources-disagree",
            "one-builder-eleven-blocks": "recipes#write-it-one-builder-eleven-blocks",
            "the-block-for-images": "recipes#recipes",
            "scaled-by-depth": "recipes#init",
            "two-recipes-at-once": "recipes#init",
            "a-checklist-before-the-first-run": "x-ray#your-own-network",
        },
        "degradation": {
            "published": "experiment#published",
            "p-1202": "experiment#p-1202",
            "q4": "experiment#q4",
            "what-was-published-and-what-is-only-repeated": "experiment#what-was-published",
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
        "teach": {
            "lesson-20": "lesson-bet#lesson-20",
            "lesson-45": "lesson-bet#lesson-45",
            "lesson-90": "lesson-statements#lesson-90",
            "twenty-minutes": "lesson-bet#twenty-minutes",
            "forty-five-minutes": "lesson-bet#forty-five-minutes",
            "ninety-minutes": "lesson-statements#ninety-minutes",
            "on-paper": "teach#on-paper-and-in-a-learning-platform",
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
            "w-growth": "matrices#B-11",
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
            "machine": "shortcut#machine",
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
        "connectivity": {
            **former_cards.places("connectivity"),
            "G-12": "claims#G-12",
            "G-21": "claims#G-21",
            "p-channels": "connectivity#w-dense",
            "q3": "connectivity#p-reuse",
            "w-carry": "connectivity#p-gate",
            "three-questions-make-a-family": "connectivity#three-ways-to-join",
            "the-three-in-code-and-what-each-forward-returns": "connectivity#by-hand-and-in-code",
            "all-three-by-hand-on-two-numbers": "connectivity#w-join",
            "see-who-reads-what": "connectivity#connectivity",
            "concatenate-the-bill-and-the-goods": "connectivity#concatenate-who-reads-the-early-features",
            "what-layer-number-l-reads-and-what-that-keeps-in-memory": "connectivity#w-dense",
            "gate-the-price-of-deciding": "connectivity#gate-how-much-gets-past",
            "how-far-must-a-gate-be-shut": "connectivity#p-gate",
            "what-a-gate-costs": "connectivity#p-bill",
            "the-cousin-that-came-first-the-lstm": "connectivity#w-lstm",
            "seven-ways-on-one-budget": "connectivity#does-the-joint-decide",
            "what-gates-and-factors-have-learned-and-what-leaving-blocks-out-does": "connectivity#variants",
            "the-families-side-by-side": "connectivity#when-to-use-which",
            "the-families-in-one-table-u-nets-among-them": "connectivity#when-to-use-which",
            "try-this": "connectivity#one-more-question-and-things-to-try",
            "two-more-questions": "connectivity#one-more-question-and-things-to-try",
        },
        "explorer": {
            "p-map": "explorer#explorer",
            "p-nan": "explorer#one-rate-for-both",
            "q2": "explorer#one-rate-for-both",
            "your-first-minute": "explorer#the-bench",
            "by-hand-five-seeds-in-three-summaries-and-an-equal-budget": "explorer#w-seeds",
            "experiments-one-click-each": "explorer#one-rate-for-both",
            "what-the-table-says": "explorer#one-rate-for-both",
            "does-the-order-of-relu-and-layer-matter": "explorer#p-seeds",
            "three-more-readings-small-branches-post-lns-rate-and-what-dense-networks-pay": (
                "explorer#one-rate-for-both"
            ),
            "read-a-run-three-diagnoses": "explorer#w-reading",
            "two-more-questions": "explorer#q1",
        },
        "arena": {
            "lesion": "theories#lesion",
            "p-lesion": "theories#p-lesion",
            "p-64": "arena#arena",
            "p-memory": "claims#H-01",
            "H-03": "claims#H-03",
            "w-update": "costs#plateau",
            "q1": "arena#the-same-rules-for-all",
            "q3": "arena#ten-networks-at-five-depths",
            "first-who-may-enter": "arena#the-same-rules-for-all",
            "the-rules": "arena#the-same-rules-for-all",
            "reading-the-meters": "arena#arena",
            "rounds": "arena#change-one-rule",
            "the-season": "arena#ten-networks-at-five-depths",
            "a-rate-of-one-s-own": "arena#one-learning-rate-for-all",
            "what-it-costs": "claims#H-01",
            "what-the-dense-network-keeps-a-lesson-in-accounting": "claims#H-03",
            "what-a-late-block-adds": "costs#plateau",
            "what-this-race-cannot-tell": "arena#what-carries-over",
            "try-this": "arena#things-to-try",
            "two-more-questions": "arena#q2",
        },
        "cheat-sheet": {
            **former_cards.places("cheat-sheet"),
            "E-09": "claims#E-09",
            "q1": "cheat-sheet#quiz",
            "q2": "cheat-sheet#p-additions",
            "q3": "explorer#explorer",
            "w-walks": "cheat-sheet#decision",
            "eleven-kinds-in-one-table": "cheat-sheet#kinds-of-connections-compared",
            "blocks-that-load-published-weights": "cheat-sheet#code-to-copy",
            "starts-and-a-factor-that-stays": "cheat-sheet#code-to-copy",
            "three-checks-for-a-network-that-trains-badly": "cheat-sheet#code-to-copy",
            "where-you-will-meet-skips-next": "claims#E-09",
        },
        "scaling": {
            **former_cards.places("scaling"),
            "F-01": "claims#F-01",
            "F-10": "claims#F-10",
            "machine": "shortcut#machine",
            "skip-weights": "scaling#quiet",
            "p-beta": "scaling#q-beta",
            "w-deep": "scaling#q-beta",
            "w-rezero": "scaling#rezero",
            "q1": "scaling#p-growth",
            "q2": "scaling#q-beta",
            "q3": "scaling#rezero",
            "q5": "scaling#all-recipes-and-an-example-by-hand",
            "a-sum-with-a-thousand-terms": "scaling#the-usual-story",
            "by-hand-how-loud-may-a-block-be": "scaling#w-growth",
            "recipes-and-one-that-stands-on-its-head": "scaling#all-recipes-and-an-example-by-hand",
            "what-each-recipe-multiplies": "scaling#all-recipes-and-an-example-by-hand",
            "deepnorm-forward-and-backward": "scaling#q-beta",
            "how-quiet-is-too-quiet": "scaling#how-small-is-too-small",
            "training-ends-the-independence": "scaling#what-does-training-change",
            "the-towers-after-a-hundred-steps": "scaling#trained_towers",
            "does-one-over-the-root-keep-the-stream-bounded-then": "scaling#one-over-the-root-or-one-over-the-depth",
            "a-whisper-that-learns-its-own-volume": "scaling#let-training-choose",
            "does-a-factor-measure-how-important-its-block-is": "scaling#rezero",
            "by-hand-two-numbers-three-steps": "scaling#rezero",
            "and-a-weight-on-the-skip": "scaling#quiet",
            "what-is-settled-and-what-is-not": "scaling#let-training-choose",
            "try-this": "scaling#two-questions-and-things-to-try",
            "four-more-questions": "scaling#two-questions-and-things-to-try",
            "quiz": "scaling#two-questions-and-things-to-try",
        },
        "backward": {
            "E-14": "claims#E-14",
            "p-dead": "backward#w-block",
            "w-merges": "backward#p-lines",
            "q1": "backward#p-copy",
            "q4": "backward#two-rules",
            "q5": "backward#p-average",
            "the-plan-as-a-table-what-each-line-reads-writes-and-keeps": "backward#ten-lines",
            "by-hand-a-block-back-and-forth-with-numbers-to-edit": "backward#w-block",
            "the-formulas-that-the-lines-need": "backward#by-hand-and-in-code",
            "by-hand-what-a-lost-skip-leaves-of-two-branches": "backward#one-character",
            "edit-a-weight": "backward#backward",
            "from-one-block-to-a-model": "backward#one-character",
            "remarks-on-kernels": "backward#two-rules",
            "write-one-yourself": "backward#by-hand-and-in-code",
            "a-block-and-a-stack-in-numpy": "backward#by-hand-and-in-code",
            "a-checklist-for-doubtful-gradients": "backward#who-notices",
            "what-is-settled-and-what-is-not": "backward#who-notices",
            "quiz": "backward#two-questions",
            "four-more-questions": "backward#two-questions",
        },
        "costs": {
            **former_cards.places("costs"),
            "H-01": "claims#H-01",
            "w-bytes": "costs#memory",
            "w-stream": "costs#p-live",
            "q-idle": "costs#plateau",
            "what-must-wait-for-the-backward-pass": "costs#what-the-backward-pass-has-to-keep",
            "by-hand-bytes-of-a-block-and-of-a-large-model-s-stream": "costs#memory",
            "measured-how-long-a-segment-should-be": "costs#forget-and-compute-again",
            "the-traffic-of-a-sum": "costs#how-long-does-a-sum-take",
            "the-time-of-a-sum-and-of-the-product-before-it": "costs#how-long-does-a-sum-take",
            "by-hand-work-for-each-byte": "costs#w-traffic",
            "reported-remedies": "costs#idle-blocks",
            "what-is-settled-and-what-is-not": "costs#idle-blocks",
            "go-on-by-yourself": "costs#one-more-question-and-things-to-try",
            "one-more-question": "costs#one-more-question-and-things-to-try",
        },
        "theories": {
            **former_cards.places("theories"),
            "shattering": "matrices#shattering",
            "spectrum": "matrices#spectrum",
            "rank": "matrices#rank",
            "p-shattered": "matrices#p-shattered",
            "p-spectrum": "matrices#p-spectrum",
            "q-shattered": "matrices#p-shattered",
            "q-rank": "matrices#rank",
            "gradients-of-a-healthy-size": "matrices#gradients-of-a-healthy-size",
            "convolutions": "experiment#convolutions",
            "p-convolutions": "experiment#p-convolutions",
            "p-statistics": "experiment#p-statistics",
            "the-experiment-in-small": "experiment#the-same-shape-in-small",
            "what-exactly-stays-behind-batchnorm-answers-twice": "experiment#is-it-all-in-the-weights",
            "could-it-be-the-size-of-the-gradients": "experiment#does-the-gradient-get-lost",
            "the-network-in-code": "experiment#convolutions",
            "B-18": "claims#B-18",
            "q-length": "gradient-paths#p-length",
            "w-mass": "gradient-paths#w-length",
            "what-was-counted-layers-modules-paths": "gradient-paths#how-long-are-the-paths-that-matter",
            "by-hand-one-equation-l-blocks": "theories#w-euler",
            "how-fast-and-all-six-cases-in-numbers": "theories#ode",
            "p-order": "theories#ode",
            "what-is-settled-and-what-is-not": "theories#crowd-refinement-flow",
            "try-this": "theories#by-hand-one-more-question-and-things-to-try",
            "two-more-questions": "theories#by-hand-one-more-question-and-things-to-try",
        },
        "history": {
            **former_cards.places("history"),
            "published": "experiment#published",
            "p-1202": "experiment#p-1202",
            "q4": "experiment#q4",
            "q-ensemble": "experiment#the-published-tables",
            "published-cifar10": "experiment#published-cifar10",
            "published-imagenet-depth": "experiment#published-imagenet-depth",
            "what-was-published-and-what-circulates": "experiment#what-was-published",
            "the-published-tables-and-what-their-numbers-mean": "experiment#the-published-tables",
            "sixty-years-on-one-line": "history#a-formula-from-nowhere",
            "slopes-from-the-end": "history#backpropagation",
            "q-recurrent": "history#backpropagation",
            "identity-through-time": "history#carrying-something-unchanged",
            "shortcuts-before-the-name": "history#carrying-something-unchanged",
            "the-gates-come-off": "history#the-last-step",
            "by-hand-depth-through-time": "history#the-last-step",
            "w-depth": "history#the-last-step",
            "p-norm": "history#three-myths",
            "what-is-settled-and-what-is-not": "history#three-myths",
            "a-popular-account-line-by-line": "history#errors-that-travel",
            "p-sort": "history#p-order",
            "sort-eight-cards": "history#p-order",
            "four-more-questions": "history#try-this",
            "q-forget": "history#p-order",
            "q-thesis": "history#backpropagation",
            "w-cell": "history#carrying-something-unchanged",
            "go-on-by-yourself": "history#try-this",
        },
        "language": {
            "by-hand-a-loss-in-choices-and-in-bits": "language#w-nats",
            "can-another-recipe-rescue-it": "language#is-it-the-depth",
            "p-rescue": "language#is-it-the-depth",
            "which-part-needs-the-plus-sign": "language#what-gets-lost",
            "look-inside": "language#a-loss-by-hand-and-things-to-try",
            "p-knocked": "language#a-loss-by-hand-and-things-to-try",
            "what-is-settled-and-what-is-not": "language#a-loss-by-hand-and-things-to-try",
            "go-on-by-yourself": "language#a-loss-by-hand-and-things-to-try",
        },
        "matrices": {
            **former_cards.places("matrices"),
            "q-shattered": "matrices#p-shattered",
            "q-rank": "matrices#rank",
            "w-growth": "matrices#B-11",
            "see-it-and-read-a-famous-demonstration-again": "matrices#B-11",
            "three-fine-points-eigenvalues-the-order-of-the-factors-a-slow-drift": (
                "matrices#two-fine-points-and-things-to-try"
            ),
            "try-this": "matrices#two-fine-points-and-things-to-try",
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

"""Two small language models learn to write: one with skip connections, and the same one without."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import param

from sims.builder.language_file import language_file
from sims.contract import usual_parameters
from sims.contract.calculation import calculation
from sims.contract.frame import Divergence, Frame, Quantity
from sims.contract.parameters import Stops
from sims.contract.phrase import Phrase
from sims.contract.simulation import Disclosure, Training
from sims.contract.wording import number
from sims.data import own_words
from sims.engines.language import LanguageModel, LanguageRecipe
from sims.engines.language.layout import make_layout
from sims.instruments.networks.inside_language import Inside, inside
from sims.instruments.networks.text_sampler import LENGTH, TEMPERATURE, Writer, advanced, begin
from sims.kept import results

LOOKS = 10
"""Looks at the models in a whole run, besides that before the first step"""

KINDS = {"with": "with skip connections", "without": "without"}

PROMPT = 40
"""The most letters of the prompt"""

SEEDS = 5
"""Runs over which a range is given"""

MEASURES = {
    "early": ("loss if the stream is read here", "nats per symbol", ("position",)),
    "gradients": ("norm of the gradient of the stream", "loss per unit", ("position",)),
    "likeness": ("mean cosine between two places", "relative", ("position",)),
    "without": ("rise of the loss without this branch", "nats per symbol", ("branch",)),
}
"""Field of `Inside` → label, unit and axes"""


@dataclass(frozen=True)
class Pupil:
    """A model under training, and the measurements inside it at one step: before the first, or after the last."""

    writer: Writer
    inside: Inside
    examined: int


State = Mapping[str, Pupil]
"""Kind → the model"""


class Language(Training):
    """Two models learn to write

    Two panels, one above the other, hold text that two small language models write after the same few words, one with
    skip connections and one without. The stronger the shade behind a letter, the more it surprised the model itself.
    Words of the text that they learned from are underlined. Below, two curves show the loss of both over the training
    steps, on lines that they never saw, with a dotted mark at the loss of a guess from letter frequencies alone.
    """

    listing_repeats = False
    divisible = True
    restarts = (
        *("blocks", "learning_rate", "skip", "attention", "norm"),
        *("initialization", "prompt", "training_steps", "seed"),
    )
    atlas: ClassVar[Mapping[str, Sequence[Any]]] = {"blocks": (1, 8), "moment": tuple(range(LOOKS + 1))}

    blocks = Stops(
        default=8,
        objects=[1, 2, 4, 6, 8, 12],
        label="Blocks",
        doc="an attention and a feed-forward branch each",
        precedence=1,
    )
    moment = param.Integer(
        LOOKS, bounds=(0, LOOKS), label="Read at", doc=f"at which of {LOOKS + 1} moments of a run the models write"
    )
    prompt = Phrase(
        "The skip connection ",
        own_words.symbols().replace("\n", ""),
        PROMPT,
        label="First words",
        doc="what both models continue",
    )
    learning_rate = usual_parameters.learning_rate(0.003, (0.0003, 0.001, 0.003, 0.01), precedence=1)
    skip = param.Selector(
        default="additive",
        objects={
            "h + F": "additive",
            "h + αF, α from 0 (ReZero)": "rezero",
            "One around both branches": "block",
            "Around attention only": "attention",
            "Around feed-forward only": "feed-forward",
        },
        label="Skip connection",
        doc="of the model that has one",
        precedence=1,
    )
    attention = param.Selector(
        default="softmax",
        objects={
            "As usual": "softmax",
            "Own place, plus β times the mixture (β from 0)": "value-skip",
            "Own place only": "identity",
        },
        label="Attention reads",
        doc="what a token reads from, in both models",
        precedence=1,
    )
    norm = param.Selector(
        default="pre-layer",
        objects={"Pre-LN": "pre-layer", "Post-LN": "post-layer"},
        label="Norm",
        doc="of h + F: before every branch, or after every sum",
        precedence=1,
    )
    initialization = param.Selector(
        default="variance-preserving",
        objects={
            "Preserving variance": "variance-preserving",
            "As in GPT-2": "small",
            "Orthogonal, attention on the own place": "own-place",
        },
        label="Initialization",
        doc="how the weights of both models are initialized",
        precedence=1,
    )
    training_steps = usual_parameters.training_steps(600, [300, 600, 1200])
    seed = usual_parameters.seed()

    def start(self) -> State:
        return {kind: self._first(kind) for kind in KINDS}

    def _first(self, kind: str) -> Pupil:
        writer = begin(self._model(kind), LanguageRecipe(learning_rate=self.learning_rate), self.seed, self.prompt)
        return Pupil(writer, inside(writer.state), 0)

    def _model(self, kind: str) -> LanguageModel:
        skip: Any = self.skip if kind == "with" else "none"
        norm: Any = self.norm if skip == "additive" else "pre-layer"
        symbols = len(own_words.symbols())
        return LanguageModel(
            self.blocks,
            symbols,
            skip=skip,
            attention=self.attention,
            norm=norm,
            initialization=self.initialization,
        )

    def advance(self, state: State, steps: int) -> State:
        return {kind: self._onward(model, steps) for kind, model in state.items()}

    def _onward(self, pupil: Pupil, steps: int) -> Pupil:
        whole, before = self.training_steps, pupil.writer
        writer = advanced(before, min(steps, whole - before.state.step), whole // LOOKS)
        if writer.state.step == whole > pupil.examined:
            return Pupil(writer, inside(writer.state), whole)
        return replace(pupil, writer=writer)

    def frame(self, state: State) -> Frame:
        steps = max((model.writer.steps for model in state.values()), key=len)
        quantities = {"steps": Quantity(np.array(steps), "training step", "steps", ("record",))}
        lost = []
        for kind, label in KINDS.items():
            writer = state[kind].writer
            losses = np.full(len(steps), np.nan)
            losses[: len(writer.losses)] = writer.losses
            texts = [own_words.encoded(text) for text in writer.texts]
            texts += texts[-1:] * (len(steps) - len(texts))
            quantities[f"{kind}_loss"] = Quantity(losses, f"loss, {label}", "nats per symbol", ("record",))
            quantities[f"{kind}_text"] = Quantity(
                np.array(texts), f"number of the symbol written, {label}", "symbols", ("record", "place")
            )
            surprises = [*writer.surprises, *writer.surprises[-1:] * (len(steps) - len(writer.surprises))]
            quantities[f"{kind}_surprise"] = Quantity(
                np.array(surprises), f"loss of the symbol written, {label}", "nats", ("record", "place")
            )
            for name, (words, unit, axes) in MEASURES.items():
                values = getattr(state[kind].inside, name)
                quantities[f"{kind}_{name}"] = Quantity(values, f"{words}, {label}", unit, axes)
            drafts = np.array([own_words.encoded(draft) for draft in state[kind].inside.drafts])
            quantities[f"{kind}_drafts"] = Quantity(
                drafts, f"number of the likeliest next symbol, {label}", "symbols", ("position", "letter")
            )
            if not writer.state.finite:
                lost.append(
                    Divergence(
                        writer.state.step + 1,
                        f"loss ({label})",
                        "The steps were too long.",
                        "Lower the learning rate.",
                    )
                )
        running = [model.writer.state.step for model in state.values() if model.writer.state.finite]
        step = min(running, default=self.training_steps)
        examined = {"examined": min(model.examined for model in state.values())}
        return self.reread(Frame(quantities, examined, step, self.training_steps, tuple(lost)))

    def reread(self, frame: Frame) -> Frame:
        steps = frame["steps"]
        record = min(self.moment, len(steps) - 1)
        answers = {**frame.results, "read_at": int(steps[record])}
        for kind in KINDS:
            answers[f"{kind}_loss"] = float(frame[f"{kind}_loss"][record])
            answers[f"{kind}_text"] = own_words.decoded(frame[f"{kind}_text"][record])
        return replace(frame, results=answers)

    def describe(self, frame: Frame) -> str:
        losses = [float(frame.results[f"{kind}_loss"]) for kind in KINDS]
        if not np.isfinite(losses).all():
            return f"After {frame.results['read_at']} of {frame.steps} steps a model has overflowed."
        frequencies = own_words.entropy_of_frequencies()
        text = (
            f"After {frame.results['read_at']} of {frame.steps} steps the loss on unseen lines is "
            f"{number(losses[0], 3)} nats per symbol with skip connections and {number(losses[1], 3)} without. "
        )
        if losses[1] > frequencies - 0.1:
            return text + f"Knowing how frequent each letter is would give {number(frequencies, 3)}."
        return text + f"Letter frequencies alone would give {number(frequencies, 3)}."

    def listing(self) -> str:
        recipe = LanguageRecipe(learning_rate=self.learning_rate)
        return language_file(self._model("with"), recipe, self.seed, self.training_steps, TEMPERATURE)

    def disclosure(self) -> Disclosure:
        model = self._model("with")
        return Disclosure(
            network=f"Two GPTs of {self.blocks} blocks, width {model.width}, {model.heads} heads, "
            f"{make_layout(model).size:,} parameters; they differ only in the skip connections. Without "
            "them, the norm before every branch stays.",
            data=f"{len(own_words.parts()[0]):,} symbols, of {model.symbols} kinds, from this site's own sentences; "
            f"{model.context} are seen at once. The loss is measured on other lines. Each moment shows {LENGTH} "
            f"symbols, drawn at temperature {number(TEMPERATURE)} with the same random numbers for both. The stronger "
            "the shade behind a letter, the more it surprised the model (its loss, without the temperature).",
            seeds=f"One, {self.seed}, with the same weights at the start and the same pieces for both. AdamW, learning "
            f"rate {number(self.learning_rate)}, 16 pieces per step.",
            cannot_show="What large models do: with more text, more time or another recipe, plain ones may do better.",
        )


def draft_of(frame: Frame, place: int) -> str:
    """The model's next symbol after each symbol of `SENTENCE`, if the head reads the stream after `place` branches; a
    line break shows as ¶."""
    return own_words.decoded(frame["with_drafts"][place]).replace("\n", "¶")


def _finished(seed: int, **settings: Any) -> Frame:
    return results.finished(Language(seed=seed, **settings))


@calculation(long=True, readings=("which",), absolute=0.15)
def loss(
    which: str,
    blocks: int = 8,
    learning_rate: float = 0.003,
    initialization: str = "variance-preserving",
    norm: str = "pre-layer",
    seed: int = 0,
) -> float:
    """The loss of the model "with" or "without" skip connections on unseen lines after 600 steps, nats per symbol."""
    settings = {"blocks": blocks, "learning_rate": learning_rate, "initialization": initialization, "norm": norm}
    return float(_finished(seed, **settings)[f"{which}_loss"][-1])


@calculation(long=True, readings=("which", "statistic"), absolute=0.15)
def losses(which: str, statistic: str, blocks: int = 8) -> float:
    """The "lowest" or the "highest" of the same losses over five seeds, 0 to 4."""
    ends = [float(_finished(seed, blocks=blocks)[f"{which}_loss"][-1]) for seed in range(SEEDS)]
    return min(ends) if statistic == "lowest" else max(ends)


@calculation(long=True, readings=("which",), absolute=0.1)
def mean_chance(which: str, seed: int = 0) -> float:
    """The mean probability that a trained model of eight blocks gave the symbols that it wrote at the end."""
    return float(np.exp(-_finished(seed)[f"{which}_surprise"][-1]).mean())


@calculation(long=True, readings=("which",), absolute=1.0)
def letter_spread(which: str, seed: int = 0) -> float:
    """The largest difference, in nats, between how surprising two places with the same symbol were to a trained model
    of eight blocks, in what it wrote at the end."""
    frame = _finished(seed)
    text, surprise = frame[f"{which}_text"][-1], frame[f"{which}_surprise"][-1]
    return max(float(np.ptp(surprise[text == symbol])) for symbol in np.unique(text))


@calculation(long=True, readings=("which", "place"), absolute=0.3)
def read_early(which: str, place: int, seed: int = 0) -> float:
    """The loss of a trained model of eight blocks if its head reads the stream after `place` of its 16 branches."""
    return float(_finished(seed)[f"{which}_early"][place])


@calculation(long=True, readings=("which",), absolute=0.1)
def likeness(which: str, seed: int = 0) -> float:
    """The mean cosine between two positions of a text, after the last branch of a trained model of eight blocks."""
    return float(_finished(seed)[f"{which}_likeness"][-1])


@calculation(long=True, readings=("which",), tolerance=0.05)
def likeness_at_start(which: str, seed: int = 0) -> float:
    """The same before the first step."""
    return float(_begun(seed)[f"{which}_likeness"][-1])


def _begun(seed: int) -> Frame:
    training = Language(seed=seed)
    return training.frame(training.start())


@calculation
def frequencies() -> float:
    """The loss in nats per symbol of guessing from the frequency of each symbol."""
    return own_words.entropy_of_frequencies()


@calculation
def pairs() -> float:
    """The loss in nats per symbol of guessing from the previous symbol."""
    return own_words.entropy_of_pairs()


@calculation
def guessing() -> float:
    """The loss in nats per symbol of guessing uniformly."""
    return float(np.log(len(own_words.symbols())))


@calculation
def parameters(blocks: int = 8) -> int:
    """The number of parameters of a model with `blocks` blocks."""
    return make_layout(LanguageModel(blocks, len(own_words.symbols()))).size


@calculation
def symbols_read() -> int:
    """The number of symbols in the training text."""
    return len(own_words.parts()[0])

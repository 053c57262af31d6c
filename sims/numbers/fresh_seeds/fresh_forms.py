"""Five forms of a stream, trained with ten fresh seeds."""

from functools import cache

from sims.contract.bands import reading
from sims.contract.calculation import calculation
from sims.contract.frame import Frame
from sims.instruments.training.form_run import FormSetup, begin
from sims.numbers.fresh_seeds.seeds import SEEDS
from sims.simulations.wiring.stream_forms import FORMS, StreamForms


@cache
def _trained(own: float) -> Frame:
    """What the figure's default run would end with if it had these seeds."""
    figure = StreamForms(own=own)
    start = {form: begin(FormSetup(form, figure.blocks, own, figure.learning_rate, SEEDS)) for form in FORMS}
    return figure.frame(figure.advance(start, figure.training_steps))


@calculation(long=True, readings=("form", "what", "statistic"), tolerance=0.3, absolute=0.02)
def value(form: str, what: str, statistic: str = "median", own: float = 6.0) -> float:
    """A number at the end of a run: the "median", "lowest" or "highest" of ten seeds.

    `what`: "loss" in nats; "size" of the head's input; "moved", how far the weights or mixes are from those of an
    ordinary residual network; "second", the second singular value of the product of all mixes; "used", the effective
    number of lanes read. Raises KeyError for an unknown name.
    """
    return reading(_trained(own), f"{form}_{what}", statistic)


@calculation(long=True, readings=("form", "statistic"), tolerance=0.3, absolute=2)
def percent_moved(form: str, statistic: str = "median", own: float = 6.0) -> float:
    """`value` of "moved", in percent."""
    return 100 * float(value(form=form, what="moved", statistic=statistic, own=own))

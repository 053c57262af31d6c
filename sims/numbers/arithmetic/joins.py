"""Ways to join a branch's result with what it was computed from, in numbers small enough to check by hand."""

from sims.contract.calculation import calculation


@calculation
def added(x: float, branch: float) -> float:
    """x + F(x)"""
    return x + branch


@calculation
def kept(value: float) -> float:
    """What concatenation makes of a number: the same number."""
    return value


@calculation
def mixed(x: float, branch: float, gate: float) -> float:
    """T·F(x) + (1 − T)·x (Srivastava et al. 1505.00387, equation 3)"""
    return gate * branch + (1 - gate) * x


@calculation
def dense_input(start: int, growth: int, layer: int) -> int:
    """Channels that layer `layer`, counted from 1, of a dense block reads (Huang et al. 1608.06993, section 3)."""
    return start + growth * (layer - 1)


@calculation
def dense_output(start: int, growth: int, layers: int) -> int:
    """Channels behind a dense block of `layers` layers."""
    return start + growth * layers


@calculation
def stored(layers: int, shared: bool) -> int:
    """How many times a dense block's features of one layer are kept, summed over its layers, in units of the growth:
    every prefix anew, or once each in a shared buffer (Pleiss et al. 1707.06990)."""
    return layers if shared else layers * (layers + 1) // 2


@calculation
def highway_parameters(width: int) -> int:
    """A one-layer transform and its gate: 2 (d² + d)."""
    return 2 * (width**2 + width)


@calculation
def residual_parameters(width: int, hidden: int | None = None) -> int:
    """A two-layer branch d → hidden → d with biases; `hidden` is d if not told."""
    inside = hidden or width
    return width * inside + inside + inside * width + width


@calculation
def memory(forget: float, input_gate: float, before: float, candidate: float) -> float:
    """An LSTM's c = f·c₋ + i·c̃ (Gers et al. 2000); the coupled variant has i = 1 − f."""
    return forget * before + input_gate * candidate


@calculation
def coupled(forget: float, before: float, candidate: float) -> float:
    """The same with i = 1 − f: a highway layer through time (Greff et al. 1503.04069)."""
    return float(memory(forget=forget, input_gate=1 - forget, before=before, candidate=candidate))

"""Ways to join a branch's output with its input, in numbers small enough to check by hand."""

from sims.contract.calculation import calculation


@calculation
def added(x: float, branch: float) -> float:
    """x + F(x)"""
    return x + branch


@calculation
def kept(value: float) -> float:
    """Concatenation leaves a number unchanged."""
    return value


@calculation
def mixed(x: float, branch: float, gate: float) -> float:
    """T·F(x) + (1 − T)·x (Srivastava et al. 1505.00387, equation 3)"""
    return gate * branch + (1 - gate) * x


@calculation
def dense_input(start: int, growth: int, layer: int) -> int:
    """Number of channels that layer `layer` (from 1) of a dense block reads (Huang et al. 1608.06993, section 3)."""
    return start + growth * (layer - 1)


@calculation
def dense_output(start: int, growth: int, layers: int) -> int:
    """Number of channels after a dense block of `layers` layers."""
    return start + growth * layers


@calculation
def stored(layers: int, shared: bool) -> int:
    """How often the features of a layer are stored in a dense block, summed over its layers, in units of the growth:
    again in every concatenation, or once in a shared buffer (Pleiss et al. 1707.06990)."""
    return layers if shared else layers * (layers + 1) // 2


@calculation
def highway_parameters(width: int) -> int:
    """Parameters of a one-layer transform and its gate: 2 (d² + d)."""
    return 2 * (width**2 + width)


@calculation
def residual_parameters(width: int, hidden: int | None = None) -> int:
    """Parameters of a two-layer branch d → hidden → d with biases; `hidden` is d by default."""
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

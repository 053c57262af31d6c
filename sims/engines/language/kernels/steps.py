"""The compiled loop over the steps of a language model: forward, loss, backward, update."""

import numpy as np

from sims.engines.kernels.compiled import compiled, enclosed
from sims.engines.kernels.losses import CROSS_ENTROPY, loss_and_gradient
from sims.engines.kernels.optimizers import ADAM, clip_and_update
from sims.engines.kernels.sums import norm_of
from sims.engines.language.kernels.backward import backward
from sims.engines.language.kernels.forward import forward
from sims.engines.language.kernels.shapes import Plan, Workspace

Array = np.ndarray


@enclosed
def gather(text: Array, starts: Array, context: int, workspace: Workspace) -> None:
    """Copy the pieces of the text (n,) that begin at `starts` (B,) to the workspace, and the symbol after each one."""
    batch = starts.size
    for t in range(context):
        for b in range(batch):
            workspace.symbols[t * batch + b] = text[starts[b] + t]
            workspace.answers[t * batch + b] = text[starts[b] + t + 1]


@compiled
def one_pass(
    plan: Plan, parameters: Array, text: Array, starts: Array, workspace: Workspace, gradient: Array, norms: Array
) -> float:
    """Return the loss of the pieces; write its `gradient` (P,) and, unless it is empty, the stream's gradient `norms`
    (branches + 1,)."""
    gather(text, starts, plan.context, workspace)
    forward(plan, parameters, workspace)
    mean = loss_and_gradient(CROSS_ENTROPY, workspace.outputs, workspace.answers)
    backward(plan, parameters, workspace, gradient, norms)
    return mean


@compiled
def run(
    plan: Plan,
    text: Array,
    starts: Array,
    rates: Array,
    decay: float,
    decaying: int,
    clip: float,
    first_step: int,
    parameters: Array,
    first: Array,
    second: Array,
    workspace: Workspace,
    gradient: Array,
    losses: Array,
) -> int:
    """Take the steps first_step + 1, … in place, and return how many were taken: it stops before a step whose loss or
    gradient is not finite.

    starts is (steps, B), rates and losses (steps,). AdamW (Loshchilov & Hutter 1711.05101, algorithm 2) in torch's
    form: the first `decaying` parameters shrink by rate · decay before the step, and the gradient of all parameters is
    clipped to the norm `clip`.
    """
    nothing, steps_taken = losses[:0], 0
    for step in range(rates.size):
        losses[step] = one_pass(plan, parameters, text, starts[step], workspace, gradient, nothing)
        length = norm_of(gradient)
        if not (np.isfinite(losses[step]) and np.isfinite(length)):
            break
        shrink = parameters.dtype.type(1 - rates[step] * decay)
        for i in range(decaying):
            parameters[i] *= shrink
        clip_and_update(ADAM, rates[step], clip, first_step + step + 1, length, gradient, parameters, first, second)
        steps_taken += 1
    return steps_taken

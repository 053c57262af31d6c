"""The backward pass of a language model: the gradient of every parameter, and of the stream after every branch."""

import numpy as np

from sims.engines.kernels.compiled import compiled, enclosed, inlined
from sims.engines.kernels.elementwise import add_to, clear, copy, scale_all, scaled
from sims.engines.kernels.layers import inputs_back, layer_back
from sims.engines.kernels.matmul import outer
from sims.engines.kernels.norms import layer_norm_back
from sims.engines.kernels.sums import inner_product, norm_of
from sims.engines.kernels.views import rows, slot, view
from sims.engines.language.kernels.gelu import gelu_back
from sims.engines.language.kernels.shapes import Plan, Workspace
from sims.engines.transformers.kernels.attention import attend_back

Array = np.ndarray


@compiled
def backward(plan: Plan, parameters: Array, workspace: Workspace, gradient: Array, stream_gradients: Array) -> None:
    """Fill `gradient` (P,) from the workspace of a forward pass whose outputs were replaced by the loss gradient.

    The norm of ∂L/∂h after the embedding and after each branch goes into `stream_gradients` (branches + 1,), unless it
    is empty. No branch may have been knocked out.
    """
    change, nothing = workspace.change, rows(workspace.change, 0)
    # The head's matrix is that of the symbols' vectors, at offset 0. Its gradient is written first; `_embed_back` adds
    # the embedding's part.
    head, head_change = view(parameters, 0, (plan.symbols, plan.width)), view(gradient, 0, (plan.symbols, plan.width))
    outer(workspace.outputs, workspace.final, head_change)
    inputs_back(head, workspace.outputs, nothing, workspace.packed, change)
    layer_norm_back(change, workspace.final, workspace.final_scale, nothing, change)
    for branch in range(plan.branches - 1, -1, -1):
        if stream_gradients.size:
            stream_gradients[branch + 1] = norm_of(change)
        _branch_back(plan, parameters, branch, workspace, gradient)
    if stream_gradients.size:
        stream_gradients[0] = norm_of(change)
    _embed_back(plan, workspace.symbols, change, gradient)


@inlined
def _branch_back(plan: Plan, parameters: Array, branch: int, workspace: Workspace, gradient: Array) -> None:
    """Replace the gradient with respect to the stream after a branch, in `workspace.change`, by that before it."""
    change, nothing = workspace.change, rows(workspace.change, 0)
    scale, block, layer = slot(workspace.scale, branch), branch // 2, 2 * branch
    if plan.post_norm:
        layer_norm_back(change, slot(workspace.stream, branch + 1), scale, nothing, change)
    arriving = change
    # ReZero: first α's gradient, which needs the branch's output; then that output is overwritten by its gradient.
    if plan.gates >= 0:
        output = slot(workspace.branch, branch)
        gradient[plan.gates + branch] = inner_product(change, output)
        scaled(parameters[plan.gates + branch], change, output)
        arriving = output
    inputs = slot(workspace.normal, branch) if plan.pre_norm else slot(workspace.stream, branch)
    collected = slot(workspace.mixed, block) if branch % 2 == 0 else slot(workspace.hidden, block)
    if branch % 2 == 0 and plan.mixtures >= 0:
        collected = slot(workspace.summed, block)
    # Attention goes from `width` rows to 3 `width`, so it needs a second array; GELU's gradient is taken in place.
    inside = rows(workspace.inside, 3 * plan.width if branch % 2 == 0 else collected.shape[0])
    out = rows(workspace.before, plan.width) if branch % 2 == 0 else inside
    layer_back(plan, parameters, layer + 1, collected, arriving, workspace, gradient, nothing, out)
    if branch % 2 == 0:
        _attention_back(plan, parameters, block, workspace, gradient, out, inside)
    else:
        gelu_back(slot(workspace.slopes, block), inside)
    # `change` still holds the skip's gradient: the branch's is added to it, or, without skips, replaces it. One skip
    # around a whole block ends here and begins one branch earlier, so its gradient waits in `held`.
    carries, waits = plan.bases[branch] == branch, 0 <= plan.bases[branch] < branch
    arrives = branch + 1 < plan.branches and plan.bases[branch + 1] == branch
    if waits:
        copy(change, workspace.held)
    if plan.pre_norm:
        before = rows(workspace.before, plan.width)
        layer_back(plan, parameters, layer, inputs, inside, workspace, gradient, nothing, before)
        layer_norm_back(before, inputs, scale, change if carries else nothing, change)
    else:
        base = change if carries else nothing
        layer_back(plan, parameters, layer, inputs, inside, workspace, gradient, base, change)
    if arrives:
        add_to(workspace.held, change)


@inlined
def _attention_back(
    plan: Plan, parameters: Array, block: int, workspace: Workspace, gradient: Array, change: Array, out: Array
) -> None:
    """Write the gradient of queries, keys and values to out (3 width, T B), and that of β, given the gradient of what
    the block's attention put out, `change`, which is overwritten."""
    queries, shares = slot(workspace.queries, block), slot(workspace.shares, block)
    own = view(out, 2 * change.size, change.shape)
    if not plan.mixes:
        clear(rows(out, 2 * plan.width))
        copy(change, own)
    elif plan.mixtures < 0:
        attend_back(queries, shares, True, change, workspace.attention, out)
    else:
        # `change` lies in the first `width` rows of `before`; the next ones are free.
        mixture, values = plan.mixtures + block, view(workspace.before, change.size, change.shape)
        gradient[mixture] = inner_product(change, slot(workspace.mixed, block))
        copy(change, values)
        scale_all(parameters[mixture], change)
        attend_back(queries, shares, True, change, workspace.attention, out)
        add_to(values, own)


@enclosed
def _embed_back(plan: Plan, symbols: Array, change: Array, gradient: Array) -> None:
    """Add to the gradients of the symbols' vectors, which hold the head's already, and write the positions'."""
    batch = symbols.size // plan.context
    for i in range(plan.width):
        for t in range(plan.context):
            total = gradient.dtype.type(0)
            for column in range(t * batch, (t + 1) * batch):
                total += change[i, column]
                gradient[symbols[column] * plan.width + i] += change[i, column]
            gradient[plan.positions + t * plan.width + i] = total

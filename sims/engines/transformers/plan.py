"""Makes the kernels' plan and workspace for a transformer."""

from functools import partial

import numpy as np

from sims.engines.kernels.activations import RELU
from sims.engines.kernels.matmul import TILE
from sims.engines.memory import aligned
from sims.engines.transformers.architecture import Transformer
from sims.engines.transformers.kernels.shapes import Plan, Workspace
from sims.engines.transformers.layout import make_layout


def make_plan(architecture: Transformer, inputs: int, outputs: int) -> Plan:
    """Return the plan of a transformer for that many inputs and outputs."""
    a = architecture
    layout = make_layout(a, inputs, outputs)
    return Plan(
        table=layout.table(),
        positions=layout.positions,
        depth=a.depth,
        head=len(layout.layers) - 1,
        width=a.width,
        tokens=a.tokens,
        heads=a.heads,
        pre_norm=a.norm in ("pre-layer", "peri-layer"),
        branch_norm=a.norm == "peri-layer",
        final_norm=a.ends_with_norm,
        carry=a.carry,
        causal=a.causal,
        activation=RELU,
    )


def make_workspace(architecture: Transformer, plan: Plan, batch: int, backward: bool, dtype: np.dtype) -> Workspace:
    """Return the arrays for passes over `batch` points, with slots for a backward pass if `backward`."""
    a, columns = architecture, plan.tokens * batch
    outputs = plan.table[plan.head, 0]
    widest = max(a.hidden, 3 * a.width)
    attentions, feeds = (a.attentions, max(a.depth - a.attentions, 1)) if backward else (1, 1)
    sublayers = a.depth if backward else 1
    empty = partial(aligned, dtype)
    return Workspace(
        least=np.zeros(1),
        inputs=empty(plan.table[0, 1], columns),
        stream=empty(a.depth + 1 if backward else 2, a.width, columns),
        normal=empty(sublayers if plan.pre_norm else 0, a.width, columns),
        scale=empty(sublayers, columns),
        joined=empty(sublayers if plan.branch_norm else 0, a.width, columns),
        joined_scale=empty(sublayers if plan.branch_norm else 0, columns),
        queries=empty(attentions, 3 * a.width, columns),
        shares=empty(attentions, a.heads, a.tokens, a.tokens, batch),
        mixed=empty(attentions, a.width, columns),
        hidden=empty(feeds, a.hidden, columns),
        final=empty(a.width if plan.final_norm else 0, columns),
        final_scale=empty(columns if plan.final_norm else 0),
        pooled=empty(a.width, batch),
        outputs=empty(outputs, batch),
        labels=np.empty(batch, np.int64),
        before=empty(widest, columns),
        change=empty(a.width if backward else 0, columns),
        behind=empty(a.width if backward and plan.branch_norm else 0, columns),
        inside=empty(widest if backward else 0, columns),
        pooled_change=empty(a.width if backward else 0, batch),
        packed=empty(int(plan.table[:, :2].max()), TILE),
        slopes=empty(a.tokens, a.tokens, batch),
    )

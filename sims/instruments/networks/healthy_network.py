"""`python -m sims.instruments.networks.healthy_network`: trains healthy networks of three depths, and keeps what the
X-ray measures."""

import json
from typing import Any

from sims.data.datasets import digits
from sims.data.healthy import FILE
from sims.engines import segment
from sims.engines.recipe import Recipe

DEPTHS, WIDTH, BATCH, LOOKED_AT, STEPS, RATE = (6, 18, 48), 48, 128, 256, 120, 0.001

MEASURES = ("stream", "branch", "identity_share", "gradient", "lesion")


def measured(blocks: int, seed: int = 0) -> dict[str, Any]:
    """Train a Pre-LN network of that many blocks on the digits, and return its measures with four digits."""
    import torch
    from torch.nn.functional import cross_entropy

    from sims.pytorch.models.ill_networks import IllNetwork, Rules
    from sims.xray import xray

    data = digits()
    inputs, labels = torch.tensor(data.train_inputs, dtype=torch.float32), torch.tensor(data.train_labels)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = IllNetwork(Rules(), blocks, WIDTH, data.features, data.classes)
    optimizer = torch.optim.Adam(model.parameters(), RATE)
    for batch in segment.batches(Recipe(batch=BATCH), seed, len(labels), 0, STEPS):
        optimizer.zero_grad()
        cross_entropy(model(inputs[batch]), labels[batch]).backward()
        optimizer.step()
    optimizer.zero_grad()

    def loss() -> torch.Tensor:
        return cross_entropy(model(inputs[:LOOKED_AT]), labels[:LOOKED_AT])

    with xray(model) as report:
        loss().backward()
    report.lesions(loss)
    columns = {name: [float(f"{getattr(a, name):.4g}") for a in report.additions] for name in MEASURES}
    words = f"Pre-LN, {blocks} blocks of two layers, {WIDTH} wide, after {STEPS} steps on digits"
    return {"words": words, "additions": len(report.additions), **columns}


if __name__ == "__main__":
    FILE.write_text(json.dumps([measured(blocks) for blocks in DEPTHS]) + "\n", encoding="utf-8")

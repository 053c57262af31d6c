"""Describes the outcome of a watched run in words."""

import numpy as np

from sims.contract.bands import spread
from sims.contract.frame import Frame
from sims.contract.wording import number


def outcome(frame: Frame, name: str) -> str:
    """Return the rest of a sentence about the network `name` in a frame of `sims.instruments.networks.watched_run`."""
    lost, seeds = int(frame.results[f"{name}_lost"]), int(frame.results["seeds"])
    runaway = "has overflowed" + (f" with {lost} of {seeds} seeds" if seeds > 1 else "")
    if lost == seeds:
        return runaway
    if lost:
        return f"{runaway}, and {frame.results[f'{name}_fits']} fit"
    error = spread(frame, f"{name}_train_error", seeds)
    loss = float(frame[f"{name}_train_loss"][-1])
    loss_text = f"loss {number(loss)}" if np.isfinite(loss) else "its loss has overflowed"
    text = f"gets {error} of its training points wrong ({loss_text})"
    if seeds > 1:
        text += f", and {frame.results[f'{name}_fits']} of {seeds} seeds fit"
    return text + ("; its map has one color only" if frame.results[f"{name}_one_answer"] == 1 else "")

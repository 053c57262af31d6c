"""Makes the random numbers that follow `torch.manual_seed`, without torch, so that a page can show known seeds fast."""

import numpy as np

GROUP = 16
"""Normal numbers are made in groups of 16, half of them from a cosine and half from a sine"""


class TorchNumbers:
    """torch's CPU generator after `torch.manual_seed(seed)`: the Mersenne Twister, read as torch reads it.

    Uniform numbers equal torch's bit for bit; normal ones differ by the rounding of a logarithm, a sine and a cosine.
    """

    def __init__(self, seed: int) -> None:
        self._twister = np.random.RandomState(seed)

    def uniform(self, *shape: int) -> np.ndarray:
        """Return float32 numbers from 0 to below 1, as `torch.rand`: each is the lowest 24 bits of a draw."""
        draws = self._twister.randint(0, 2**32, int(np.prod(shape)), np.uint32)
        return ((draws & 0xFFFFFF) * np.float32(2**-24)).astype(np.float32).reshape(shape)

    def normal(self, *shape: int) -> np.ndarray:
        """Return float32 numbers as `torch.randn` makes them for a multiple of 16 numbers (Box & Muller 1958).

        Raises ValueError for other counts, for which torch has another method.
        """
        count = int(np.prod(shape))
        if count % GROUP:
            raise ValueError(f"{count} is no multiple of {GROUP}")
        even, odd = self.uniform(count // GROUP, 2, GROUP // 2).swapaxes(0, 1)
        radius = np.sqrt(np.float32(-2) * np.log(np.float32(1) - even))
        angle = np.float32(2 * np.pi) * odd
        return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).astype(np.float32).reshape(shape)

    def linear(self, inputs: int, outputs: int) -> tuple[np.ndarray, np.ndarray]:
        """Return weight (outputs, inputs), bias (outputs,) of a new `torch.nn.Linear`: uniform in ±1/sqrt(inputs)."""
        bound = np.float32(inputs**-0.5)
        weight = self.uniform(outputs, inputs) * (bound + bound) - bound
        return weight, self.uniform(outputs) * (bound + bound) - bound

"""Three checks for a network that trains badly, in plain PyTorch."""

import copy

import torch
from torch import Tensor, nn


def gradient_norms(model: nn.Module, loss: Tensor) -> dict[str, float]:
    """The gradient norm of every parameter; 0 if no gradient reaches it. Look for zeros and for jumps."""
    gradients = torch.autograd.grad(loss, list(model.parameters()), allow_unused=True)
    names = [name for name, _ in model.named_parameters()]
    return {name: 0.0 if g is None else g.norm().item() for name, g in zip(names, gradients, strict=True)}


def sees_the_future(model: nn.Module, x: Tensor) -> bool:
    """Whether the first token's output depends on any later token; x has the shape (batch, tokens, width).

    A branch that starts at zero hides a missing mask until training moves it. So this asks a copy of the model, in
    which small random numbers replace all zeros that training can change.
    """
    model, random = copy.deepcopy(model), torch.Generator().manual_seed(0)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.requires_grad:
                filling = 0.02 * torch.randn(parameter.shape, generator=random).to(parameter)
                parameter.copy_(torch.where(parameter == 0, filling, parameter))
    x = x.detach().requires_grad_()
    (slope,) = torch.autograd.grad(model(x)[:, 0].pow(3).sum(), x)
    return bool((slope[:, 1:] != 0).any())


def saved_bytes(model: nn.Module, x: Tensor) -> int:
    """The bytes that a forward pass keeps for the backward pass, without parameters and input."""
    excluded = {t.untyped_storage().data_ptr() for t in (x, *model.parameters())}
    saved: dict[int, int] = {}

    def keep(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        saved[storage.data_ptr()] = storage.nbytes()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        _kept_alive = model(x)
    return sum(size for place, size in saved.items() if place not in excluded)

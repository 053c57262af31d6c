"""Three checks for a network that trains badly, in plain PyTorch. None of them changes the network."""

import copy

import torch
from torch import Tensor, nn


def gradient_norms(model: nn.Module, loss: Tensor) -> dict[str, float]:
    """The gradient norm of every parameter that is not frozen; 0 if no gradient reaches it. Look for zeros and jumps.

    loss: one number, computed from the model. Its graph stays, so that `loss.backward()` may follow. Raises ValueError
    if there is nothing to differentiate.
    """
    trained = {name: parameter for name, parameter in model.named_parameters() if parameter.requires_grad}
    if not trained or loss.numel() != 1 or not loss.requires_grad:
        raise ValueError("needs a loss of one number with a graph, and a parameter that is not frozen")
    gradients = torch.autograd.grad(loss, list(trained.values()), allow_unused=True, retain_graph=True)
    return {name: 0.0 if g is None else g.float().norm().item() for name, g in zip(trained, gradients, strict=True)}


def sees_the_future(model: nn.Module, x: Tensor) -> bool:
    """Whether the first token's output depends on any later token.

    x: (batch, tokens, width), floating, with at least two tokens; the model keeps the first two of these sizes. A
    branch that starts at zero hides a missing mask until training moves it. So this asks a copy of the model, in which
    small random numbers replace all zeros that training can change. Raises ValueError where a no would mean nothing:
    if the output has no finite derivative, or if frozen zeros may close a branch.
    """
    if x.dim() != 3 or x.shape[1] < 2 or not x.is_floating_point():
        raise ValueError("x must be floating, with the shape (batch, tokens, width) and two tokens or more")
    model, random = copy.deepcopy(model), torch.Generator().manual_seed(0)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.requires_grad:
                filling = 0.02 * torch.randn(parameter.shape, generator=random).to(parameter)
                parameter.copy_(torch.where(parameter == 0, filling, parameter))
    x = x.detach().requires_grad_()
    with torch.enable_grad():
        y = model(x)
        if not isinstance(y, Tensor) or y.shape[:2] != x.shape[:2] or not y.requires_grad:
            raise ValueError("the output must be a tensor (batch, tokens, …) that autograd can follow back to x")
        (slope,) = torch.autograd.grad(y[:, 0].pow(3).sum(), x)
    if not slope.isfinite().all() or not slope[:, 0].any():
        raise ValueError("the first output's derivative with respect to its own token is zero or not finite")
    sees = bool(slope[:, 1:].any())
    frozen = [name for name, p in model.named_parameters() if not p.requires_grad and not p.any()]
    closed = [name for name in frozen if not name.endswith("bias")]
    if closed and not sees:
        raise ValueError(f"frozen zeros may hide a missing mask: {', '.join(closed)}")
    return sees


def saved_bytes(model: nn.Module, x: Tensor) -> int:
    """The bytes that a forward pass keeps for the backward pass, without parameters, buffers and the input x.

    A tensor that shares its memory with others counts once, with all of that memory. Copies that autocast makes of
    weights count too. Raises ValueError if nothing is to be differentiated, or without real memory (device "meta").
    """
    weights = [*model.parameters(), *model.buffers()]
    if not torch.is_grad_enabled() or not any(tensor.requires_grad for tensor in (x, *weights)):
        raise ValueError("nothing is kept: gradients are switched off, or x and all parameters are frozen")
    if any(tensor.is_meta for tensor in (x, *weights)):
        raise ValueError("tensors on the device meta have no memory to measure")
    excluded = {tensor.untyped_storage().data_ptr() for tensor in (x, *weights)}
    saved: dict[int, int] = {}

    def keep(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        saved[storage.data_ptr()] = storage.nbytes()
        return tensor

    buffers = [(buffer, buffer.clone()) for buffer in model.buffers()]  # in train(), BatchNorm updates its statistics
    try:
        with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
            _kept_alive = model(x)
    finally:
        with torch.no_grad():
            for buffer, before in buffers:
                buffer.copy_(before)
    return sum(size for place, size in saved.items() if place not in excluded)

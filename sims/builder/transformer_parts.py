"""The parts of each block of `sims.pytorch.layers.transformer_blocks`, as plain numbers."""

from dataclasses import dataclass

from sims.builder.parts import BRANCH, LINEAR, NORM, STREAM, Drawing, Part, addition, function
from sims.contract.wording import number


@dataclass(frozen=True)
class Sizes:
    """The sizes of a transformer block: width, heads, key heads, hidden units of the MLP, and tokens."""

    width: int
    heads: int
    key_heads: int
    hidden: int
    tokens: int


def _layer_norm(s: Sizes, module: str, lane: str = BRANCH) -> Part:
    return Part("LayerNorm", NORM, lane, (s.tokens, s.width), parameters=2 * s.width, module=module)


def _rms_norm(s: Sizes, module: str) -> Part:
    return Part("RMSNorm", NORM, BRANCH, (s.tokens, s.width), parameters=s.width, module=module)


def _linear(s: Sizes, name: str, inputs: int, outputs: int, module: str, bias: bool = True) -> Part:
    return Part(
        name,
        LINEAR,
        BRANCH,
        (s.tokens, outputs),
        parameters=(inputs + bias) * outputs,
        operations=2 * s.tokens * inputs * outputs,
        module=module,
    )


def _attention(drawing: Drawing, s: Sizes, source: int) -> int:
    projections = drawing.put(_linear(s, "Q, K, V", s.width, 3 * s.width, "attention.queries_keys_values"), source)
    mixed = drawing.put(function("attention", (s.tokens, s.width), 4 * s.tokens**2 * s.width), projections)
    return drawing.put(_linear(s, "output", s.width, s.width, "attention.output"), mixed)


def _grouped_attention(drawing: Drawing, s: Sizes, source: int) -> int:
    shared = s.key_heads * (s.width // s.heads)
    q, k, v = (
        drawing.put(_linear(s, name, s.width, outputs, f"attention.{name}", bias=False), source)
        for name, outputs in (("queries", s.width), ("keys", shared), ("values", shared))
    )
    turned = drawing.put(function("RoPE", (s.tokens, s.width)), q, k, v)
    mixed = drawing.put(function("attention", (s.tokens, s.width), 4 * s.tokens**2 * s.width), turned)
    return drawing.put(_linear(s, "output", s.width, s.width, "attention.output", bias=False), mixed)


def _mlp(drawing: Drawing, s: Sizes, source: int, activation: str) -> int:
    wide = drawing.put(_linear(s, "widen", s.width, s.hidden, "mlp.widen"), source)
    active = drawing.put(function(activation, (s.tokens, s.hidden)), wide)
    return drawing.put(_linear(s, "narrow", s.hidden, s.width, "mlp.narrow"), active)


def _swiglu(drawing: Drawing, s: Sizes, source: int) -> int:
    gate = drawing.put(_linear(s, "gate", s.width, s.hidden, "mlp.gate", bias=False), source)
    up = drawing.put(_linear(s, "up", s.width, s.hidden, "mlp.up", bias=False), source)
    product = drawing.put(function("SiLU × up", (s.tokens, s.hidden)), gate, up)
    return drawing.put(_linear(s, "down", s.hidden, s.width, "mlp.down", bias=False), product)


def post_norm(s: Sizes, alpha: float | None = None) -> list[Part]:
    """Post-LN; with `alpha`, DeepNorm: the skip is multiplied by it."""
    shape = (s.tokens, s.width)
    drawing, at = Drawing(shape), 0
    for index, branch in enumerate((_attention, _mlp), 1):
        end = _attention(drawing, s, at) if branch is _attention else _mlp(drawing, s, at, "GELU" if alpha else "ReLU")
        carried = drawing.put(function(f"× {number(alpha)}", shape, lane=STREAM), at) if alpha else at
        total = drawing.put(addition(shape), carried, end)
        at = drawing.put(_layer_norm(s, f"norm{index}", STREAM), total)
    return drawing.parts


def pre_norm(s: Sizes) -> list[Part]:
    """Pre-LN, as in GPT-2."""
    shape, drawing = (s.tokens, s.width), Drawing((s.tokens, s.width))
    end = _attention(drawing, s, drawing.put(_layer_norm(s, "norm1"), 0))
    at = drawing.put(addition(shape), 0, end)
    end = _mlp(drawing, s, drawing.put(_layer_norm(s, "norm2"), at), "GELU")
    drawing.put(addition(shape), at, end)
    return drawing.parts


def perceptron(s: Sizes) -> list[Part]:
    """One branch: a norm and an MLP."""
    drawing = Drawing((s.tokens, s.width))
    end = _mlp(drawing, s, drawing.put(_layer_norm(s, "norm"), 0), "ReLU")
    drawing.put(addition((s.tokens, s.width)), 0, end)
    return drawing.parts


def llama(s: Sizes) -> list[Part]:
    """Pre-LN with RMSNorm, rotary positions, grouped queries and SwiGLU."""
    shape, drawing = (s.tokens, s.width), Drawing((s.tokens, s.width))
    end = _grouped_attention(drawing, s, drawing.put(_rms_norm(s, "norm1"), 0))
    at = drawing.put(addition(shape), 0, end)
    end = _swiglu(drawing, s, drawing.put(_rms_norm(s, "norm2"), at))
    drawing.put(addition(shape), at, end)
    return drawing.parts


def parallel(s: Sizes) -> list[Part]:
    """Attention and MLP in parallel, and one sum."""
    drawing = Drawing((s.tokens, s.width))
    inside = drawing.put(_layer_norm(s, "norm"), 0)
    attention = _attention(drawing, s, inside)
    mlp = _mlp(drawing, s, inside, "GELU")
    drawing.put(addition((s.tokens, s.width)), 0, attention, mlp)
    return drawing.parts


def peri_norm(s: Sizes) -> list[Part]:
    """A norm at both ends of each branch."""
    shape, drawing = (s.tokens, s.width), Drawing((s.tokens, s.width))
    end = _attention(drawing, s, drawing.put(_layer_norm(s, "norm1"), 0))
    at = drawing.put(addition(shape), 0, drawing.put(_layer_norm(s, "norm2"), end))
    end = _mlp(drawing, s, drawing.put(_layer_norm(s, "norm3"), at), "GELU")
    drawing.put(addition(shape), at, drawing.put(_layer_norm(s, "norm4"), end))
    return drawing.parts

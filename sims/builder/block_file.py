"""Writes a recipe as a whole PyTorch file: the classes copied from our source, the sizes, and a self-check."""

from sims.builder.design import Design
from sims.builder.excerpt import excerpt, import_lines
from sims.contract.wording import number

HELPERS = {
    "zero": ["zero_ends"],
    "shrink": ["shrink_ends"],
    "multiply": ["multiply_ends"],
    "divide": ["multiply_ends"],
    "both": ["zero_ends", "shrink_ends"],
}
"""Start of the branches → functions of `sims.pytorch.layers.branch_ends` that it needs."""

CHECKED_TOKENS = 16


def block_file(recipe: Design) -> str:
    """Return the text of a file that runs on its own, builds the block, and stops if the block is not as described."""
    kind = recipe.kind
    helpers = list(HELPERS.get(recipe.start, []))
    if recipe.start == "shrink" and recipe.family == "gpt-2":
        helpers.insert(0, "normal_start")
    imports, classes = excerpt(
        "pytorch.layers.vision_blocks" if kind.images else "pytorch.layers.transformer_blocks", [kind.block]
    )
    more, functions = excerpt("pytorch.layers.branch_ends", helpers)
    checked, checks = excerpt("pytorch.diagnostics.checks", ["sees_the_future"] if _masked(recipe) else [])
    parts = [
        _head(recipe),
        import_lines(imports | more | checked | {"import torch", "from torch import nn"}),
        *_apart(classes + functions + checks),
        _build(recipe, helpers),
        _network(recipe),
        _check(recipe),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _masked(recipe: Design) -> bool:
    """Return whether the block's attention has a causal mask."""
    return recipe.attends and recipe.causal


def _apart(definitions: list[str]) -> list[str]:
    return ["\n" + definition for definition in definitions]


def _head(recipe: Design) -> str:
    summary = f"{recipe.kind.label}: one block of width {recipe.width}, {number(recipe.parameters)} parameters."
    return f'"""{summary}\n\nRun this file, and it checks itself.\n"""'


def _arguments(recipe: Design) -> str:
    if recipe.kind.images:
        sizes = recipe.image_sizes
        return f"{sizes.channels}, {sizes.outputs}" + (", stride=2" if sizes.halves else "")
    s = recipe.sizes
    if not recipe.attends:
        return f"width={s.width}, hidden={s.hidden}"
    more = {"LlamaBlock": f"key_heads={s.key_heads}, ", "DeepNormBlock": f"blocks={recipe.blocks}, "}
    shapes = f"width={s.width}, heads={s.heads}, {more.get(recipe.kind.block, '')}hidden={s.hidden}"
    settings = "".join(f", {name}={value:_}" for name, value in recipe.kind.settings)
    return f"{shapes}, causal={recipe.causal}{settings}"


def _build(recipe: Design, helpers: list[str]) -> str:
    ends = ", ".join(f'"{end}"' for end in recipe.kind.ends)
    power = "**-1" if recipe.start == "divide" else "**-0.5"
    calls = {
        "normal_start": "normal_start(block)",
        "zero_ends": f"zero_ends(block, {ends})",
        "shrink_ends": f"shrink_ends(block, {recipe.additions}**-0.5, {ends})",
        "multiply_ends": f"multiply_ends(block, {recipe.additions}{power}, {ends})",
    }
    lines = [
        "\ndef build() -> nn.Module:",
        '    """One block with its initial weights."""',
        f"    block = {recipe.kind.block}({_arguments(recipe)})",
        *(f"    {calls[helper]}" for helper in helpers),
        "    return block",
    ]
    return "\n".join(lines)


def _network(recipe: Design) -> str:
    if recipe.kind.images and recipe.halves:
        return ""
    epsilon = dict(recipe.kind.settings).get("norm_eps")
    sizes = f"{recipe.width}" + (f", eps={epsilon}" if epsilon else "")
    final = f", nn.{recipe.kind.final_norm}({sizes})" if recipe.kind.final_norm else ""
    behind = ", and the norm that the stream needs at its end" if final else ""
    if recipe.kind.final_norm == "BatchNorm2d":
        final, behind = f"{final}, nn.ReLU()", ", and the norm and the ReLU that the stream needs at its end"
    return (
        "\ndef stack() -> nn.Sequential:\n"
        f'    """{recipe.blocks} blocks{behind}."""\n'
        f"    return nn.Sequential(*(build() for _ in range({recipe.blocks})){final})"
    )


def _check(recipe: Design) -> str:
    if recipe.kind.images:
        s = recipe.image_sizes
        input_shape, output_shape = (2, s.channels, s.side, s.side), (2, s.outputs, s.out_side, s.out_side)
    else:
        input_shape = output_shape = (2, min(recipe.tokens, CHECKED_TOKENS), recipe.width)  # type: ignore[assignment]
    lines = [
        '\nif __name__ == "__main__":',
        "    block = build()",
        f"    x = torch.randn({', '.join(map(str, input_shape))}, requires_grad=True)",
        "    y = block(x)",
        f"    assert y.shape == {output_shape}",
        f"    assert sum(weight.numel() for weight in block.parameters()) == {recipe.parameters:_}",
        "    y.pow(3).sum().backward()",
        "    assert x.grad is not None and x.grad.isfinite().all()",
    ]
    if recipe.starts_as_identity:
        lines.append("    assert torch.equal(y, x)  # the block starts as the identity")
    if _masked(recipe):
        lines.append("    assert not sees_the_future(block, x)  # the causal mask is there")
    return "\n".join([*lines, '    print("Everything checks out.")'])

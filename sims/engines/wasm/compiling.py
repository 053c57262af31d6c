"""Compiles kernels to a WebAssembly module."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from llvmlite import binding

from sims.engines.wasm.linking import exact, linked
from sims.engines.wasm.lowering import Lowered
from sims.engines.wasm.retargeting import FUSED, TRIPLE, exported, retargeted

FEATURES = "+simd128,+bulk-memory,+bulk-memory-opt,+nontrapping-fptoint,+sign-ext"
"""What the modules need of a browser; the fused ones need relaxed SIMD, too"""


def compiled(kernels: Mapping[str, Lowered], variant: str) -> tuple[bytes, dict[str, list[str]]]:
    """Return a module of lowered kernels, and for each export the LLVM types of its slots.

    Raises ValueError if there are no kernels.
    """
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    features = f"{FEATURES},+relaxed-simd" if variant == FUSED else FEATURES
    machine = binding.Target.from_triple(TRIPLE).create_target_machine(features=features, opt=3, reloc="static")
    whole, slots = None, {}
    for export, kernel in kernels.items():
        text = retargeted(kernel.ir, variant)
        way_in, slots[export] = exported(text, kernel.name, export)
        module = binding.parse_assembly(text + way_in)
        module.data_layout = str(machine.target_data)
        # Functions are hidden after linking: until then, a function that several kernels call has the same name in each
        # of their modules, and only one copy of it stays.
        _hide(module.global_variables)
        if whole is None:
            whole = module
        else:
            whole.link_in(module)
    if whole is None:
        raise ValueError("a module without kernels")
    _hide(whole.functions, kernels)
    whole.verify()
    options = binding.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = True
    passes = binding.create_pass_builder(machine, options)
    passes.getModulePassManager().run(whole, passes)
    module = linked(machine.emit_object(whole), kernels)
    return exact(module, machine.emit_assembly(whole)) if variant == FUSED else module, slots


def _hide(symbols: Iterable[Any], exports: Collection[str] = ()) -> None:
    """Make all symbols but the exports internal, so that what the exports do not need is left out."""
    for symbol in symbols:
        if not symbol.is_declaration and symbol.name not in exports:
            symbol.linkage = "internal"

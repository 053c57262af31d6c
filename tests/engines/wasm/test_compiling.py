"""Kernels share one module, and in it what several of them call."""

import struct

from sims.engines.wasm.compiling import compiled
from sims.engines.wasm.lowering import Lowered
from sims.engines.wasm.retargeting import PLAIN

FACTOR = 12345.678

KERNEL = """
target datalayout = "e-m:e-p270:32:32-i64:64-S128"
target triple = "x86_64-unknown-linux-gnu"
@environment = common global ptr null
define linkonce_odr double @scaled(double %x) noinline {{
  %scaled = fmul double %x, {factor}
  ret double %scaled
}}
define i32 @{name}(ptr %result, ptr %error, double %x) {{
  %scaled = call double @scaled(double %x)
  %sum = fadd double %scaled, {summand}
  store double %sum, ptr %result
  ret i32 0
}}
"""


def test_what_two_kernels_call_is_there_once() -> None:
    kernels = {
        export: Lowered(
            KERNEL.format(name=f"kernel.{export}", factor=FACTOR, summand=summand), f"kernel.{export}", False
        )
        for export, summand in (("one", 1.0), ("two", 2.0))
    }
    module, slots = compiled(kernels, PLAIN)
    assert slots == {"one": ["ptr", "ptr", "double"], "two": ["ptr", "ptr", "double"]}
    assert module.count(struct.pack("<d", FACTOR)) == 1
    assert all(module.count(f"\x03{export}\0".encode()) == 1 for export in kernels)

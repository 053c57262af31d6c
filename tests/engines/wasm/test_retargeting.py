"""Products in parts of 128 bits, and functions that WebAssembly has under other names."""

import pytest
from llvmlite import binding

from sims.engines.wasm.retargeting import FUSED, PLAIN, exported, retargeted

NATIVE = """
target datalayout = "e-m:e-p270:32:32-i64:64-S128"
target triple = "x86_64-unknown-linux-gnu"
@object = linkonce global ptr inttoptr (i64 139839633237456 to ptr)
@environment = common global ptr null
declare <16 x float> @llvm.fma.v16f32(<16 x float>, <16 x float>, <16 x float>)
declare double @sqrt(double)
declare i32 @numba_attempt_nocopy_reshape(i64, ptr, ptr, i64, ptr, ptr, i64, i32)
define i32 @kernel(ptr noalias %result, ptr %error, ptr %at, i64 %count, i8 %flag) {
  %a = load <16 x float>, ptr %at
  %b = call <16 x float> @llvm.fma.v16f32(<16 x float> %a, <16 x float> %a, <16 x float> %a)
  store <16 x float> %b, ptr %at
  %c = call double @sqrt(double 2.0)
  store double %c, ptr %result
  %d = call i32 @numba_attempt_nocopy_reshape(i64 1, ptr %at, ptr %at, i64 1, ptr %at, ptr %at, i64 8, i32 0)
  ret i32 %d
}
"""


@pytest.mark.parametrize(("variant", "count"), [(FUSED, 0), (PLAIN, 1)])
def test_everything_is_there_under_wasms_names(variant: str, count: int) -> None:
    ir = retargeted(NATIVE, variant)
    module = binding.parse_assembly(ir)
    module.verify()
    assert module.triple == "wasm32-unknown-unknown"
    assert "139839633237456" not in ir
    assert "@llvm.fma" not in ir
    assert ir.count("fmul <4 x float>") == count
    assert ("@llvm.wasm.relaxed.madd.v4f32" in ir) == (variant == FUSED)
    assert ir.count("call <4 x float> @fused.v4f32(") == 4
    assert "call double @llvm.sqrt.f64(double 2.0)" in ir


def test_a_kernel_is_called_with_what_lies_in_slots() -> None:
    ir = retargeted(NATIVE, PLAIN)
    way_in, kinds = exported(ir, "kernel", "run")
    assert kinds == ["ptr", "ptr", "ptr", "i64", "i8"]
    binding.parse_assembly(ir + way_in).verify()
    assert "getelementptr i8, ptr %slots, i32 32" in way_in

"""An object of LLVM becomes a module without a linker, and only its products stay relaxed."""

import pytest
from llvmlite import binding

from sims.engines.wasm.linking import Reader, data_size, encoded, exact, linked
from sims.engines.wasm.retargeting import TRIPLE

SOURCE = f"""
target triple = "{TRIPLE}"
@table = internal constant [3 x double] [double 1.0, double 2.0, double 3.0]
define i32 @twice(i32 %x) {{
  %y = mul i32 %x, 2
  ret i32 %y
}}
define double @entry(i32 %i) {{
  %at = getelementptr [3 x double], ptr @table, i32 0, i32 %i
  %value = load double, ptr %at
  ret double %value
}}
define <4 x float> @least(<4 x float> %a, <4 x float> %b) {{
  %smaller = fcmp olt <4 x float> %b, %a
  %value = select <4 x i1> %smaller, <4 x float> %b, <4 x float> %a
  ret <4 x float> %value
}}
"""


def compiled(source: str, features: str = "+simd128") -> tuple[bytes, str]:
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    machine = binding.Target.from_triple(TRIPLE).create_target_machine(features=features, opt=3, reloc="static")
    module = binding.parse_assembly(source)
    module.data_layout = str(machine.target_data)
    return machine.emit_object(module), machine.emit_assembly(module)


@pytest.mark.parametrize(
    ("number", "data"), [(0, b"\0"), (127, b"\x7f"), (128, b"\x80\x01"), (70_000, b"\xf0\xa2\x04")]
)
def test_numbers_have_a_variable_length(number: int, data: bytes) -> None:
    assert encoded(number) == data
    assert Reader(data).number() == number


def test_functions_are_exported_by_name() -> None:
    module = linked(compiled(SOURCE)[0], ["entry", "twice"])
    assert b"\x05entry\0" in module
    assert b"\x05twice\0" in module
    assert b"least" not in module
    assert b"linking" not in module
    assert data_size(module) == 24


def test_what_is_missing_or_imported_is_an_error() -> None:
    with pytest.raises(ValueError, match="does not define thrice"):
        linked(compiled(SOURCE)[0], ["thrice"])
    calling = "declare double @pow(double, double)\ndefine double @power(double %x) {\n"
    calling += "  %y = call double @pow(double %x, double %x)\n  ret double %y\n}\n"
    with pytest.raises(ValueError, match="would import pow"):
        linked(compiled(SOURCE + calling)[0], ["power"])


def test_minima_stay_exact() -> None:
    data, assembly = compiled(SOURCE, "+simd128,+relaxed-simd")
    assert "relaxed_min" in assembly
    module = exact(linked(data, ["least"]), assembly)
    assert b"\xfd" + encoded(0x10D) not in module
    assert b"\xfd" + encoded(0xEA) in module
    with pytest.raises(ValueError, match=r"0 instructions f32x4.relaxed_min, but 1 times"):
        exact(linked(data, ["least"]), "")

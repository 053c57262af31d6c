"""Numba's IR, written for this computer, as IR for WebAssembly.

What remains to replace are products with one rounding, which WebAssembly has only as a "relaxed" instruction, for
vectors of 128 bits; the two square roots of the C library; and a function of Numba's own, written in C.
"""

import re

FUSED, PLAIN = "fused", "plain"
"""The two variants of a module: products and sums with one rounding, as in native code, where the browser has the
relaxed instructions and rounds once in them; and with two roundings, which every browser with SIMD can run"""

TRIPLE = "wasm32-unknown-unknown"
WIDTHS = {"float": 4, "double": 2}
"""Numbers of each precision in a vector of 128 bits"""
SHORT = {"float": "f32", "double": "f64"}

KERNEL = re.compile(
    r"^define (?:\w+ )*i32 @(?P<name>[\w.]+)\((?P<parameters>[^()]*(?:\([^()]*\)[^()]*)*)\)", re.MULTILINE
)
WIDE = re.compile(r"^declare <(\d+) x (float|double)> @llvm\.fma\.", re.MULTILINE)

RESHAPE = """
define internal i32 @numba_attempt_nocopy_reshape(i64 %dimensions, ptr %lengths, ptr %strides, i64 %new_dimensions,
    ptr %new_lengths, ptr %new_strides, i64 %size, i32 %order) alwaysinline {
  store i64 %size, ptr %new_strides
  ret i32 1
}
"""
"""Numba's function, for the only reshape in the kernels: of a C-contiguous array to one dimension"""


def retargeted(ir: str, variant: str) -> str:
    """Return the IR for WebAssembly, in that variant."""
    ir = re.sub(r'^target datalayout = ".*"\n', "", ir, flags=re.MULTILINE)
    ir = re.sub(r'^target triple = ".*"$', f'target triple = "{TRIPLE}"', ir, flags=re.MULTILINE)
    # What Python's objects would be found by; only the functions for Python read it, and they are left out.
    ir = re.sub(r"ptr inttoptr \(i64 \d+ to ptr\)", "ptr null", ir)
    ir = re.sub(r"^(@\S+ = )common ", r"\1", ir, flags=re.MULTILINE)
    for kind, width in WIDTHS.items():
        lengths = sorted({int(number) for number, of in WIDE.findall(ir) if of == kind})
        if lengths:
            ir += _product_of_128_bits(kind, width, variant)
        for length in lengths:
            ir = _replaced(ir, f"llvm.fma.v{length}{SHORT[kind]}", f"fused.v{length}{SHORT[kind]}")
            ir += _product_in_parts(kind, length, width) if length > width else ""
    for name, kind in (("sqrt", "double"), ("sqrtf", "float")):
        function = f"llvm.sqrt.{SHORT[kind]}"
        ir = _replaced(_replaced(ir, function, function), name, function)
        ir += f"declare {kind} @{function}({kind})\n"
    if "@numba_attempt_nocopy_reshape(" in ir:
        ir = _replaced(ir, "numba_attempt_nocopy_reshape", "numba_attempt_nocopy_reshape") + RESHAPE
    return ir


def exported(ir: str, name: str, export: str) -> tuple[str, list[str]]:
    """Return a function `export` that calls a kernel with what lies in memory, and the LLVM types of its arguments.

    Its one argument is the address of slots of 8 bytes: where the result goes, where an error would go, and then the
    kernel's arguments as Numba flattens them.
    """
    kernel = next(match for match in KERNEL.finditer(ir) if match["name"] == name)
    kinds = [parameter.split()[0] for parameter in re.split(r",\s*(?![^()]*\))", kernel["parameters"])]
    lines = [f"define i32 @{export}(ptr %slots) {{"]
    for i, kind in enumerate(kinds):
        lines.append(f"  %at{i} = getelementptr i8, ptr %slots, i32 {8 * i}")
        lines.append(f"  %value{i} = load {kind}, ptr %at{i}, align 8")
    arguments = ", ".join(f"{kind} %value{i}" for i, kind in enumerate(kinds))
    lines += [f"  %status = call i32 @{name}({arguments})", "  ret i32 %status", "}"]
    return "\n".join(lines) + "\n", kinds


def _replaced(ir: str, old: str, new: str) -> str:
    """The IR with calls of another function, and without the declaration of the old one."""
    ir = re.sub(rf"^declare .*@{re.escape(old)}\(.*\n", "", ir, flags=re.MULTILINE)
    return ir.replace(f"@{old}(", f"@{new}(")


def _product_of_128_bits(kind: str, width: int, variant: str) -> str:
    """Define a · b + c for vectors of 128 bits."""
    vector, short = f"<{width} x {kind}>", SHORT[kind]
    head = f"define internal {vector} @fused.v{width}{short}({vector} %a, {vector} %b, {vector} %c) alwaysinline {{\n"
    if variant == PLAIN:
        return (
            f"{head}  %product = fmul {vector} %a, %b\n  %sum = fadd {vector} %product, %c\n  ret {vector} %sum\n}}\n"
        )
    relaxed = f"@llvm.wasm.relaxed.madd.v{width}{short}"
    return (
        f"declare {vector} {relaxed}({vector}, {vector}, {vector})\n{head}"
        f"  %sum = call {vector} {relaxed}({vector} %a, {vector} %b, {vector} %c)\n  ret {vector} %sum\n}}\n"
    )


def _product_in_parts(kind: str, length: int, width: int) -> str:
    """Define a · b + c for longer vectors, from parts of 128 bits."""
    whole, part, short = f"<{length} x {kind}>", f"<{width} x {kind}>", SHORT[kind]
    lines = [f"define internal {whole} @fused.v{length}{short}({whole} %a, {whole} %b, {whole} %c) alwaysinline {{"]
    joined = []
    for i in range(length // width):
        lanes = _lanes(i * width, width)
        for name in "abc":
            lines.append(f"  %{name}{i} = shufflevector {whole} %{name}, {whole} poison, {lanes}")
        lines.append(f"  %sum{i} = call {part} @fused.v{width}{short}({part} %a{i}, {part} %b{i}, {part} %c{i})")
        joined.append(f"%sum{i}")
    while len(joined) > 1:
        half, pairs = f"<{width} x {kind}>", zip(joined[::2], joined[1::2], strict=True)
        joined, width = [], 2 * width
        for left, right in pairs:
            name = f"%joined{width}.{len(joined)}"
            lines.append(f"  {name} = shufflevector {half} {left}, {half} {right}, {_lanes(0, width)}")
            joined.append(name)
    return "\n".join([*lines, f"  ret {whole} {joined[0]}", "}\n"])


def _lanes(first: int, count: int) -> str:
    """LLVM's constant for `count` lanes from `first` on."""
    return f"<{count} x i32> <{', '.join(f'i32 {first + lane}' for lane in range(count))}>"

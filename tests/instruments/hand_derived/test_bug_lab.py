"""The lab about bugs: a solution finds all seven and the right block; wrong ones do not."""

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from sims.instruments.hand_derived.block_bugs import BUGS
from sims.instruments.hand_derived.bug_lab import MARKER, NAME, lab_file, marking_file

TODO = "    raise NotImplementedError\n"

SOLUTION = """
    tensors = forward(plan, x, w)
    found, _weights = backward(plan, dy, tensors, w)
    slopes = {}
    for name in vars(tensors):
        if name in ("y", "p"):
            continue
        tensor = getattr(tensors, name)
        slope = np.zeros_like(tensor)
        for place in np.ndindex(tensor.shape):
            for step in (1e-5, -1e-5):
                changed = Tensors(**{key: value.copy() for key, value in vars(tensors).items()})
                getattr(changed, name)[place] += step
                written = False
                for line in plan:
                    before = dict(vars(changed))
                    line.forward(changed, w)
                    if name in ("x",) or written:
                        continue
                    if getattr(changed, name) is not before[name]:
                        written = True
                        setattr(changed, name, before[name])
                slope[place] += (changed.y * dy).sum() / step / 2
        slopes[name] = slope
    order = [("m", 10), ("s", 9), ("g", 8), ("u", 8), ("n2", 7), ("r", 6), ("o", 5), ("a", 4), ("q", 3), ("k", 3)]
    for name, line in [*order, ("v", 3), ("n1", 2), ("x", 1)]:
        if not np.allclose(getattr(found, name), slopes[name], rtol=RTOL, atol=1e-7):
            return line
    return 0
"""


@pytest.fixture
def marker(tmp_path: Path) -> Iterator[ModuleType]:
    path = tmp_path / MARKER
    path.write_text(marking_file(), encoding="utf-8")
    namespace = ModuleType("mark_bugs")
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), namespace.__dict__)
    yield namespace
    sys.modules.pop("bug_lab", None)


def lab(marker: ModuleType, folder: Path, solution: str) -> ModuleType:
    text = lab_file()
    assert text.count(TODO) == 1
    path = folder / NAME
    path.write_text(text.replace(TODO, solution), encoding="utf-8")
    module: ModuleType = marker.loaded(path)
    return module


def test_a_check_of_every_tensor_finds_all_bugs(marker: ModuleType, tmp_path: Path) -> None:
    remarks = marker.marked(lab(marker, tmp_path, SOLUTION.replace("RTOL", "1e-4")))
    assert list(remarks) == list(BUGS)
    assert set(remarks.values()) == {""}


def test_a_check_that_is_blind_finds_none(marker: ModuleType, tmp_path: Path) -> None:
    remarks = marker.marked(lab(marker, tmp_path, "    return 0\n"))
    assert remarks.pop("none") == ""
    assert all(remarks.values())


def test_a_halved_gradient_has_the_right_direction(marker: ModuleType, tmp_path: Path) -> None:
    """A check that only looks at the direction passes over the sums that halve."""
    direction = SOLUTION.replace(
        "not np.allclose(getattr(found, name), slopes[name], rtol=RTOL, atol=1e-7)",
        "np.corrcoef(getattr(found, name).ravel(), slopes[name].ravel())[0, 1] < 0.999999",
    )
    remarks = marker.marked(lab(marker, tmp_path, direction))
    assert {bug for bug, remark in remarks.items() if remark} >= {"average"}


def test_exercises_are_handed_out_unsolved(marker: ModuleType, tmp_path: Path) -> None:
    remarks = marker.marked(lab(marker, tmp_path, TODO))
    assert set(remarks.values()) == {"not done yet."}

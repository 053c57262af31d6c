"""The check of prose: each habit finds its bad example and passes its good one, in every kind of file."""

from pathlib import Path

import pytest

from sims.paths import CONTENT, ROOT
from tools import prose
from tools.prose import Habit, files, habits, offenses, plain

HABITS = habits()


@pytest.mark.parametrize("habit", HABITS, ids=lambda habit: habit.name)
def test_a_habit_is_found_in_its_bad_example_and_not_in_its_good_one(habit: Habit) -> None:
    assert habit.find.search(plain(habit.bad))
    assert not habit.find.search(plain(habit.good))


def test_no_good_example_has_another_habit() -> None:
    assert [(one.name, other.name) for one in HABITS for other in HABITS if other.find.search(plain(one.good))] == []


def test_the_style_guide_has_the_table_of_all_habits() -> None:
    rows = "\n".join(f"| {habit.name} | {habit.bad} | {habit.use} |" for habit in HABITS)
    assert rows in (CONTENT / "STYLE.md").read_text(encoding="utf-8"), rows


def lines(folder: Path, name: str, text: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is found in a file with this text."""
    monkeypatch.setattr(prose, "ROOT", folder)
    (folder / name).write_text(text, encoding="utf-8")
    return list(offenses(folder / name, HABITS))


PAGE = """\
---
title: Behind each block
---
Text about
a norm behind
each block.

:::{simulation} toy
caption: |
  First.

    Then the network of {calc}`a.b(c=1)` and of 8 layers;
    it hangs on {knob}`toy.depth`, now {knob}`toy.depth`.
:::

| a | b |
|---|---|
| one | it hangs on |
| two | *behind* the {term}`branch <residual branch>` |

```
whoever = 1  # behind each block
```
`behind each block`, $whoever$ and [there](whoever).
"""


def test_markdown_is_read_with_its_directives_and_tables_and_without_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert lines(tmp_path, "page.md", PAGE, monkeypatch) == [
        "page.md:2: 'Behind each block' → after [behind]",
        "page.md:5: 'behind each block' → after [behind]",
        "page.md:13: 'now {knob}' → the control alone, where its value is named [now {knob}]",
        "page.md:13: 'hangs on' → depends on [hangs on]",
        "page.md:18: 'hangs on' → depends on [hangs on]",
    ]


def test_yaml_is_read_by_its_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "# whoever\ncards:\n- id: A\n  why: >-\n    It is\n    whoever\n    `whoever` it is.\n"
    assert lines(tmp_path, "data.yaml", text, monkeypatch) == [
        "data.yaml:6: 'whoever' → if you …, those who … [whoever]"
    ]


def test_of_python_the_texts_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = '"""Whoever."""\n\n\ndef toy() -> str:\n    """Whoever."""\n    return "whoever"  # whoever\n'
    assert [line.partition(" ")[0] for line in lines(tmp_path, "toy.py", text, monkeypatch)] == ["toy.py:6:"]


def test_the_files_are_those_that_readers_read() -> None:
    checked = {path.relative_to(ROOT).as_posix() for path in files()}
    assert {"README.md", "content/claims.yaml", "content/chapters/2-gradient-paths.md"} <= checked

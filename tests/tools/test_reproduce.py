"""All numbers are computed again with nothing kept at hand, compared, and told."""

import os
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from sims.kept.book import NumberStore, code_of
from sims.kept.reproductions import read
from sims.numbers.call import parse
from tools import reproduce

CALLS = [f"failures.training_error(depth={depth}, initialization='he')" for depth in (20, 56)]


def test_the_outcome_is_shown_and_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    book, code = NumberStore(tmp_path / "numbers.json"), code_of(*parse(CALLS[0]))
    book.keep(dict.fromkeys(CALLS, (0.25, code)))
    before = book.path.read_text()

    def computed(groups: list[list[str]]) -> Iterator[dict[str, tuple[float, str]]]:
        assert not os.listdir(os.environ["SKIP_CACHE"])
        for group in groups:
            yield {call: (0.25 if "20" in call else 40.0, code) for call in group}

    monkeypatch.setenv("SKIP_CACHE", str(tmp_path))
    monkeypatch.setattr(reproduce.runs, "computed", computed)
    monkeypatch.setattr(reproduce, "importlib", SimpleNamespace(import_module=lambda name: None))
    monkeypatch.setattr(reproduce, "SiteBuilder", lambda: SimpleNamespace(library=SimpleNamespace(numbers=book)))
    monkeypatch.setattr(reproduce, "used", lambda site: CALLS)
    with pytest.raises(SystemExit) as ended:
        reproduce.main()
    assert ended.value.code
    assert book.path.read_text() == before
    [outcome] = read(tmp_path / "reproductions.json")
    assert (outcome.exact, outcome.within, [item.call for item in outcome.differ]) == (1, 0, CALLS[1:])
    output = capsys.readouterr().out
    assert "1 agree exactly, 0 within their tolerance, 1 differ" in output
    assert f"{CALLS[1]}: kept 0.25, now 40.0" in output

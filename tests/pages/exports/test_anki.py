"""Cards of the review page, imported by Anki itself."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sims.paths import ROOT

FILES = ROOT / "app" / "static" / "exercises" / "review" / "files.js"
CARDS = [
    {"id": "toy.a", "front": '<p>Is 1\t<b>more</b>\nthan "0"?</p>', "back": '#yes; <a href="x">y</a>', "page": "toy"},
    {"id": "toy.b", "front": "α?", "back": "α · π", "page": "toy"},
]

IMPORT = """
import json, sys
from anki.collection import Collection, ImportCsvRequest

collection = Collection(sys.argv[1])
counts = []
for path in sys.argv[2:]:
    metadata = collection.get_csv_metadata(path=path, delimiter=None)
    log = collection.import_csv(ImportCsvRequest(path=path, metadata=metadata)).log
    counts.append([len(log.new), len(log.updated), len(log.duplicate)])
notes = [collection.get_note(note) for note in collection.find_notes("")]
print(json.dumps({
    "counts": counts,
    "notes": [[note.guid, *note.fields, *note.tags, collection.decks.name(note.cards()[0].did)] for note in notes],
}))
"""


def cards_file(folder: Path, name: str, cards: list[dict[str, str]]) -> Path:
    script = f"import {{anki}} from {json.dumps(str(FILES))}; process.stdout.write(anki({json.dumps(cards)}))"
    output = subprocess.run(
        [Path(sys.executable).with_name("node"), "--input-type=module", "--eval", script],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    path = folder / name
    path.write_text(output, encoding="utf-8")
    return path


@pytest.mark.exhaustive
def test_anki_makes_a_note_of_each_card_and_changes_it_when_it_is_imported_again(tmp_path: Path) -> None:
    first = cards_file(tmp_path, "first.txt", CARDS)
    second = cards_file(tmp_path, "second.txt", [CARDS[0], CARDS[1] | {"back": "another"}])
    answer = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", IMPORT, str(tmp_path / "collection.anki2"), str(first), str(second)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT / ".venv" / "zoo")},
    )
    assert answer.returncode == 0, f"{answer.stderr}\nWithout Anki: make .venv/zoo"
    imported = json.loads(answer.stdout)
    assert imported["counts"] == [[2, 0, 0], [0, 1, 1]]
    assert sorted(imported["notes"]) == [
        [
            "skip-connections.toy.a",
            '<p>Is 1 <b>more</b> than "0"?</p>',
            '#yes; <a href="x">y</a>',
            "skip-connections::toy",
            "Skip Connections",
        ],
        ["skip-connections.toy.b", "α?", "another", "skip-connections::toy", "Skip Connections"],
    ]

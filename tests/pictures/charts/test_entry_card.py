"""Lines of a card, one below the other."""

from app.pictures.charts.entry_card import SENTENCE, WIDEST, EntryCard


def test_a_long_sentence_is_wrapped_with_the_evidence_below_it():
    card = EntryCard("A card")
    card.show("Head", "Somebody", "word " * 25 + "end.", "● verified [key]")
    lines = card._lines
    assert 1 < len(lines["sentence"].data["text"]) <= SENTENCE
    assert all(len(text) <= WIDEST for text in lines["sentence"].data["text"])
    places = [y for name in ("head", "people", "sentence", "evidence") for y in lines[name].data["y"]]
    assert places == sorted(places, reverse=True)
    card.show("Head", "Somebody", "Short.", "○ second-hand [key]")
    assert lines["evidence"].data["y"][0] > places[-1]

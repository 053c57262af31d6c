"""The time that a page takes to read comes from the words of its main line."""

from app.pages.text.reading_time import FORMULA, RATE, minutes, words
from tests.site import html_of, site


def test_words_are_counted_and_signs_are_not() -> None:
    assert words("<p>One, two · three − <em>four</em>.</p>") == 4


def test_what_is_folded_code_or_a_control_takes_no_time() -> None:
    html = "<p>a</p><details><summary>b</summary><p>c <br> d</p></details><pre>e</pre><p class='kind'>g</p>"
    assert words(html) == 1
    assert words(f"{html}<p>h</p>") == 2


def test_a_formula_takes_some() -> None:
    assert words("<p>a <math><mi>x</mi><mo>+</mo><mi>y</mi></math> b</p>") == 2 + FORMULA


def test_minutes_are_whole_and_rounded_up() -> None:
    assert minutes("") == 0
    assert minutes("word " * RATE) == 1
    assert minutes("word " * (RATE + 1)) == 2


def test_pages_that_teach_say_it() -> None:
    expected = minutes(site().page("degradation").html)
    assert 3 < expected < 60
    assert f'<p class="reading-time">{expected} min read' in html_of("degradation")

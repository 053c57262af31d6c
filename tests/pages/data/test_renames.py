"""Old addresses: names of today win over former ones, and what an old link left unsaid stands behind what it says."""

from app.pages.data.renames import Renames

RENAMES = Renames(
    pages={"old": "new"},
    places={"new": {"figure": "other#figure", "early": "new#late"}},
    parameters={"toy": {"layers": "depth"}},
    unsaid={"1": {"toy-2": {"norm": "batch"}}},
)


def test_former_names_are_read_and_what_was_unsaid_is_added() -> None:
    assert RENAMES.renewed("toy", "toy", {"layers": "8", "width": "3"}, "1") == {"depth": "8", "width": "3"}
    assert RENAMES.renewed("toy", "toy", {"layers": "8", "depth": "9"}, "2") == {"depth": "9"}
    assert RENAMES.renewed("toy", "toy-2", {"width": "3"}, "1") == {"norm": "batch", "width": "3"}
    assert RENAMES.renewed("toy", "toy-2", {"norm": "none"}, "1") == {"norm": "none"}
    assert RENAMES.renewed("toy", "toy-2", {}, "1") == {}


def test_a_figure_carries_its_own_part() -> None:
    assert RENAMES.of_figure("toy", "toy-2") == {"renamed": {"layers": "depth"}, "unsaid": {"1": {"norm": "batch"}}}
    assert RENAMES.of_figure("toy", "toy") == {"renamed": {"layers": "depth"}}
    assert RENAMES.of_figure("other", "other") == {}


def test_what_moved_is_found_from_its_page_of_today_and_from_that_page_by_its_former_name() -> None:
    assert RENAMES.place("new", "figure") == RENAMES.place("old", "figure") == ("other", "figure")
    assert RENAMES.place("new", "early") == ("new", "late")
    assert RENAMES.place("old", "rest") == ("new", "rest")
    assert RENAMES.place("other", "figure") == ("other", "figure")

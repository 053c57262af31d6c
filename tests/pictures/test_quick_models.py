"""What is remembered of Bokeh's properties is what Bokeh would answer."""

from bokeh.model import Model
from bokeh.models.glyphs import Text

import app.pictures.quick_models as quick


def kinds() -> list[type[Model]]:
    """Every kind of model that there is."""
    found, ahead = [], [Model]
    while ahead:
        kind = ahead.pop()
        found.append(kind)
        ahead += kind.__subclasses__()
    return found


def test_overridden_defaults_are_those_of_bokeh() -> None:
    assert len(kinds()) > 300
    for kind in kinds():
        assert kind._overridden_defaults() == quick._overridden(kind)


def test_so_is_whether_a_default_is_made_anew_each_time() -> None:
    asked = 0
    for kind in kinds():
        for name in kind.properties():
            each = kind.lookup(name).property
            if type(each)._may_have_unstable_default is quick._unstable_once:
                asked += 1
                assert each._may_have_unstable_default() == quick._unstable(each) == each._may_have_unstable_default()
    assert asked > 1_000


def test_a_default_that_is_made_anew_is_nobody_elses() -> None:
    one, other = Text(), Text()
    one.tags.append("mine")
    assert other.tags == []

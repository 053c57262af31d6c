"""What is sent of Bokeh and Panel is what pictures need, to the letter, and in the form in which both are published."""

import json

import pytest

from app.pages import bokeh_script
from app.pages.bokeh_script import BUNDLES, MODELS, Bundle, needed, package, read

CORE = """(function(modules, entry, aliases, externals) {})
([
function _(t,e){t(1);t(2)},
function _(t,e){e.embed=t("client/connection")},
function _(t,e){t(3);t(4)},
function _(t,e){t(1);class a{}a.__name__="Line"},
function _(t,e){const n=`
, `;class a{}a.__name__="Globe"},
function _(t,e){},
function _(t,e){t(5)}
], 0, %s, {});});
"""
ALIASES = {"main": 0, "index": 1, "models/index": 2, "models/line": 3, "client/connection": 5, "protocol/message": 6}
PLUGIN = """({
"a1b": function _(r,e){r("c2d");r("e3f")},
"c2d": function _(r,e){r("@bokehjs/models/globe");class b{}b.__name__="Atlas"},
"e3f": function _(r,e){class b{}b.__name__="Other"},
}, "a1b", {"index":"a1b"}, {});});
"""


def bundles() -> list[Bundle]:
    core = CORE % json.dumps({**ALIASES, "models/globe": 4})
    return [read(core), read(PLUGIN)]


def test_a_bundle_that_needs_all_its_modules_stays_as_it_is() -> None:
    for owner, name in BUNDLES:
        text = (package(owner) / name).read_text(encoding="utf-8")
        bundle = read(text)
        assert len(bundle.modules) > 50
        assert bundle.with_only(set(bundle.modules)) == text


def test_a_model_brings_what_it_requires_and_catalogs_bring_nothing() -> None:
    assert needed(bundles(), {"Line"}) == {"0", "1", "2", "3", "5", "6", "a1b"}
    assert needed(bundles(), {"Atlas"}) == {"0", "1", "2", "4", "5", "6", "a1b", "c2d"}


def test_what_is_not_needed_is_empty_and_keeps_its_place() -> None:
    core, plugin = bundles()
    kept = core.with_only({"0", "1", "2", "3", "5", "6"}).splitlines()
    assert kept[5] == 'function _(t,e){t(1);class a{}a.__name__="Line"},'
    assert kept[6] == "function _(_){},"
    assert len(read("\n".join(kept)).modules) == len(core.modules)
    assert '"e3f": function _(_){},' in plugin.with_only({"a1b"})


def test_what_is_written_in_another_way_or_defined_nowhere_is_an_error() -> None:
    with pytest.raises(ValueError, match="another form"):
        read("export const version = '4.0'")
    with pytest.raises(ValueError, match="Sphere"):
        needed(bundles(), {"Sphere", "Line"})


def test_half_of_the_bundles_is_not_sent_and_their_licenses_are() -> None:
    whole = [(package(owner) / name).read_bytes() for owner, name in BUNDLES]
    script = bokeh_script.script()
    assert len(script) < 0.5 * sum(map(len, whole))
    assert script.count(b"Redistributions in binary form must reproduce") == len(BUNDLES)
    assert b"DataTable" not in script.replace(b'"DataTable"', b"")


def test_no_model_is_named_that_could_not_be_drawn() -> None:
    sources = bokeh_script.script().decode()
    assert all(f'.__name__="{name}"' in sources for name in MODELS)

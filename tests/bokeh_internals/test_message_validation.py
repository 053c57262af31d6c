"""What a page may send: requests, choices, gestures; nothing else reaches Bokeh."""

import json
from typing import Any

import pytest
from bokeh.document import Document
from bokeh.events import Pan, Tap
from bokeh.models import ColumnDataSource
from bokeh.plotting import figure

from app.bokeh_internals.message_validation import AT_ONCE, InvalidMessage, check_header, dragged_model, validate_events
from app.bokeh_internals.messages import REQUEST


@pytest.fixture
def document() -> Document:
    """A figure that hears taps and pans, a source whose selection is heard, requests, and what nobody hears."""
    result = Document()
    plot = figure(name="plot")
    plot.on_event(Tap, lambda event: None)
    plot.on_event(Pan, lambda event: None)
    points, others = ColumnDataSource({"x": []}, name="points"), ColumnDataSource({"x": []}, name="others")
    plot.line("x", "x", source=points)
    plot.line("x", "x", source=others)
    points.selected.on_change("indices", lambda attribute, old, new: None)
    result.on_message(REQUEST, lambda text: None)
    for model in (plot, figure(name="deaf")):
        result.add_root(model)
    return result


def ref(document: Document, name: str, part: str = "") -> dict[str, str]:
    model = next(item for item in document.models if item.name == name)
    return {"id": getattr(model, part).id if part else model.id}


def change(model: dict[str, str], attribute: str, new: Any, **more: Any) -> dict[str, Any]:
    return {"kind": "ModelChanged", "model": model, "attr": attribute, "new": new, **more}


def request(data: Any, **more: Any) -> dict[str, Any]:
    return {"kind": "MessageSent", "msg_type": REQUEST, "msg_data": data, **more}


def gesture(model: dict[str, str], name: Any = "tap", **values: Any) -> dict[str, Any]:
    """As BokehJS writes it."""
    entries = [["model", model], *([key, value] for key, value in values.items())]
    data = {"type": "event", "name": name, "values": {"type": "map", "entries": entries}}
    return {"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": data}


def message(*events: Any, **more: Any) -> str:
    return json.dumps({"events": events, **more})


KEYS = {"type": "map", "entries": [["shift", False], ["ctrl", False], ["alt", True]]}


def test_what_a_page_sends_is_put_together_again_in_its_order(document: Document) -> None:
    wish = request('{"do": "show"}')
    chosen = change(ref(document, "points", "selected"), "indices", [3])
    tap = gesture(ref(document, "plot"), sx=10, sy=20.5, x=0.5, y=-1, modifiers=KEYS)
    pan = gesture(ref(document, "plot"), "pan", sx=1, sy=2, x=3, y=4, delta_x=5, delta_y=6, modifiers=KEYS)
    events = validate_events(message(tap, wish, pan, chosen), document)
    assert events[1] == wish
    assert events[3] == chosen
    for actual, event in ((events[0], tap), (events[2], pan)):
        entries = dict(actual["msg_data"]["values"]["entries"])
        sent = dict(event["msg_data"]["values"]["entries"])
        assert entries == {key: value for key, value in sent.items() if key != "modifiers"}


def test_bokeh_applies_what_is_put_together(document: Document) -> None:
    taps: list[Tap] = []
    plot = next(model for model in document.models if model.name == "plot")
    plot.on_event(Tap, taps.append)
    events = validate_events(message(gesture(ref(document, "plot"), x=0.5, y=-1, modifiers=KEYS)), document)
    document.apply_json_patch({"events": events})
    assert (taps[0].model, taps[0].x, taps[0].y) == (plot, 0.5, -1)


def test_bokeh_hands_a_request_on_as_it_is(document: Document) -> None:
    requests: list[str] = []
    document.on_message(REQUEST, requests.append)
    document.apply_json_patch({"events": validate_events(message(request('{"type": "ndarray"}')), document)})
    assert requests == ['{"type": "ndarray"}']


@pytest.mark.parametrize(
    "place",
    [
        {"x": {"type": "number", "value": "nan"}, "y": 0},
        {"x": 0, "y": {"type": "number", "value": "-inf"}},
        {"x": float("nan"), "y": 0},
        {"x": 0, "y": float("inf")},
        {"x": "here", "y": 0},
        {"x": True, "y": 0},
        {"x": None, "y": 0},
        {"x": 10**400, "y": 0},
        {"y": 0},
        {},
    ],
)
def test_a_gesture_that_is_nowhere_is_left_out(document: Document, place: dict[str, Any]) -> None:
    assert validate_events(message(gesture(ref(document, "plot"), **place)), document) == []


def test_a_choice_that_nobody_hears_is_left_out(document: Document) -> None:
    chosen = change(ref(document, "others", "selected"), "indices", [3])
    assert validate_events(message(chosen), document) == []


ARRAY = {"type": "ndarray", "array": ["a"], "dtype": "S300000000", "shape": [1], "order": "little"}
BYTES = {"type": "bytes", "data": "H4sIAAAAAAAA"}
HOSTILE = [ARRAY, BYTES, {"type": "object", "name": "Plot", "id": "x"}, {"type": "map"}, [[[]]], {"id": "0"}]


@pytest.mark.parametrize("value", [*HOSTILE, 1, None, ["text"], {"do": "show"}])
def test_a_request_is_a_text(document: Document, value: Any) -> None:
    with pytest.raises(InvalidMessage, match="not a request"):
        validate_events(message(request(value)), document)


def test_a_request_has_nothing_else_and_somebody_listens(document: Document) -> None:
    with pytest.raises(InvalidMessage, match="not a request"):
        validate_events(message(request("{}", model={"id": "x"})), document)
    with pytest.raises(InvalidMessage, match="listens"):
        validate_events(message(request("{}")), Document())


@pytest.mark.parametrize("kind", ["live", "listing", "reply", "requests", "", None, 1, ["request"], ARRAY])
def test_no_other_message_is_taken(document: Document, kind: Any) -> None:
    document.on_message("live", lambda text: None)
    with pytest.raises(InvalidMessage, match="not taken"):
        validate_events(message({**request("{}"), "msg_type": kind}), document)


@pytest.mark.parametrize("value", [*HOSTILE, 1, "1", [0.5], [-1], [True], [2**31], [ARRAY], list(range(17))])
def test_a_choice_is_a_short_list_of_numbers(document: Document, value: Any) -> None:
    with pytest.raises(InvalidMessage, match="not taken"):
        validate_events(message(change(ref(document, "points", "selected"), "indices", value)), document)


@pytest.mark.parametrize(
    ("name", "attribute", "value"),
    [
        ("deaf", "name", "x"),
        ("points", "data", {"type": "map", "entries": [["x", ARRAY]]}),
        ("points", "tags", [BYTES]),
        ("plot", "width", 9),
        ("plot", "title", {"type": "object", "name": "Title", "id": "x"}),
        ("plot", ["value"], "x"),
    ],
)
def test_no_other_value_can_be_set(document: Document, name: str, attribute: Any, value: Any) -> None:
    with pytest.raises(InvalidMessage, match="not taken"):
        validate_events(message(change(ref(document, name), attribute, value)), document)


@pytest.mark.parametrize("value", [*HOSTILE, [1], {"type": "number", "value": "nan", "more": 1}])
@pytest.mark.parametrize("name", ["x", "sx", "delta_x", "modifiers", "more"])
def test_a_coordinate_holds_no_objects(document: Document, name: str, value: Any) -> None:
    if name == "modifiers" and value == {"type": "map"}:
        return
    with pytest.raises(InvalidMessage):
        validate_events(message(gesture(ref(document, "plot"), **{"x": 0, "y": 0, name: value})), document)


@pytest.mark.parametrize(
    ("model", "name"), [("deaf", "tap"), ("plot", "panstart"), ("plot", "button_click"), ("plot", ["tap"])]
)
def test_only_what_is_listened_to_is_taken(document: Document, model: str, name: Any) -> None:
    with pytest.raises(InvalidMessage, match="listens"):
        validate_events(message(gesture(ref(document, model), name, x=0, y=0)), document)


@pytest.mark.parametrize(
    "model", [{"id": "nobody"}, {"id": 1}, {"id": ["x"]}, {}, None, "x", {"id": "x", "type": "object"}]
)
def test_a_model_is_one_of_the_document(document: Document, model: Any) -> None:
    for event in (change(model, "value", ""), gesture(model, x=0, y=0)):
        with pytest.raises(InvalidMessage, match="no such model"):
            validate_events(message(event), document)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[" * 10_000,
        '{"events": ' + "9" * 5_000 + "}",
        "[]",
        "{}",
        '{"events": {}}',
        '{"events": [], "references": []}',
        '{"events": [[]]}',
        '{"events": [null]}',
        '{"doc": {"roots": []}}',
        message({"kind": "ColumnDataChanged"}),
        message({"kind": "ColumnsStreamed"}),
        message({"kind": "RootAdded", "model": {"id": "x"}}),
        message({"kind": "TitleChanged", "title": "x"}),
        message({"kind": ["ModelChanged"]}),
        message({"kind": "ModelChanged"}),
        message({"kind": "MessageSent"}),
        message({"kind": "MessageSent", "msg_type": "other", "msg_data": BYTES}),
        message({"kind": "MessageSent", "msg_type": "bokeh_event", "msg_data": ARRAY}),
        message(
            {
                "kind": "MessageSent",
                "msg_type": "bokeh_event",
                "msg_data": {"type": "event", "name": "tap", "values": ARRAY},
            }
        ),
    ],
)
def test_everything_else_is_refused(document: Document, content: str) -> None:
    with pytest.raises(InvalidMessage):
        validate_events(content, document)


def test_a_message_has_so_many_events_and_no_more(document: Document) -> None:
    tap = gesture(ref(document, "plot"), x=0, y=0)
    assert len(validate_events(message(*[tap] * AT_ONCE), document)) == AT_ONCE
    with pytest.raises(InvalidMessage, match="too many"):
        validate_events(message(*[tap] * (AT_ONCE + 1)), document)


@pytest.mark.parametrize(
    "header",
    [
        {"msgid": "1", "msgtype": "PUSH-DOC"},
        {"msgid": "1", "msgtype": "PULL-DOC-REQ"},
        {"msgid": "1", "msgtype": "PATCH-DOC", "num_buffers": 3000},
        {"msgid": "1", "msgtype": "PATCH-DOC", "num_buffers": 0},
        {"msgtype": "PATCH-DOC"},
        [],
        "PATCH-DOC",
    ],
)
def test_a_header_names_one_kind_of_message_and_no_buffers(header: object) -> None:
    with pytest.raises(InvalidMessage):
        check_header(json.dumps(header))


def test_a_move_is_distinguished_from_other_events(document: Document) -> None:
    plot = ref(document, "plot")
    wish = request("")
    events = validate_events(message(gesture(plot, "pan", x=0, y=0), gesture(plot, x=0, y=0), wish), document)
    assert [dragged_model(event) for event in events] == [plot["id"], None, None]


def test_a_reason_names_nothing_that_was_sent(document: Document) -> None:
    for content in ("<script>", message(change({"id": "<script>"}, "value", "")), message({"kind": "<script>"})):
        with pytest.raises(InvalidMessage) as refused:
            validate_events(content, document)
        assert "script" not in str(refused.value)

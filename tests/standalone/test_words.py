"""What stands below a figure is text, whatever is in it."""

from app.standalone.words import title, words

DISCLOSURE = {"network": "One.", "data": "None.", "seeds": "0.", "cannot_show": "All.", "computed": "Live."}
TOLD = {"status": "ready", "place": 0, "message": "", "notes": [], "disclosure": DISCLOSURE}


def test_everything_is_said_and_nothing_is_markup() -> None:
    event = {"step": 3, "quantity": "loss", "cause": "It grew.", "what_to_try": "Less."}
    more = {"description": "a < b", "notes": ["<i>"], "diverged": [event], "step": 3, "steps": 9}
    markup = words({**TOLD, **more}, ["surface"])
    event_said = "the loss overflowed. It grew. Less."
    for part in ("a &lt; b", "&lt;i&gt;", "Step 3 of 9.", event_said, "It cannot show: All."):
        assert part in markup
    assert "three dimensions" in markup
    assert title("a < b").count("&lt;") == 1


def test_a_run_that_waits_says_for_what() -> None:
    assert "place 2 in the queue" in words({**TOLD, "status": "waiting", "place": 2}, [])
    assert "The run starts" in words({**TOLD, "status": "running", "playing": True, "step": 0, "steps": 9}, [])
    assert "The run starts" not in words({**TOLD, "status": "running", "playing": True, "step": 1, "steps": 9}, [])
    assert "is being compiled" in words({**TOLD, "status": "waiting", "message": "The engine is being compiled."}, [])

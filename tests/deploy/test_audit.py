"""A vulnerability is a failure; what nobody could be asked about is said, and is none."""

from deploy.audit import verdict

SOUND = {"name": "sound", "version": "1", "vulns": []}
BAD = {"name": "bad", "version": "2", "vulns": [{"id": "CVE-1", "fix_versions": ["3"]}]}
UNKNOWN = {"name": "unknown", "skip_reason": "not found"}


def test_a_vulnerability_is_reported_and_fails() -> None:
    lines, good = verdict({"dependencies": [SOUND, BAD]})
    assert not good
    assert lines[0] == "bad 2: CVE-1, fixed in 3"


def test_what_is_not_known_is_reported_and_fails_nothing() -> None:
    lines, good = verdict({"dependencies": [SOUND, UNKNOWN]})
    assert good
    assert lines == [
        "1 packages were asked about, 0 of them have known vulnerabilities.",
        "Nothing is known about 1 others.",
    ]


def test_without_a_network_nothing_is_known() -> None:
    assert verdict(None)[1]

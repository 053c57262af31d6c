"""Where a request comes from: its own address, or what a proxy says that is believed."""

import pytest
from tornado.httputil import HTTPHeaders, HTTPServerRequest, RequestStartLine

from app.server.http.client import address_of, networks


def request(remote: str, *forwarded: str) -> HTTPServerRequest:
    headers = HTTPHeaders({"Host": "site.example"})
    for address in forwarded:
        headers.add("X-Forwarded-For", address)
    result = HTTPServerRequest(start_line=RequestStartLine("GET", "/", "HTTP/1.1"), headers=headers)
    result.remote_ip = remote
    return result


@pytest.mark.parametrize(
    ("remote", "forwarded", "proxies", "expected"),
    [
        ("203.0.113.5", (), "", "203.0.113.5"),
        ("203.0.113.5", ("198.51.100.7",), "", "203.0.113.5"),
        ("203.0.113.5", ("198.51.100.7",), "127.0.0.1", "203.0.113.5"),
        ("127.0.0.1", ("198.51.100.7",), "127.0.0.1", "198.51.100.7"),
        ("127.0.0.1", ("6.6.6.6, 198.51.100.7",), "127.0.0.1", "198.51.100.7"),
        ("10.0.0.1", ("6.6.6.6, 198.51.100.7", "10.0.0.9"), "10.0.0.0/8", "198.51.100.7"),
        ("127.0.0.1", (), "127.0.0.1", "127.0.0.1"),
        ("127.0.0.1", ("<script>",), "127.0.0.1", "127.0.0.1"),
        ("::ffff:203.0.113.5", (), "", "203.0.113.5"),
        ("2001:db8:1:2:3:4:5:6", (), "", "2001:db8:1:2::/64"),
        ("", (), "", ""),
    ],
)
def test_an_address_is_believed_from_proxies_only(
    remote: str, forwarded: tuple[str, ...], proxies: str, expected: str
) -> None:
    assert address_of(request(remote, *forwarded), networks(proxies)) == expected


def test_what_is_no_network_is_refused_at_the_start() -> None:
    with pytest.raises(ValueError, match="proxy"):
        networks("127.0.0.1, proxy")

"""Finds the address that a request comes from, also behind proxies."""

import ipaddress
from collections.abc import Sequence

from tornado.httputil import HTTPServerRequest

from app import settings

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

CUSTOMER = 64
"""Length in bits of the IPv6 prefix that a provider assigns to one customer"""


def networks(text: str) -> list[Network]:
    """Parse addresses and networks, separated by commas. Raises ValueError for anything else."""
    return [ipaddress.ip_network(part.strip()) for part in text.split(",") if part.strip()]


PROXIES = networks(settings.proxies())
"""The proxies whose X-Forwarded-For is trusted; behind a proxy, every connection comes from its address."""


def address_of(request: HTTPServerRequest, proxies: Sequence[Network] = PROXIES) -> str:
    """The IPv4 address of the client, or the IPv6 network of its customer; empty if unknown.

    In X-Forwarded-For the last entry that is not a trusted proxy counts: the client can forge the entries before it.
    """
    hops = request.headers.get("X-Forwarded-For", "").split(",")
    client = ""
    for hop in (request.remote_ip or "", *reversed(hops)):
        try:
            address = _plain(hop.strip())
        except ValueError:
            break
        client = _customer(address)
        if not any(address in proxy for proxy in proxies):
            break
    return client


def _plain(text: str) -> Address:
    address = ipaddress.ip_address(text)
    return (address.ipv4_mapped or address) if isinstance(address, ipaddress.IPv6Address) else address


def _customer(address: Address) -> str:
    wide = isinstance(address, ipaddress.IPv6Address)
    return str(ipaddress.ip_network((address, CUSTOMER), strict=False)) if wide else str(address)

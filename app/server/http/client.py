"""Where a request comes from."""

import ipaddress
from collections.abc import Sequence

from tornado.httputil import HTTPServerRequest

from app import settings

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

CUSTOMER = 64
"""Bits of an address of IP version 6 that a provider gives to one customer"""


def networks(text: str) -> list[Network]:
    """Addresses and networks, by comma. Raises ValueError where there is anything else."""
    return [ipaddress.ip_network(part.strip()) for part in text.split(",") if part.strip()]


PROXIES = networks(settings.proxies())
"""Behind a proxy every request comes from there. These are believed what they say in X-Forwarded-For."""


def address_of(request: HTTPServerRequest, proxies: Sequence[Network] = PROXIES) -> str:
    """The address of whoever asks, or the network of a customer; empty where it is not known.

    Of what a proxy says the last entry counts that is no proxy itself: anybody can write those before it.
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

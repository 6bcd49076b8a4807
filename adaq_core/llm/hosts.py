"""Addresses of model servers as people set them."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import urlsplit

DEFAULT_HOST = "127.0.0.1:11434"


def reachable(host: str) -> str:
    """The address to connect to: OLLAMA_HOST is often set to 0.0.0.0, where a server listens but nobody can call."""
    return re.sub(r"^((?:https?://)?)(?:0\.0\.0\.0|\[::\])(?=:|/|$)", r"\g<1>127.0.0.1", host.strip()) or DEFAULT_HOST


def is_loopback(address: str) -> bool:
    """Whether `address` (with or without scheme and port) is this machine, so that no proxy may stand between."""
    try:
        name = urlsplit(address if "//" in address else f"//{address}").hostname or ""
    except ValueError:
        return False
    if name == "localhost" or not name:
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False

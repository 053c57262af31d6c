"""The files of `deploy/` in a real nginx: the very files, but for ports, paths and addresses of this machine."""

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from getpass import getuser
from pathlib import Path

import pytest

from sims.paths import ROOT
from tools.local_server import PATIENCE, free_port

NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
OPENSSL = shutil.which("openssl")

needs_nginx = pytest.mark.skipif(
    not (NGINX and OPENSSL),
    reason="no nginx or no openssl is here: `apt-get install nginx-light openssl` on Debian",
)

AROUND = """
user {user};
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""
"""What a distribution's own nginx.conf says around a site"""


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate of this machine that nobody has signed, and its key."""
    assert OPENSSL
    certificate_file, key = folder / "certificate.pem", folder / "key.pem"
    arguments = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=site.example"]
    subprocess.run(
        [OPENSSL, *arguments, "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate_file],
        check=True,
        capture_output=True,
    )
    return certificate_file, key


@contextmanager
def proxied(file: str, folder: Path, changes: Mapping[str, str]) -> Iterator[str]:
    """nginx with a file of `deploy/` in which `changes` are made; its own address, `https://127.0.0.1:port`."""
    assert NGINX
    port = free_port()
    certificate_file, key = certificate(folder)
    replacements = {
        "listen 443 ssl;": f"listen 127.0.0.1:{port} ssl;",
        "/etc/nginx/certificate.pem": str(certificate_file),
        "/etc/nginx/key.pem": str(key),
        **changes,
    }
    text = (ROOT / "deploy" / file).read_text(encoding="utf-8")
    for old, new in replacements.items():
        assert old in text, f"deploy/{file} does not say {old!r}"
        text = text.replace(old, new)
    (folder / "site.conf").write_text(text, encoding="utf-8")
    (folder / "nginx.conf").write_text(AROUND.format(folder=folder, user=getuser()), encoding="utf-8")
    errors = folder / "errors.log"
    process = subprocess.Popen([NGINX, "-p", folder, "-e", errors, "-c", folder / "nginx.conf"])
    try:
        _await(process, port, errors)
        yield f"https://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(PATIENCE / 1000)


def _await(process: "subprocess.Popen[bytes]", port: int, errors: Path) -> None:
    deadline = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise RuntimeError(f"nginx does not take the file:\n{errors.read_text(errors='replace')}")
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return
    raise RuntimeError("nginx does not listen")

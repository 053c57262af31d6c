"""The files for containers: closed, consistent with each other and with the proxy, and with locked dependencies."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from app.server.http.client import networks

ROOT = Path(__file__).parent.parent.parent
FILES = ("compose.yaml", "deploy/school/compose.yaml", "deploy/internet/compose.yaml")
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")


def composed(file: str) -> dict[str, Any]:
    return dict(yaml.safe_load((ROOT / file).read_text(encoding="utf-8")))


@pytest.mark.parametrize("file", FILES)
def test_nothing_of_ours_can_be_written_or_gain_rights(file: str) -> None:
    ours = [service for service in composed(file)["services"].values() if service["image"] == "skip-connections"]
    web = [mine for mine in ours if "command" not in mine]
    assert web
    for mine in ours if "deploy" in file else web:
        assert mine["read_only"]
        assert mine["cap_drop"] == ["ALL"]
        assert mine["security_opt"] == ["no-new-privileges:true"]


@pytest.mark.parametrize("file", FILES)
def test_what_a_file_uses_it_declares(file: str) -> None:
    whole = composed(file)
    for service in whole["services"].values():
        volumes = {mount.partition(":")[0] for mount in service.get("volumes", ())}
        assert {name for name in volumes if not name.startswith(".")} <= (whole.get("volumes") or {}).keys()
        assert set(service.get("networks", ())) <= (whole.get("networks") or {}).keys()
        assert set(service.get("depends_on", ())) <= whole["services"].keys()
        if "build" in service:
            build = service["build"]
            assert ((ROOT / file).parent / build["context"] / "Dockerfile").is_file()


@pytest.mark.parametrize("file", FILES)
def test_every_setting_is_explained(file: str) -> None:
    manual = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    for service in composed(file)["services"].values():
        for name in service.get("environment", ()):
            assert f"`{name}`" in manual


@pytest.mark.parametrize("file", FILES)
def test_every_explained_setting_is_passed_on(file: str) -> None:
    """All but those of `make site`, those about folders and what the image holds, and what a file sets itself."""
    table = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8").partition("## Settings")[2]
    explained = set(re.findall(r"^\| `(SKIP_\w+)` \|", table, re.MULTILINE))
    elsewhere = {"SKIP_LIVE", "SKIP_OFFLINE", "SKIP_CACHE", "SKIP_RUNS", "SKIP_AHEAD", "SKIP_PLAIN_BOKEH"}
    if file != "compose.yaml":
        elsewhere |= {"SKIP_DASK_SCHEDULER"}
    if "internet" in file:
        elsewhere |= {"SKIP_WORKERS"}
    web = next(service for service in composed(file)["services"].values() if "build" in service)
    assert len(explained) > 12
    assert explained - elsewhere <= web["environment"].keys()
    for name in explained - elsewhere - {"SKIP_ADDRESS", "SKIP_PROXIES"}:
        assert web["environment"][name] == f"${{{name}:-}}"  # empty: the default (`tests/test_settings.py`)
    (index,) = re.findall(r"^ARG TORCH_INDEX_URL=(\S+)$", DOCKERFILE, re.MULTILINE)
    assert web["build"]["args"]["TORCH_INDEX_URL"] == f"${{TORCH_INDEX_URL-{index}}}"


@pytest.mark.parametrize("file", ["compose.yaml", "deploy/school/compose.yaml"])
def test_the_number_of_workers_is_passed_on(file: str) -> None:
    """Servers on the internet compute on a Dask cluster. An empty value is the default (`tests/test_settings.py`)."""
    assert composed(file)["services"]["web"]["environment"]["SKIP_WORKERS"] == "${SKIP_WORKERS:-}"


def test_the_proxy_knows_every_server_and_they_believe_it() -> None:
    services = composed("deploy/internet/compose.yaml")["services"]
    proxy = (ROOT / "deploy/internet/nginx.conf").read_text(encoding="utf-8")
    web = [service for name, service in services.items() if name.startswith("web-")]
    addresses = sorted(server["networks"]["inside"]["ipv4_address"] for server in web)
    for upstream in ("sessions", "pages"):
        block = re.search(rf"upstream {upstream} {{(.*?)}}", proxy, re.DOTALL)
        assert block
        assert sorted(re.findall(r"server ([\d.]+):5006", block[1])) == addresses
    own = services["proxy"]["networks"]["inside"]["ipv4_address"]
    assert all(networks(server["environment"]["SKIP_PROXIES"]) == networks(own) for server in web)


def test_those_who_compute_are_reached_by_servers_only() -> None:
    whole = composed("deploy/internet/compose.yaml")
    for name in ("scheduler", "worker"):
        assert "ports" not in whole["services"][name]
        assert whole["services"][name]["networks"] == ["computing"]
    assert whole["networks"]["computing"]["internal"]
    assert "computing" not in whole["services"]["proxy"]["networks"]


@pytest.mark.parametrize("file", [file for file in FILES if "worker" in composed(file)["services"]])
def test_workers_compute_the_same_bits_on_every_x86_processor(file: str) -> None:
    command = composed(file)["services"]["worker"]["command"]
    assert command[:5] == ["python", "-m", "sims.kept.environment", "dask", "worker"]


def test_the_image_runs_as_a_user_without_rights() -> None:
    assert re.findall(r"^USER (.*)", DOCKERFILE, re.MULTILINE) == ["reader"]
    assert "--require-hashes" in DOCKERFILE


def test_what_is_locked_is_what_is_required_and_nothing_lacks_a_hash() -> None:
    locked = dict(re.findall(r"^([\w.-]+)==(\S+)", LOCK, re.MULTILINE))
    for file in ("requirements.txt", "requirements-dask.txt"):
        for name, version in re.findall(r"^([\w.-]+)==(\S+)", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE):
            # PyTorch has another file for every kind of machine, on an index of its own.
            assert name == "torch" or locked[name.lower()] == version
    entries = re.split(r"^(?=[\w.-]+==)", LOCK, flags=re.MULTILINE)[1:]
    assert len(entries) == len(locked)
    assert all("--hash=sha256:" in entry for entry in entries)

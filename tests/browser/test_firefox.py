"""The compiled kernels and a figure in Debian's Firefox: the bits of native code, and the words of Python."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.test_in_browser import QUICKEST, by_python
from tests.browser.test_kernels import RUN
from tests.engines.wasm.cases import covering, write
from tests.engines.wasm.modules import modules
from tools.file_server import serving_files
from tools.firefox import Firefox
from tools.local_server import Server, serving

pytestmark = pytest.mark.exhaustive

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")

PRESS_TRAIN = """() => {
    const everywhere = root => [...root.querySelectorAll('*')].flatMap(
        element => [element, ...(element.shadowRoot ? everywhere(element.shadowRoot) : [])]
    )
    const buttons = everywhere(document.getElementById('degradation')).filter(element => element.localName === 'button')
    buttons.find(button => button.textContent.trim() === 'Train').click()
}"""
"""Panel's buttons are in shadow roots."""


@pytest.fixture
def firefox() -> Iterator[Firefox]:
    if not FIREFOX:
        pytest.skip("there is no Firefox on this machine")
    with Firefox(FIREFOX) as page:
        yield page


@pytest.fixture(scope="module")
def training_server() -> Iterator[Server]:
    modules()
    with serving(SKIP_TRAIN="browser") as running:
        yield running


def test_covering_choices_give_the_same_bits(firefox: Firefox, tmp_path: Path) -> None:
    write(tmp_path, covering())
    with serving_files(tmp_path, modules()) as url:
        firefox.goto(f"{url}tests/engines/wasm/")
        outcome = firefox.evaluate(RUN)
    assert outcome["wrong"] == []
    assert outcome["count"] > 500


def test_a_reader_trains_and_gets_every_bit(firefox: Firefox, training_server: Server) -> None:
    firefox.goto(f"{training_server.url}/numbers")
    firefox.wait_for("document.querySelector('.browser-proof button')?.disabled === false")
    firefox.evaluate("() => document.querySelector('.browser-proof button').click()")
    firefox.wait_for("/equal|differ|Nothing/.test(document.querySelector('.browser-proof .proof-end').textContent)")
    texts = [f"document.querySelector('.browser-proof .proof-{part}').textContent" for part in ("end", "has")]
    end, has = firefox.evaluate(f"() => [{', '.join(texts)}]")
    assert "All bits are equal" in end
    assert "which rounds as our own code does" in has
    assert firefox.evaluate("() => document.querySelectorAll('.browser-proof tr[data-equal=true]').length") == 10


def test_a_figure_trains_to_the_end_that_python_has(firefox: Firefox, training_server: Server) -> None:
    firefox.goto(f"{training_server.url}/{QUICKEST}")
    figure = "document.getElementById('degradation')"
    firefox.evaluate(f"() => {figure}.scrollIntoView()")
    firefox.wait_for(f"{figure}.querySelector('.stage').dataset.state === 'ready'")
    firefox.evaluate(f"() => {figure}.querySelector('.truth > summary')?.click()")
    firefox.wait_for("window.simulations?.get('degradation')?.bar.count.textContent.includes('step 0')")
    firefox.evaluate(PRESS_TRAIN)
    firefox.wait_for(f"{figure}.dataset.status === 'finished'")
    firefox.wait_for(f"{figure}.querySelector('[data-disclosure=computed]').textContent.includes('in your browser')")
    assert firefox.evaluate(f"() => {figure}.querySelector('.live').textContent") == by_python()

"""Loss surfaces, with WebGL and without: turned, measured, pointed at, exported, taken away."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import watch
from tests.browser.reader import violations
from tests.tiers import first
from tools.figure_on_page import OnPage
from tools.local_server import Server, free_port

SOFTWARE = "GPU stall due to ReadPixels"
"""What Chromium remarks where WebGL runs without a graphics card, as it does here"""

WEBGL = """
    window.contexts = []
    const original = HTMLCanvasElement.prototype.getContext
    HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
        const context = original.call(this, kind, ...more)
        if (kind === 'webgl2') window.contexts.push(context)
        return context
    }
    const extension = WebGL2RenderingContext.prototype.getExtension
    WebGL2RenderingContext.prototype.getExtension = function (name) {
        return name === 'WEBGL_debug_renderer_info' ? null : extension.call(this, name)
    }"""
"""Note the contexts, and let the page take WebGL in software for a graphics card"""

FLAT = """
    const original = HTMLCanvasElement.prototype.getContext
    HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
        return kind === 'webgl2' ? null : original.call(this, kind, ...more)
    }"""

HELPERS = """
    window.surface = () => window.simulations.get('slopes').surfaces[0]
    window.pixels = () => {
        const {canvas} = surface().controls, copy = new OffscreenCanvas(canvas.width, canvas.height)
        const context = copy.getContext('2d', {willReadFrequently: true})
        context.drawImage(canvas, 0, 0)
        return context.getImageData(0, 0, canvas.width, canvas.height)
    }
    window.print = () => {
        let sum = 0
        for (const byte of pixels().data) sum = (sum * 31 + byte) | 0
        return sum
    }
    window.look = (turn, tilt) => {
        surface().camera = {turn, tilt, zoom: 1}
        surface().draw(performance.now())
    }"""

Opened = Callable[..., OnPage]

both = pytest.mark.parametrize("script", first(1, [WEBGL, FLAT]), ids=["webgl", "flat"])


@pytest.fixture(scope="module")
def site() -> Iterator[Server]:
    """The product's own server with a page that shows surfaces of known shape."""
    settings = {"SKIP_WORKERS": "1", "SKIP_AHEAD": "no"}
    running = Server(free_port(), settings, application="tests/browser/surface_site/app")
    running.start()
    yield running
    running.stop()


@pytest.fixture
def opened(browser: Browser, site: Server) -> Iterator[Opened]:
    """Open the page with settings, and wait for the first picture."""
    contexts, faults = [], []

    def open_page(query: str = "", script: str = WEBGL, **options: Any) -> OnPage:
        settings = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce", **options}
        context = browser.new_context(base_url=site.url, **settings)
        contexts.append(context)
        page = context.new_page()
        faults.append(watch(page, site.url))
        faults[-1].expected = (SOFTWARE,)
        page.add_init_script(script + HELPERS)
        page.goto(f"slopes?{query}")
        slopes = OnPage(page, "slopes").ready()
        slopes.figure.locator(".view").scroll_into_view_if_needed()
        page.wait_for_function(
            "() => surface()?.views[0]?.m && document.fonts.status === 'loaded' && !surface().planned"
        )
        return slopes

    yield open_page
    for context in contexts:
        context.close()
    assert [left for fault in faults for left in fault.left()] == []


def view(slopes: OnPage) -> Any:
    return slopes.figure.locator(".view")


def changes(page: Page, before: int) -> int:
    """Wait for another picture."""
    page.wait_for_function("before => print() !== before", arg=before)
    return int(page.evaluate("() => print()"))


@pytest.mark.exhaustive
def test_without_a_graphics_card_it_is_painted_flat(opened: Opened) -> None:
    slopes = opened(script="")
    expect(view(slopes)).to_have_attribute("data-painted", "flat")


@pytest.mark.exhaustive
@both
def test_it_is_turned_by_keys_and_buttons_and_returns_to_the_first_view(opened: Opened, script: str) -> None:
    slopes = opened(script=script)
    expect(view(slopes)).to_have_attribute("data-painted", "webgl" if script == WEBGL else "flat")
    first = last = slopes.page.evaluate("() => print()")
    view(slopes).focus()
    for key in ("ArrowLeft", "ArrowUp", "+"):
        slopes.page.keyboard.press(key)
        last = changes(slopes.page, last)
    slopes.page.keyboard.press("Home")
    slopes.page.wait_for_function("first => print() === first", arg=first)
    slopes.button("Camera").click()
    slopes.button("Turn right").click()
    changes(slopes.page, first)
    slopes.button("First view").click()
    slopes.page.wait_for_function("first => print() === first", arg=first)


@pytest.mark.exhaustive
@both
def test_nothing_is_cropped_at_any_angle(opened: Opened, script: str) -> None:
    slopes = opened("slopes.holes=yes&slopes.way=20", script)
    touched = """zoom => [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map(step => {
        surface().camera = {turn: step * 0.53, tilt: [0.06, 0.5, 1, 1.55][step % 4], zoom}
        surface().draw(performance.now())
        const {width, height, data} = pixels(), middle = width / 2
        let rim = 0
        for (let x = 0; x < width; x++)
            for (let y = 0; y < height; y++)
                if (x < 2 || x >= width - 2 || y < 2 || y >= height - 2 || Math.abs(x - middle) < 2)
                    rim += data[4 * (y * width + x) + 3] > 0
        return rim
    })"""
    assert slopes.page.evaluate(touched, 1) == [0] * 12
    assert max(slopes.page.evaluate(touched, 4)) > 0


@pytest.mark.exhaustive
@both
def test_open_cells_are_holes(opened: Opened, script: str) -> None:
    """Seen from above, the corner where the plain surface has no loss is closed without holes and open with them."""
    covered = """() => {
        look(0, 1.55)
        const {width, data} = pixels(), {m, box, scene: {surface: {open}}} = surface().views[0]
        let solid = 0, all = 0
        for (let a = 0.35; a < 0.95; a += 0.02)
            for (let b = 0.35; b < 0.95; b += 0.02) {
                const w = m[3] * a + m[7] * b + m[15], at = row => (m[row] * a + m[4 + row] * b + m[12 + row]) / w
                const x = Math.round((at(0) + 1) * box[2] / 2), y = Math.round(box[1] + (1 - at(1)) * box[3] / 2)
                all += 1
                solid += data[4 * (y * width + x) + 3] > 200
            }
        return [solid / all, open.length]
    }"""
    page = opened("slopes.track=no", script).page
    solid, cells = page.evaluate(covered)
    assert (solid > 0.99, cells) == (True, 0)
    page.evaluate("() => window.simulations.get('slopes').set('holes', 'yes')")
    page.wait_for_function("() => surface().views[0].scene.surface.open.length")
    solid, cells = page.evaluate(covered)
    assert solid < 0.6
    assert cells == 10 * 12


@pytest.mark.exhaustive
def test_two_surfaces_share_scale_and_camera(opened: Opened) -> None:
    slopes = opened()
    first, second = slopes.page.evaluate(
        "() => surface().views.map(({m, scene}) => [Array.from(m), scene.place([0.5, 0, 2]), scene.place([0, 0, 0.2])])"
    )
    assert first == second
    assert first[1][2] > first[2][2]


def test_a_grid_point_is_read_by_pointer_and_keys_and_sent_to_python(opened: Opened) -> None:
    slopes = opened()
    output = slopes.figure.locator("output")
    box = view(slopes).bounding_box()
    slopes.page.mouse.move(box["x"] + box["width"] * 0.75, box["y"] + box["height"] * 0.55)
    expect(output).to_contain_text("residual")
    slopes.page.wait_for_function(
        "() => surface().chosen === 25 * panel('picked_row') + panel('picked_column')".replace(
            "panel(", "(name => Number(window.simulations.get('slopes').panel.live.values[name]))("
        )
    )
    before, words = slopes.page.evaluate("() => surface().chosen"), output.inner_text()
    view(slopes).focus()
    slopes.page.keyboard.press("Shift+ArrowRight")
    slopes.page.keyboard.press("Shift+ArrowUp")
    slopes.page.wait_for_function("wanted => surface().chosen === wanted", arg=before + 26)
    expect(output).not_to_have_text(words)
    slopes.page.wait_for_function(
        "wanted => Number(window.simulations.get('slopes').panel.live.values.picked_row) === wanted",
        arg=before // 25 + 1,
    )


@pytest.mark.exhaustive
def test_an_unresolved_point_says_so(opened: Opened) -> None:
    slopes = opened("slopes.holes=yes", FLAT)
    slopes.page.evaluate("() => surface().select(24 * 25 + 24)")
    expect(slopes.figure.locator("output")).to_contain_text("plain unresolved, residual 2.2")
    expect(slopes.figure.get_by_text("Over a hatched floor")).to_be_visible()


@pytest.mark.exhaustive
def test_wheel_and_one_finger_scroll_the_page(opened: Opened) -> None:
    slopes = opened(script=FLAT, viewport={"width": 1280, "height": 500})
    assert view(slopes).evaluate("element => getComputedStyle(element).touchAction") == "pan-y pinch-zoom"
    view(slopes).hover()
    before = slopes.page.evaluate("() => scrollY")
    slopes.page.mouse.wheel(0, 120)
    slopes.page.wait_for_function("before => scrollY > before", arg=before)


@pytest.mark.exhaustive
def test_out_of_view_nothing_is_drawn(opened: Opened) -> None:
    slopes = opened(script=FLAT, viewport={"width": 1280, "height": 300})
    slopes.page.evaluate("document.body.style.paddingBottom = '3000px'; scrollTo(0, document.body.scrollHeight)")
    slopes.page.wait_for_function("() => !surface().seen && !surface().near && !surface().planned")
    before = slopes.page.evaluate("() => print()")
    slopes.page.evaluate("() => window.simulations.get('slopes').setParameters({single: 'yes'})")
    slopes.page.wait_for_function("() => surface().row.get_column('shown')[0].length === 1")
    assert slopes.page.evaluate("() => [surface().planned ?? null, print()]") == [None, before]
    view(slopes).scroll_into_view_if_needed()
    changes(slopes.page, before)


@pytest.mark.exhaustive
def test_the_ball_rolls_along_the_new_points_and_jumps_with_reduced_motion(opened: Opened) -> None:
    at = "() => surface().balls.get('residual').at"
    longer = "() => window.simulations.get('slopes').set('way', '40')"
    still = opened("slopes.way=20", FLAT)
    assert still.page.evaluate(at) == 20
    still.page.evaluate(longer)
    still.page.wait_for_function("() => surface().balls.get('residual').points.length === 41")
    assert still.page.evaluate(at) == 40
    moving = opened("slopes.way=20", FLAT, reduced_motion="no-preference")
    moving.page.wait_for_function(f"() => ({at})() === 20")
    moving.page.evaluate(longer)
    moving.page.wait_for_function("() => surface().balls.get('residual').at > 20")
    moving.page.wait_for_function(f"() => ({at})() === 40")


@pytest.mark.exhaustive
def test_it_turns_by_itself_until_it_is_touched_and_never_with_reduced_motion(opened: Opened) -> None:
    turn = "() => surface().camera.turn"
    still = opened(script=FLAT)
    expect(still.button("Turn by itself")).to_be_visible()
    home = still.page.evaluate(turn)
    still.button("Turn by itself").click()
    still.page.wait_for_function(f"home => ({turn})() > home", arg=home)
    still.button("Stop turning").click()
    moving = opened(script=FLAT, reduced_motion="no-preference")
    moving.page.wait_for_function(f"home => ({turn})() > home", arg=home)
    view(moving).hover()
    angle = moving.page.evaluate(turn)
    moving.page.evaluate("() => new Promise(requestAnimationFrame)")
    assert moving.page.evaluate(turn) == angle
    view(moving).focus()
    moving.page.keyboard.press("Home")
    expect(moving.button("Turn by itself")).to_be_visible()
    assert moving.page.evaluate(turn) == home


@pytest.mark.exhaustive
def test_out_of_view_it_does_not_turn(opened: Opened) -> None:
    slopes = opened(script=FLAT, reduced_motion="no-preference", viewport={"width": 1280, "height": 300})
    slopes.page.evaluate("() => scrollTo(0, document.body.scrollHeight)")
    slopes.page.wait_for_function("() => !surface().seen")
    stood = slopes.page.evaluate("() => surface().camera.turn")
    slopes.page.evaluate("() => new Promise(requestAnimationFrame)")
    assert slopes.page.evaluate("() => surface().camera.turn") == stood


@pytest.mark.exhaustive
def test_a_lost_context_is_replaced_and_restored(opened: Opened) -> None:
    slopes = opened()
    slopes.page.evaluate("() => { window.taken = contexts[0].getExtension('WEBGL_lose_context'); taken.loseContext() }")
    expect(view(slopes)).to_have_attribute("data-painted", "flat")
    slopes.page.evaluate("() => taken.restoreContext()")
    expect(view(slopes)).to_have_attribute("data-painted", "webgl")


@pytest.mark.exhaustive
def test_a_removed_surface_releases_its_context(opened: Opened) -> None:
    slopes = opened()
    living = "() => contexts.filter(context => !context.isContextLost()).length"
    for _ in range(3):
        slopes.page.evaluate("() => window.simulations.get('slopes').mount()")
        slopes.page.wait_for_function("() => surface()?.views[0]?.m")
        assert slopes.page.evaluate(living) == 1
    assert slopes.page.evaluate("() => contexts.length") == 4
    assert slopes.figure.locator("canvas").count() == 1
    slopes.page.evaluate("() => window.simulations.get('slopes').surfaces.splice(0).forEach(view => view.remove())")
    assert slopes.page.evaluate(living) == 0


@pytest.mark.exhaustive
@both
def test_it_is_part_of_the_exported_pictures(opened: Opened, script: str, tmp_path: Path) -> None:
    slopes = opened(script=script)
    files = {}
    for name in ("PNG", "SVG"):
        with slopes.page.expect_download() as download:
            slopes.more(name).click()
        files[name] = tmp_path / download.value.suggested_filename
        download.value.save_as(files[name])
    assert files["PNG"].read_bytes()[:4] == b"\x89PNG"
    assert files["PNG"].stat().st_size > 20_000
    drawing = files["SVG"].read_text()
    assert "data:image/png" in drawing
    assert ">residual</text>" in drawing


@pytest.mark.exhaustive
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_passes_axe_and_has_a_name(opened: Opened, scheme: str) -> None:
    slopes = opened("slopes.holes=yes", FLAT, color_scheme=scheme)
    assert violations(slopes.page) == []
    expect(view(slopes)).to_have_attribute("role", "img")
    expect(view(slopes)).to_have_attribute(
        "aria-label", "Two slopes. Two surfaces over 25 by 25 points, of which the lower one is a bowl."
    )


@pytest.mark.exhaustive
def test_it_is_repainted_when_the_theme_changes(opened: Opened) -> None:
    slopes = opened()
    before = slopes.page.evaluate("() => print()")
    slopes.page.get_by_role("button", name="Dark colors").click()
    changes(slopes.page, before)


@pytest.mark.exhaustive
def test_on_a_phone_the_surfaces_are_stacked(opened: Opened) -> None:
    slopes = opened(script=FLAT, viewport={"width": 390, "height": 844}, has_touch=True)
    assert slopes.page.evaluate("() => document.documentElement.scrollWidth") <= 390
    first, second = slopes.page.evaluate("() => surface().views.map(view => view.box)")
    assert first[0] == second[0] == 0
    assert first[1] + first[3] == second[1]
    box = view(slopes).bounding_box()
    slopes.page.touchscreen.tap(box["x"] + 180, box["y"] + 180)
    expect(slopes.figure.locator("output")).to_contain_text("residual")


@pytest.mark.exhaustive
def test_lines_of_equal_height_ticks_and_colors(opened: Opened) -> None:
    """The functions below the picture, against what is known of a plane, of round numbers and of OKLab."""
    answers = opened(script=FLAT).page.evaluate(
        """async () => {
            const script = document.querySelector('script[src*="main.js"]').src
            const load = name => import(script.replace('main.js', 'surface/' + name))
            const [{mesh, contour}, {Scale, linearTicks}, {ramp, toLab, fromLab}] = await Promise.all(
                ['mesh.js', 'scale.js', 'color.js'].map(load))
            const side = [0, 1, 2, 3], a = side.flatMap(() => side), b = side.flatMap(row => side.map(() => row))
            const plane = mesh(4, 4, a, b, a, new Scale(0, 3, false))
            const height = plane.positions[2] + 0.5 * (plane.positions[5] - plane.positions[2])
            const colors = ramp('#1d68ad', false), night = ramp('#6fb4f3', true)
            const lightness = list => Array.from({length: 16}, (_, at) => toLab([...list.slice(3 * at, 3 * at + 3)])[0])
            return {
                places: contour(plane, height).flatMap(([x, , u]) => [x, u]),
                ticks: linearTicks(0.2, 7.4), powers: new Scale(1e-3, 1e7, true).ticks(),
                few: new Scale(0.2, 8, true).ticks(),
                texts: [1e5, 2e4, 0.05].map(value => new Scale(1e-3, 1e7, true).text(value)),
                large: [0, 5e4, 3e8, 1.5e12].map(value => new Scale(0, 2e12, false).text(value)),
                white: toLab([1, 1, 1]), back: fromLab(toLab([0.2, 0.5, 0.7])),
                day: lightness(colors), night: lightness(night), outside: String(new Scale(1, 2, false).share(2.1)),
            }
        }"""
    )
    assert len(answers["places"]) == 2 * 6
    assert answers["places"] == pytest.approx([-2 / 3] * 12)
    assert answers["ticks"] == [2, 4, 6]
    assert answers["powers"] == pytest.approx([1e-3, 1e-1, 1e1, 1e3, 1e5, 1e7])
    assert answers["few"] == pytest.approx([0.2, 0.5, 1, 2, 5])
    assert answers["texts"] == ["10⁵", "20,000", "0.05"]
    assert answers["large"] == ["0", "50,000", "3 × 10⁸", "1.5 × 10¹²"]
    assert answers["white"] == pytest.approx([1, 0, 0], abs=1e-4)
    assert answers["back"] == pytest.approx([0.2, 0.5, 0.7], abs=1e-4)
    assert answers["day"] == sorted(answers["day"])
    assert answers["night"] == sorted(answers["night"], reverse=True)
    bent = [(at / 15) ** 0.6 for at in range(16)]
    assert answers["day"] == pytest.approx([0.54 + 0.41 * share for share in bent], abs=1e-2)
    assert answers["night"] == pytest.approx([0.88 - 0.54 * share for share in bent], abs=1e-2)
    assert answers["outside"] == "NaN"

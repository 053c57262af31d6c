"""`make screenshots`: the pictures of README, from the real pages with networks that have really trained."""

from tests.browser.conftest import ROOT
from tests.browser.reader import OnPage
from tests.browser.studio import studio

FOLDER = ROOT / "docs"
SHOTS = {
    "degradation-light": ("degradation", 1280, 1000, "light"),
    "degradation-dark": ("degradation", 1280, 1000, "dark"),
    "degradation-phone": ("degradation", 390, 844, "light"),
    "landscape-light": ("landscape", 1280, 1000, "light"),
    "explorer-dark": ("explorer", 1280, 1000, "dark"),
    "home-light": ("", 1280, 1000, "light"),
}


def main() -> None:
    """Take every picture anew."""
    FOLDER.mkdir(exist_ok=True)
    with studio() as (browser, server):
        for name, (path, width, height, scheme) in SHOTS.items():
            context = browser.new_context(
                base_url=server.url, viewport={"width": width, "height": height}, color_scheme=scheme
            )
            page = context.new_page()
            page.goto(path)
            if path:
                simulation = OnPage(page, path).ready()
                simulation.button("Train").click()
                simulation.wait_for_status("finished")
                page.evaluate("id => scrollTo(0, document.getElementById(id).offsetTop - 24)", path)
            page.evaluate("document.fonts.ready")
            page.screenshot(path=FOLDER / f"{name}.png")
            context.close()
            print(f"docs/{name}.png")


if __name__ == "__main__":
    main()

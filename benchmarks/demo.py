"""A film of the app and the pictures of the README: the real app in Chromium, driven through one question.

    python -m benchmarks.demo --out docs/pictures --theme dark --theme light

writes demo-THEME.gif (demo-THEME.mp4 too where there is ffmpeg: the program, or `pip install imageio-ffmpeg`) and, for
each page, PAGE-THEME.png at 1280 by 720.
Nothing is staged: a server of its own over an empty home, the bundled corpus, no model, no network; `?demo=1` lets a
question start by itself, shows the hops at the pace of a talk and hides Streamlit's menu.
"""

from __future__ import annotations

import argparse
import base64
import io
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.served import CHROMIUM, served

if TYPE_CHECKING:
    from PIL.Image import Image

QUESTION = "What are the legal risks, supply chain risks and outlook of Microsoft?"
SIZE = (1280, 720)
FRAME_SECONDS = 0.1  # frames that come sooner than this are one
COLOURS = 128
_SLOW = 120_000
_UNSEEN_SECONDS = 0.3  # a browser that has sent no frame for so long is looked at
# A pointer to follow, because a film of the page alone has none. A busy browser leaves frames out, and sends the next
# when something is painted again: so a dot of one pixel, whose colour nobody sees change, is painted all the time.
_POINTER = """() => {
  const dot = document.createElement("div")
  dot.style.cssText = "position:fixed;z-index:999999;width:18px;height:18px;border-radius:50%;pointer-events:none;" +
    "background:rgba(96,165,250,.55);border:2px solid #fff;box-shadow:0 0 4px #000;left:-40px;top:-40px;" +
    "transition:left .35s,top .35s"
  document.body.append(dot)
  const pulse = document.createElement("div")
  pulse.style.cssText = "position:fixed;z-index:999999;width:1px;height:1px;left:0;bottom:0;pointer-events:none"
  document.body.append(pulse)
  setInterval(() => { pulse.style.background = pulse.style.background ? "" : "rgba(128,128,128,.03)" }, 200)
  window.pointTo = (x, y) => { dot.style.left = `${x - 9}px`; dot.style.top = `${y - 9}px` }
}"""


@dataclass
class Film:
    """What the browser showed: a picture and its time, whenever something changed."""

    frames: list[tuple[float, bytes]] = field(default_factory=list)

    def take(self, page: Any) -> Callable[[], None]:
        """Begin to take every frame that the page paints; what is returned ends it, before the page is closed."""
        session = page.context.new_cdp_session(page)

        def painted(event: dict[str, Any]) -> None:
            self.frames.append((event["metadata"]["timestamp"], base64.b64decode(event["data"])))
            session.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})

        session.on("Page.screencastFrame", painted)
        width, height = SIZE
        session.send("Page.startScreencast", {"format": "png", "maxWidth": width, "maxHeight": height})
        return lambda: session.send("Page.stopScreencast")

    def look(self, page: Any) -> None:
        """Take what the page shows now, where a busy browser has left frames out: else one in between would last."""
        at = time.time()
        if self.frames and at - self.frames[-1][0] >= _UNSEEN_SECONDS:
            self.frames.append((time.time(), page.screenshot(caret="initial")))

    def pictures(self) -> list[tuple[Image, int]]:
        """Return the frames that last, each with its milliseconds."""
        from PIL import Image

        frames = sorted(self.frames)  # the browser may send two in the other order
        ends = [*(at for at, _ in frames[1:]), frames[-1][0] + 2.0]
        kept: list[tuple[bytes, float, float]] = []
        for (at, data), end in zip(frames, ends, strict=True):
            if kept and (end - kept[-1][1] < FRAME_SECONDS or kept[-1][0] == data):
                kept[-1] = (data, kept[-1][1], end)
            else:
                kept.append((data, at, end))
        return [(Image.open(io.BytesIO(data)).convert("RGB"), round(1000 * (end - at))) for data, at, end in kept]


@dataclass
class Guide:
    """A hand that points before it clicks, and waits until what it asked for is there."""

    page: Any
    film: Film

    def click(self, what: Any) -> None:
        """Point at it, then click it."""
        what.wait_for(timeout=_SLOW)
        what.scroll_into_view_if_needed()
        box = what.bounding_box()
        if box:
            self.page.evaluate("([x, y]) => window.pointTo && window.pointTo(x, y)", _middle(box))
        self.rest(0.6)
        what.click(timeout=_SLOW)

    def rest(self, seconds: float) -> None:
        """Let the viewer look."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.page.wait_for_timeout(1000 * min(left, _UNSEEN_SECONDS))
            self.film.look(self.page)

    def see(self, what: Any) -> None:
        """Wait until it is there and nothing is being drawn anew."""
        what.wait_for(timeout=_SLOW)
        self.page.wait_for_function("() => !document.querySelector('[data-stale=true]')", timeout=_SLOW)


def _middle(box: dict[str, float]) -> list[float]:
    return [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]


def story(page: Any, address: str, film: Film, picture: Callable[[str], None]) -> None:
    """Ask, watch, read a quote, replay the trace, compare: about a minute."""
    guide = Guide(page, film)
    page.goto(f"{address}/?demo=1")
    pill = page.get_by_role("button", name=QUESTION)
    guide.see(pill)
    page.evaluate(_POINTER)
    end = film.take(page)
    guide.rest(1.5)
    guide.click(pill)
    guide.see(page.get_by_text("Starts by itself", exact=False))
    guide.see(page.get_by_text("Was this answer useful?"))
    guide.rest(3.5)
    picture("ask")
    guide.click(page.get_by_role("button", name="Open source 1").first)
    guide.see(page.get_by_role("dialog"))
    guide.rest(4)
    page.keyboard.press("Escape")
    guide.rest(0.6)
    _trace(page, guide, picture)
    _compare(page, guide, picture)
    end()
    guide.rest(0.5)


def _trace(page: Any, guide: Guide, picture: Callable[[str], None]) -> None:
    guide.click(page.get_by_role("button", name="Open trace"))
    replay = page.get_by_role("button", name="Replay", exact=True)
    guide.see(replay)
    guide.rest(2)
    picture("trace-explorer")
    guide.click(page.get_by_role("button", name="½×"))
    guide.click(replay)
    guide.rest(1)
    replay.wait_for(timeout=_SLOW)
    guide.rest(3)


def _compare(page: Any, guide: Guide, picture: Callable[[str], None]) -> None:
    compare = page.get_by_role("link", name="Compare", exact=True).or_(
        page.get_by_role("button", name="Compare", exact=True)
    )
    guide.click(compare.first)
    guide.click(page.get_by_role("button", name="Run 2 methods"))
    guide.see(page.get_by_text("Evidence: who found what"))
    guide.rest(5)
    picture("compare")
    guide.click(page.get_by_role("button", name="Show the evidence.").nth(1))
    guide.see(page.get_by_role("dialog").get_by_text("Read the passage").first)
    guide.rest(4)


@contextmanager
def _browser() -> Any:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        yield browser
        browser.close()


def record(theme: str, out: Path) -> Film:
    """Drive the app once in this theme; write its pictures to `out` and return the film."""
    width, height = SIZE
    film = Film()
    with tempfile.TemporaryDirectory(prefix="adaq-demo-") as home, served(Path(home)) as address, _browser() as browser:
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme)
        _warm(context, address)
        story(context.new_page(), address, film, lambda name: _shoot(context.pages[-1], out / f"{name}-{theme}.png"))
    return film


def _warm(context: Any, address: str) -> None:
    """Have the corpus indexed and the scripts of the pages fetched: a film of waiting shows nothing."""
    page = context.new_page()
    page.goto(f"{address}/?q=What+is+BM25%3F")
    page.get_by_role("button", name="Start with").click(timeout=_SLOW)
    page.get_by_text("Was this answer useful?").wait_for(timeout=_SLOW)
    for place in ("trace_explorer", "compare_baselines"):
        page.goto(f"{address}/{place}")
        page.get_by_text("On this computer").wait_for(timeout=_SLOW)
    page.close()


def _shoot(page: Any, path: Path) -> None:
    """Write the page as a picture of few colours, without the pointer."""
    from PIL import Image

    page.evaluate("() => window.pointTo && window.pointTo(-40, -40)")
    page.wait_for_timeout(450)
    data = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    few = data.quantize(colors=256, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    few.save(path, optimize=True)


def write_gif(film: Film, path: Path) -> None:
    """Write the film as an animated GIF with one palette.

    Its colours are chosen by how far they lie apart: by how many pixels have them, the orange of "not found" is none.
    """
    from PIL import Image

    pictures = film.pictures()
    width, height = pictures[0][0].width // 2, pictures[0][0].height // 2
    sheet = Image.new("RGB", (width * len(pictures[::8]), height))
    for place, (picture, _) in enumerate(pictures[::8]):
        sheet.paste(picture.resize((width, height), Image.Resampling.NEAREST), (place * width, 0))
    palette = sheet.quantize(colors=COLOURS, method=Image.Quantize.FASTOCTREE)
    first, *rest = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture, _ in pictures]
    first.save(path, save_all=True, append_images=rest, duration=[ms for _, ms in pictures], loop=0)


def write_mp4(gif: Path) -> Path | None:
    """Write the film again as an MP4; None where there is no ffmpeg."""
    ffmpeg, path = _ffmpeg(), gif.with_suffix(".mp4")
    if ffmpeg is None:
        return None
    options = ["-movflags", "faststart", "-pix_fmt", "yuv420p", "-vf", "fps=12"]
    subprocess.run([ffmpeg, "-y", "-loglevel", "error", "-i", str(gif), *options, str(path)], check=True)
    return path


def _ffmpeg() -> str | None:
    """Return the program: the one of the system, or that of the package imageio-ffmpeg."""
    if found := shutil.which("ffmpeg"):
        return found
    try:
        return str(import_module("imageio_ffmpeg").get_ffmpeg_exe())
    except ImportError:
        return None


def main() -> None:
    """Record the film in each theme asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.demo", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path("demo"), help="folder for the film and the pictures")
    parser.add_argument("--theme", action="append", choices=("light", "dark"), help="both without it")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    for theme in given.theme or ("dark", "light"):
        begun = time.monotonic()
        film = record(theme, given.out)
        gif = given.out / f"demo-{theme}.gif"
        write_gif(film, gif)
        seconds = film.frames[-1][0] - film.frames[0][0]
        names = " and ".join(path.name for path in (gif, write_mp4(gif)) if path)
        print(f"{names}: {seconds:.0f} s, {gif.stat().st_size / 1e6:.1f} MB, made in {time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()

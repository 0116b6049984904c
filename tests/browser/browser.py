# SPDX-License-Identifier: MIT
"""A headless Chromium, driven through the DevTools protocol over a pipe."""

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time


# The tiles of the page's board, by their cells.
BOARD = ("[...document.querySelectorAll('#board .tile')].sort((a, b) => a.dataset.cell - b.dataset.cell)"
         ".map((t) => t.textContent || '0').join(' ')")


def find_chromium():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    return None


def start_browser(pictures=None):
    """A browser; where there is none the test ends with 77, and TESSERA_NEEDS_BROWSER=1 makes that a failure.
    `pictures`: the folder for its screenshots."""
    chromium = find_chromium()
    reason = "no chromium on this machine"
    if chromium:
        try:
            return Browser(chromium, pictures)
        except (RuntimeError, TimeoutError, OSError, StopIteration) as error:
            reason = f"{chromium} does not run here: {error or type(error).__name__}"
    print(f"skipped: {reason}")
    sys.exit(1 if os.environ.get("TESSERA_NEEDS_BROWSER") == "1" else 77)


def expect(what, is_so):
    if not is_so:
        raise AssertionError(what)


FAINT = r"""(() => {
  const pen = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true });
  const rgba = (color) => { // any CSS color
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = color;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  const light = (color) => {
    const [r, g, b] = color.slice(0, 3).map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
  const grounds = (e) => {
    for (const layers = []; ; e = e.parentElement) {
      const style = e ? getComputedStyle(e) : null;
      if (e?.closest('svg') === null && style.backgroundImage.includes('linear-gradient') && e.closest('.tile')) {
        return style.backgroundImage.match(/(oklab|oklch|rgba?|color)\([^)]*\)/g).map(rgba);
      }
      const color = style ? rgba(style.backgroundColor) : [255, 255, 255, 1];
      layers.push(color);
      if (color[3] === 1) return [layers.reduceRight((below, top) => over(top, below))];
    }
  };
  const faint = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const e = walker.currentNode.parentElement;
    const text = walker.currentNode.textContent.trim();
    if (!text || !e.checkVisibility({ visibilityProperty: true }) || e.closest('.hidden, :disabled, .small, script, style, option, title')) continue;
    const style = getComputedStyle(e);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const ink = rgba(e.closest('svg') ? style.fill : style.color);
    const worst = Math.min(...grounds(e).map((ground) => ratio(over(ink, ground), ground)));
    if (worst < (large ? 3 : 4.5)) faint.push(`${text.slice(0, 30)}: ${worst.toFixed(2)} at ${size} px`);
  }
  return [...new Set(faint)];
})()"""


class Browser:
    """One page. What its console says, and what it fails to load, is kept in `complaints`."""

    def __init__(self, chromium, pictures):
        self.pictures = pictures
        self.folder = tempfile.mkdtemp(prefix="tessera-browser-")
        to_read, self.write_end = os.pipe()
        self.read_end, to_write = os.pipe()
        # A shell puts the ends where Chromium looks for them.
        command = [
            "sh", "-c", f'exec "$@" 3<&{to_read} 4>&{to_write}', "sh", chromium,
            "--headless=new", "--remote-debugging-pipe", "--disable-gpu", "--no-first-run",
            "--disable-dev-shm-usage", "--disable-background-networking", "--force-color-profile=srgb",
            f"--user-data-dir={self.folder}", "about:blank",
        ]
        if os.geteuid() == 0:
            command.insert(-1, "--no-sandbox")
        self.process = subprocess.Popen(
            command, pass_fds=(to_read, to_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.buffer = b""
        self.number = 0
        self.complaints = []
        self.session = None
        try:
            target = next(t for t in self._pages() if t["type"] == "page")["targetId"]
            self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            for domain in ("Page", "Runtime", "Log", "Network"):
                self.call(domain + ".enable")
            self.resize(1280, 900)
        except BaseException:
            self.close()
            raise

    def _pages(self):
        for _ in range(100):
            targets = self.call("Target.getTargets")["targetInfos"]
            if any(t["type"] == "page" for t in targets):
                return targets
            time.sleep(0.05)
        return []

    def _receive(self, timeout):
        """The next message, or None."""
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.read_end], [], [], timeout)
            if not ready:
                return None
            data = os.read(self.read_end, 1 << 16)
            if not data:
                raise RuntimeError("the browser has gone")
            self.buffer += data
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        self._note(message)
        return message

    def _note(self, message):
        method, params = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.complaints.append(" ".join(str(a.get("value", a.get("description"))) for a in params["args"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
            self.complaints.append(params["entry"]["text"] + " " + params["entry"].get("url", ""))

    def call(self, method, timeout=120, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + timeout
        while (left := end - time.monotonic()) > 0:
            answer = self._receive(left)
            if answer is None:
                break
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
        raise TimeoutError(method)

    def resize(self, width, height, mobile=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=2 if mobile else 1, mobile=mobile)
        self.call("Emulation.setTouchEmulationEnabled", enabled=mobile)

    def dark(self, dark):
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def open(self, address):
        self.call("Page.navigate", url=address)
        self.wait("document.readyState === 'complete'")

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"]["exception"]["description"])
        return result["result"].get("value")

    def wait(self, condition, seconds=60):
        """Until a JavaScript expression is true; its value."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if value := self.evaluate(condition):
                return value
            time.sleep(0.03)
        raise TimeoutError(f"never true: {condition}")

    def click(self, selector, touch=False):
        """At the middle of an element, as a person would: what lies over it is hit instead."""
        # Tiles on their way cross each other.
        self.wait(f"document.querySelector({json.dumps(selector)}).getAnimations().length === 0")
        middle = f"""(() => {{
            const element = document.querySelector({json.dumps(selector)});
            element.scrollIntoView({{ block: 'nearest' }});
            const box = element.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        }})()"""
        x, y = self.evaluate(middle)
        if touch:
            self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
            self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
            return
        # An answer that arrives may move the page, so that the press misses; a person would press again.
        while True:
            self.evaluate("addEventListener('pointerdown', (e) => { window.pressed = e.target; }, { capture: true, once: true })")
            self.call("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button="left", clickCount=1)
            missed = not self.evaluate(f"document.querySelector({json.dumps(selector)}).contains(window.pressed)")
            before, (x, y) = (x, y), self.evaluate(middle)
            if not missed or (x, y) == before:
                break
            self.call("Input.dispatchMouseEvent", type="mouseReleased", x=0, y=0, button="left", clickCount=1)
        self.call("Input.dispatchMouseEvent", type="mouseReleased", x=before[0], y=before[1], button="left", clickCount=1)

    def press(self, key, times=1):
        text = {"Enter": {"text": "\r", "windowsVirtualKeyCode": 13}, " ": {"text": " ", "windowsVirtualKeyCode": 32}}
        for _ in range(times):
            self.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=key, **text.get(key, {}))
            self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=key)

    def tab_to(self, selector, most=60):
        """By the keyboard alone."""
        for _ in range(most):
            if self.evaluate(f"document.activeElement === document.querySelector({json.dumps(selector)})"):
                return
            self.press("Tab")
        raise AssertionError(f"{selector} is not reached by {most} tabs")

    def tab_stops(self, most=80):
        """All that Tab reaches, and whether each shows that it has the focus."""
        stops = []
        self.evaluate("document.activeElement.blur()")
        for _ in range(most):
            self.press("Tab")
            stop = self.evaluate("""(() => {
                const e = document.activeElement;
                const look = [e, e.nextElementSibling].filter((x) => x).map((x) => getComputedStyle(x));
                if (e === document.body) return ["BODY"];
                return [e.id || e.textContent.slice(0, 30) || e.tagName, look.some((s) => s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2)];
            })()""")
            if stop in stops:
                break
            if stop[0] != "BODY":
                stops.append(stop)
        return stops

    def faint_texts(self):
        """Texts whose contrast is below WCAG AA: 4.5, large ones 3. Of a gradient the worst color counts."""
        return self.evaluate(FAINT)

    def choose(self, selector, value):
        """An option of a <select>."""
        self.evaluate(f"""(() => {{
            const element = document.querySelector({json.dumps(selector)});
            element.value = {json.dumps(value)};
            element.dispatchEvent(new Event('change', {{ bubbles: true }}));
        }})()""")

    def text(self, selector):
        return self.evaluate(f"document.querySelector({json.dumps(selector)}).textContent")

    def new_tab(self):
        """Its target and session; from now on it is the page."""
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        return target, self.session

    def close_tab(self, target):
        self.session = None
        self.call("Target.closeTarget", targetId=target)

    def picture(self, name):
        """A screenshot, if there is a folder for it."""
        if not self.pictures:
            return
        # Tiles come to rest; what turns for ever does not count.
        self.wait("document.getAnimations().every((one) => one.effect.getComputedTiming().endTime === Infinity)")
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)["data"]
        with open(os.path.join(self.pictures, name + ".png"), "wb") as file:
            file.write(base64.b64decode(data))

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.write_end)
        os.close(self.read_end)
        shutil.rmtree(self.folder, ignore_errors=True)

# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium, driven through its DevTools protocol on a pipe: real clicks and keys, and what it complains of.

https://chromedevtools.github.io/devtools-protocol/ has the commands and events.
"""
import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import time

NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]
OPTIONS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
           "--disable-extensions", "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
           "--remote-debugging-pipe"]
PATIENCE = 60  # seconds until an answer is given up; it takes milliseconds
KEYS = {"Enter": (13, "\r"), "Escape": (27, None), "Tab": (9, None), " ": (32, " "), "PageUp": (33, None),
        "PageDown": (34, None), "End": (35, None), "Home": (36, None), "ArrowLeft": (37, None), "ArrowUp": (38, None),
        "ArrowRight": (39, None), "ArrowDown": (40, None)}


def find():
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """One page. Everything that it wrote to its console, and every address that it asked for, is in `complaints` and
    `requests`."""

    def __init__(self, program, profile):
        down, up = os.pipe(), os.pipe()
        words = [program, *OPTIONS, f"--user-data-dir={profile}", "about:blank"]

        def number():
            """It reads commands from 3 and answers on 4."""
            ends = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (down[0], up[1])]
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        self.process = subprocess.Popen(words, preexec_fn=number, close_fds=False, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        env={**os.environ, "HOME": str(profile)})
        os.close(down[0])
        os.close(up[1])
        self.down, self.up = down[1], up[0]
        self.buffer = b""
        self.number = 0
        self.session = None
        self.complaints, self.requests, self.events = [], [], []
        target = next(t["targetId"] for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def close(self):
        os.close(self.down)  # it ends when nobody can tell it anything
        os.close(self.up)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _message(self):
        until = time.monotonic() + PATIENCE
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.up], [], [], max(0, until - time.monotonic()))
            more = os.read(self.up, 1 << 20) if ready else b""
            if not more:
                raise RuntimeError("the browser does not answer" if not ready else "the browser has ended")
            self.buffer += more
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def _note(self, event):
        method, params = event["method"], event.get("params", {})
        self.events.append(method)
        if method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method in ("Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled"):
            self.complaints.append(params)

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.down, data):]
        while True:
            answer = self._message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            if "method" in answer:
                self._note(answer)

    def _wait_for(self, method):
        while method not in self.events:
            answer = self._message()
            if "method" in answer:
                self._note(answer)

    def load(self, url):
        """Loads anew, even where only the part behind # differs."""
        for one in ("about:blank", url):
            self.events.clear()
            self.call("Page.navigate", url=one)
            self._wait_for("Page.loadEventFired")

    def value(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def until(self, expression):
        """Waits until it is true: what follows a key or a click may come later."""
        end = time.monotonic() + 10
        while not self.value(expression):
            if time.monotonic() > end:
                raise RuntimeError(f"never came true: {expression}")
            time.sleep(0.01)

    def screen(self, width, height, scheme="light", phone=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=2 if phone else 1,
                  mobile=phone)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def click(self, selector):
        x, y = self.value(f"""(() => {{
            const e = document.querySelector({json.dumps(selector)});
            e.scrollIntoView({{block: "center", inline: "center"}});
            const r = e.getBoundingClientRect();
            return [r.x + r.width / 2, r.y + r.height / 2];
        }})()""")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def key(self, name, control=False):
        code, text = KEYS[name]
        params = {"key": name, "code": "Space" if name == " " else name, "windowsVirtualKeyCode": code,
                  "modifiers": 2 if control else 0}
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **params,
                  **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **params)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def picture(self, whole=False):
        return base64.b64decode(self.call("Page.captureScreenshot", captureBeyondViewport=whole)["data"])

    def pdf(self):
        return base64.b64decode(self.call("Page.printToPDF", preferCSSPageSize=True, printBackground=False)["data"])

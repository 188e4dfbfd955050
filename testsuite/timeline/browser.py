# SPDX-License-Identifier: GPL-3.0-or-later
"""A browser without a screen, driven by the DevTools protocol through a pipe (its descriptors 3 and
4)."""
import base64, json, os, select, signal, subprocess, time

class Browser:
    """Has a page; its network is cut off.  ERRORS: the errors of the page; REQUESTS: the addresses
    that it requested."""
    def __init__(self, folder, width=1200, height=800):
        to_read, self.to = os.pipe()
        self.answers, to_write = os.pipe()
        def arrange():  # these two may be in use for something else: copies first
            high = [os.dup(to_read), os.dup(to_write)]
            while min(high) < 5:
                high = [os.dup(fd) for fd in high]
            os.dup2(high[0], 3), os.dup2(high[1], 4)
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--no-first-run",
                     "--hide-scrollbars", "--disable-background-networking",
                     "--disable-component-update", "--disable-extensions",
                     "--disable-sync",
                     "--user-data-dir=" + folder, "--remote-debugging-pipe",
                     f"--window-size={width},{height}", "about:blank"]
        self.process = subprocess.Popen(["chromium"] + arguments, preexec_fn=arrange,
                                        close_fds=False,
                                        start_new_session=True, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        os.close(to_read), os.close(to_write)
        self.rest, self.number, self.session = b"", 0, None
        self.errors, self.requests, self.events = [], [], []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target,
                                 flatten=True)["sessionId"]
        for domain in "Page", "Runtime", "Network", "Log":
            self.call(domain + ".enable")
        self.call("Network.emulateNetworkConditions", offline=True, latency=0,
                  downloadThroughput=-1, uploadThroughput=-1)
        self.size(width, height)

    def read(self, deadline):
        while b"\0" not in self.rest:
            if not select.select([self.answers], [], [], max(0, deadline - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            got = os.read(self.answers, 1 << 20)
            if not got:
                raise EOFError("the browser has ended")
            self.rest += got
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def note(self, message):
        method, of = message.get("method"), message.get("params")
        self.events.append(method)
        if method == "Runtime.exceptionThrown":
            self.errors.append(of["exceptionDetails"].get("exception", {}).get("description")
                               or of["exceptionDetails"]["text"])
        elif method == "Runtime.consoleAPICalled" and of["type"] in ("error", "warning", "assert"):
            self.errors.append(str([argument.get("value") for argument in of["args"]]))
        elif method == "Log.entryAdded" and of["entry"]["level"] in ("error", "warning"):
            self.errors.append(of["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(of["request"]["url"])
        elif method == "Page.javascriptDialogOpening":
            self.errors.append("a dialog: " + of["message"])

    def call(self, method, seconds=60, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + seconds
        while True:
            answer = self.read(deadline)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(method + ": " + str(answer["error"]))
                return answer["result"]
            self.note(answer)

    def size(self, width, height, ratio=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=ratio, mobile=False)

    def scheme(self, name):
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": name}])

    def is_loaded(self):
        """No event tells it for sure: the empty page before has the same ones."""
        try:
            return self.value("location.protocol === 'file:' && document.readyState === 'complete'")
        except RuntimeError: # it is just being replaced
            return False

    def load(self, path, hash=""):
        """Until all is drawn."""
        self.call("Page.navigate", url="about:blank")
        self.events.clear()
        self.call("Page.navigate", url="file://" + os.path.abspath(path) + hash)
        deadline = time.monotonic() + 60
        while not self.is_loaded():
            if time.monotonic() > deadline:
                raise TimeoutError("the page is not loaded")
            time.sleep(0.02)
        self.settle()

    def settle(self):
        """Two pictures later, and the page's own delay for its table."""
        self.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => "
                   "setTimeout(done, 200))))")

    def value(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True,
                           returnByValue=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(expression + ": " + str(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def drag(self, x, y, to_x, **more):
        self.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1, **more)
        for part in 0.3, 0.7, 1:
            self.mouse("mouseMoved", x + (to_x - x) * part, y, button="left", buttons=1, **more)
        self.mouse("mouseReleased", to_x, y, button="left", clickCount=1, **more)
        self.settle()

    def press(self, key):
        text = key if len(key) == 1 else ""
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, text=text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)
        self.settle()

    def save(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def close(self):
        try:
            self.session = None
            self.call("Browser.close", seconds=5)
            self.process.wait(10)
        except (TimeoutError, EOFError, OSError, subprocess.TimeoutExpired):
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

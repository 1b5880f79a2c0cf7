"""A headless Chromium, driven by WebDriver calls over plain HTTP; the standard library is enough."""

import base64
import json
import re
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the key that the W3C protocol gives to elements


class Browser:
    def __init__(self, width=1400, height=900):
        missing = [name for name in ("chromium", "chromedriver") if not shutil.which(name)]
        if missing:
            raise SystemExit(f"{' and '.join(missing)} not found: the page cannot be tested; "
                             "install the packages chromium and chromium-driver")
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.driver = subprocess.Popen([shutil.which("chromedriver"), "--port=0"], stdout=subprocess.PIPE,
                                       stderr=subprocess.STDOUT, text=True)
        self.session = None
        try:
            self.url = self._address()
            self.session = self._call("POST", "/session", {"capabilities": {"alwaysMatch": {
                "goog:chromeOptions": {"args": self._flags(width, height), "binary": shutil.which("chromium")},
                "goog:loggingPrefs": {"browser": "ALL"}}}})["sessionId"]
        except BaseException:
            self.close()
            raise

    def _address(self):
        for line in self.driver.stdout:
            if match := re.search(r"started successfully on port (\d+)", line):
                return f"http://127.0.0.1:{match[1]}"
        raise SystemExit("chromedriver did not start")

    def _flags(self, width, height):
        return ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--disable-sync",
                "--disable-dev-shm-usage", f"--user-data-dir={self.profile.name}", f"--window-size={width},{height}"]

    def close(self):
        if self.session:
            self._call("DELETE", f"/session/{self.session}")
        self.driver.terminate()
        self.driver.wait()
        self.driver.stdout.close()
        self.profile.cleanup()

    def _call(self, method, path, body=None):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"}, method=method)
        # Proxies of the environment are not for a local port.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{method} {path}: {json.load(error)['value']['message']}") from None

    def post(self, path, **body):
        return self._call("POST", f"/session/{self.session}{path}", body)

    def open(self, url):
        self.post("/url", url=url)

    def run(self, script, *arguments):
        """The value of a JavaScript function body, after the next frame has been drawn."""
        done, value = self.post("/execute/async", args=list(arguments), script=(
            "const done = arguments[arguments.length - 1]; const given = Array.from(arguments).slice(0, -1);"
            "const body = function () {" + script + "};"
            "requestAnimationFrame(() => setTimeout(() => {"
            "  try { done([true, body.apply(null, given)]); } catch (error) { done([false, String(error)]); } }));"))
        if not done:
            raise AssertionError(f"{value} in {script}")
        return value

    def find(self, selector):
        return self.post("/element", using="css selector", value=selector)[ELEMENT]

    def click(self, selector):
        self.post(f"/element/{self.find(selector)}/click")

    def type(self, selector, keys):
        self.post(f"/element/{self.find(selector)}/value", text=keys)

    def act(self, *sources):
        self.post("/actions", actions=list(sources))

    def console(self):
        """The messages since the last call."""
        return self.post("/se/log", type="browser")

    def devtools(self, command, **parameters):
        return self.post("/goog/cdp/execute", cmd=command, params=parameters)

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self._call("GET", f"/session/{self.session}/screenshot")))

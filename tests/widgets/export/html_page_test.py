#!/usr/bin/env python3
"""A page of hostile tokens, read by a parser and, where there is one, by a headless browser: html_page_test.py PROGRAMS"""
import base64
import collections
import hashlib
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SYSTEM = "/usr/bin/python3"
sys.dont_write_bytecode = True
try:
    import numpy as np
except ImportError as error:
    if sys.executable != SYSTEM and os.path.exists(SYSTEM):
        os.execv(SYSTEM, [SYSTEM, "-B", *sys.argv])
    print(f"skipped: {error}")
    sys.exit(77)
sys.path.insert(0, str(ROOT / "resources/python"))
import headscope

HOSTILE = ["</script><img src=x onerror=alert(1)>", "</title><script>alert(2)</script>", "\"onload='alert(3)'", "a\0b", "\u202eevil\u202c",
           "]]>--><svg onload=alert(4)>", "&lt;b&gt;", "\u2028 \ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16")]
ALLOWED = set("html head meta title style body h1 svg g path rect line text image ellipse circle clippath dl dt dd output script p".split())
programs, scratch = Path(sys.argv[1]), tempfile.TemporaryDirectory()
folder = Path(scratch.name)


class Page(html.parser.HTMLParser):
    VOID = {"meta", "rect", "line", "path", "image", "ellipse", "circle"}

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.elements, self.open, self.texts, self.attributes = collections.Counter(), [], collections.defaultdict(list), []
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        self.elements[tag] += 1
        self.attributes += [(tag, *pair) for pair in attributes]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.elements[tag] += 1
        self.attributes += [(tag, *pair) for pair in attributes]

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open and self.open.pop() == tag, (tag, self.open)

    def handle_data(self, data):
        self.texts[self.open[-1] if self.open else ""].append(data)


def rendered(trace, *options):
    out = folder / "page.html"
    said = subprocess.run([programs / "headscope-cli", "render", trace, "--out", out, *options], capture_output=True, text=True)
    if "without the window" in said.stderr:
        print("skipped: built without the window")
        sys.exit(77)
    assert said.returncode == 0, said.stderr
    return out


def checked(path, tokens):
    """Only elements of the page itself, one script that its policy names, nothing from elsewhere. Returns the maps."""
    text = path.read_text()
    assert not set("\0\u202e\u202c") & set(text), "a character that changes the direction"
    page = Page(text)
    assert set(page.elements) <= ALLOWED, set(page.elements) - ALLOWED
    assert page.elements["script"] == 2 and page.elements["svg"] == 1
    for tag, name, value in page.attributes:
        assert not name.startswith("on"), (tag, name, value)
        assert name not in ("src", "href") and not (name == "xlink:href" and not value.startswith("data:image/png;base64,")), (tag, value)
        assert "url(" not in (value or "") or re.fullmatch(r"url\(#clip\d+\)", value), value
    (policy,) = [value for tag, name, value in page.attributes if name == "content" and "default-src" in value]
    cells, script = page.texts["script"]
    assert f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'" in policy
    assert "default-src 'none'" in policy and "script-src 'sha256-" in policy and policy.count("script-src") == 1
    assert "<" not in cells
    read = json.loads(cells)
    for labels in read["labels"]:
        assert not labels or tokens is None or len(labels) == len(tokens), labels
    return read


rng = np.random.default_rng(5)
weights = rng.random((2, 2, len(HOSTILE), len(HOSTILE)))
weights = (weights / weights.sum(-1, keepdims=True)).astype(np.float32)
trace = headscope.write(folder / "hostile.safetensors", encoder=weights, source=HOSTILE, name="</title><script>alert(5)</script>",
                        words={"request": {"source": "".join(HOSTILE)}})
for view, options, wanted in (("heatmap", ["--head", "encoder.1.0"], [weights[1, 0]]), ("overview", [], list(weights.reshape(4, 8, 8))),
                              ("lines", [], None), ("head-table", [], None)):
    path = rendered(trace, "--view", view, *options)
    text = path.read_text()
    if wanted is None:
        page = Page(text)
        assert set(page.elements) <= ALLOWED, set(page.elements) - ALLOWED
        assert page.elements["script"] == 0 or checked(path, HOSTILE)
        continue
    maps = checked(path, HOSTILE)["maps"]
    assert len(maps) == len(wanted), (view, len(maps))
    for drawn, values in zip(maps, wanted):
        assert np.allclose(np.array(drawn["values"]).reshape(8, 8), values, rtol=1e-5, atol=0), view
    for name in ("Source", "Weights", "Software", "Command"):
        assert f"<dt>{name}</dt>" in text, name
    assert "[U+202E]evil[U+202C]" in text and "<title>" in text and "alert(5)" in text.partition("</title>")[0]

of_model = [ROOT / "resources/models/imdb-classifier", "--source", "A good film </script>."]
for view, wanted, said in (("logit-lens", 5, "probability"), ("importance", 4, "encoder."), ("attribution", 7, ": ")):  # cells and rows in words
    marks = checked(rendered(*of_model, "--view", view), None)["marks"]
    assert len(marks) == wanted and all(said in mark["words"] for mark in marks), (view, marks)

browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
if not browser:
    print("the browser's part was skipped: no Chromium is installed")
    sys.exit(0)
lens = rendered(*of_model, "--view", "logit-lens").rename(folder / "lens.html")
path = rendered(trace, "--view", "heatmap", "--head", "encoder.1.0")


class Browser:
    """Chromium's protocol over a pipe: texts of JSON that end with a zero byte."""

    def __init__(self):
        down, self.to = os.pipe()
        self.come, up = os.pipe()
        for end in (down, up):
            os.set_inheritable(end, True)
        self.process = subprocess.Popen(
            ["sh", "-c", f'exec "$@" 3<&{down} 4>&{up}', "sh", browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--remote-debugging-pipe", f"--user-data-dir={folder}/profile", "--window-size=1200,1000", "about:blank"],
            pass_fds=(down, up), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(down)
        os.close(up)
        self.rest, self.number, self.session, self.events = b"", 0, None, []

    def message(self):
        while b"\0" not in self.rest:
            data = os.read(self.come, 65536)
            assert data, "the browser ended"
            self.rest += data
        text, _, self.rest = self.rest.partition(b"\0")
        return json.loads(text)

    def ask(self, method, **parameters):
        self.number += 1
        asked = {"id": self.number, "method": method, "params": parameters, **({"sessionId": self.session} if self.session else {})}
        os.write(self.to, json.dumps(asked).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                assert "error" not in answer, answer
                return answer["result"]
            self.events.append(answer)

    def wait_for(self, method):
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self.message())

    def value(self, expression):
        return self.ask("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")


chromium = Browser()
try:
    target = chromium.ask("Target.createTarget", url="about:blank")["targetId"]
    chromium.session = chromium.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    for domain in ("Page", "Network", "Log", "Runtime"):
        chromium.ask(f"{domain}.enable")
    chromium.ask("Page.navigate", url=path.as_uri())
    chromium.wait_for("Page.loadEventFired")
    assert chromium.value("document.querySelectorAll('img, iframe, object, [onload], [onerror]').length") == 0
    assert chromium.value("document.scripts.length") == 2
    box = chromium.value("(() => { const m = JSON.parse(document.getElementById('cells').textContent).maps[0]; const s = document"
                         ".querySelector('svg').getScreenCTM(); return m.at.map((v, i) => v * s.a + [s.e, s.f, 0, 0][i]); })()")
    for row, column in ((0, 0), (3, 5), (7, 7), (6, 1)):
        chromium.ask("Input.dispatchMouseEvent", type="mouseMoved", x=box[0] + (column + 0.5) * box[2] / 8, y=box[1] + (row + 0.5) * box[3] / 8)
        said = chromium.value("document.getElementById('value').textContent")
        assert float(said.rpartition(": ")[2]) == float(f"{float(f'{weights[1, 0, row, column]:.6g}'):.4g}"), (row, column, said)
        assert not chromium.value("document.getElementById('value').hidden")
    chromium.ask("Input.dispatchMouseEvent", type="mouseMoved", x=2, y=2)
    assert chromium.value("document.getElementById('value').hidden")
    assert chromium.value("document.querySelectorAll('img').length") == 0
    asked = [event["params"]["request"]["url"] for event in chromium.events if event.get("method") == "Network.requestWillBeSent"]
    assert all(url == path.as_uri() or url.startswith("data:") for url in asked), asked
    wrong = [event for event in chromium.events if event.get("method") in ("Log.entryAdded", "Runtime.exceptionThrown", "Page.javascriptDialogOpening")]
    assert not wrong, wrong
    chromium.events.clear()
    chromium.ask("Page.navigate", url=lens.as_uri())
    chromium.wait_for("Page.loadEventFired")
    for at, words in chromium.value("(() => { const s = document.querySelector('svg').getScreenCTM(); return JSON.parse(document.getElementById("
                                    "'cells').textContent).marks.map(m => [m.at.map((v, i) => v * s.a + [s.e, s.f, 0, 0][i]), m.words]); })()"):
        chromium.ask("Input.dispatchMouseEvent", type="mouseMoved", x=at[0] + at[2] / 2, y=at[1] + at[3] / 2)
        assert chromium.value("document.getElementById('value').textContent") == words, words
    chromium.events.clear()
    chromium.ask("Page.navigate", url=path.as_uri())
    chromium.wait_for("Page.loadEventFired")
    if len(sys.argv) > 2:  # where to put a picture of it
        chromium.ask("Input.dispatchMouseEvent", type="mouseMoved", x=box[0] + 2.5 * box[2] / 8, y=box[1] + 3.5 * box[3] / 8)
        Path(sys.argv[2]).write_bytes(base64.b64decode(chromium.ask("Page.captureScreenshot", format="png")["data"]))
finally:
    chromium.process.kill()
    chromium.process.wait()

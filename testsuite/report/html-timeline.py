# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges the timeline in a page of bbprof html, that of html-timeline.test's run, and a page
without one.

    html-timeline.py PAGE PAGE-WITHOUT PAGE-OF-ONE-THREAD

Then it puts faults into copies of the page, each of which the judge has to find.
"""
import sys
import time

from page_judge import judge, same

page, without, one = sys.argv[1:]
AXIS, ROW = 44, 24
RUNNING = "0,133,95"


# The functions that have time: "name total".
TIMES = """(Array.from(functions, (f, i) => [f.name, sums().total[i]]).filter(([, n]) => n > 0)
  .map(([name, n]) => name + " " + (n * data.tick / 1e6).toFixed(1)).sort().join(", "))"""
PIXEL = """((id, x, y) => {
  const canvas = document.getElementById("timeline-" + id);
  const pen = new OffscreenCanvas(1, 1).getContext("2d");
  pen.drawImage(canvas, -x, -y);
  return Array.from(pen.getImageData(0, 0, 1, 1).data).slice(0, 4).join();
})"""


class Judge:
    def __init__(self, browser):
        self.browser = browser

    def click(self, name):
        self.browser.value(f"document.getElementById('{name}').click()")
        self.browser.settle()

    def choose(self, name, value):
        self.browser.value(f"(() => {{ const e = document.getElementById('{name}'); e.value ="
                           f" '{value}'; e.dispatchEvent(new Event('change')); }})()")
        self.browser.settle()

    def text(self, name):
        return self.browser.value(f"document.getElementById('{name}').innerText")

    def x_of(self, ms):
        width = self.browser.value("document.getElementById('timeline-picture').clientWidth")
        return 190 + ms / 100 * (width - 190)

    def pixel(self, ms, row, y, canvas="picture"):
        return self.browser.value(f"{PIXEL}('{canvas}', {int(self.x_of(ms))}, "
                                  f"{AXIS + row * ROW + y})")

    def place(self, ms, row):
        """Of the middle of a row, on the page."""
        left, top = self.browser.value(
            "(({left, top}) => [left, top])(document.getElementById('timeline-picture')"
            ".getBoundingClientRect())")
        return left + self.x_of(ms), top + (AXIS + row * ROW + 12 if row >= 0 else 12)

    def tip(self, ms, row):
        self.browser.mouse("mouseMoved", *self.place(ms, row))
        self.browser.settle()
        return self.text("tip").split("\n")

    def picture(self):
        """States, stacks, threads."""
        self.click("tab-timeline")
        same("elements of names", self.browser.value("document.querySelectorAll('body b').length"),
             0)
        for row, ms, state in (0, 20, True), (0, 60, False), (1, 10, False), (1, 65, True):
            same(f"row {row} runs at {ms} ms", self.pixel(ms, row, 7).startswith(RUNNING), state)
        for row, ms, frames in ((0, 60, ["doze", "main"]),
                                (0, 41, ["doze", "main"]), (1, 32, ["[futex]", "hard"]),
                                (1, 38, ["[futex]", "hard"]), (0, 15, ["early", "main"]),
                                (1, 65, ["late"])):
            same(f"stack of row {row} at {ms} ms", self.tip(ms, row)[-len(frames):], frames)
        lines = self.tip(80, 1)
        same("a sleep that was never sampled",
             [lines[0], lines[1], len(lines)],
             ["</script><b>x (4243)", "sleeping: poll (poll) (estimated)", 3])
        self.browser.mouse("mousePressed", *self.place(-10, 1), button="left", clickCount=1)
        self.browser.mouse("mouseReleased", *self.place(-10, 1), button="left", clickCount=1)
        self.browser.settle()
        same("the thread of all views", self.browser.value("[view.thread, sums().all]"), [1, 12])
        self.browser.press("Escape")
        same("no thread", self.browser.value("view.thread"), -1)
        self.browser.value("view.chosen = functions.findIndex((f) => f.name === 'late'); changed()")
        self.browser.settle()
        width = range(int(self.x_of(61.5)), int(self.x_of(62.5)) + 1)
        marks = [self.browser.value(f"{PIXEL}('picture', {x}, {AXIS + ROW + 1})") for x in width]
        same("a sample of the chosen function", "226,84,216,255" in marks, True)
        same("none of it", self.pixel(26, 1, 1), "255,255,255,255")
        self.browser.press("Escape")

    def widths(self):
        self.click("tab-flame")
        same("widths", self.browser.value(
            "Array.from(document.getElementById('widths').options, (o) => o.value).join()"),
            "cpu,off,wall")
        same("wall time", self.browser.value(TIMES),
             f"[futex] 28.0, [{self.call}] 36.0, doze 36.0, early 40.0, hard 40.0, late 28.0,"
             " main 112.0")
        self.choose("widths", "off")
        same("off-CPU time", self.browser.value(TIMES),
             f"[futex] 29.0, [{self.call}] 40.0, [poll (poll)] 20.0, doze 40.0, hard 29.0,"
             " main 40.0")
        same("the address", "widths=off" in self.browser.value("location.hash"), True)
        same("rows of the picture", self.browser.value("tree.deepest"), 3)
        self.choose("widths", "cpu")
        same("rows of the picture", self.browser.value("tree.deepest"), 2)
        same("CPU time", self.browser.value(TIMES),
             "early 40.0, hard 12.0, late 28.0, main 60.0")
        self.choose("widths", "wall")

    def range(self):
        self.browser.load(self.path, "#view=flame&from=32000000&to=60000000")
        same("wall time of the range", self.browser.value(TIMES),
             f"[futex] 28.0, [{self.call}] 36.0, doze 36.0, early 8.0, hard 28.0, main 44.0")
        self.choose("widths", "off")
        same("off-CPU time of the range", self.browser.value(TIMES),
             f"[futex] 27.0, [{self.call}] 20.0, doze 20.0, hard 27.0, main 20.0")
        self.choose("widths", "cpu")
        same("CPU time of the range", self.browser.value(TIMES), "early 8.0, main 8.0")
        self.browser.value("view.thread = 1; changed()")
        self.browser.settle()
        same("a range without samples", self.browser.value(
            "[document.getElementById('none').hidden,"
            " document.getElementById('none-here').hidden]"), [True, False])
        self.browser.value("view.thread = -1; changed()")
        self.click("tab-timeline")
        shade = [self.pixel(ms, 1, 12, "above").split(",")[3] != "0" for ms in (31, 33, 59, 61)]
        same("the range is shaded", shade, [False, True, True, False])
        same("its name", self.text("range"), "0.032000 s to 0.060000 s \u2715")
        self.click("range")
        same("no range", self.browser.value("[view.from, location.hash.includes('from')]"),
             [-1, False])
        self.choose("widths", "wall")
        x, y = self.place(20, 0)
        self.browser.drag(x, y, self.place(40, 0)[0], modifiers=8)
        edges = self.browser.value("[view.from, view.to]")
        same("a selected range", [round(edge / 1e6) for edge in edges], [20, 40])
        same("in the address", f"from={edges[0]}&to={edges[1]}"
             in self.browser.value("location.hash"), True)
        same("all is shown still", self.text("timeline-window").startswith("0.000 ms to 100.000"),
             True)
        self.browser.press("r")
        same("r ends it", self.browser.value("view.from"), -1)
        self.browser.press("+")
        same("zoomed by a key", self.text("timeline-window").startswith("25.000 ms to 75.000"),
             True)
        self.browser.press("r")
        same("the window as range", self.browser.value("[view.from, view.to]"), [25e6, 75e6])
        self.browser.press("0")
        same("all of it", self.text("timeline-window").startswith("0.000 ms to 100.000"), True)
        same("what the range filters", [words in self.text("timeline-note") for words in (
            "4 ticks have none", "3 of 4 sleeps have a stack")], [True, True])

    def await_address(self, words, has=True):
        """The page writes its address a little later than it draws."""
        for _ in range(100):
            if (words in self.browser.value("location.hash")) == has:
                return
            time.sleep(0.05)
        same("the address", self.browser.value("location.hash"), words)

    def window(self):
        self.browser.load(self.path, "#view=timeline&window=10000000.30000000")
        same("the window of the address", self.text("timeline-window"),
             "10.000 ms to 30.000 ms, 20.00 ms")
        self.browser.press("-")
        self.await_address("window=0.40000000")
        self.click("tab-flame")
        self.click("tab-timeline")
        same("the window stays", self.text("timeline-window"), "0.000 ms to 40.000 ms, 40.00 ms")
        self.browser.press("Home")
        self.await_address("window", False)
        for window in ("5.6", "30000000.10000000", "900000000.990000000", "x"):
            self.browser.load(self.path, "#view=timeline&window=" + window)
            same("no window of this run", self.text("timeline-window").split(",")[0],
                 "0.000 ms to 100.000 ms")

    def look_at(self, path):
        self.path = path
        self.browser.errors.clear()
        self.browser.load(path)
        same("errors", self.browser.errors, [])
        self.call = self.browser.value("functions.map((f) => f.name).find((name) =>"
                                       " /^.[a-z_0-9]+.$/.test(name) && name !== '[futex]'"
                                       " && name[0] === '[')")[1:-1]
        self.picture()
        self.widths()
        self.range()
        self.window()
        self.browser.scheme("dark")
        self.browser.settle()
        same("dark", self.pixel(20, 0, 7), "31,180,134,255")
        self.browser.scheme("light")
        self.browser.size(500, 700)
        self.browser.settle()
        same("narrow", self.browser.value("document.documentElement.scrollWidth <= 500"), True)
        self.browser.size(1000, 700)
        same("errors at the end", self.browser.errors, [])
        same("requests", [url for url in self.browser.requests if not url.startswith("file:")], [])


def look_at(browser, path):
    Judge(browser).look_at(path)


def look_at_others(browser):
    view = Judge(browser)
    browser.load(without)
    view.click("tab-timeline")
    same("without a timeline", "bbprof record --timeline" in view.text("timeline-none"), True)
    same("nothing else", browser.value("document.getElementById('timeline-all').hidden"), True)
    same("no other widths", browser.value("document.getElementById('widths').hidden"), True)
    browser.load(one)
    view.click("tab-timeline")
    same("one thread", view.text("timeline-sums").count("4243"), 0)
    same("its row", view.text("timeline-sums").count("4242"), 1)


FAULTS = (("Math.min(to, view.to)", "to"),
          ("Math.max(from, view.from)", "from"),
          ("time < view.to", "true"),
          ("=== \"wall\" || !asleep", "=== \"wall\" || true"),
          ("&& isInKernel(row.stacks[first])", "&& false"),
          ("row.sleeps[n] === 1 || woken.has(n)", "row.sleeps[n] === 1"),
          ("slept !== undefined ? slept : ", ""),
          ("view.range = from < 0 ? null", "view.range = true ? null"),
          ("words.set(\"to\", view.to)", "words.set(\"to\", view.from + 1)"),
          ("words.set(\"window\", ", "void (\"\", "),
          ("to - from >= SHORTEST && ", ""),
          ("timed.view.window || [", "["),
          ("x !== last && has[", "x !== last && !has["),
          ("? sampled.thread[row.stacks[0]] : -2", "? 0 : -2"))
judge(page, look_at, look_at_others, FAULTS)

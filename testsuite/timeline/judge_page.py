# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges in a browser what unit/tools/timeline_player has drawn: judge_page.py FOLDER, where
page.html, big.html and picture.svg are, and real.html, which is of a shell that has slept for 100
ms.  What is there at which time is known by construction: at() says it."""
import os, sys
from browser import Browser

MS = 1000000
RUNNING, READY, SLEEPING, UNKNOWN = range(4)
AXIS, ROW, BAR = 44, 24, 16
END = 202  # ms: the third thread's last round
folder = sys.argv[1]

def at(thread, ms):
    """State, and the interval's bounds, in ms."""
    number, part = divmod(ms - thread, 10)
    base = thread + 10 * number
    if thread == 2:
        return (RUNNING, base,
                base + 0.001) if part < 0.001 else (SLEEPING, base + 0.001, base + 10)
    steps = [(0, 3, RUNNING), (3, 4, READY), (4, 6, RUNNING), (6, 9, SLEEPING), (9, 10, UNKNOWN)]
    if number % 4 != 3:
        steps[3:] = [(6, 10, SLEEPING)]
    return next((state, base + a, base + b) for a, b, state in steps if a <= part < b)

def expect(what, found, wanted):
    assert found == wanted, f"{what}: {found} instead of {wanted}"

def near(what, found, wanted, margin):
    assert abs(found - wanted) <= margin, f"{what}: {found} instead of {wanted}"

page = Browser(os.path.join(folder, "profile"))

def window():
    """In ms."""
    return [edge / MS for edge in page.value("[view.from, view.to]")]

def x_of(ms):
    left, width = page.value("[namesWidth(), picture.clientWidth]")
    from_ms, to_ms = window()
    return left + (ms - from_ms) / (to_ms - from_ms) * (width - left)

def place(x, y):
    """Of the picture, on the page."""
    left, top = page.value("(({left, top}) => [left, top])(picture.getBoundingClientRect())")
    return left + x, top + y

def pixel(x, y):
    # Of a copy: the page's own canvas is not made to be read.
    return page.value("(() => { const c = new OffscreenCanvas(1, 1).getContext('2d'); "
                      f"c.drawImage(picture, -{int(x)}, -{int(y)}); return [...c.getImageData(0, "
                      f"0, 1, 1).data]; }})()")

def colour(name):
    return page.value("(() => { const c = document.createElement('canvas').getContext('2d'); "
                      "c.fillStyle = colours." + name +
                      "; c.fillRect(0, 0, 1, 1); return [...c.getImageData(0, 0, 1, 1).data]; })()")

def sees(row, ms, top=AXIS):
    """Which state is drawn there, by the two that a bar's upper half and its lower one have."""
    x, y = x_of(ms), top + row * ROW + (ROW - BAR) // 2
    back, high, low, line = pixel(x, y - 3), pixel(x,
                                                   y + 3), pixel(x, y + 11), pixel(x, y + BAR - 1)
    if high == low == colour("running"):
        return RUNNING
    if low == colour("ready"):
        return READY if high == back else None
    if line == colour("sleeping" if row == 2 else "locked"):
        return SLEEPING if low == back else None
    hatched = [pixel(x + i, y + i) for i in range(6)]
    return UNKNOWN if any(p != back for p in hatched) and back in hatched else None

def load_clean(name, hash=""):
    page.errors.clear(), page.requests.clear()
    page.load(os.path.join(folder, name), hash)
    expect("requests", page.requests, ["file://" + os.path.join(folder, name)])

def check_colours(times):
    for thread in 0, 1, 3:
        for ms in times:
            expect(f"thread {thread} at {ms} ms", sees(thread, ms), at(thread, ms)[0])

def check_table():
    rows = page.value("[...sums.tBodies[0].rows].map((row) => [...row.cells].map((cell) => "
                      "cell.textContent))")
    expect("names", [row[0] for row in rows],
           ["main", "</script><b>bold", "w\u00f6rker", "worker-3"])
    # Ten rounds, of 5 ms, 1 ms, and 4 ms, but twice 3 ms.
    expect("main", rows[0],
           ["main", "1000", "50.00 ms", "50.0", "10.00 ms", "10.0", "38.00 ms", "38.0", "2.000 ms",
                             "10", "10", "19", "futex (lock) 38.00 ms"])

def check_whole():
    load_clean("page.html")
    expect("elements of names", page.value("document.querySelectorAll('b, img').length"), 0)
    expect("title", page.value("document.title"), "a<b>&.out - timeline")
    x = int(x_of(102.0005))
    tops = [pixel(x + i, AXIS + 2 * ROW + 4 + BAR - 4) for i in (-1, 0, 1)]
    assert colour("running") in tops, "a run of a microsecond cannot be seen"

def check_window():
    load_clean("page.html", "#0-60000000")
    expect("window", window(), [0, 60])
    check_colours([4.5, 8, 10.5, 13.5, 15, 16.5, 18, 33.5, 39.5, 40.5, 42.5, 46.5])

def check_wheel():
    x, y = x_of(30), AXIS + 10
    page.mouse("mouseWheel", *place(x, y), deltaX=0, deltaY=-400)
    page.settle()
    near("length after a turn of the wheel", window()[1] - window()[0], 60 / 2.71828, 0.01)
    near("place of what is beneath it", x_of(30), x, 1)
    check_colours([26.5, 30.5, 33.5, 35.5])

def check_hover():
    load_clean("page.html", "#0-60000000")
    ready = ["main (1000)", "ready, preempted", "1.000 ms, from 13.000 ms to 14.000 ms"]
    sleeps = ["</script><b>bold (1001)", "sleeping: futex (lock)",
              "4.000 ms, from 17.000 ms to 21.000 ms"]
    first, last = ["running on processor 0", "3.000 ms",
                   "operator<"], ["running on processor 1", "spin"]
    for thread, ms, words in (0, 13.5, ready), (1, 18.5, sleeps), (0, 12.5, first), (3, 35.5, last):
        page.mouse("mouseMoved", *place(x_of(ms), AXIS + thread * ROW + 12))
        page.settle()
        text = page.value("tip.hidden ? '' : tip.innerText")
        for word in words:
            assert word in text, f"thread {thread} at {ms} ms: no {word!r} in {text!r}"
    lines = page.value("tip.innerText").split("\n")
    expect("the stack", lines[-3:], ["spin", "work", "main"])
    page.mouse("mouseMoved", *place(x_of(25), AXIS + 12))
    page.settle()
    assert "<img src=x onerror=alert(1)>" in page.value("tip.innerText"), "the mark"

def check_jumps():
    load_clean("page.html", "#12000000-32000000")
    page.press("ArrowDown")
    expect("the first thread is chosen", page.value("view.chosen"), 0)
    for key, ms in ("n", 13), ("n", 14), ("n", 16), ("n", 20), ("n", 23), ("p", 20), ("p", 16):
        page.press(key)
        near(f"middle of the window after {key}", sum(window()) / 2, ms, 1e-6)
        expect(f"left of {ms} ms", sees(0, ms - 0.3, AXIS + ROW), at(0, ms - 0.3)[0])
        expect(f"right of {ms} ms", sees(0, ms + 0.3, AXIS + ROW), at(0, ms + 0.3)[0])
    expect("address", page.value("location.hash"),
           "#%d-%d,tid=1000" % tuple(edge * MS for edge in window()))
    page.press("Escape")
    expect("nobody is chosen", page.value("view.chosen"), -1)
    page.press("0")
    expect("all of it", window(), [0, END])

def check_pointer():
    load_clean("page.html", "#20000000-60000000")
    step = (x_of(60) - x_of(20)) / 40
    page.drag(*place(x_of(40), AXIS + 12), place(x_of(40), 0)[0] - 10 * step)
    near("window dragged", window()[0], 30, 0.2)
    page.drag(*place(x_of(40), AXIS + 12), place(x_of(50), 0)[0], modifiers=8)
    near("window selected, from", window()[0], 40, 0.2), near("to", window()[1], 50, 0.2)
    page.drag(*place(20, AXIS + 3 * ROW + 12), place(20, 0)[0])
    expect("a click chooses", page.value("view.chosen"), 3)

def check_find():
    page.press("/")
    for key in "1002":
        page.press(key)
    expect("found", page.value("view.chosen"), 2)
    page.press("Escape"), page.press("Escape"), page.press("c")
    expect("rows of processors", page.value("rowsBelow().length"), 6)
    page.press("?")
    assert page.value("document.getElementById('help').open"), "no help"

def check_dark():
    page.scheme("dark")
    load_clean("page.html", "#0-60000000")
    check_colours([13.5, 15, 18, 39.5])
    background = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)"
    assert sum(page.value(background)) < 150, "not dark"
    page.scheme("light")

def is_filled(row, kind, x, y):
    return page.value(f"[...document.querySelectorAll('svg > "
                      f"g')][{row}].querySelector('path.{kind}')"
                      f".isPointInFill(new DOMPoint({x}, {y}))")

def check_picture():
    load_clean("picture.svg")
    for thread in 0, 1, 3:
        for ms in 10.5 + thread, 13.5 + thread, 15 + thread, 18 + thread, 39.5 + thread:
            x, y = 180 + ms / END * 1000, 84 + thread * 22 + 3
            found = [state for state in (RUNNING, READY, UNKNOWN)
                     if is_filled(thread, "rwku"[state], x, y + 10)]
            expect(f"picture, thread {thread} at {ms} ms", (found + [SLEEPING])[0],
                   at(thread, ms)[0])
            expect("a line at the bottom", is_filled(thread, "k", x, y + 14),
                   at(thread, ms)[0] == SLEEPING)

def check_real():
    load_clean("real.html")
    names, length = page.value("[threads.map((thread) => thread.name), whole.to - whole.from]")
    expect("threads of a shell", names, ["sh"])
    assert length > 90 * MS, f"a run of {length} ns that slept for 100 ms"

checks = [check_whole, check_table, check_window, check_wheel, check_hover, check_jumps,
          check_pointer, check_find, check_dark,
          check_picture, check_real, lambda: load_clean("big.html")]
try:
    for check in checks:
        check()
        expect("complaints of the page", page.errors, [])
    near("intervals of the big page",
         page.value("threads.reduce((sum, thread) => sum + thread.codes.length, 0)"), 300000, 100)
finally:
    page.close()

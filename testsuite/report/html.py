# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges pages of bbprof html in a browser: that of html.test's profile, and one without samples.

    html.py PAGE COUNTED-PAGE

Then it puts faults into copies of the page, each of which the judge has to find.
"""
import sys

from page_judge import judge, same

page, counted = sys.argv[1:]


# The frames that are drawn: depth, name, and which pixels of 1000 they have.
FRAMES = """(() => {
  const list = [];
  eachFrame((node, x, wide, depth) => list.push([depth, labelOf(node), Math.round(x),
    Math.round(wide)]));
  return list.sort((a, b) => a[0] - b[0] || a[2] - b[2]);
})()"""
PIXEL = """((x, y) => Array.from(pen.getImageData(x, y, 1, 1).data).slice(0, 3).join())"""


def look_at(browser, path):
    """What is known by construction: 100 samples, 10 pixels each."""
    browser.errors.clear()
    browser.load(path)
    same("errors", browser.errors, [])
    same("requests", [url for url in browser.requests if not url.startswith("file:")], [])
    same("width", browser.value("picture.clientWidth"), 1000)
    merged = [[0, "all", 0, 1000], [1, "main", 0, 800], [1, "hard", 800, 200],
              [2, "easy", 0, 400], [2, "hard", 400, 300], [2, "again", 700, 100],
              [2, "lib", 800, 150], [2, "[kernel]", 950, 50],
              [3, "work", 0, 400], [3, "work", 400, 300], [3, "again", 700, 100],
              [4, "work", 700, 100]]
    same("frames", browser.value(FRAMES), merged)
    # The pixels: a row of main, one of lib, one of nothing, in the flame's rows from below.
    rows = browser.value("tree.deepest")
    at = {name: browser.value(f"{PIXEL}({x}, {(rows - depth) * 18 + 3})")
          for name, x, depth in (("main", 790, 1), ("hard", 990, 1), ("lib", 900, 2),
                                 ("nothing", 900, 3), ("kernel", 995, 2))}
    same("background", at["nothing"], "255,255,255")
    same("different colours", len({at["main"], at["lib"], at["kernel"], at["nothing"]}), 4)
    # A thread; its name is text.
    browser.value("view.thread = 1; changed()")
    browser.settle()
    same("a thread", browser.value(FRAMES)[:2], [[0, "</script><b>x", 0, 1000],
                                                 [1, "hard", 0, 1000]])
    same("elements from names", browser.value("document.querySelectorAll('body b').length"), 0)
    browser.value("view.thread = -1; changed()")
    browser.settle()
    # Inverted; folded; zoom by a click, back by keys.
    browser.press("i")
    same("icicle", browser.value("[view.shape, rowTop(1)]"), ["icicle", 18])
    browser.press("i")
    same("inverted", [frame for frame in browser.value(FRAMES) if frame[0] == 1],
         [[1, "work", 0, 800], [1, "lib", 800, 150], [1, "[kernel]", 950, 50]])
    browser.press("i")
    browser.value("view.folded = true; changed()")
    browser.settle()
    same("folded", [frame for frame in browser.value(FRAMES) if frame[2] == 700],
         [[2, "again", 700, 100], [3, "work", 700, 100]])
    browser.value("view.folded = false; changed()")
    browser.settle()
    box = browser.value("(() => { const b = picture.getBoundingClientRect();"
                        " return [b.left, b.top]; })()")
    x, y = box[0] + 500, box[1] + (rows - 2) * 18 + 9
    browser.mouse("mouseMoved", x, y)
    browser.settle()
    tip = browser.value("document.getElementById('tip').innerText")
    for words in "hard", "total 120.0 ms, 30.00 %", "self 0, 0.00 %":
        same(f"the tip has '{words}'", words in tip, True)
    browser.mouse("mousePressed", x, y, button="left", clickCount=1)
    browser.mouse("mouseReleased", x, y, button="left", clickCount=1)
    browser.settle()
    same("zoomed", [frame[1:] for frame in browser.value(FRAMES) if frame[0] > 1],
         [["hard", 0, 1000], ["work", 0, 1000]])
    zoom = browser.value("location.hash")
    browser.press("Backspace")
    same("back", browser.value("nameOf(tree.code[zoomed()])"), "main")
    browser.press("Escape")
    same("all", browser.value(FRAMES), merged)
    browser.load(path, zoom)
    same("the address", [frame[1] for frame in browser.value(FRAMES) if frame[0] > 1],
         ["hard", "work"])
    browser.press("Escape")
    # Find.
    browser.press("/")
    for letter in "ORK":
        browser.press(letter)
    same("found", browser.value("document.getElementById('share').textContent"),
         "80.00 % of the samples")
    browser.press("Escape")
    # Functions.
    browser.press("2")
    same("functions", browser.value(
        "Array.from(document.querySelectorAll('#functions tbody tr'), (row) =>"
        " Array.from(row.cells, (cell) => cell.textContent).slice(0, 5).join('|'))"),
        ["320.0 ms|80.00 %|320.0 ms|80.00 %|work", "60.00 ms|15.00 %|60.00 ms|15.00 %|lib",
         "20.00 ms|5.00 %|20.00 ms|5.00 %|[kernel]", "0|0.00 %|320.0 ms|80.00 %|main",
         "0|0.00 %|200.0 ms|50.00 %|hard", "0|0.00 %|160.0 ms|40.00 %|easy",
         "0|0.00 %|40.00 ms|10.00 %|again"])
    browser.value("document.querySelector('details').open = true;"
                  "document.querySelector('#columns input').click()")
    browser.settle()
    same("without a column", browser.value(
        "Array.from(document.querySelectorAll('#functions th'), (cell) => cell.textContent)"),
        ["self %", "total", "total %", "function", "object", "file"])
    same("its address", browser.value("location.hash.includes('without=self')"), True)
    browser.value("document.querySelector('#columns input').click()")
    browser.settle()
    same("tab-separated", browser.value("tabSeparated().split('\\n').length"), 9)
    browser.value("document.getElementById('tab-run').click()")
    browser.settle()
    facts = browser.value("document.getElementById('facts').innerText")
    for words in "CPU time; rate: 250 requested", "lost", "nothing", "lib.so", \
            "Linux, A </b> Processor, 4 processors", \
            "<b>scheme: 70 samples; 7 while it collected garbage; 2 without the outermost frames; "\
            "its frames came 1.500 ms after the sample, 8.000 ms at most; 3 samples without":
        same(f"the run has '{words}'", words in facts, True)
    # Dark, and narrow.
    browser.press("1")
    browser.scheme("dark")
    browser.settle()
    same("dark", browser.value(f"{PIXEL}(900, {(rows - 3) * 18 + 3})"), "22,24,28")
    browser.scheme("light")
    browser.size(500, 700)
    browser.settle()
    same("narrow", browser.value("document.documentElement.scrollWidth <= 500"), True)
    browser.size(1000, 700)
    # Chromium's advice about the pixels that this judge reads.
    same("errors at the end", [e for e in browser.errors if "willReadFrequently" not in e], [])


def look_at_others(browser):
    browser.load(counted)
    same("no samples", browser.value("document.getElementById('none').hidden"),
         browser.value("tree.total[0] > 0"))
    same("counts", browser.value("functions.find((f) => f.name === 'work').calls"), 6)
    same("arcs to work and again", browser.value(
        "arcs.map(({caller, callee, count}) => [caller < 0 ? '' : functions[caller].name,"
        " functions[callee].name, count]).filter(([, name]) => name === 'work' || name === 'again')"
        ".sort()"),
        [["again", "again", 3], ["again", "work", 4], ["easy", "work", 1], ["hard", "work", 1],
         ["main", "again", 1]])


FAULTS = (("left[child] = at", "left[child] = at + 5"),
          ("at += total[child]", "at += self[child]"),
          ("total[parent[i]] += total[i]", "total[parent[i]] += self[i]"),
          ("within[f]++ === 0 && ", ""),
          ("wide < LEAST", "wide < 120"),
          ("folded && above > 0", "false && above > 0"),
          ("toLowerCase().includes(view.find.toLowerCase())", "includes(view.find)"),
          ("view.zoom.pop()", "view.zoom.shift()"))
judge(page, look_at, look_at_others, FAULTS)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges the call graph in pages of bbprof html, in a browser: the profiles of html-graph.test.

    html-graph.py PAGE GPROF-OUTPUT TIME-ONLY CALLS-ONLY NEITHER

Then it puts faults into copies of the first page, each of which the judge has to find.
"""
import re
import sys

from page_judge import judge, same

page, gprof, time_only, calls_only, neither = sys.argv[1:]

# As html-graph.test describes them; the name of EVIL is cut for the reader's sake.
EVIL = "evil</script><b>x</b>" + 4000 * "0"
STACKS = [(400, "main easy work"), (300, "main hard work"), (100, "main again again work"),
          (50, "main again again"), (150, "main ping pong ping pong"), (25, "main ping"),
          (75, "main hard work"), (50, "main " + EVIL)]
CALLS = {"main easy": 3, "main hard": 2, "main again": 1, "main ping": 6, "main " + EVIL: 7,
         "easy work": 30, "hard work": 1020, "again again": 4, "again work": 5, "ping pong": 12,
         "pong ping": 9}


def wanted_edges(with_calls=True):
    """Each sample counts once for a pair of functions."""
    edges = {pair: [count, 0] for pair, count in CALLS.items()} if with_calls else {}
    for samples, stack in STACKS:
        names = stack.split()
        for pair in {f"{caller} {callee}" for caller, callee in zip(names, names[1:])}:
            edges.setdefault(pair, [0, 0])[1] += samples
    return edges


def gprof_entries():
    """Of each function its lines: [name, self, children, called], the own one with its index and
    share in front."""
    entries = {}
    output = open(gprof, encoding="utf-8").read()
    for text in re.split(r"^-+$", output[output.index("index % time"):], flags=re.M):
        lines, own = [], None
        for line in text.splitlines():
            match = re.match(r"(\[\d+\])?\s+([\d.]+(?=\s+[\d.]+\s+[\d.]+\s))?\s*"
                             r"(?:([\d.]+)\s+([\d.]+))?\s+(\d[\d+/]*)?\s+(\S.*?)( \[\d+\])?$", line)
            if not match or line.startswith("index"):
                continue
            index, share, self, children, called, name, _ = match.groups()
            lines.append([index or "", name, self, children, called or ""])
            if index:
                own = name
        if own:
            entries[own] = lines
    return entries


ENTRY = """(() => {
  view.chosen = functions.findIndex((f) => f.name === NAME);
  fillGraph();
  if (byId("entry").hidden)
    return null;
  return Array.from(byId("entry").tBodies[0].rows, (row) =>
    Array.from(row.cells, (cell) => cell.textContent.replace(/\\u202f/g, "")));
})()"""


def near(has, wanted):
    return (has == "") == (wanted is None) and (not has or abs(float(has) - float(wanted)) <= 0.006)


def compare_entries(browser):
    entries = gprof_entries()
    # gprof has the cycle as a whole, too.
    same("entries of gprof", sorted(name for name in entries if "as a whole" not in name),
         sorted(["main", "easy", "hard", "again", "work", EVIL, "ping <cycle 1>",
                 "pong <cycle 1>"]))
    for name, wanted in entries.items():
        if "as a whole" in name:
            continue
        has = browser.value(ENTRY.replace("NAME", repr(name.split(" ")[0])))
        def of_row(row):
            return row[0], re.sub(r" \[\d+\]$", "", row[5]), row[4]
        def cut(text):
            return text if len(text) <= 120 else text[:60] + "\u2026" + text[-59:]
        same(f"lines of {name[:20]}", sorted(map(of_row, has)),
             sorted((row[0], cut(row[1]), row[4]) for row in wanted))
        for row in has:
            like = [other for other in wanted if (other[0], cut(other[1])) == of_row(row)[:2]]
            same(f"times of {name[:20]}, {row}", any(near(row[2], other[2]) and
                 near(row[3], other[3]) for other in like), True)


def click(browser, selector):
    x, y = browser.value(f"(() => {{ const b = document.querySelector({selector!r})"
                         ".getBoundingClientRect();"
                         " return [b.left + b.width / 2, b.top + b.height / 2]; })()")
    browser.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
    browser.mouse("mouseReleased", x, y, button="left", clickCount=1)
    browser.settle()


EDGES = """Object.fromEntries(graph.edges.list.map(({ caller, callee, calls, time }) =>
  [functions[caller].name + " " + functions[callee].name, [calls, time]]))"""
ROOT = "functions[graph.root].name"


def look_at(browser, path):
    browser.errors.clear()
    browser.load(path, "#view=graph")
    same("errors", browser.errors, [])
    same("note", browser.value("byId('graph-note').textContent"), "")
    same("edges", browser.value(EDGES), wanted_edges())
    # The hottest by total is main.  All functions are around it.
    same("root", browser.value(ROOT), "main")
    same("count", browser.value("byId('graph-of').textContent"), "all 8 functions around it")
    nodes = browser.value("Array.from(document.querySelectorAll('#graph .node'), (node) =>"
                          " node.getAttribute('aria-label'))")
    same("nodes", sorted(nodes), sorted(["main", "easy", "hard", "again", "work", "ping", "pong",
                                         EVIL]))
    same("elements from names", browser.value("document.querySelectorAll('b').length"), 0)
    node = "document.querySelector('#graph [aria-label=again]')"
    same("text", browser.value(f"Array.from({node}.querySelectorAll('text'), (t) =>"
                               " t.textContent)"),
         ["again", "self 4.35 %, total 13.04 %", "5 calls \u21bb"])
    same("tip", browser.value(f"{node}.querySelector('title').textContent").split("\n")[:4],
         ["again", "self 200.0 ms, total 600.0 ms", "5 calls, exact, of all threads",
          "calls itself: 4 calls, 600.0 ms"])
    edges = browser.value("""Array.from(document.querySelectorAll("#graph .edge"), (edge) =>
      [edge.querySelector("title").textContent.split("\\n"),
       edge.querySelector("path").getAttribute("stroke-width")])""")
    shown = {lines[0] + " " + lines[1][2:]: (lines[2], float(width)) for lines, width in edges}
    same("drawn edges", len(shown), 10)
    same("an edge", shown["easy work"], ("30 calls, 1.600 s", 6))
    same("another one", shown["main again"], ("1 call, 600.0 ms", 2.88))
    # Boxes do not overlap.
    boxes = browser.value("graph.drawn.nodes.map(({ x, y }) => [x, y])")
    same("overlaps", [(a, b) for a in boxes for b in boxes if a < b and abs(a[0] - b[0]) < 196
                      and abs(a[1] - b[1]) < 46], [])
    # Callers are left of the callees.
    at = browser.value("Object.fromEntries(graph.drawn.nodes.map(({ f, x }) =>"
                       " [functions[f].name, x]))")
    same("order", at["main"] < at["easy"] < at["work"], True)
    compare_entries(browser)
    # A thread.
    browser.value("view.chosen = -1; view.thread = 1; changed()")
    browser.settle()
    same("a thread", {pair: time for pair, (_, time) in browser.value(EDGES).items() if time},
         {"main hard": 75, "hard work": 75, "main " + EVIL: 50})
    browser.value("view.thread = -1; changed()")
    browser.settle()
    # The keyboard: to the heaviest callee and back; zoom; all of it.
    browser.press("ArrowRight")
    same("the heaviest callee", browser.value(ROOT), "easy")
    same("the address", "function=" in browser.value("location.hash"), True)
    browser.press("ArrowRight")
    browser.press("ArrowLeft")
    same("the heaviest caller", browser.value(ROOT), "easy")
    browser.press("ArrowLeft")
    browser.press("ArrowLeft")
    same("no further", browser.value(ROOT), "main")
    scale = browser.value("graph.scale")
    browser.press("+")
    same("zoomed", round(browser.value("graph.scale") / scale, 4), 1.25)
    browser.press("f")
    same("all of it", browser.value("graph.drawn.width * graph.scale <="
                                    " byId('graph').clientWidth + 1"), True)
    # The wheel keeps what is under the pointer.
    under = "[(300 - graph.x) / graph.scale, (200 - graph.y) / graph.scale]"
    top = browser.value("byId('graph').getBoundingClientRect().top")
    before = browser.value(under)
    browser.mouse("mouseWheel", 300, 200 + top, deltaX=0, deltaY=-100)
    browser.settle()
    same("under the pointer", max(abs(now - then) for now, then in
                                  zip(browser.value(under), before)) < 0.5, True)
    same("bigger", browser.value("graph.scale") > scale / 2, True)
    browser.press("f")
    # A click chooses; a drag moves only; the entry's names are buttons.
    click(browser, "#graph [aria-label=hard] rect")
    same("clicked", browser.value(ROOT), "hard")
    moved = browser.value("graph.x")
    box = browser.value("(() => { const b = document.querySelector('#graph [aria-label=work] rect')"
                        ".getBoundingClientRect(); return [b.left + 20, b.top + 10]; })()")
    browser.drag(box[0], box[1], box[0] - 60)
    same("dragged", [browser.value(ROOT), round(moved - browser.value("graph.x"))], ["hard", 60])
    click(browser, "#entry tbody tr:first-child button")
    same("the entry's caller", browser.value(ROOT), "main")
    browser.press("/")
    for letter in "ARD":
        browser.press(letter)
    same("found", browser.value("Array.from(document.querySelectorAll('#graph .node'), (node) =>"
                                " node.getAttribute('opacity') === '0.5').filter((dim) => dim)"
                                ".length"), 7)
    browser.press("Escape")
    browser.size(500, 700)
    browser.settle()
    same("narrow", browser.value("document.documentElement.scrollWidth <= 500"), True)
    browser.size(1000, 700)
    same("errors at the end", browser.errors, [])


def look_at_others(browser):
    browser.load(time_only, "#view=graph")
    same("time only", browser.value("byId('graph-note').textContent").split(":")[0],
         "Measured time only")
    same("its edges", browser.value(EDGES), wanted_edges(False))
    browser.load(calls_only, "#view=graph")
    same("calls only", browser.value("byId('graph-note').textContent").split(":")[0],
         "Exact calls only")
    browser.value("view.chosen = functions.findIndex((f) => f.name === 'main'); changed()")
    browser.settle()
    nodes = browser.value("Array.from(document.querySelectorAll('#graph .node'), (node) =>"
                          " node.getAttribute('aria-label'))")
    same("the heaviest 49", sorted(nodes), sorted(["main"] + [f"f{i}" for i in range(31, 80)]))
    same("what is left out", browser.value("byId('graph-of').textContent"),
         "50 functions around it; others are left out")
    browser.load(neither, "#view=graph")
    note = browser.value("byId('graph-note').textContent")
    for words in "neither counted calls nor stacks", "bbprof record", "-fplugin=bbprof":
        same(f"the note has '{words}'", words in note, True)


FAULTS = (("within[number] === 1", "within[number] > 0"),
          (".calls += count", ".calls = 1"),
          ("into: (f) => into.get(f)", "into: (f) => out.get(f)"),
          ("edges.sort(heavier)", "edges.sort((a, b) => heavier(b, a))"),
          ("thick = 1 + 5 * share", "thick = 6"),
          ("whole.calls)", "to.calls)"),
          ("to.cycle > 0 && from.cycle === to.cycle", "false"),
          ("numbers[i + 7] / 1000", "numbers[i + 6] / 1000"),
          ("rankdir: \"LR\"", "rankdir: \"RL\""),
          ("graph.x = event.clientX - drag.x", "graph.x = event.clientX"),
          ("x - (x - graph.x) * scale / graph.scale", "graph.x"))
judge(page, look_at, look_at_others, FAULTS)

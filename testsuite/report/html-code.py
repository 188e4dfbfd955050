# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges the views of code and of blocks in the pages of html-code.test: what is shown against the
JSON of bbprof annotate, bbprof blocks and bbprof jumps, and against counts known by construction.

Then it puts faults into copies of the page, each of which the judge has to find.
"""
import json
import re

from page_judge import judge, same

FUNCTIONS = "work(int)", "risky(int)", "main"


def read(name):
    with open(name, encoding="utf-8") as file:
        return json.load(file)


annotated = {name: read(name + ".json") for name in FUNCTIONS}
blocks = {block["address"]: block for block in read("blocks.json")["blocks"]}
loops = read("jumps.json")["loops"]

# Each row's cells; the last one without what it shows beside the text.
ROWS = """((id) => Array.from(document.querySelectorAll('#' + id + ' .code-row'), (row) => {
  const text = row.lastElementChild.cloneNode(true);
  const of = (kind) => Array.from(text.querySelectorAll(kind), (e) => e.textContent);
  const beside = [of('.code-jump'), of('.code-branch'), of('.code-loop'), of('.code-tag')];
  for (const e of text.querySelectorAll('.code-jump, .code-branch, .code-loop, .code-tag'))
    e.remove();
  return [row.children[1].textContent, row.children[2].textContent, text.textContent.trimEnd(),
          ...beside];
}))"""
BLOCKS = """Array.from(document.querySelectorAll('#blocks-graph .block'), (e) => [
  Number(e.dataset.block), e.querySelector('.block-count').textContent])"""
EDGES = """Array.from(document.querySelectorAll('#blocks-graph .edge'), (e) => [e.dataset.edge,
  e.querySelector('text').textContent, getComputedStyle(e.firstElementChild).strokeDasharray,
  e.classList.contains('on-path')])"""
ADDRESSES = """codeOfFunction(shownFunction()).blocks.map((block) => block.address)"""


def shown(count):
    return "" if count is None else f"{count:,}".replace(",", "\u202f")


def number(text):
    return int(re.sub("[^0-9]", "", text))


def choose(browser, name, tab):
    browser.value(f"view.chosen = functions.findIndex((f) => f.name === {json.dumps(name)});"
                  f"document.getElementById('tab-{tab}').click()")
    browser.settle()


def look_at_source(browser, name):
    wanted = annotated[name]
    rows = browser.value(ROWS + "('code-source')")
    same(f"{name}: executions of lines",
         [[row[1], row[0]] for row in rows if row[0]],
         [[str(line["line"]), shown(line["executions"])] for line in wanted["lines"]
          if line["executions"] is not None])
    text = {str(line["line"]): line["text"] for line in wanted["lines"]}
    same(f"{name}: text", {row[1]: row[2] for row in rows if row[1] in text}, text)


def look_at_machine(browser, name):
    wanted = annotated[name]
    rows = browser.value(ROWS + "('code-machine')")
    instructions = [i for f in wanted["functions"] for i in f["instructions"]]
    same(f"{name}: executions of instructions", [[row[1], row[0]] for row in rows],
         [[i["address"], shown(i["executions"])] for i in instructions])
    inside = {i["address"] for i in instructions}
    for row, i in zip(rows, instructions):
        jumps = i["target"] in inside and not i["text"].startswith(("call", "addr32"))
        same(f"{name} {i['address']}: text", row[2],
             i["text"].split(" 0x")[0].rstrip() if jumps else i["text"])
        to = [text.removeprefix("\u2192 ") for text in row[3]]
        if jumps or not to or not i["text"].startswith("j"):
            same(f"{name} {i['address']}: target", to, [i["target"]] if jumps else [])
        if not row[4]:
            continue
        taken, executed = re.match("taken ([0-9\u202f]+) of ([0-9\u202f]+)", row[4][0]).groups()
        edges = {e["to"]: e["count"] for e in blocks[i["block"]]["edges_out"]}
        same(f"{name} {i['address']}: branch", [number(taken), number(executed)],
             [edges.get(to[0], 0), i["executions"]])
    return rows


def look_at_blocks(browser, name):
    address = [hex(a) for a in browser.value(ADDRESSES)]
    has = {address[i]: number(text.split(" ")[0]) for i, text in browser.value(BLOCKS)}
    wanted = {b["address"]: b["executions"] for f in annotated[name]["functions"]
              for b in f["blocks"] if b["kind"] == "block"}
    same(f"{name}: executions of blocks", has, wanted)
    same(f"{name}: bbprof blocks", {a: n for a, n in has.items() if n},
         {a: blocks[a]["executions"] for a in wanted if a in blocks and wanted[a]})
    passed = set()
    for edge, text, _, _ in browser.value(EDGES):
        ends = [None if end == "-1" else address[int(end)] for end in edge.split()]
        count = number(text.split(" (")[0])
        if count:
            passed.add((*ends, count))
    edges = {(a, e["to"], e["count"]) for a in wanted for e in blocks.get(a, {}).get(
        "edges_out", []) if e["count"]} | {(None, a, e["count"]) for a in wanted
                                           for e in blocks.get(a, {}).get("edges_in", [])
                                           if e["from"] is None and e["count"]}
    same(f"{name}: edges", passed, edges)


def look_at_known(browser):
    """What the program's text tells."""
    choose(browser, "work(int)", "code")
    rows = browser.value(ROWS + "('code-source')")
    by_text = {row[2].strip(): row for row in rows}
    same("one of four", by_text[r"sink = sink + 3; // </script><b>\u0009"][0], shown(1250))
    same("three of four", by_text["sink = sink - 1;"][0], shown(3750))
    same("the loop", [text for row in rows for text in row[5]],
         [f"\u21bb {shown(5000)} iterations, 5 entries, {shown(1000)} each"])
    same("bbprof jumps", [[loop["iterations"], loop["entered"]] for loop in loops
                          if loop["head"]["function"] == "work(int)"], [[5000, 5]])
    branches = [text for row in browser.value(ROWS + "('code-machine')") for text in row[4]]
    same("a probability", any(text.endswith(("25.00 %", "75.00 %")) for text in branches), True)
    same("entries", "entered 5 times" in browser.value("byId('code-sum').textContent"), True)
    same("colours", browser.value(
        "Array.from(document.querySelectorAll('#code-source .is-keyword'),"
        " (e) => e.textContent).join(' ')"), "__attribute__ void int for int if else if")
    same("a comment", browser.value(
        "document.querySelector('#code-source .is-comment').textContent"),
        r"// </script><b>\u0009")
    same("colours of two lines", browser.value(
        "(() => { const s = {}; return [tokens('int a; /* A', s),"
        " tokens('\"b\" */ 0x1f', s)]; })()"),
        [[["keyword", "int"], ["", " a; "], ["comment", "/* A"]],
         [["comment", '"b" */'], ["", " "], ["number", "0x1f"]]])
    same("elements from source", browser.value("document.querySelectorAll('main b').length"), 0)
    # A line and its instructions light each other; keys.
    line = browser.value("shownCode.code.rows.findIndex((row) => /sink - 1/.test(row.text))")
    browser.value(f"document.querySelectorAll('#code-source .code-row')[{line}].dispatchEvent("
                  "new MouseEvent('mouseover', { bubbles: true }))")
    lit = browser.value("Array.from(document.querySelectorAll('#code-machine .lit'), (row) =>"
                        " shownCode.code.rows[shownCode.code.instructions[Array.prototype.indexOf"
                        ".call(row.parentNode.children, row)].line].line)")
    same("linked", [len(lit) > 0, set(lit)], [True, {int(by_text["sink = sink - 1;"][1])}])
    browser.press("h")
    browser.press("ArrowRight")
    same("the other side", browser.value("[shownCode.side, shownCode.code.instructions["
                                         "shownCode.at].line === shownCode.links.machine["
                                         "shownCode.at][0]]"), ["machine", True])
    # Of a long list only what is near is made.
    browser.value("""globalThis.longList = (() => {
      const box = document.createElement("div");
      box.style.cssText = "position: fixed; top: 0; height: 180px; width: 100px; overflow: auto";
      document.body.append(box);
      const list = makeLongList(box);
      list.fill(10050, (i) => Object.assign(cell("div", "row " + i),
        { style: "height: 18px" }));
      return list;
    })()""")
    browser.settle()
    same("rows near the top", browser.value("document.querySelectorAll('[data-at]').length > 0"
         " && longList.element.querySelectorAll('[data-at]').length"), 200)
    same("its height", browser.value("longList.element.scrollHeight"), 10050 * 18)
    browser.value("longList.element.scrollTop = 1e9")
    browser.settle()
    same("the last row", browser.value(
        "[longList.element.lastChild.lastChild.textContent, longList.row(777).textContent,"
        " longList.indexOf(longList.row(777)), longList.element"
        ".querySelectorAll('[data-at]').length]"), ["row 10049", "row 777", 777, 650])
    browser.value("longList.element.remove()")
    # Exceptions are dashed and tagged; the hot path is the common case.
    choose(browser, "risky(int)", "blocks")
    edges = browser.value(EDGES)
    same("exceptions", [[text, dashes != "none"] for edge, text, dashes, _ in edges
                        if text.startswith("exception")], [["exception 10", True]])
    same("others are not dashed", {dashes for _, text, dashes, _ in edges
                                   if not text.startswith("exception")}, {"none"})
    same("hot path", sorted(number(text.split(" (")[0]) for _, text, _, hot in edges if hot),
         [90, 90])
    # A click on a block shows its code.
    browser.value("document.querySelectorAll('#blocks-graph .block')[1].dispatchEvent("
                  "new MouseEvent('click', { bubbles: true }))")
    browser.settle()
    same("a block's code", browser.value(
        "[view.tab, shownCode.side, shownCode.code.instructions[shownCode.at].block]"),
         ["code", "machine", browser.value(
             "Number(document.querySelectorAll('#blocks-graph .block')[1].dataset.block)")])
    same("layers", browser.value(
        "(() => { const l = layOutLayers(4, [[0, 1, 1], [0, 2, 1], [1, 3, 1], [2, 3, 1], [3, 0, 1],"
        " [0, 3, 1]], GAP); return [l.nodes.map(({ y }) => Math.round((y - GAP.below) /"
        " (GAP.height + GAP.below))), l.isBack, Math.abs(l.nodes[1].x - l.nodes[2].x) >="
        " GAP.width]; })()"), [[0, 1, 1, 2], [False, False, False, False, True, False], True])


def look_at(browser, path):
    browser.errors.clear()
    browser.load(path, "#view=code")
    same("errors", browser.errors, [])
    same("requests", [url for url in browser.requests if not url.startswith("file:")], [])
    for name in FUNCTIONS:
        choose(browser, name, "code")
        look_at_source(browser, name)
        look_at_machine(browser, name)
        choose(browser, name, "blocks")
        look_at_blocks(browser, name)
    look_at_known(browser)
    browser.size(500, 700)
    browser.settle()
    same("narrow", browser.value("document.documentElement.scrollWidth <= 500"), True)
    browser.size(1000, 700)
    same("errors at the end", browser.errors, [])


def says(browser, path, tab, what, wanted):
    browser.load(path, "#view=" + tab)
    text = browser.value(f"document.getElementById('view-{tab}').innerText")
    same(f"{path}, {tab}: {text!r} has '{wanted}'", wanted in text, what)


def look_at_script(browser):
    """Samples of 4 ms."""
    browser.load("spoken.html", "#view=code")
    same("hottest first", browser.value("functions[shownFunction()].name"), "inner (app.py:5)")
    for name, rows in (("inner (app.py:5)", [["", "", "5", "def inner(i):"],
                                             ["180 ms", "", "6", "  return i"]]),
                       ("outer (app.py:1)", [["", "", "1", "def outer():"],
                                             ["", "", "2", "  # one"],
                                             ["40.0 ms", "", "3", "  x = [inner(i) for i in y]"]])):
        choose(browser, name, "code")
        same(name, browser.value("Array.from(document.querySelectorAll('#code-source .code-row'),"
                                 "(row) => Array.from(row.children, (e) => e.textContent))"), rows)
        same(f"{name}: machine code", browser.value(
            "getComputedStyle(byId('code-machine')).display"), "none")
    says(browser, "spoken.html", "code", True, "it has no machine code")


def look_at_others(browser):
    look_at_script(browser)
    says(browser, "none.html", "code", True, "--source=none")
    says(browser, "plain.html", "code", True, "compile with -g")
    says(browser, "away.html", "code", True, "is missing")
    says(browser, "quiet.html", "code", True, "No counts")
    says(browser, "quiet.html", "code", False, "No samples")
    says(browser, "quiet.html", "blocks", True, "has no counters")
    says(browser, "prog.html", "code", True, "No samples")


FAULTS = (("if (isIntersecting)", "if (!isIntersecting)"),
          ("n > 0 ? n - 1 : null; // a count", "n > 0 ? n : null; // a count"),
          ("places.push(line.line - first)", "places.push(line.line - first + 1)"),
          ("address += instructions[next].size", "address += 1"),
          ("e.to === instruction.way", "e.to !== instruction.way"),
          ("showIterations(iterations / entered)", "showIterations(entered / iterations)"),
          ("source[line].push(i)", "source[line].push(0)"),
          ('state.comment = what === "comment"', 'state.comment = what === "string"'),
          ("edge.count > (most ? most.count : 0)", "edge.count < (most ? most.count : 99)"),
          ("stroke-dasharray: 6 4", "stroke-width: 1"),
          ("layer[node] + 1", "layer[node] + 2"),
          ("if (state[to] === 1)", "if (state[to] === 3)"))
judge("prog.html", look_at, look_at_others, FAULTS)

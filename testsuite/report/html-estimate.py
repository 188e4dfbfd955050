# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges the pages of html-estimate.test in a browser, then puts faults into copies, each of which
the judge has to find."""
from page_judge import judge, same

# Depth, name, total, and what its colour by trust says.
FRAMES = """(() => {
  const list = [];
  view.colour = "trust";
  eachFrame((node, x, wide, depth) => node > 0 && list.push([depth, labelOf(node),
    Math.round(100 * tree.total[node]) / 100,
    frameColour(node) === colours.assumed ? "assumed"
      : frameColour(node) === colours.measured ? "measured" : ""]));
  return list.sort((a, b) => a[0] - b[0] || b[2] - a[2]);
})()"""


def choose(browser, name, value):
    browser.value(f"byId('{name}').value = '{value}';"
                  f" byId('{name}').dispatchEvent(new Event('change'))")
    browser.settle()


def look_at(browser, path):
    browser.errors.clear()
    browser.load(path)
    same("widths", browser.value("[view.widths, Object.keys(WIDTHS).filter(hasWidths).join()]"),
         ["executions", "calls,executions"])
    # a and main have one caller; b and d are a cycle; c has two callers, 20 and 60 calls.
    same("executions", browser.value(FRAMES),
         [[1, "main", 929, "measured"], [2, "b", 698, "assumed"], [2, "a", 230, "measured"],
          [3, "c", 660, "assumed"], [3, "c", 220, "assumed"], [3, "d", 8, "assumed"],
          [4, "e", 60, "assumed"], [4, "e", 20, "assumed"]])
    said = browser.value("byId('estimated').innerText")
    same("it says that it is estimated", said.startswith("Estimated: "), True)
    choose(browser, "widths", "calls")
    same("calls", browser.value(FRAMES),
         [[1, "main", 215, "measured"], [2, "b", 163.75, "assumed"], [2, "a", 51.25, "measured"],
          [3, "c", 123.75, "assumed"], [3, "c", 41.25, "assumed"], [3, "d", 4, "assumed"],
          [4, "e", 60, "assumed"], [4, "e", 20, "assumed"]])
    same("the address", "widths=calls" in browser.value("location.hash"), True)
    browser.load(path, browser.value("location.hash"))
    same("from the address", browser.value("[view.widths, tree.total[0]]"), ["calls", 215])
    tip = browser.value("(() => { let text; eachFrame((node) => { if (labelOf(node) === 'b')"
                        " text = tipLines(node).map((line) => line.textContent).join('|'); });"
                        " return text; })()")
    for words in "total 164 calls, 76.16 %", "self 36 calls", "assumed":
        same(f"the tip has '{words}'", words in tip, True)
    choose(browser, "colouring", "trust")
    same("the legend", [words in browser.value("byId('estimated').innerText")
                        for words in ("exact", "assumed")], [True, True])
    browser.size(500, 700)
    browser.settle()
    same("narrow", browser.value("document.documentElement.scrollWidth <= 500"), True)
    browser.size(1000, 700)
    browser.load(path, "#widths=executions")
    browser.value("view.shape = 'inverted'; changed()")
    browser.settle()
    same("inverted", [frame[1:3] for frame in browser.value(FRAMES) if frame[0] == 1],
         [["c", 800], ["e", 80], ["b", 30], ["a", 10], ["d", 8], ["main", 1]])
    same("errors", browser.errors, [])


def look_at_both(browser):
    browser.load("both.html")
    same("samples first", browser.value("[view.widths, byId('estimated').hidden, tree.total[0]]"),
         ["cpu", True, 40])
    same("stacks are measured", browser.value(FRAMES),
         [[1, "main", 40, "measured"], [2, "a", 40, "measured"]])
    choose(browser, "widths", "executions")
    same("then estimated", browser.value("[byId('estimated').hidden, tree.total[0]]"), [False, 929])


def look_at_others(browser):
    look_at_both(browser)
    # A large graph, layer upon layer: 4 to the power of 30 paths.
    browser.value("""(() => {
      functions.length = 0; arcs.length = 0;
      for (let i = 0; i < 121; i++)
        functions.push({ name: "f" + i, object: 0, calls: 64, executions: 64 });
      for (let layer = 0; layer < 30; layer++)
        for (let i = 0; i < 4; i++)
          for (let k = 0; k < 4; k++)
            arcs.push({ caller: 4 * layer + i, callee: Math.min(4 * layer + 4 + k, 120),
                        count: 16 });
    })()""")
    same("a large graph", browser.value("""(() => {
      const tree = estimate("executions");
      return [tree.count <= 20000, Math.round(tree.self.reduce((sum, n) => sum + n, 0))];
    })()"""), [True, 121 * 64])
    # A chain of calls that recursion could not walk.
    same("a deep graph", browser.value("""(() => {
      functions.length = 0; arcs.length = 0;
      for (let i = 0; i < 50000; i++) {
        functions.push({ name: "f" + i, object: 0, calls: 1, executions: 1 });
        arcs.push({ caller: i - 1, callee: i, count: 1 });
      }
      const tree = estimate("executions");
      return [tree.count <= 20000, Math.round(tree.self.reduce((sum, n) => sum + n, 0))];
    })()"""), [True, 50000])


FAULTS = (("share * count / calls[cycle[callee]]", "count / calls[cycle[callee]]"),
          ("cycle[caller] !== cycle[callee]", "caller !== callee"),
          ("share < 1 - 1e-9 || list.length > 1", "share < 1 - 1e-9"),
          ("low[f] = Math.min(low[f], seen[callee])", "low[f] = low[f]"),
          ("functions[i][key] * share, unsure), i, share", "0, unsure), i, share"))
judge("counts.html", look_at, look_at_others, FAULTS)

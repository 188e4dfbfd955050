# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges the pages of html-diff.test in a browser, then puts faults into copies, each of which the
judge has to find."""
import json

from page_judge import judge, same

ROWS_SHOWN = """Array.from(document.querySelectorAll('#changes tbody tr'), (row) =>
  [row.cells[columnOf('function')].textContent, row.classList.contains('same'),
   row.cells[1].textContent, row.cells[2].textContent, row.cells[3].textContent])""".replace(
       "columnOf('function')",
       "diffColumns().findIndex((column) => column.key === 'name')")
# The kind of each frame's colour, by its name.
KINDS = """(() => {
  const kinds = {};
  eachFrame((node) => {
    const colour = frameColour(node);
    if (node > 0)
      kinds[labelOf(node)] = colour === colours.same ? "grey" : colour.startsWith("hsl(6 ") ? "red"
        : colour.startsWith("hsl(214 ") ? "blue" : colour;
  });
  return kinds;
})()"""
NEW = {"main": "grey", "slower": "red", "faster": "blue", "same": "grey", "added": "red"}


def look_at(browser, path):
    browser.errors.clear()
    browser.load(path)
    same("errors", browser.errors, [])
    same("requests", [url for url in browser.requests if not url.startswith("file:")], [])
    same("new colours", browser.value(KINDS), NEW)
    legend = browser.value("byId('legend').innerText")
    for words in "slower", "faster", "not significant (p ≥ 0.05)":
        same(f"the legend has '{words}'", words in legend, True)
    # The strength: x3 against x1/4.
    same("strengths", browser.value(
        "[[100, 110], [100, 300], [100, 400], [100, 900]].map(([old, now]) =>"
        " changeColour({time: {old, now, same: false}}).match(/ (.*)% (.*)%/)[1])"
        ".every((s, i, all) => i === 0 || Number(s) > Number(all[i - 1]) || i === 3)"), True)
    # The tip of a frame.
    tip = browser.value("(() => { let text; eachFrame((node) => { if (labelOf(node) === 'slower')"
                        " text = tipLines(node).map((line) => line.textContent).join('|'); });"
                        " return text; })()")
    for words in "old 400.0 ms, new 1.200 s, +200.00 %", "p < 0.0001":
        same(f"the tip has '{words}'", words in tip, True)
    # The old stacks: what was removed, too.
    browser.value("byId('side').value = 'old'; byId('side').dispatchEvent(new Event('change'))")
    browser.settle()
    same("old colours", browser.value(KINDS), {"main": "grey", "slower": "red", "faster": "blue",
                                               "same": "grey", "removed": "blue"})
    same("old samples", browser.value("tree.total[0]"), 750)
    hash_ = browser.value("location.hash")
    browser.load(path, hash_)
    same("the address", browser.value("[view.side, tree.total[0]]"), ["old", 750])
    browser.load(path)
    # The table says what bbprof diff says.
    browser.value("byId('tab-diff').click()")
    browser.settle()
    with open("diff.json", encoding="utf-8") as file:
        report = json.load(file)
    judged = {f["symbol"]: f["time"]["significant"] for f in report["functions"] if "time" in f}
    rows = browser.value(ROWS_SHOWN)
    same("functions", rows,
         [["faster", False, "1.600 s", "400.0 ms", "−75.00 %"],
          ["slower", False, "400.0 ms", "1.200 s", "+200.00 %"],
          ["added", False, "0", "240.0 ms", "new"],
          ["removed", False, "200.0 ms", "0", "−100.00 %"],
          ["same", True, "800.0 ms", "820.0 ms", "+2.50 %"]])
    for name, grey, *_ in rows:
        same(f"significance of {name} as in bbprof diff", not grey, judged.get(name, False))
    browser.value("Array.from(document.querySelectorAll('#changes th button'))"
                  ".find((b) => b.textContent === 'p').click()")
    browser.settle()
    same("by p, the last", browser.value(ROWS_SHOWN)[-1][0], "same")
    browser.value("view.order = 'name'; view.find = 'SLOW'; changed()")
    browser.settle()
    same("found", [row[0] for row in browser.value(ROWS_SHOWN)], ["slower"])
    browser.press("Escape")
    browser.value("document.querySelector('#changes tbody tr').click()")
    browser.settle()
    same("chosen", browser.value("functions[view.chosen].name"), "added")
    browser.press("Escape")
    browser.scheme("dark")
    browser.settle()
    same("dark grey", browser.value("changeColour(null)"), "#3b3f46")
    browser.scheme("light")
    browser.size(500, 700)
    browser.settle()
    same("narrow", browser.value("document.documentElement.scrollWidth <= 500"), True)
    browser.press("1")
    same("narrow flame", browser.value("document.documentElement.scrollWidth <= 500"), True)
    browser.size(1000, 700)
    same("errors at the end", browser.errors, [])


def look_at_others(browser):
    browser.errors.clear()
    browser.load("short.html")
    same("programs from profiles", browser.value(KINDS), NEW)
    browser.load("counts.html", "#view=diff")
    same("counts", browser.value("[view.metric, compared.map(({key}) => key).join()]"),
         ["executions", "calls,executions"])
    same("executions", browser.value(ROWS_SHOWN),
         [["slower", False, "7", "8", "+14.29 %"], ["same", True, "5", "5", "="]])
    facts = browser.value("byId('diff-facts').innerText")
    same("what is not compared", "Not compared: self time." in facts, True)
    browser.load("base.html")
    same("a baseline", browser.value("[byId('side').hidden, tree.total[0]]"), [True, 665])
    same("its colours", browser.value(KINDS), NEW)
    same("errors of others", browser.errors, [])


FAULTS = (("if (!change || change.same)", "if (!change)"),
          ("change.now > change.old ? 6", "change.now < change.old ? 6"),
          ("same: same === 1", "same: same === 0"),
          ("sampled = comparison.stacks[view.side]", "sampled = comparison.stacks.new"),
          ("tree.self[i] *= tick / data.tick", "tree.self[i] *= 2"),
          ("numbers[(tree.code[i] - 1) >> 1]", "((tree.code[i] - 1) >> 1)"))
judge("diff.html", look_at, look_at_others, FAULTS)

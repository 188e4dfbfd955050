# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges the ranks in a page of bbprof html, in a browser, by the report on the same profile.

    PYTHONPATH=testsuite:testsuite/report ranks-page.py PAGE REPORT.json

Then it puts faults into copies of the page, each of which the judge has to find.
"""
import json
import sys

from page_judge import judge, same

page, report = sys.argv[1:]
with open(report, encoding="utf-8") as file:
    wanted = json.load(file)


def text(table, row, column):
    return f"byId('{table}').tBodies[0].rows[{row}].cells[{column}].textContent"


def look_at(browser, path):
    browser.load(path, "#view=ranks")
    same("rows", browser.value("byId('rank-rows').tBodies[0].rows.length"), len(wanted["list"]))
    for i, row in enumerate(wanted["list"]):
        same("name", browser.value(text("rank-rows", i, 8)), row["name"])
        for column, rank in (2, row["least_rank"]), (5, row["most_rank"]):
            same("rank", int(browser.value(text("rank-rows", i, column))), rank)
        most = max(row["values"])
        for column, value in (0, row["total"]), (1, min(row["values"])), (4, most):
            shown = browser.value(text("rank-rows", i, column)).replace(",", "")
            same("value", float(shown), value)
        same("imbalance", browser.value(text("rank-rows", i, 6)), f"{100 * row['imbalance']:.1f}%")
        dark = browser.value("Array.from(byId('rank-rows').tBodies[0]"
                             f".rows[{i}].querySelectorAll('i'), (part) => +part.style.opacity)")
        same("cells", [round(value, 2) for value in dark],
             [round(value / most, 2) for value in row["values"]])
    same("calls", browser.value("Array.from(byId('rank-calls').tBodies[0].rows, (row) => "
                                "row.cells[9].textContent + ' ' + row.cells[3].textContent)"),
         [f"{call['call']} {call['calls']}" for call in wanted["calls"]])
    browser.value("view.find = 'no such'; fillRanks(); 0")
    same("rows that are found", browser.value("byId('rank-rows').tBodies[0].rows.length"), 0)


FAULTS = (("value / most", "1"),
          ("numbers[least]", "numbers[most]"),
          ("values[most])", "values[least])"),
          ("showCount(count)", "showCount(bytes)"),
          (".filter(([name]) => found(name))", ""))
judge(page, look_at, lambda browser: None, FAULTS)

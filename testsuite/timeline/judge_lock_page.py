#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the locks on a page with those of the JSON: judge_lock_page.py FOLDER, where page.html
and timeline.json are, of locks.c's scene "convoy"."""
import json
import os
import sys
from browser import Browser

folder = sys.argv[1]
d = json.load(open(os.path.join(folder, "timeline.json"), encoding="utf-8"))
page = Browser(os.path.join(folder, "profile"))
page.load(os.path.join(folder, "page.html"), "")
assert not page.errors, page.errors

found = page.value("""lockSums(data.from, data.to).map(([lock, of]) => [...data.lockList[lock],
  of.waits, of.time, of.longest,
  [...of.holders].map(([h, x]) => [data.people[h], x.known, x.inferred, x.time])
    .sort((a, b) => b[3] - a[3])])""")
wanted = [[x["text"], x["kind"], x["waits"], x["wait_ns"], x["longest_ns"],
           [[f"{h['name']} ({h['tid']})", h["known"], h["inferred"], h["wait_ns"]]
            for h in x["holders"]]] for x in d["locks"]]
assert found == wanted, f"{found} instead of {wanted}"
rows = page.value("[...locks.tBodies[0].rows].map((row) => row.cells[0].textContent)")
assert rows == [x["text"] for x in d["locks"]] and not page.value("locks.hidden"), rows

for number, thread in enumerate(d["threads"]):
    for wait in thread["intervals"]:
        if wait.get("holder", {}).get("source") != "known" or "waker" not in wait:
            continue
        middle = (wait["start_ns"] + wait["end_ns"]) // 2
        lines = page.value(f"(() => {{ const row = threads[{number}], "
                           f"i = intervalAt(row, {middle}); "
                           "return lockLines(row, i).map((line) => line.textContent); })()")
        lock = next(x for x in d["locks"] if x["id"] == wait["lock"]["id"])
        inferred = " (inferred)" if wait["lock"]["source"] == "inferred" else ""
        words = [f"{lock['kind']} {lock['text']}{inferred}"]
        if "function" in wait:
            words.append(f"waits in {wait['function']}")
        if lock["kind"] != "thread end":
            words.append(f"held by {wait['holder']['name']} ({wait['holder']['tid']}) "
                         "(known: the lock names it)")
        words.append(f"woken by {wait['waker']['name']} ({wait['waker']['tid']}) "
                     f"(inferred: {wait['waker']['because']})")
        assert lines == words, f"{lines} instead of {words}"
page.close()
print(f"{len(found)} locks")

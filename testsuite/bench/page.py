#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures bbprof html and bbprof export on many stacks, and the page in chromium.

    page.py --build FOLDER [--stacks N] [--megabytes N] [--runs N]

Prints tables, decides nothing.  Program and stacks are those of stacks.py, with less debug
information.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time

from bench import new_folder, say  # which knows where the readers are
from stacks import make_profile, make_program, measure, random_tree

# A script here is named like its folder.
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../timeline"))
from browser import Browser

FORMATS = ("pprof", "speedscope", "firefox", "folded", "json")  # others need counts

# Until the next picture is shown, after the words of the script.
ACTION = """(async () => {
  const start = performance.now();
  %s;
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return performance.now() - start;
})()"""
ACTIONS = {
    "zoom": "zoomTo(tree.order[tree.first[0]])",
    "zoom back": "view.zoom = []; changed()",
    "find a name": "view.find = 'work<1'; changed()",
    "find all": "view.find = 'w'; changed()",
    "find nothing": "view.find = ''; changed()",
    "inverted": "view.shape = 'inverted'; changed()",
    "flame": "view.shape = 'flame'; changed()",
    "fold recursion": "view.folded = true; changed()",
    "unfold": "view.folded = false; changed()",
    "functions": "view.tab = 'functions'; changed()",
    "call graph": "view.tab = 'graph'; changed()",
    "another function": "view.chosen = graph.edges.out(graph.root)[0].callee; changed()",
}


def browse(page, runs):
    results = {}
    browser = Browser(tempfile.mkdtemp(dir=os.path.dirname(page)), 1300, 800)
    try:
        for _ in range(runs):
            start = time.monotonic()
            browser.load(page)
            results.setdefault("load", []).append(1000 * (time.monotonic() - start))
            results.setdefault("first paint", []).append(browser.value(
                "performance.getEntriesByType('paint').find(({ name }) =>"
                " name === 'first-contentful-paint').startTime"))
            for name, script in ACTIONS.items():
                results.setdefault(name, []).append(browser.value(ACTION % script))
        nodes = browser.value("sampled.count")
    finally:
        browser.close()
    say(f"{nodes} nodes in the page")
    for name, figures in results.items():
        say(f"{name:24} {statistics.median(figures):8.0f} ms")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--stacks", type=int, default=100000)
    parser.add_argument("--megabytes", type=int, default=10)
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    folder = new_folder(os.path.join(arguments.build, "testsuite/bench/work"), "page")
    functions = make_program(folder, arguments.megabytes)
    nodes, _ = random_tree(functions, arguments.stacks)
    make_profile(folder, nodes, min(f[0] for f in functions), max(sum(f) for f in functions))
    say(f"{len(functions)} functions; {sum(n[2] > 0 for n in nodes)} stacks, {len(nodes)} nodes")
    bbprof = os.path.join(arguments.build, "tools/bbprof")
    files = [os.path.join(folder, "program"), os.path.join(folder, "gmon.out")]
    page, out = os.path.join(folder, "page.html"), os.path.join(folder, "out")
    commands = {"html": [bbprof, "html", "-o", page, *files]}
    for form in FORMATS:
        commands["export " + form] = [bbprof, "export", "--format=" + form, "-o", out, *files]
    results = {name: [] for name in commands}
    for _ in range(arguments.runs):
        for name, command in commands.items():
            results[name].append(measure(command))
            if len(results[name]) == arguments.runs:
                results[name].append(os.path.getsize(page if name == "html" else out) / 1e6)
    for name, (*figures, size) in results.items():
        say(f"{name:24} {statistics.median(f[0] for f in figures):8.2f} s"
            f" {max(f[1] for f in figures):8.0f} MB of memory {size:8.1f} MB written")
    sys.stdout.flush()
    browse(page, arguments.runs)


if __name__ == "__main__":
    main()

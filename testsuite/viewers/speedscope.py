#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Opens a profile in speedscope, in a browser without a screen and network, and compares its table
of functions and its flame graph with the stacks that are known.

    speedscope.py EXPECTED PROFILE INDEX-PAGE
"""
import base64
import json
import os
import re
import sys
import time

from timeline.browser import Browser
from viewers import call_tree

ROW = 20  # height of a frame, in pixels
WIDTH = 1200
UNITS = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}
VALUE = r"([0-9.]+)(ns|µs|ms|s) \(<?[0-9.]+%\)"


def same(what, has, wanted):
    if has != wanted:
        sys.exit(f"{what}: {has!r} instead of {wanted!r}")


def nanoseconds(number, unit):
    return round(float(number) * UNITS[unit])


def text(browser):
    return browser.value("document.body.innerText")


def wait_for(browser, pattern):
    deadline = time.monotonic() + 60
    while not re.search(pattern, text(browser)):
        if time.monotonic() > deadline:
            sys.exit(f"speedscope does not show {pattern}, but: {text(browser)}")
        browser.settle()


def table(browser):
    """By function, total and self time."""
    lines = text(browser).partition("Symbol Name\n")[2]
    return {name: (nanoseconds(*numbers[:2]), nanoseconds(*numbers[2:]))
            for *numbers, name in re.findall(VALUE + r"\s+" + VALUE + r"\s+(\S.*)", lines)}


def frame_at(browser, x, y):
    """The frame under the mouse: its name and total time, or None."""
    browser.mouse("mouseMoved", x, y)
    browser.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    found = re.search("^" + VALUE + " (.*)$", text(browser), re.M)
    return found and (found[3], nanoseconds(found[1], found[2]))


def column(browser, x):
    """The frames at X, the outermost first."""
    y = next((y for y in range(ROW, 600, ROW // 4) if frame_at(browser, x, y)), None)
    if y is None:
        sys.exit(f"no frame at {x}")
    frames = []
    while frame := frame_at(browser, x, y + 1):
        frames.append(frame)
        y += ROW
    return frames


def compare(browser, expected):
    wanted = call_tree.trees(expected, 1)
    for number, (name, root) in enumerate(wanted.items()):
        wait_for(browser, re.escape(f"{name} ({number + 1}/{len(wanted)})"))
        browser.press("3")
        wait_for(browser, "Symbol Name")
        functions = table(browser)
        same(f"the functions of {name}", functions, call_tree.functions(root))
        browser.press("2")
        stacks = list(call_tree.leaves(root))
        for middle, frames in stacks:
            same(f"frames of {name}", column(browser, middle * WIDTH), frames)
        print(f"{name}: {len(functions)} functions, {len(stacks)} columns of frames: right")
        browser.press("n")


def main():
    expected, profile, page = sys.argv[1:]
    name = os.path.basename(profile)
    with open(profile, "rb") as file:
        content = base64.b64encode(file.read()).decode()
    with open(name + ".js", "w", encoding="ascii") as file:
        file.write(f"speedscope.loadFileFromBase64({json.dumps(name)}, {json.dumps(content)})\n")
    browser = Browser(os.path.abspath("chromium"), WIDTH, 800)
    try:
        browser.load(page, "#localProfilePath=" + os.path.abspath(name + ".js"))
        compare(browser, expected)
    finally:
        browser.close()


main()

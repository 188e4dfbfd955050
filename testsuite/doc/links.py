#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks for links in Markdown files that lead nowhere.

    links.py TREE

Each relative link of each *.md file of the tree has to name a file of the tree, and a heading of it
where it has an anchor.  Each page of doc/ has to be reached from doc/index.md.  Headings' anchors
are those of GitHub and mkdocs.  Exit status: 0, or 1 with a line for each fault.
"""

import os
import re
import sys

LINK = re.compile(r"!?\[(?:[^\]\[]|\[[^\]]*\])*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```$", re.M | re.S)
OUTSIDE = re.compile(r"[a-z]+:")


def text_of(path):
    """The text without code, in which brackets mean something else."""
    with open(path, encoding="utf-8") as file:
        text = FENCE.sub("", file.read())
    text = re.sub(r"^(    |\t).*$", "", text, flags=re.M)
    return text


def anchors(path):
    found = set()
    for heading in re.findall(r"^#+ +(.*)$", text_of(path), re.M):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        found.add(re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", words).strip()))
    return found


def pages(tree):
    for folder, folders, names in os.walk(tree):
        folders[:] = [name for name in folders if not name.startswith(".")
                      and not os.path.exists(os.path.join(folder, name, "config.status"))]
        for name in names:
            if name.endswith(".md"):
                yield os.path.join(folder, name)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    tree, faults, leads = os.path.abspath(sys.argv[1]), [], {}
    for page in sorted(pages(tree)):
        leads[page] = set()
        text = re.sub(r"`[^`]*`", lambda code: "`" if "](" in code[0] else code[0], text_of(page))
        for link in LINK.findall(text):
            if OUTSIDE.match(link):
                continue
            name, _, anchor = link.partition("#")
            goal = os.path.normpath(os.path.join(os.path.dirname(page), name)) if name else page
            where = os.path.relpath(page, tree)
            if not os.path.exists(goal):
                faults.append(f"{where}: no file {name}")
            elif anchor and goal.endswith(".md") and anchor not in anchors(goal):
                faults.append(f"{where}: no heading for {link}")
            leads[page].add(goal)
    index = os.path.join(tree, "doc", "index.md")
    reached, todo = set(), [index]
    while todo:
        page = todo.pop()
        if page in leads and page not in reached:
            reached.add(page)
            todo.extend(leads[page])
    for page in sorted(leads):
        if page.startswith(os.path.join(tree, "doc") + os.sep) and page not in reached:
            faults.append(f"{os.path.relpath(page, tree)}: no link leads here from doc/index.md")
    for fault in faults:
        print(fault)
    print(f"{len(leads)} pages, {sum(map(len, leads.values()))} links, {len(faults)} faults")
    sys.exit(1 if faults or len(leads) < 10 else 0)


main()

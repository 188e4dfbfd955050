#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Looks for links of a site that lead nowhere: files and anchors of its own.

    site.py FOLDER

Exit status: 0, or 1 with a line for each fault.
"""

import os
import re
import sys
from html.parser import HTMLParser
from urllib.parse import unquote


class Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = [], set()
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.links.append(value)
            elif name in ("id", "name") and value:
                self.anchors.add(value)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    pages = {}
    for folder, _, names in os.walk(os.path.abspath(sys.argv[1])):
        for name in names:
            if name.endswith(".html") and name != "404.html":
                path = os.path.join(folder, name)
                pages[path] = Page(path)
    links = faults = 0
    for path, page in sorted(pages.items()):
        for link in page.links:
            if re.match(r"[a-z]+:|//", link):
                continue
            links += 1
            name, _, anchor = link.partition("#")
            name, anchor = unquote(name), unquote(anchor)
            goal = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
            where = os.path.relpath(path, sys.argv[1])
            if not os.path.exists(goal):
                print(f"{where}: no file {name}")
                faults += 1
            elif anchor and goal in pages and anchor not in pages[goal].anchors:
                print(f"{where}: no anchor {link}")
                faults += 1
    print(f"{len(pages)} pages, {links} links, {faults} faults")
    sys.exit(1 if faults or len(pages) < 30 else 0)


main()

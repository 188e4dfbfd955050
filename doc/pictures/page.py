# SPDX-License-Identifier: GPL-3.0-or-later
"""page.py PAGE FOLDER: pictures of the views of a page of bbprof html that shows Lua."""
import os, sys, tempfile

from timeline.browser import Browser

# Name: address, scheme, height, what the reader does then.
PICTURES = {
    "page-flame": ("#view=flame", "light", 520,
                   "zoomTo(Array.from(tree.code).findIndex((c) => nameOf(c) === 'luaV_execute'));"
                   "frame.scrollTop -= 200"),
    "page-functions": ("#view=functions", "light", 400, "0"),
    "page-code": ("#view=code", "dark", 520,
                  "view.chosen = functions.findIndex((f) => f.name === 'luaH_getshortstr');"
                  " changed()"),
}
WIDTH = 1100

page, folder = sys.argv[1:]
with tempfile.TemporaryDirectory() as profile:
    browser = Browser(profile, WIDTH, 420)
    try:
        for name, (address, scheme, height, action) in PICTURES.items():
            browser.scheme(scheme)
            browser.size(WIDTH, height)
            browser.load(page, address)
            browser.value(action)
            browser.settle()
            browser.save(os.path.join(folder, name + ".png"))
            if browser.errors:
                sys.exit(f"{name}: {browser.errors}")
    finally:
        browser.close()

# SPDX-License-Identifier: GPL-3.0-or-later
"""What the judges of pages of bbprof html share."""
import sys
import tempfile

from timeline.browser import Browser

checks = 0


def same(what, has, wanted):
    global checks
    checks += 1
    if has != wanted:
        raise AssertionError(f"{what}: {has!r} instead of {wanted!r}"[:2000])


def find_faults(browser, page, look_at, faults):
    """Of each pair in FAULTS, puts the second text in the place of the first one into a copy of
    PAGE.  LOOK_AT has to find it."""
    with open(page, encoding="utf-8") as file:
        text = file.read()
    for right, wrong in faults:
        same(f"'{right}' is in the page", right in text, True)
        with open("fault.html", "w", encoding="utf-8") as file:
            file.write(text.replace(right, wrong))
        browser.scheme("light")
        browser.size(1000, 700)
        try:
            look_at(browser, "fault.html")
        except (AssertionError, RuntimeError):
            continue
        raise AssertionError(f"not found: '{wrong}' instead of '{right}'")


def judge(page, look_at, look_at_others, faults):
    """LOOK_AT (browser, path) checks a page, LOOK_AT_OTHERS (browser) what else there is.  Prints
    the result; the exit status is 1 if something is wrong."""
    browser = Browser(tempfile.mkdtemp(dir="."), 1000, 700)
    try:
        look_at(browser, page)
        look_at_others(browser)
        done = checks
        find_faults(browser, page, look_at, faults)
        print(f"{done} checks, {len(faults)} faults found")
    except (AssertionError, RuntimeError) as error:
        print(error)
        sys.exit(1)
    finally:
        browser.close()

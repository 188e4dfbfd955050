#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Nothing that a terminal obeys may be in what a command prints.  visible.py [--own=tfc] FILE...:
says where there is something.  Characters of the command's own may be allowed: t tabs, f form
feeds, c colours (ESC [ digits m, at the beginning of a word or its end only)."""
import re, sys, unicodedata

def faults(text, own):
    if "c" in own:
        text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    allowed = "\n" + ("\t" if "t" in own else "") + ("\f" if "f" in own else "")
    for at, c in enumerate(text):
        kind = unicodedata.category(c)
        # Cs: a byte that is not UTF-8
        if c not in allowed and (kind in ("Cc", "Cf", "Zl", "Zp", "Cs")):
            yield "U+%04X in %r" % (ord(c), text[max(0, at - 30):at + 30])
    for line in text.split("\n"):
        if line.startswith("FORGED"):
            yield "a line of its own: %r" % line

bad = False
own = ""
for name in sys.argv[1:]:
    if name.startswith("--own="):
        own = name[6:]
        continue
    for fault in faults(open(name, "rb").read().decode("utf-8", "surrogateescape"), own):
        print("%s: %s" % (name, fault))
        bad = True
sys.exit(bad)

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# "PATH TICKS" of each place in the tree of `bbprof report --tree --json' that a program has ticked
# itself at: the functions from main, or from the thread's own, to the one that has done it.
import json
import sys

path = []
for node in json.load(sys.stdin)["tree"]:
    del path[node["depth"]:]
    path.append(node["function"])
    if path[-1] == "[rt_tgsigqueueinfo]" and node["self_samples"]:
        start = next(i for i, name in enumerate(path) if name in ("main", "run"))
        print("/".join(path[start:-2]), int(node["self_samples"]))

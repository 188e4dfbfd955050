# SPDX-License-Identifier: GPL-3.0-or-later
# views.py FILE.json [CUT.json]: what --json says is of one piece: intervals cover lives, sums are
# theirs, the window cuts.
import json, sys

STATES = ["running", "ready", "sleeping", "unknown"]


def length(thread, state, low=0, high=1 << 64):
    return sum(max(0, min(i["end_ns"], high) - max(i["start_ns"], low))
               for i in thread["intervals"] if i["state"] == state)


def check(d):
    assert (d["format"], d["version"]) == ("bbprof-timeline", 1)
    assert d["start_ns"] <= d["from_ns"] < d["to_ns"] <= d["end_ns"]
    stacks = {s["stack"] for s in d["stacks"]}
    for t in d["threads"]:
        at = max(t["begun_ns"], d["from_ns"])
        for i in t["intervals"]:
            assert i["start_ns"] == at < i["end_ns"], (t["name"], i)
            assert ("cpu" in i) <= (i["state"]
                                    == "running") and ("why" in i) == (i["state"] == "sleeping"), i
            assert "cpu" not in i or i["cpu"] < d["cpus"], i
            at = i["end_ns"]
        assert at == min(t["ended_ns"], d["to_ns"]), t["name"]
        for state in STATES:
            assert t["sums"][state + "_ns"] == length(t, state), (t["name"], state)
        assert sum(t["sums"]["why_ns"].values()) == t["sums"]["sleeping_ns"]
        for s in t["samples"]:
            assert d["from_ns"] <= s["time_ns"] < d["to_ns"] and (s["stack"] == 0
                                                                  or s["stack"] in stacks), s
    times = [m["time_ns"] for m in d["marks"]]
    assert times == sorted(times)


whole = json.load(open(sys.argv[1], encoding="utf-8"))
check(whole)
assert [m["text"] for m in whole["marks"]] == ["begin", '<joined> & "done"'], whole["marks"]
names = sorted(t["name"] for t in whole["threads"])
assert names == ['d\u00f6z"\\\ufffd', "spinner", "spinner", "views"], names
assert all(t["sums"]["running_ns"] > 0 for t in whole["threads"])
if len(sys.argv) > 2:
    cut = json.load(open(sys.argv[2], encoding="utf-8"))
    check(cut)
    low, high = (m["time_ns"] for m in whole["marks"])
    assert (cut["from_ns"], cut["to_ns"]) == (low, high)
    for t in cut["threads"]:
        of = next(w for w in whole["threads"] if w["tid"] == t["tid"])
        for state in STATES:
            assert t["sums"][state + "_ns"] == length(of, state, low, high), (t["name"], state)
print(whole["watched"]["how"])

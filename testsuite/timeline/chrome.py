# SPDX-License-Identifier: GPL-3.0-or-later
# chrome.py FILE.chrome FILE.json: the first keeps the rules of the Trace Event Format, and says
# what the second says.
import collections, decimal, json, sys

Exact = decimal.Decimal
chrome = json.load(open(sys.argv[1], encoding="utf-8"), parse_float=Exact)
truth = json.load(open(sys.argv[2], encoding="utf-8"))
PHASES = {"M": {"args"}, "X": {"ts", "dur", "cat"}, "i": {"ts", "s", "cat"}}
MPI = 8388610  # a thread's calls of MPI have a track of this number and its own
METADATA = {"process_name": "name", "process_sort_index": "sort_index", "thread_name": "name",
            "thread_sort_index": "sort_index"}


def ns(us):
    value = us * 1000
    assert value == int(value), us
    return int(value)


assert chrome["displayTimeUnit"] in ("ms", "ns")
names, tracks, instants = {}, collections.defaultdict(list), []
for e in chrome["traceEvents"]:
    assert PHASES[e["ph"]] <= set(e), e
    assert (type(e["pid"]) is int and type(e["tid"]) is int and e["pid"] > 0
            and type(e["name"]) is str), e
    assert type(e.get("args", {})) is dict and type(e.get("cat", "")) is str, e
    if e["ph"] == "M":
        assert list(e["args"]) == [METADATA[e["name"]]], e
        if e["name"].endswith("_name"):
            assert (e["name"], e["pid"], e["tid"]) not in names, e
            names[e["name"], e["pid"], e["tid"]] = e["args"]["name"]
    elif e["ph"] == "X":
        assert e["ts"] >= 0 and e["dur"] > 0, e
        tracks[e["pid"], e["tid"]].append((ns(e["ts"]), ns(e["ts"]) + ns(e["dur"]), e))
    else:
        assert e["ts"] >= 0 and e["s"] in ("g", "p", "t"), e
        instants.append(e)

# Slices of a track neither overlap nor lack a name of their track.
for (pid, tid), slices in tracks.items():
    assert ("process_name", pid, pid) in names and ("thread_name", pid, tid) in names, (pid, tid)
    slices.sort(key=lambda s: s[:2])
    for a, b in zip(slices, slices[1:]):
        assert a[1] <= b[0], (a, b)

pid = truth["threads"][0]["tid"]
for t in truth["threads"]:
    assert names["thread_name", pid, t["tid"]] == t["name"]
    told = [(a, b, e["cat"], e["args"].get("cpu")) for a, b, e in tracks[pid, t["tid"]]]
    assert told == [(i["start_ns"], i["end_ns"], i["state"], i.get("cpu"))
                    for i in t["intervals"]], t["name"]
    calls = [(a, b, e["name"], e["cat"]) for a, b, e in tracks.pop((pid, MPI + t["tid"]), [])]
    assert calls == [(max(c["start_ns"], truth["from_ns"]), min(c["end_ns"], truth["to_ns"]),
                      c["call"], "mpi") for c in t["mpi_calls"]], t["name"]
    samples = [(ns(e["ts"]), e["args"]["stack"]) for e in instants if e["cat"] == "sample"
               and e["tid"] == t["tid"]]
    stacks = {s["stack"]: s["frames"] for s in truth["stacks"]}
    assert samples == [(s["time_ns"], stacks.get(s["stack"], [])) for s in t["samples"]], t["name"]

# What ran on processors is what threads ran there.
cpus = collections.defaultdict(list)
for t in truth["threads"]:
    for i in t["intervals"]:
        if "cpu" in i and not i.get("estimated"):
            cpus["cpu %u" % i["cpu"]].append((i["start_ns"], i["end_ns"], t["tid"]))
told = {names["thread_name", p, t]: [(a, b, e["args"]["tid"]) for a, b, e in slices]
        for (p, t), slices in tracks.items() if p != pid}
assert told == {name: sorted(runs) for name, runs in cpus.items()}

marks = [(ns(e["ts"]), e["name"]) for e in instants if e["cat"] == "mark"]
assert marks == [(m["time_ns"], m["text"]) for m in truth["marks"]]

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# judge-gprof.py --reporter BBPROF-GPROF [--thin N] [--only TEXT] [--limit S] [--no-lines] PROGRAM
# GMON...: do the installed gprof and ours print the same bytes about PROGRAM, end with the same
# status, and leave the same files, whatever the options?  They are made of the program's own hot
# functions and files.  Prints each difference with the command that shows it, then `identical N of
# M'; status 1 if N < M.
#
# Left out, and counted, is what GNU gprof does not finish in S seconds and 100 MB, or does not
# survive, or answers in another way if what it has not initialised is filled with other bytes.  In
# gmon.sum GNU gprof leaves out blocks of lines that have more than ten, and what its fields do not
# hold; ours loses nothing, and has repeated records instead.
import argparse
import collections
import concurrent.futures
import itertools
import os
import random
import re
import resource
import shutil
import struct
import subprocess
import sys
import tempfile

OUTPUT_MOST = 100 << 20
Answer = collections.namedtuple("Answer", "status stdout files stderr")


def limit():
    resource.setrlimit(resource.RLIMIT_FSIZE, (OUTPUT_MOST, OUTPUT_MOST))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def files_in(folder):
    files = {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as f:
            content = f.read()
        if name == "gmon.sum":  # GNU gprof does not set the header's spare bytes
            content = content[:8] + bytes(12) + content[20:]
        files[name] = content
    return files


def ask(command, seconds, stdin, environment=()):
    """What COMMAND answers, in an empty folder; None: it does not."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as out:
        empty = os.path.join(folder, "empty")
        os.mkdir(empty)
        try:
            with open(stdin, "rb") as given:
                run = subprocess.run(command, cwd=empty, stdin=given, stdout=out,
                                     stderr=subprocess.PIPE, timeout=seconds, preexec_fn=limit,
                                     env=dict(os.environ, LC_ALL="C", **dict(environment)),
                                     check=False)
        except subprocess.TimeoutExpired:
            return None
        if run.returncode < 0:
            return None
        out.seek(0)
        return Answer(run.returncode, out.read(), files_in(empty),
                      run.stderr.decode(errors="replace"))


def layout_of(program):
    """Byte order and pointers of its machine, as struct writes them."""
    with open(program, "rb") as f:
        ident = f.read(6)
    return ">" if ident[5:6] == b"\2" else "<", "I" if ident[4:5] == b"\1" else "Q"


def add_up(content, layout):
    """A gmon.out's counters as GNU gprof's fields keep them, calls likewise, and blocks."""
    order, pointer = layout
    size = struct.calcsize(order + pointer)
    histograms, calls, blocks, at = {}, {}, [], 20
    while at < len(content):
        tag, at = content[at], at + 1
        if tag == 0:
            head, (n,) = content[at:at + 2 * size
                                 + 24], struct.unpack_from(order + "I", content, at + 2 * size)
            at += len(head)
            old = histograms.get(head, [0] * n)
            histograms[head] = [(x + y) % (1 << 16)
                                for x, y in zip(old,
                                                struct.unpack_from("%s%dH" % (order, n),
                                                                   content, at))]
            at += 2 * n
        elif tag == 1:
            pair, (count,) = content[at:at + 2 * size], struct.unpack_from(order + "I", content,
                                                                           at + 2 * size)
            calls[pair] = (calls.get(pair, 0) + count) % (1 << 32)
            at += 2 * size + 4
        else:
            end = at + 4 + 2 * size * struct.unpack_from(order + "I", content, at)[0]
            blocks += [content[i:i + 2 * size] for i in range(at + 4, end, 2 * size)]
            at = end
    return list(histograms.items()), list(calls.items()), blocks


def same_sum(gnu, ours, layout):
    if gnu == ours or gnu[:4] != b"gmon" or ours[:4] != b"gmon":
        return gnu == ours
    gnu, ours = add_up(gnu, layout), add_up(ours, layout)
    all_blocks = iter(ours[2])
    return gnu[:2] == ours[:2] and all(block in all_blocks for block in gnu[2])


def same(gnu, ours, layout):
    if (not gnu or not ours or gnu.status != ours.status or gnu.stdout != ours.stdout
            or gnu.files.keys() != ours.files.keys()):
        return False
    return all(same_sum(content, ours.files[name], layout) if name == "gmon.sum"
               else content == ours.files[name] for name, content in gnu.files.items())


def difference(gnu, ours):
    """Text, for people."""
    if not ours:
        return "    ours does not end, or not orderly\n"
    text = ""
    if gnu.status != ours.status:
        text += "    status %d, GNU's is %d: %s\n" % (ours.status, gnu.status,
                                                      ours.stderr.split("\n")[0])
    if sorted(gnu.files) != sorted(ours.files):
        text += "    files %s, GNU's are %s\n" % (" ".join(ours.files) or "none",
                                                  " ".join(gnu.files) or "none")
    parts = [("stdout", gnu.stdout, ours.stdout)] + [(name, gnu.files[name], ours.files[name])
                                                     for name in gnu.files if name in ours.files]
    for name, theirs, mine in parts:
        if theirs == mine:
            continue
        theirs, mine = (s.decode(errors="replace").split("\n") for s in (theirs, mine))
        n = next((i for i, (a, b) in enumerate(zip(theirs, mine)) if a != b),
                 min(len(theirs), len(mine)))
        text += "    %s, line %d of %d (GNU: %d):\n      GNU:  %.150s\n      ours: %.150s\n" % (
            name, n + 1, len(mine), len(theirs), theirs[n] if n < len(theirs) else "(end)",
            mine[n] if n < len(mine) else "(end)")
    return text


# The program's own names.

Names = collections.namedtuple("Names", "hot arcs files lines")


def names_of(gprof, program, profiles):
    """Hot functions, arcs between them, files and lines, as GNU gprof and nm tell."""
    def output(*command):
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              env=dict(os.environ, LC_ALL="C"), check=False,
                              preexec_fn=limit).stdout.decode(errors="replace")
    flat = [line.split()[-1] for line in output(gprof, "-b", "-p", "--no-demangle", program,
                                                *profiles).split("\n")[5:] if line.split()]
    arcs, entry = [], None
    for line in output(gprof, "-b", "-q", "--no-demangle", program, *profiles).split("\n"):
        words = line.split()
        if re.match(r"\[\d+\] ", line) and len(words) > 5:
            entry = words[-2]
        elif line.startswith("---"):
            entry = None
        elif entry and len(words) >= 5 and "/" in words[-3]:
            arcs.append("%s/%s" % (entry, words[-2]))
    files, lines = [], []
    if "debug_line" in output("readelf", "-SW", program):
        addresses = dict(reversed(line.split()[::2]) for line in output("nm", program).split("\n")
                         if len(line.split()) == 3)
        for function in flat[:20]:
            place = output("addr2line", "-e", program, addresses.get(function, "0")).split()[:1]
            if place and "?" not in place[0]:
                file, line = os.path.basename(place[0]).rsplit(":", 1)
                files.append(file)
                lines.append("%s:%s" % (file, line))
    plain = [f for f in flat if re.fullmatch(r"[A-Za-z_]\w*", f)]
    return Names((plain or ["main"])[:12], sorted(set(arcs))[:12], sorted(set(files))[:4],
                 lines[:4])


# Option sets: lists of words.

def options_of(names, maps):
    """Each alone: (options without lines, options with)."""
    hot, other = names.hot[0], names.hot[-1]
    arc = names.arcs[0] if names.arcs else hot + "/" + other
    file = names.files[0] if names.files else "no.c"
    line = names.lines[0] if names.lines else "no.c:1"
    single = [[], ["-p"], ["-q"], ["-P"], ["-Q"], ["-C"], ["-Z"], ["-A"], ["-J"], ["-B"], ["-r"],
              ["-R", maps["files"]], ["-s"], ["-a"], ["-c"], ["-D"], ["-i"],
              ["-L"], ["-T"], ["-x"], ["-y"], ["-z"], ["-w", "40"], ["-w", "200"], ["-t", "3"],
              ["-t", "0"], ["-m", "5"], ["--no-demangle"],
              ["--inline-file-names"], ["-S", maps["symbols"]], ["-I", "/usr:/usr/include"],
              ["-O", "magic"], ["-O", "auto"]]
    specs = []
    for spec in (hot, other, file, line, file + ":" + hot, line.split(":")[-1], "no_such_function",
                 "none.c", "none.c:5"):
        specs += [["-p" + spec], ["-P" + spec], ["-q" + spec], ["-Q" + spec], ["-C" + spec],
                  ["-Z" + spec], ["-A" + spec], ["-J" + spec], ["-n", spec],
                  ["-N", spec]]
    specs += [[letter, name] for letter in ("-e", "-E", "-f", "-F") for name in (hot, other)]
    specs += [words for a in [arc, hot + "/" + hot, file + "/" + hot] + names.arcs[1:4]
              for words in (["-k", a], ["-q" + a], ["-Q" + a])]
    styles = ["auto", "none", "gnu-v3", "java", "gnat", "dlang", "rust", "gnu"]
    odd = [["--demangle=" + s] for s in styles] + [["--demangle"], ["--flat-profile"], ["--graph"],
                                                   ["--flat-profile=" + hot],
                                                   ["--no-flat", "--no-graph"],
           ["--sum"], ["--brief"], ["--exec-counts"], ["--annotated-source=" + hot],
                                                   ["--min-count=2"], ["--table-length=2"],
                                                   ["--width=60"],
           ["--ignore-non-functions"], ["--static-call-graph"], ["--display-unused-functions"],
                                                   ["--print-path"], ["--trad"], ["--no-t=" + hot],
                                                   ["--ti=" + hot],
           ["--fun"], ["--func"], ["--file-i"], ["--all"], ["--sep"], ["--dir=/usr"],
                                                   ["@" + maps["options"]]]
    wrong = [["-O", "prof"], ["-O", "xyz"], ["--demangle=what"], ["-r", "-R", maps["files"]],
             ["--no-such-option"], ["--f"], ["-R", "/no/such/file"],
             ["-S", "/no/such/file"], ["-w", "0"], ["-w", "-3"], ["-t", "-1"], ["-m", "x"],
             ["-k", hot], ["-R", "/dev/null"], ["-S", "/dev/null"], ["-Y"]]
    return single, specs, odd, wrong


def all_sets(names, maps, lines):
    single, specs, odd, wrong = options_of(names, maps)
    sets = single + specs + odd + wrong
    sets += [a + b for a, b in itertools.combinations(single[1:], 2)]
    styles = [["-p"], ["-q"], ["-C"], ["-A"], ["-z"], ["-T"], ["-x", "-A"]]
    sets += [a + b for a in specs for b in styles]
    dice = random.Random(1)
    for _ in range(300):
        chosen = dice.sample(single + specs, dice.randint(3, 5))
        sets.append([word for words in chosen for word in words])
    if lines:
        few = dice.sample(specs, min(len(specs), 40)) + single + odd[:4]
        sets += [["-l"] + words for words in few] + [["-l", "-x", "-A"], ["-l", "-C", "-z"],
                                                     ["-l", "-A", "-y"], ["-l", "-T", "-z"],
                                                     ["-l", "-L", "-p"]]
    return [s for s in sets if (lines or "-l" not in s and "-s" not in s and "--sum" not in s)
            and not is_endless(s)]


def is_endless(words):
    """-r counts the arcs of specs, which lead nowhere: GNU gprof may write for ever."""
    return "-r" in words and ("-k" in words or any(re.match("-[qQ].*/", word) for word in words))


def write_maps(program, names, folder, nm):
    maps = {name: os.path.join(folder, name) for name in ("files", "symbols", "options")}
    lines = subprocess.run([nm, program], stdout=subprocess.PIPE,
                           check=False).stdout.decode(errors="replace").splitlines()
    listed = [line for line in lines if re.match(r"[0-9a-f]+ \S \S+$", line)]
    with open(maps["symbols"], "w") as f:
        f.writelines(line + "\n" for line in lines)
    with open(maps["files"], "w") as f:
        f.write("No symbols in empty.o\n")
        f.writelines("part%d.o:%s\n" % (len(line) % 7, line) for line in listed
                     if line.split()[1] in "tT")
    with open(maps["options"], "w") as f:
        f.write("-p '%s'\n\"-q\"%s -z\n" % ("-Q" + names.hot[0], names.hot[-1]))
    return maps


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--reporter", required=True)
    parser.add_argument("--gprof", default="gprof")
    parser.add_argument("--thin", type=int, default=1, help="only every THINth option set")
    parser.add_argument("--only", default="", help="only option sets that match this pattern")
    parser.add_argument("--limit", type=float, default=20, help="seconds for GNU gprof")
    parser.add_argument("--no-lines", action="store_true", help="without -l and -s")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("program")
    parser.add_argument("profiles", nargs="+")
    o = parser.parse_args()
    program, profiles = os.path.abspath(o.program), [os.path.abspath(p) for p in o.profiles]
    reporter = os.path.abspath(o.reporter)
    gprof = shutil.which(o.gprof)
    nm = re.sub("gprof$", "nm", gprof)  # of the same processor
    names = names_of(gprof, program, profiles)
    layout = layout_of(program)

    with tempfile.TemporaryDirectory() as folder:
        sets = [["-b"] + s
                for s in all_sets(names, write_maps(program, names, folder, nm), not o.no_lines)]
        cases = [s + [program] + profiles for s in sets] + [["-b", program, "-"],
                                                            ["-b", program, "/no/such/file"],
                                                            ["-b", "/no/such/program"],
                                                            ["-b", program]]
        cases = [c for c in cases if re.search(o.only, " ".join(c))][::o.thin]

        def judge(case):
            gnu = ask([gprof] + case, o.limit, profiles[0])
            if not gnu or "somebody miscounted" in gnu.stderr:  # its own line symbols, with -l
                return None, case, "does not answer"
            ours = ask([reporter, "--gnu"] + case, o.limit, profiles[0])
            if same(gnu, ours, layout):
                return True, case, ""
            again = ask([gprof] + case, o.limit, profiles[0], {"MALLOC_PERTURB_": "90"})
            return (False, case,
                    difference(gnu, ours)) if same(gnu, again,
                                                   layout) else (None, case, "answers by chance")

        with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
            verdicts = list(pool.map(judge, cases))
    for verdict, case, text in verdicts:
        if verdict is False:
            print("different: gprof %s\n%s" % (" ".join(case), text), end="")
    judged = [v for v, _, _ in verdicts if v is not None]
    for verdict, case, text in verdicts:
        if verdict is None:
            print("left out: GNU gprof %s: %s" % (text, " ".join(case)))
    print("identical %d of %d" % (sum(judged), len(judged))
          + (", left out %d" % (len(verdicts) - len(judged)) if len(judged) < len(verdicts)
             else ""))
    return not judged or not all(judged)


sys.exit(main())

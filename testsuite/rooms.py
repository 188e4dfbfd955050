#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the rules of doc/rooms: the rooms of the tree, and the includes and calls between files.

  rooms.py [--all] TREE           checks the includes and the place of each file
  rooms.py [--all] TREE BUILD     checks also the calls, in the object files of that build

Prints a line for each mistake: file:line: what is wrong; what to do.  Exit status 1 if there are
any.  --all prints also the mistakes that the rules excuse for now ("not yet")."""
import collections
import fnmatch
import os
import re
import subprocess
import sys

RULES = "doc/rooms"
SOURCES = (".c", ".cc", ".S")
CODE = SOURCES + (".h",)
MOST_FILES = 32  # of a room
MOST_CIRCLE = 5  # files of a room that call each other in a circle
SECTIONS = ("rooms", "borders", "bare", "names", "in place of", "on behalf of", "apart", "not yet")


class Rules:
    """doc/rooms: {section: {key: (words, line)}}, in the order of the file."""

    def __init__(self, tree, faults):
        self.sections = {name: {} for name in SECTIONS}
        section = key = None
        for n, text in enumerate(open(os.path.join(tree, RULES)), 1):
            line = text.split("#")[0].strip()
            if line and text[0].isspace() and key:
                section[key][0].extend(line.split())
            elif m := re.fullmatch(r"\[(.*)\]", line):
                section = self.sections.get(m[1])
                if section is None:
                    faults.add(RULES, n, f"no section is called [{m[1]}]", "correct it")
            elif line and section is not None:
                key, words = re.fullmatch(r"([^:]*?)\s*(?::\s*(.*))?", line).groups("")
                if key in section:
                    faults.add(RULES, n, f"{key} stands there twice", "keep one")
                section[key] = (words.split(), n)
        self.uses = self.sections["rooms"]
        self.used = set()  # lines of "not yet" that something needs
        self.check_order(faults)

    def check_order(self, faults):
        """The order of rooms is from low to high, so the rules cannot be circular."""
        above = []
        self.allowed = {}  # room: rooms that it may include
        for room, (words, n) in self.uses.items():
            allowed = set()
            for word in words:
                if word.endswith(".h"):
                    continue
                found = fnmatch.filter(above, word)
                if not found:
                    later = word in self.uses
                    faults.add(RULES, n, f"{room} uses {word}, which "
                               + ("stands below it: a circle" if later else "is no room"),
                               "put rooms from low to high, and move what both need to a lower one"
                               if later else "correct it")
                allowed.update(found)
            self.allowed[room] = allowed
            above.append(room)
        self.reach = {}  # room: those, and what they use
        for room in above:
            direct = self.allowed[room] | {self.room_of(h) for h in self.headers_of(room)}
            self.reach[room] = direct.union(*(self.reach.get(r, ()) for r in direct))

    def room_of(self, path):
        """The room of a file, or None."""
        folder = os.path.dirname(path)
        return next((r for r in self.uses if fnmatch.fnmatchcase(folder, r)
                     and folder.count("/") == r.count("/")), None)

    def headers_of(self, room):
        return [w for w in self.uses[room][0] if w.endswith(".h")]

    def excuses(self, *words):
        """Whether "not yet" has the line; marks it as needed."""
        line = " ".join(words)
        if line in self.sections["not yet"]:
            self.used.add(line)
            return True
        return False

    def excuses_within(self, what, a, b):
        return any(self.excuses(what, "within", parent) for parent in parents(a)
                   if parent in parents(b))


class Faults:
    def __init__(self):
        self.list = []

    def add(self, path, line, what, cure):
        where = f"{path}:{line}" if line else path
        self.list.append(f"{where}: {what}; {cure}")


def parents(room):
    words = room.split("/")
    return ["/".join(words[:i + 1]) for i in range(len(words))]


def find_files(tree, rules):
    """All files of code, except folders in section "apart" of the rules."""
    apart = rules.sections["apart"]
    found = []
    for folder, folders, names in os.walk(tree):
        here = os.path.relpath(folder, tree)
        here = "" if here == "." else here
        if here and "config.status" in names:  # a build
            folders[:] = names[:] = []
        folders[:] = sorted(d for d in folders
                            if not d.startswith(".") and os.path.join(here, d) not in apart)
        found += [os.path.join(here, name) for name in sorted(names) if name.endswith(CODE)]
    return found


def circles(graph):
    """The strongly connected components of more than one node of {node: nodes}."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            at = stack.index(node)
            if len(stack) - at > 1:
                found.append(sorted(stack[at:]))
            del stack[at:]

    sys.setrecursionlimit(10000)
    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


def explain_circle(graph, members):
    """A shortest cycle through the first member, with the place of each edge."""
    first = members[0]
    before, queue = {}, collections.deque([first])
    while queue:
        a = queue.popleft()
        for b in sorted(graph.get(a, {})):
            if b in members and b not in before:
                before[b] = a
                queue.append(b)
    way, node = [], first
    while not way or node != first:
        way.append((before[node], node))
        node = before[node]
    return ", ".join(f"{a} -> {b} ({graph[a][b]})" for a, b in reversed(way))


# The place of each file.

def check_places(tree, rules, files, faults):
    rooms = collections.defaultdict(list)
    for path in files:
        room = rules.room_of(path)
        if room:
            rooms[room].append(path)
        else:
            faults.add(path, 0, f"{RULES} has no room {os.path.dirname(path) or '.'}",
                       "add a line for it, and a paragraph to a README")
    for room, (_, n) in rules.uses.items():
        if room not in rooms:
            faults.add(RULES, n, f"there is no file in {room}", "remove the line")
    for room, members in rooms.items():
        most = len(members)
        if room.endswith("/*"):  # processors, of which a build has one
            most = max(collections.Counter(map(os.path.dirname, members)).values())
        if most > MOST_FILES:
            faults.add(room, 0, f"{most} files are more than {MOST_FILES}",
                       "make two rooms of it")
        if not is_described(tree, room):
            faults.add(room, 0, "no README has a paragraph on it", "write one that begins "
                       "with **`FOLDER/`** in README.md of the folder above")
    return rooms


def is_described(tree, room):
    if os.path.exists(os.path.join(tree, room, "README.md")):
        return True
    for parent in parents(room)[:-1]:
        readme = os.path.join(tree, parent, "README.md")
        name = room[len(parent) + 1:].replace("*", "<cpu>")
        if os.path.exists(readme) and any(line.startswith(f"**`{name}/`**")
                                          for line in open(readme)):
            return True
    return False


def check_names(rules, files, faults):
    names = collections.defaultdict(list)
    for path in files:
        if not path.startswith("testsuite/"):
            names[os.path.basename(path)].append(path)
    places = rules.sections["in place of"]
    reasons = rules.sections["names"]
    for name, paths in sorted(names.items()):
        real = [p for p in paths if p not in places]
        if len({rules.room_of(p) for p in real}) > 1:
            if name not in reasons:
                faults.add(real[1], 0, f"{real[0]} has the same name",
                           f"rename it, or say in {RULES} why ([names])")
        elif name in reasons:
            faults.add(RULES, reasons[name][1], f"there are no two files {name}",
                       "remove the line")
    for place in places:
        if place not in files:
            faults.add(RULES, places[place][1], f"there is no file {place}", "remove the line")


# Includes.

def check_includes(tree, rules, files, faults):
    known = set(files)
    names = collections.defaultdict(list)
    for path in files:
        names[os.path.basename(path)].append(path)
    graph = collections.defaultdict(dict)
    for path in files:
        room = rules.room_of(path)
        for n, line in enumerate(open(os.path.join(tree, path), errors="replace"), 1):
            m = re.match(r'\s*#\s*include\s*(["<])([^">]+)[">]', line)
            if not m or not room:
                continue
            target = m[2] if m[2] in known else None
            wrong = judge_name(rules, room, path, m[2], m[1] == '"', target, names)
            if not wrong and target:
                wrong = judge_border(rules, room, target)
                other = rules.room_of(target)
                if other and other not in (room, "include") and wrong != "":
                    graph[room].setdefault(other, f"{path}:{n}")
            if wrong:
                faults.add(path, n, *wrong)
    for members in circles(graph):
        faults.add(members[0], 0, f"a circle of rooms by includes: "
                   f"{explain_circle(graph, members)}", "move what both need to a lower room")


def judge_name(rules, room, path, text, quoted, target, names):
    """None, or what is wrong with the name in the include."""
    base = os.path.basename(text)
    border = next((p for p in names.get(base, ()) if os.path.dirname(p) == "include"), None)
    if border and text != border and not (room == "include" and text == base):
        return f"{text} is another name of {border}", f'write "{border}"'
    if not quoted:
        if target:
            return f"<{text}> is a header of ours", f'write "{text}"'
        return None
    if target or room == "include" and border:
        return None
    for place in (room, "*"):
        words = rules.sections["bare"].get(place, ((), 0))[0]
        ours = any(parents(p)[0] == parents(room)[0] for p in names.get(base, ()))
        if base == text and (base in words or "*" in words and not ours):
            return None
    if base == text and fnmatch.filter(names.get(base, ()), "runtime/arch/*"):
        if room.startswith("runtime/") or "runtime/arch/*" in rules.allowed[room]:
            return None
        return f"{room} may not include headers of runtime/arch", f"see {RULES}"
    near = names.get(base)
    return (f'"{text}" is no path from the root',
            f'write "{near[0]}"' if near else f"if it is not ours, list it in {RULES} ([bare])")


def judge_border(rules, room, target):
    """None, or what is wrong with including it; the empty string: excused by "not yet"."""
    other = rules.room_of(target)
    if other in (None, room, "include"):
        return None
    border = rules.sections["borders"].get(other, (None, 0))[0]
    wrong = None
    if other not in rules.allowed[room] and target not in rules.headers_of(room):
        wrong = (f"{room} may not include {target}",
                 f"move what it needs, hand over a function, or change {RULES}")
    elif border and os.path.basename(target) not in border:
        wrong = (f"{target} is not a border of {other}",
                 f"use {' '.join(border)}, or change {RULES} ([borders])")
    if wrong and (rules.excuses("includes of", target)
                  or rules.excuses_within("includes", room, other)):
        return ""
    return wrong


# Calls, from object files: references to a function from code.  A reference from data (a table of
# functions) is no call: code that uses a table does not know its content.

def find_objects(rules, files, build):
    """{object file: (source, its library)}, without those of tests."""
    listed, objects = {}, {}
    for path in files:
        if not path.endswith(SOURCES) or path.startswith("testsuite/"):
            continue
        folder, name = os.path.split(os.path.splitext(path)[0])
        folder = os.path.join(build, folder)
        if folder not in listed:
            listed[folder] = os.listdir(folder) if os.path.isdir(folder) else []
        for entry in listed[folder]:
            m = re.fullmatch(rf"(?:(.*)-)?{re.escape(name)}\.o", entry)
            if m and not re.search(r"_(seam|asan|tsan)_", m[1] or ""):
                objects[os.path.join(folder, entry)] = (path, m[1] or "")
    return objects


def read_symbols(objects):
    """{name: [(source, library)]} of global functions."""
    defined = collections.defaultdict(list)
    out = subprocess.run(["nm", "-A", "-g", "--defined-only", *objects], check=True,
                         capture_output=True, text=True).stdout
    for line in out.splitlines():
        m = re.fullmatch(r"(.*?):[0-9a-f]* ([TWVi]) (\S+)", line)
        if m and m[3] != "main":
            defined[m[3]].append(objects[m[1]])
    return defined


def read_calls(rules, objects):
    """{(source, source): name}"""
    defined = read_symbols(objects)
    out = subprocess.run(["readelf", "-rW", *objects], check=True, capture_output=True,
                         text=True).stdout
    calls = {}
    at, is_code = next(iter(objects.values())), False
    for line in out.splitlines():
        words = line.split()
        if line.startswith("File: "):
            at = objects[line[6:]]
        elif m := re.match(r"Relocation section '\.rela?([^']*)'", line):
            is_code = not re.match(r"\.(data|rodata|debug|eh_frame|init|fini|note)", m[1])
        elif is_code and len(words) > 4 and words[2].startswith("R_"):
            name = words[4].split("@")[0]
            for source in callees(rules, defined.get(name, ()), name, at):
                calls.setdefault((at[0], source), name)
    return calls


def callees(rules, found, name, at):
    """The files that define NAME for AT, a file of a library."""
    place = rules.sections["in place of"]
    own = [f for f, library in found if library == at[1]]
    # Another library's; libc's names are those of the run-time library in its own files only.
    if not own and (at[1] or name.startswith("bbp_")):
        own = [f for f, _ in found if f not in place]
    return {place[f][0][0] if f in place else f for f in own} - {at[0]}


def check_calls(rules, files, build, faults):
    objects = find_objects(rules, files, build)
    sources = [p for p in files if p.endswith(SOURCES) and not p.startswith("testsuite/")]
    if len({source for source, _ in objects.values()}) < 0.8 * len(sources):
        faults.add(build, 0, f"it has too few object files for {len(sources)} sources",
                   "build it first")
        return
    calls = read_calls(rules, objects)
    stands = rules.sections["on behalf of"]

    def home(path):  # for what it calls
        return next((words[0] for key, (words, _) in stands.items()
                     if fnmatch.fnmatchcase(path, key)), rules.room_of(path))

    rooms = collections.defaultdict(dict)
    inside = collections.defaultdict(lambda: collections.defaultdict(set))
    for (a, b), name in sorted(calls.items()):
        x, y = home(a), rules.room_of(b)
        if not x or not y:
            continue
        if x == y:
            inside[x][a].add(b)
        elif y in rules.reach[x] or not rules.excuses_within("calls", x, y):
            rooms[x].setdefault(y, f"{a} calls {name} of {b}")
            if y not in rules.reach[x]:
                faults.add(a, 0, f"it calls {name} of {b}, and {x} may not use {y}",
                           f"hand over a function, or move one; see {RULES}")
    for members in circles(rooms):
        faults.add(members[0], 0, f"a circle of rooms by calls: {explain_circle(rooms, members)}",
                   "hand over a function, or move one to a lower room")
    check_files(rules, inside, faults)


def check_files(rules, inside, faults):
    for room, graph in sorted(inside.items()):
        for members in circles(graph):
            size = len(members)
            if size > MOST_CIRCLE and not rules.excuses("circle", room, str(size)) \
                    and not rules.excuses_within("calls", room, room):
                names = " ".join(os.path.basename(p) for p in members)
                faults.add(room, 0, f"{size} files call each other in a circle ({names})",
                           f"cut it: at most {MOST_CIRCLE}")


def main():
    arguments = sys.argv[1:]
    show_all = "--all" in arguments
    places = [a for a in arguments if a != "--all"]
    if not 1 <= len(places) <= 2:
        sys.exit(__doc__)
    faults = Faults()
    rules = Rules(places[0], faults)
    excused = dict(rules.sections["not yet"])
    if show_all:
        rules.sections["not yet"] = {}
    files = find_files(places[0], rules)
    rooms = check_places(places[0], rules, files, faults)
    check_names(rules, files, faults)
    check_includes(places[0], rules, files, faults)
    if len(places) > 1:
        check_calls(rules, files, places[1], faults)
        for line, (_, n) in excused.items():
            if not show_all and line not in rules.used:
                faults.add(RULES, n, f'"{line}" is not needed any more', "remove the line")
    print("\n".join(faults.list) or f"{len(files)} files in {len(rooms)} rooms")
    sys.exit(bool(faults.list))


if __name__ == "__main__":
    main()

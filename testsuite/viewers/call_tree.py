# SPDX-License-Identifier: GPL-3.0-or-later
"""The call tree of known stacks: what a viewer has to show."""
import collections


class Node:
    def __init__(self, name):
        self.name, self.total, self.self, self.children = name, 0, 0, {}

    def heaviest_first(self):
        return sorted(self.children.values(), key=lambda child: -child.total)

    def plain(self):
        """As tuples, which can be compared."""
        return (self.name, self.total, self.self,
                sorted(child.plain() for child in self.children.values()))


def trees(path, column):
    """By thread, the root above all stacks in a file of lines as report/export.py prints; COLUMN 0
    counts samples, 1 nanoseconds."""
    found = {}
    for line in open(path, encoding="utf-8"):
        *numbers, stack = line.rstrip("\n").split(" ", 2)
        value = int(numbers[column])
        thread, *names = stack.split(";")
        node = found.setdefault(thread, Node(""))
        node.total += value
        for name in names:
            node = node.children.setdefault(name, Node(name))
            node.total += value
        node.self += value
    return found


def functions(root):
    """By name, the total and self value; a function that calls itself is in the total once."""
    found = collections.defaultdict(lambda: [0, 0])

    def add(node, above):
        if node.name not in above:
            found[node.name][0] += node.total
        found[node.name][1] += node.self
        for child in node.children.values():
            add(child, above | {node.name})
    for child in root.children.values():
        add(child, frozenset())
    return {name: tuple(values) for name, values in found.items()}


def leaves(root):
    """Each stack that no other one continues: where the middle of its innermost frame is, from 0 to
    1, if the heaviest child stands leftmost; the names and totals of its frames."""
    def visit(node, left, above):
        above = above + [(node.name, node.total)]
        if not node.children:
            yield (left + node.total / 2) / root.total, above
        for child in node.heaviest_first():
            yield from visit(child, left, above)
            left += child.total
    left = 0
    for child in root.heaviest_first():
        yield from visit(child, left, [])
        left += child.total

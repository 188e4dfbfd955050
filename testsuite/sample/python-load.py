# SPDX-License-Identifier: GPL-3.0-or-later
"""Does what Python programs do, for SECONDS: threads, generators, exceptions, extensions in C,
garbage collection, children.  Prints what it has computed in each round, which is always the
same."""

import ctypes
import decimal
import gc
import hashlib
import json
import os
import re
import sys
import threading
import time
import zlib


def tree(depth):
    return None if depth == 0 else [tree(depth - 1), tree(depth - 1)]


def walk(node):
    if node:
        yield from walk(node[0])
        yield 1
        yield from walk(node[1])


def fails(n):
    try:
        if n == 0:
            raise KeyError(n)
        fails(n - 1)
    except KeyError as error:
        raise ValueError(n) from error


def exceptions():
    caught = 0
    for n in range(20):
        try:
            fails(n)
        except (KeyError, ValueError):
            caught += 1
    return caught


class Node:
    alive = 0

    def __init__(self):
        self.itself, Node.alive = self, Node.alive + 1

    def __del__(self):
        Node.alive -= 1


def garbage():
    for _ in range(2000):
        Node()
    gc.collect()
    return 0


def codes():
    """Code objects that come and go."""
    total = 0
    for i in range(100):
        names = {}
        exec(f"def f(n):\n    return sum(k + {i} for k in range(n))", names)
        total += names["f"](20)
    return total


def extensions():
    text = json.dumps([{"key": str(i), "value": i * 0.5} for i in range(300)])
    digest = hashlib.sha256(zlib.compress(text.encode())).hexdigest()
    words = re.sub(r"(\d+)", lambda match: str(int(match[1]) + 1), text)
    numbers = (ctypes.c_int * 100)(*range(100, 0, -1))
    compare = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_int),
                               ctypes.POINTER(ctypes.c_int))
    ctypes.CDLL(None).qsort(numbers, 100, 4, compare(lambda a, b: a[0] - b[0]))
    with decimal.localcontext() as context:
        context.prec = 200
        root = str(decimal.Decimal(2).sqrt())[-9:]
    return digest[:8], len(words), list(numbers)[:3], root, len(json.loads(text))


def deep(n):
    return 0 if n == 0 else 1 + deep(n - 1)


def child():
    pid = os.fork()
    if pid == 0:
        os._exit(sum(walk(tree(5))))
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def work(results, i):
    results[i] = (sum(walk(tree(11))), exceptions(), codes(), extensions(), deep(900),
                  sorted(range(2000), key=lambda n: -n % 77)[:3])


def main():
    seen, end = set(), time.monotonic() + float(sys.argv[1])
    while not seen or time.monotonic() < end:
        results = [None] * 4
        threads = [threading.Thread(target=work, args=(results, i)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        seen.add((str(results), garbage(), child()))
    print(len(seen), *seen)
    sys.exit(7)


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a program with a timeline while the profiler's system calls fail, one after the other.

    failures.py PROGRAM ARGUMENT...

PROGRAM is linked to the library that can be made to fail (testsuite/seam/).  A first run tells
which system calls it makes with a timeline and without.  Those that come with the timeline fail
once each, the first few of each number, and all of a number: the program prints what it always
prints, and ends as it always ends.
"""

import collections
import errno
import os
import subprocess
import sys

# What the kernel may say; the default is for all others.
ERRORS = {9: [errno.ENOMEM], 28: [errno.ENOMEM, errno.EINVAL, errno.EFAULT],
          77: [errno.ENOSPC, errno.EFBIG],
          202: [errno.EINTR, errno.ETIMEDOUT, errno.EPERM, errno.ENOSYS],
          319: [errno.EMFILE, errno.ENOSYS, errno.ENOMEM]}
DEFAULT = [errno.EPERM, errno.EIO]
MOST = 4  # of a number, one by one
# getpid, gettid, rt_sigprocmask: nothing can be wrong with these.
CANNOT_FAIL = {14, 39, 186}


def run(timeline, plan=None):
    environment = dict(os.environ,
                       BBPROF_OPTIONS="record=1" + (":timeline=1" if timeline else ":times=0"))
    if plan:
        environment["BBP_SEAM"] = plan
    else:
        open("calls.log", "w").close()
        environment["BBP_SEAM_LOG"] = os.path.abspath("calls.log")
    done = subprocess.run(sys.argv[1:], env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, timeout=60)
    said = sorted(line.split(maxsplit=3)[3] for line in done.stdout.splitlines())
    calls = collections.Counter(int(line) for line in open("calls.log")) if not plan else None
    return done.returncode, said, done.stderr, calls


def main():
    status, said, _, without = run(False)
    *_, calls = run(True)
    runs = 0
    for number in sorted(calls):
        if number in CANNOT_FAIL or calls[number] <= without[number]:
            continue
        for error in ERRORS.get(number, DEFAULT):
            first = range(1, min(calls[number], MOST) + 1)
            for plan in [f"{number}:{nth}:{error}" for nth in first] + [f"{number}:1+:{error}"]:
                runs += 1
                now, words, stderr, _ = run(True, plan)
                if (now, words) != (status, said):
                    sys.exit(f"with {plan}: status {now} instead of {status}, {words} instead of "
                             f"{said}; {stderr}")
    if runs < 20:
        sys.exit(f"only {runs} failures: {calls}")
    print(f"{runs} failures, and the program as ever")


main()

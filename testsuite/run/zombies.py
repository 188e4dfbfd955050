#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
# zombies.py TIMES SIGNAL|- COMMAND...: the first process of a PID namespace, as the entry point of
# a container is.  It waits for its own children only.  Runs COMMAND so often, one after the other;
# with a signal, that is sent to the process whose number the file `pid' holds.  Prints the
# statuses, then what is left: "0 left", or each process with its state and name.
import os, subprocess, sys, time

def remaining():
    found = []
    for name in os.listdir('/proc'):
        if name.isdigit() and int(name) != os.getpid():
            try:
                stat = open(f'/proc/{name}/stat').read()
            except OSError:
                continue
            found.append(stat[stat.index('('):stat.rindex(')') + 3])
    return found

def wait_for_file(name):
    while not os.path.exists(name) or not open(name).read().endswith('\n'):
        time.sleep(0.01)

times, number, command = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
statuses = set()
for i in range(times):
    if os.path.exists('pid'):
        os.remove('pid')
    child = subprocess.Popen(command)
    if number != '-':
        wait_for_file('pid')
        os.kill(int(open('pid').read()), int(number))
    statuses.add(child.wait())
# What runs when its program has ended may need a moment to end; a zombie is one for ever.
for i in range(1500):
    left = remaining()
    if all(s.endswith('Z') for s in left):
        break
    time.sleep(0.02)
print('status', *sorted(statuses))
print(f'{len(left)} left', *sorted(left))

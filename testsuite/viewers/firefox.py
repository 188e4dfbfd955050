#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks Firefox Profiler's command line what it reads in a profile, and compares the threads, the
call tree and the functions with the stacks that are known.

    firefox.py EXPECTED PROFILE COMMAND...    COMMAND: profiler-cli with its interpreter
"""
import json
import os
import subprocess
import sys
import tempfile
import time

from viewers import call_tree

LIBRARIES = {"main": "prog", "work": "prog", "easy": "prog", "hard": "prog", "again": "prog",
             "lib": "lib.so", "[read]": "[kernel]"}


def same(what, has, wanted):
    if has != wanted:
        sys.exit(f"{what}: {has!r} instead of {wanted!r}")


def plain(node):
    name = node["nameWithLibrary"].split("!")
    if node["name"] in LIBRARIES:
        same("the object of " + node["name"], name[0], LIBRARIES[node["name"]])
    return (node["name"], node["totalSamples"], node["selfSamples"],
            sorted(plain(child) for child in node["children"]))


def compare(ask, expected):
    wanted = call_tree.trees(expected, 0)
    has = {thread["name"]: thread["threadHandle"] for thread in ask("thread", "list")["threads"]}
    same("threads", sorted(has), sorted(wanted))
    for name, thread in has.items():
        of = "--thread", thread, "--include-idle"
        answer = ask("thread", "samples-top-down", *of)
        same("the unit", answer["weightType"], "samples")
        tree = answer["regularCallTree"]
        same(f"the samples of {name}", tree["totalSamples"], wanted[name].total)
        same(f"the call tree of {name}", sorted(plain(child) for child in tree["children"]),
             wanted[name].plain()[3])
        functions = ask("thread", "functions", *of)["functions"]
        same(f"the functions of {name}", {function["name"]: (function["totalSamples"],
                                                             function["selfSamples"])
                                          for function in functions},
             call_tree.functions(wanted[name]))
        print(f"{name}: {tree['totalSamples']} samples, {len(functions)} functions: right")


class Profiler:
    """profiler-cli's server with a profile.  Its command `load' gives the server half a second to
    answer, too little on a busy machine; so the server is started here.  Once a server neither
    published its session nor ended within two minutes; such a one is ended and started again."""
    SESSION = "--session", "test"

    def __init__(self, command, profile, folder):
        self.command = command
        self.profile = os.path.abspath(profile)
        self.folder = folder
        # It asks no server for symbols.
        self.environment = dict(os.environ, PROFILER_CLI_SESSION_DIR=folder,
                                PROFILER_CLI_NO_SYMBOLICATE="1")
        for _ in range(4):
            self.server = subprocess.Popen([*command, "--daemon", self.profile, *self.SESSION],
                                           env=self.environment, stdin=subprocess.DEVNULL)
            if self.published():
                return
            self.close()
        sys.exit(f"profiler-cli's server does not start: {self.log()}")

    def published(self):
        """The server writes the session's file when its socket listens.  Asked before, a client
        takes the session for a dead one."""
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            try:
                with open(os.path.join(self.folder, "test.json"), encoding="utf-8") as session:
                    json.load(session)
                return True
            except (FileNotFoundError, json.JSONDecodeError):
                if self.server.poll() is not None:
                    return False
            time.sleep(0.1)
        return False

    def log(self):
        try:
            with open(os.path.join(self.folder, "test.log"), encoding="utf-8") as log:
                return log.read()[-2000:]
        except FileNotFoundError:
            return "it wrote no log"

    def run(self, *arguments):
        return subprocess.run([*self.command, *arguments, "--json", *self.SESSION],
                              env=self.environment, timeout=120, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True)

    def wait(self):
        """The server answers with an error while it loads the profile."""
        deadline = time.monotonic() + 120
        while (done := self.run("thread", "list")).returncode:
            if self.server.poll() is not None or time.monotonic() > deadline:
                sys.exit(f"profiler-cli does not load the profile: {done.stdout}{done.stderr}"
                         f"{self.log()}")
            time.sleep(0.2)

    def ask(self, *arguments):
        done = self.run(*arguments)
        if done.returncode:
            sys.exit(f"profiler-cli {arguments}: {done.stdout}{done.stderr}")
        return json.loads(done.stdout)

    def close(self):
        self.server.kill()
        self.server.wait()


def main():
    expected, profile, *command = sys.argv[1:]
    # The address of its socket, which is in this folder, has to be short.
    with tempfile.TemporaryDirectory() as folder:
        profiler = Profiler(command, profile, folder)
        try:
            profiler.wait()
            compare(profiler.ask, expected)
        finally:
            profiler.close()


main()

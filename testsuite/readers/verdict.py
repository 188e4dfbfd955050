# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints the differences that judges have found."""

SHOWN = 10


class Verdict:
    """Collects differences, prints the first ones of each kind."""

    def __init__(self):
        self.bad = False

    def report(self, what, checked, differences):
        if not differences:
            print(f"  {checked:,} {what}: equal")
            return
        self.bad = True
        print(f"  {checked:,} {what}: {len(differences):,} DIFFER")
        for difference in sorted(differences)[:SHOWN]:
            print(f"    {difference}")
        if len(differences) > SHOWN:
            print(f"    ... and {len(differences) - SHOWN:,} more")

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs automake's test driver, and adds to the test's .trs how long the test took: its wall time,
# and the CPU time of its processes, in seconds.  check.sh prints the longest tests.
#
#   timed-driver.sh DRIVER ... --trs-file FILE ...

trs=
previous=
for argument; do
  [ "$previous" != --trs-file ] || trs=$argument
  previous=$argument
done
read -r began _ </proc/uptime
"$@"
status=$?
read -r ended _ </proc/uptime
# The third and fourth time are those of the children; processes that another one adopted are
# not in them.
times >"$trs.times"
awk -v wall="$began $ended" '
  function seconds (time,  part) { split (time, part, "m"); return 60 * part[1] + part[2] }
  FNR == 2 {
    split (wall, moment)
    printf ":wall-seconds: %.1f\n:cpu-seconds: %.1f\n", moment[2] - moment[1],
      seconds($1) + seconds($2)
  }' "$trs.times" >>"$trs"
rm -f "$trs.times"
exit "$status"

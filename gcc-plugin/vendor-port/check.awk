# SPDX-License-Identifier: MIT
# awk -f check.awk truth port.out: checks that the counts of each function's blocks are exactly
# those that the program printed; in mode 2 also that all functions that were entered were left,
# except those that exceptions unwound.  Prints what is wrong, and a last line; exit status 1:
# something is wrong.
function wrong(text) { print text; errors++ }
FNR == NR && $1 == "unwound" {
  unwound = $2
  next
}
FNR == NR {
  for (i = 2; i <= NF; i++)
    if ($i > 0) # a place that was never reached has no block in port.out
      known[$1, $i] = 1
  functions[$1] = 1
  next
}
/^entered/ {
  if ($2 - $4 != unwound)
    wrong("entered and left, but for " unwound ": " $0)
  next
}
{
  name = $0
  sub(/^[^ ]* [^ ]* /, "", name)
  sub(/[<(].*/, "", name) # of C++: arguments
  sub(/.* /, "", name)    #         and the type of the result
  if (name in functions) {
    if (!((name, $1) in known))
      wrong("no place of " name " was passed " $1 " times: " $0)
    seen[name, $1] = 1
    blocks++
  }
}
END {
  for (place in known)
    if (!(place in seen)) {
      split(place, parts, SUBSEP)
      wrong("no block of " parts[1] " has counted " parts[2])
    }
  print blocks + 0, "blocks,", errors + 0, "errors"
  exit errors + 0 > 0 || !blocks
}

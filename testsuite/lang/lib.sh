# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by the tests of GCC's languages.  The programs do the same in each language, so all have
# the same counts:
# THREADS threads call WORK once each; work calls CHOOSE 1,000 times, with the numbers 0 to 999;
# choose calls FOURTH for the multiples of 4 and OTHERS for the rest.  In a language with exceptions
# fourth throws for the multiples of 20; work catches and calls CAUGHT (in a language without try
# blocks, a function TRY between work and choose does that).  The test sets these five names as the
# compiler makes them, as shell patterns.
. "${srcdir=.}/lib.sh"
need_command python3 python3
unset LIBRARY_PATH # gm2 looks for its libraries there only

# front_end NAME PACKAGE: sets FRONT_END to the driver of that language, of CC's version.
front_end () {
  version=$($CC -dumpversion)
  for FRONT_END in "$1-${version%%.*}" "$1"; do
    case $(command -v "$FRONT_END" >/dev/null && "$FRONT_END" --version | head -n 1) in
      *" ${version%%.*}."*) return ;;
    esac
  done
  skip "needs $1 of GCC ${version%%.*} (Debian: $2-${version%%.*})"
}

# Functions stay as in the source: not inlined, cloned or merged.  A program of -fPIC code has to
# request the run-time library.
lang_flags="-g -fno-inline -fno-ipa-cp -fno-ipa-sra -fno-ipa-icf"
lang_link="-specs=$top/gcc-plugin/uninstalled.specs"
lang_runner= # what runs programs for another processor
lang_kinds="-O0 -pg
-O2 -pg
-O1
-O2 -fPIC"

# arcs_between CALLER CALLEE: the sum of the arcs of functions with such names.
arcs_between () {
  while read -r kind caller callee count; do
    # shellcheck disable=SC2254 # patterns
    [ "$kind" = arc ] && case "${caller#*:} ${callee#*:}" in
      $1\ $2) echo "$count" ;;
    esac
  done <profile | awk '{ sum += $1 } END { print sum + 0 }'
}

# blocks_of FUNCTION: prints the distinct counts of its executed blocks, ascending.
blocks_of () {
  while read -r kind name number count; do
    # shellcheck disable=SC2254 # a pattern
    [ "$kind" = block ] && case ${name#*:} in
      $1) echo "$count" ;;
    esac
  done <profile | sort -nu | tr '\n' ' '
}

# has_blocks FUNCTION WANTED POSSIBLE: its blocks have all the WANTED counts, and beside them only
# POSSIBLE ones; each times the number of threads.  LANG_ADDS is set where the compiler adds code of
# its own to the functions.
has_blocks () {
  blocks=" $(blocks_of "$1")"
  possible=" "
  for n in $2; do
    possible="$possible$((n * threads)) "
    case $blocks in
      *" $((n * threads)) "*) ;;
      *) fail "no block of $1 ran $n times $threads times, but:$blocks($kind)" ;;
    esac
  done
  [ "$3" != any ] && [ -z "${LANG_ADDS-}" ] || return 0
  for n in $3; do
    possible="$possible$((n * threads)) "
  done
  for n in $blocks; do
    case $possible in
      *" $n "*) ;;
      *) fail "a block of $1 ran $n times; possible:$possible($kind)" ;;
    esac
  done
}

# right KIND THROWS: the counts of ./prog are right; KIND, in messages, is how it was compiled.
right () {
  kind=$1 throws=$2
  rm -f gmon.out*
  # shellcheck disable=SC2086 # a command's words
  timeout 60 $lang_runner ./prog >output 2>said ||
    { cat said; fail "status $? of the program ($kind)"; }
  [ ! -s said ] || { head said; fail "unexpected output on stderr ($kind)"; }
  cmp expected output || fail "output differs ($kind)"
  python3 -m readers.profile gmon.out >profile || fail "the profile cannot be read ($kind)"
  has_blocks "$WORK" "1 1000" any
  has_blocks "$OTHERS" 750 ""
  if [ "$throws" = throws ]; then
    has_blocks "$CHOOSE" "250 750 1000" "50 200 950"
    has_blocks "$FOURTH" "50 200 250" ""
    has_blocks "$CAUGHT" 50 ""
  else
    has_blocks "$CHOOSE" "250 750 1000" ""
    has_blocks "$FOURTH" 250 ""
  fi
  case $kind in
    *-pg*)
      expect "calls from work to choose ($kind)" "$(arcs_between "${TRY-$WORK}" "$CHOOSE")" \
        $((threads * 1000))
      expect "calls from choose to fourth ($kind)" "$(arcs_between "$CHOOSE" "$FOURTH")" \
        $((threads * 250))
      expect "calls from choose to others ($kind)" "$(arcs_between "$CHOOSE" "$OTHERS")" \
        $((threads * 750))
      [ "$throws" != throws ] ||
        expect "calls of caught ($kind)" "$(arcs_between "*" "$CAUGHT")" $((threads * 50))
      ;;
  esac
}

# judge THREADS THROWS COMPILE...: tests each kind of code, with COMPILE OPTION... to make ./prog.
# Ends the test.
judge () {
  threads=$1 throws=$2
  shift 2
  # shellcheck disable=SC2086 # lists of options
  {
    must "$@" -O1 $lang_flags >log 2>&1
    must $lang_runner ./prog >expected
    while read -r kind; do
      "$@" "-fplugin=$bbprof_plugin" $kind $lang_flags $lang_link >log 2>&1 ||
        { cat log; fail "cannot compile ($kind)"; }
      right "$kind" "$throws"
    done <<KINDS
$lang_kinds
KINDS
  }
  say "blocks and arcs right, $threads threads, $("$FRONT_END" --version | head -n 1)"
}

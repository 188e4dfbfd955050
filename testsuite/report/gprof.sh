# SPDX-License-Identifier: GPL-3.0-or-later
# What tests share that compare bbprof-gprof --gnu (or without it, if gnu is empty) with the
# installed GNU gprof: bytes on stdout, exit status, files written.
ulimit -f 200000 # GNU gprof can write for ever
identical=0 all=0

# is_judge: is the installed gprof the one for which the identity is defined?
is_judge () {
  case $(gprof --version 2>/dev/null) in
  *' 2.40'*) return 0 ;;
  *) echo "not compared: the installed gprof is not 2.40"; return 1 ;;
  esac
}

# both FOLDER COMMAND...: what the command leaves in FOLDER.
both () {
  local folder=$1
  shift
  rm -rf "$folder"
  mkdir "$folder"
  (cd "$folder" && timeout 60 "$@" >stdout 2>stderr </dev/null; echo $? >status)
}

# compare OPTION... PROGRAM PROFILE: names are absolute.
compare () {
  all=$((all + 1))
  both should gprof "$@"
  both is "$bbprof_gprof" ${gnu---gnu} "$@"
  if diff -r -x stderr should is >difference; then
    identical=$((identical + 1))
  else
    echo "different: $*"
    head -6 difference
    head -2 is/stderr
  fi
  [ "$(cat should/status)" != 0 ] && [ ! -s is/stderr ] && fail "no message: $*"
}

# with PROGRAM PROFILE: all sets of options in the file `sets'.
with () {
  local set
  while IFS= read -r set; do
    eval "compare -b $set \"\$@\""
  done <sets
}

all_identical () {
  echo "identical $identical of $all"
  [ $identical = $all ]
}

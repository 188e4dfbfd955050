# SPDX-License-Identifier: GPL-3.0-or-later
# Lua 5.4: an interpreter, so one huge function with computed goto; error handling by longjmp.
package=lua5.4
jobs=script
test_size=5
bench_size=30

# What Debian's configure would write.
prepare_source () {
  echo "#define DEB_HOST_MULTIARCH \"$($CC -print-multiarch)\"" >lua5.4-deb-multiarch.h
}

build () {
  for file in "$src"/src/*.c; do
    case $file in
      */luac.c) ;;
      *) compile "$file" -I "$prepared" -DLUA_USE_LINUX ;;
    esac
  done
  link_c lua -Wl,-E -lm -ldl
}

run () { # JOB SIZE COMMAND...
  size=$2
  shift 2
  exec "$@" "$inputs/workload.lua" "$size"
}

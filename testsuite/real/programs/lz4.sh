# SPDX-License-Identifier: GPL-3.0-or-later
# lz4: the compressor's inner loop is a few dozen instructions long, everything is inlined.
package=lz4
jobs="compress"
test_size=2
bench_size=8

build () {
  for file in "$src"/lib/*.c "$src"/programs/*.c; do
    compile "$file" -I "$src/lib" -DXXH_NAMESPACE=LZ4_ -DLZ4IO_MULTITHREAD=0
  done
  link_c lz4
}

prepare () { # JOB SIZE
  cat "$src"/lib/*.c "$src"/lib/*.h "$src"/programs/*.c "$src"/doc/* 2>/dev/null >once || :
  : >input
  i=0
  while [ "$i" -lt $((3 * $2)) ]; do
    cat once >>input
    i=$((i + 1))
  done
}

run () { # JOB SIZE COMMAND...
  shift 2
  exec "$@" -9 -c <input
}

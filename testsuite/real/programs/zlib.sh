# SPDX-License-Identifier: GPL-3.0-or-later
# zlib, seen through its test programs minigzip (the jobs) and example (its own test).
package=zlib
jobs="compress decompress"
test_size=2
bench_size=12
needs=gzip

library () {
  for file in "$src"/*.c; do
    compile "$file" -DHAVE_UNISTD_H -D_LARGEFILE64_SOURCE=1
  done
}

build () {
  library
  compile "$src/test/minigzip.c" -I "$src" -DHAVE_UNISTD_H
  link_c zlib
}

own_tests () {
  build
  cp "$src/README" text
  ./zlib <text | ./zlib -d | cmp - text
  rm minigzip.o
  objects=
  for file in *.o; do
    objects="$objects $file"
  done
  compile "$src/test/example.c" -I "$src" -DHAVE_UNISTD_H
  link_c example
  ./example foo.gz
}

prepare () { # JOB SIZE
  cat "$src"/*.c "$src"/*.h "$src"/ChangeLog "$src"/zlib.3.pdf >once
  : >input
  i=0
  while [ "$i" -lt "$2" ]; do
    cat once >>input
    i=$((i + 1))
  done
  gzip -n <input >input.gz
}

run () { # JOB SIZE COMMAND...
  job=$1
  shift 2
  case $job in
    compress) exec "$@" <input ;;
    decompress) exec "$@" -d <input.gz ;;
  esac
}

# SPDX-License-Identifier: GPL-3.0-or-later
# bzip2: tight loops over arrays, few calls.  It works on its own source and manual.
package=bzip2
jobs="compress decompress"
test_size=1
bench_size=2
needs=bzip2

build () {
  for file in blocksort huffman crctable randtable compress decompress bzlib bzip2; do
    compile "$src/$file.c" -D_FILE_OFFSET_BITS=64
  done
  link_c bzip2
}

# The checks of its own Makefile: three files, there and back.
own_tests () {
  build
  for n in 1 2 3; do
    option=
    [ "$n" != 3 ] || option=s
    ./bzip2 "-$n" <"$src/sample$n.ref" | cmp - "$src/sample$n.bz2"
    ./bzip2 "-d$option" <"$src/sample$n.bz2" | cmp - "$src/sample$n.ref"
  done
}

prepare () { # JOB SIZE
  cat "$src"/*.c "$src"/manual.xml "$src"/manual.ps "$src"/sample1.ref >once
  : >input
  i=0
  while [ "$i" -lt "$2" ]; do
    cat once >>input
    i=$((i + 1))
  done
  bzip2 <input >input.bz2
}

run () { # JOB SIZE COMMAND...
  job=$1
  shift 2
  case $job in
    compress) exec "$@" -c <input ;;
    decompress) exec "$@" -dc <input.bz2 ;;
  esac
}

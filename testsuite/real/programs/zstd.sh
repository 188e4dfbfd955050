# SPDX-License-Identifier: GPL-3.0-or-later
# zstd: a compressor with a pool of threads that wait for each other.  It works on its own source.
package=zstd
jobs="compress"
test_size=1
bench_size=8

build () {
  for file in "$src"/lib/common/*.c "$src"/lib/compress/*.c "$src"/lib/decompress/*.c \
    "$src"/lib/dictBuilder/*.c "$src"/programs/*.c; do
    compile "$file" -w -I "$src/lib" -DZSTD_MULTITHREAD -DZSTD_DISABLE_ASM -DXXH_NAMESPACE=ZSTD_ \
      -DZSTD_LEGACY_SUPPORT=0
  done
  link_c zstd -lpthread
}

prepare () { # JOB SIZE
  find "$src/lib" "$src/programs" "$src/doc" -type f -name '*.[ch]' | sort | xargs cat >once
  : >input
  i=0
  while [ "$i" -lt $((4 * $2)) ]; do
    cat once >>input
    i=$((i + 1))
  done
}

run () { # JOB SIZE COMMAND...
  shift 2
  exec "$@" -q -T4 -c input
}

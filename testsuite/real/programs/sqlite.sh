# SPDX-License-Identifier: GPL-3.0-or-later
# SQLite: its shell over the amalgamation, one unit of 250,000 lines; a byte code machine, B-trees,
# a parser.
package=sqlite3
jobs="sql"
test_size=5
bench_size=40
needs=tclsh

# The amalgamation is made by SQLite's own makefile.
prepare_source () {
  "$src/configure" --disable-tcl --disable-readline
  make sqlite3.c shell.c
  rm -rf tsrc
}

build () {
  for file in sqlite3 shell; do
    compile "$prepared/$file.c" -I "$prepared" -DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_MATH_FUNCTIONS \
      -DSQLITE_OMIT_LOAD_EXTENSION
  done
  link_c sqlite -lm -lpthread
}

# SQLite's own tests, as far as they need no Tcl: a replay of thousands of statements and files that
# a fuzzer found, and the stress test of threads.  Those of them that take no longer than some
# seconds.
own_tests () {
  options="-DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_ENABLE_MEMSYS5 -DSQLITE_OSS_FUZZ
    -DSQLITE_MAX_MEMORY=50000000
    -DSQLITE_PRINTF_PRECISION_LIMIT=1000 -DSQLITE_ENABLE_FTS4 -DSQLITE_ENABLE_FTS3_PARENTHESIS
    -DSQLITE_ENABLE_FTS5
    -DSQLITE_ENABLE_RTREE -DSQLITE_ENABLE_GEOPOLY -DSQLITE_ENABLE_DBSTAT_VTAB
    -DSQLITE_ENABLE_BYTECODE_VTAB"
  # shellcheck disable=SC2086 # a list of words
  set -- $options -I "$prepared" -I "$src/src" -I "$src/test" -I "$src/ext/recover"
  compile "$prepared/sqlite3.c" "$@"
  library=$objects
  for file in test/fuzzcheck test/ossfuzz test/fuzzinvariants test/vt02 ext/recover/dbdata \
    ext/recover/sqlite3recover; do
    compile "$src/$file.c" "$@"
  done
  link_c fuzzcheck -lm -lpthread
  for n in 1 2 3 4 5 6 7 8; do
    ./fuzzcheck "$src/test/fuzzdata$n.db"
  done

  objects=$library
  for file in test/threadtest3 src/test_multiplex; do
    compile "$src/$file.c" "$@"
  done
  link_c threadtest3 -lm -lpthread
  for test in walthread5 create_drop_index_1; do
    ./threadtest3 "$test"
  done
}

run () { # JOB SIZE COMMAND...
  size=$2
  shift 2
  exec "$@" -batch -cmd '.parameter init' -cmd ".parameter set :size $size" :memory: \
    <"$inputs/workload.sql"
}

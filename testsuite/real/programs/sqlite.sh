# SPDX-License-Identifier: GPL-3.0-or-later
# SQLite: its shell over the amalgamation, one unit of 250,000 lines; a byte code machine, B-trees, a parser.
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
    compile "$prepared/$file.c" -I "$prepared" -DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_MATH_FUNCTIONS -DSQLITE_OMIT_LOAD_EXTENSION
  done
  link_c sqlite -lm -lpthread
}

# SQLite's own stress test of threads, the tests of it that take no longer than some seconds.
own_tests () {
  compile "$prepared/sqlite3.c" -I "$prepared" -DSQLITE_OMIT_LOAD_EXTENSION
  compile "$src/test/threadtest3.c" -I "$prepared" -I "$src/test" -I "$src/src"
  link_c threadtest3 -lm -lpthread
  for test in walthread4 cgt_pager_1; do
    ./threadtest3 "$test"
  done
}

run () { # JOB SIZE COMMAND...
  size=$2
  shift 2
  exec "$@" -batch -cmd '.parameter init' -cmd ".parameter set :size $size" :memory: <"$inputs/workload.sql"
}

# SPDX-License-Identifier: GPL-3.0-or-later
# GNU awk, for its own tests: some five hundred, most of them a process each, with signals, pipes,
# forks and extensions.
package=gawk

# suite FOLDER FLAGS LINK: builds it in FOLDER and prints the names of the tests that fail.
suite () {
  mkdir "$1"
  (
    cd "$1" || exit
    "$src/configure" --disable-nls --disable-extensions CC="$CC" CFLAGS="-g $2" LIBS="$3" \
      >configure.log 2>&1
    { make -j2 -C support && make -j2 gawk; } >make.log 2>&1
    BBPROF_OPTIONS=output=$PWD/profile make -C test check >check.log 2>&1 || :
    [ "$(grep -c . check.log)" -gt 400 ]
    # A test that passes removes its output.
    find test -maxdepth 1 -name '_*' | sed 's:.*/_::' | sort
  )
}

own_tests () {
  suite plain -O2 '' >plain.failed
  suite bbprof "$flags" "$link" >bbprof.failed
  [ -s bbprof/profile ]
  echo "fail without bbprof: $(tr '\n' ' ' <plain.failed)"
  diff plain.failed bbprof.failed
}

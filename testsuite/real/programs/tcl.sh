# SPDX-License-Identifier: GPL-3.0-or-later
# Tcl, for its own tests: 30,000 of them, for a byte code machine, a regular expression compiler,
# arithmetic of any precision, files, sockets, pipes and child processes.
package=tcl8.6

# suite FOLDER FLAGS LINK: builds it in FOLDER and prints the names of the tests that fail.  Those
# left out ask for the network, or for times that a busy machine does not keep.
suite () {
  mkdir "$1"
  (
    cd "$1" || exit
    "$src/unix/configure" --disable-shared CC="$CC" CFLAGS="-g $2" LIBS="$3" >configure.log 2>&1
    make -j2 tcltest >make.log 2>&1
    mkdir empty
    cd empty || exit
    BBPROF_OPTIONS=output=$PWD/../profile TCL_LIBRARY=$src/library ../tcltest "$src/tests/all.tcl" \
      -singleproc 1 \
      -skip 'cmdMZ-6.* interp-36.7' -notfile \
      'clock.test event.test http*.test httpd* socket.test unixInit.test winPipe.test exec.test' \
      </dev/null >../check.log 2>&1 || :
    grep -q '^all.tcl:.*Passed' ../check.log
    sed -n 's/^==== \([^ ]*\) .*FAILED$/\1/p' ../check.log | sort -u
  )
}

own_tests () {
  suite plain -O2 '' >plain.failed
  suite bbprof "$flags" "$link" >bbprof.failed
  [ -s bbprof/profile ]
  grep '^all.tcl:' bbprof/check.log
  echo "fail without bbprof: $(tr '\n' ' ' <plain.failed)"
  diff plain.failed bbprof.failed
}

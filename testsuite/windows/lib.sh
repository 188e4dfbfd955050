# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by the tests of programs for Windows: compilers, and Wine, which runs the programs.
. "${srcdir:-.}/lib.sh"
WINDOWS_CC=${WINDOWS_CC:-x86_64-w64-mingw32-gcc}
need_command "$WINDOWS_CC" gcc-mingw-w64-x86-64
need_command wine wine64

# Wine without a screen, and without its questions about packages of its own.
WINEDEBUG=-all
WINEDLLOVERRIDES='mscoree=;mshtml='
# Wine's files, 700 MB, made once for all tests.
WINEPREFIX=$builddir/windows/prefix
export WINEDEBUG WINEDLLOVERRIDES WINEPREFIX
unset DISPLAY

make_prefix () {
  [ -e "$WINEPREFIX/made" ] && return
  say "making Wine's files in $WINEPREFIX"
  rm -rf "$WINEPREFIX"
  timeout 300 wine wineboot --init >prefix.log 2>&1 || skip "Wine does not start: $(cat prefix.log)"
  touch "$WINEPREFIX/made"
}
mkdir -p "$builddir/windows"
exec 8>"$builddir/windows/lock"
flock 8
make_prefix
exec 8>&-

windows_archive=$top/runtime/windows/libbbprof.a
windows_recorder=$top/runtime/windows/bbprof-record.exe
# How a program is linked with the library, which is taken though the program calls nothing of it.
windows_link="-Wl,-u,bbprof_dump $windows_archive -lwinmm -lpsapi -lntdll"
need_library () {
  [ -e "$windows_archive" ] || skip "bbprof was configured without --with-windows"
}

# windows_c SOURCE OPTION...: compiles a program of testsuite/windows for Windows.
windows_c () {
  windows_source=$1
  shift
  must "$WINDOWS_CC" -O2 -g "$srcdir/windows/$windows_source" "$@"
}

# Programs that the plugin compiles, linked with the library.
windows_plugin=$bbprof_plugin
need_plugin () {
  need_library
  [ -e "${windows_plugin%.so}-$("$WINDOWS_CC" -dumpfullversion)-x86_64-w64-mingw32.so" ] ||
    skip "bbprof was configured without --with-compilers=$WINDOWS_CC"
  sh "$srcdir/../gcc-plugin/make-specs" added "$WINDOWS_CC" "$windows_archive" \
    "$windows_plugin" pe >windows.specs || fail "no specs"
}
# windows_counted SOURCE OPTION...: C, or C++ by its name.
windows_counted () {
  windows_source=$1
  shift
  case $windows_source in
    *.cc) compiler=${WINDOWS_CC%gcc}g++ ;;
    *) compiler=$WINDOWS_CC ;;
  esac
  must "$compiler" -specs=./windows.specs -fplugin=bbprof -O2 -g -pg \
    "$srcdir/windows/$windows_source" "$@"
}
# The calls of the functions of an object, sorted: FUNCTION CALLS.
calls_of () { # PROGRAM PROFILE
  "$bbprof" report -n 0 --json "$1" "$2" 2>err |
    jq -r '.functions[] | select (.calls > 0) | "\(.function) \(.calls)"' |
    grep -v '^printf' | LC_ALL=C sort
}

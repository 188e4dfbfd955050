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

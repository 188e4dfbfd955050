# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by the tests of this folder: the cross compilers of another processor, the run-time
# library for it, which is built here once, and the command that runs its programs.  Each test runs
# once for each processor of PORTS (default: all), in a folder of its own; $cpu is its name.
. "${srcdir:-.}/lib.sh"
if [ -z "${PORT-}" ]; then
  status=77
  for PORT in ${PORTS:-aarch64 riscv64}; do
    export PORT
    sh "$test_folder/$test_name.test"
    result=$?
    case $status:$result in 77:* | 0:[!07]*) status=$result ;; esac
  done
  exit $status
fi
cpu=$PORT
triplet=$cpu-linux-gnu
need_command $triplet-gcc-12 gcc-12-$triplet
need_command $triplet-g++-12 g++-12-$triplet
need_command $triplet-gprof binutils-$triplet
need_command qemu-$cpu qemu-user
version=$($triplet-gcc-12 -dumpfullversion)
[ -e "$top/gcc-plugin/bbprof-$version-$triplet.so" ] ||
  skip "this build has no plugin for $triplet-gcc-12 (configure --with-compilers=$triplet-gcc-12)"

# Another run of this file may be building it.  The make that runs the tests passes its own
# variables on to others.
port=$builddir/ports/$cpu
mkdir -p "$port"
(
  flock 9
  unset MAKEFLAGS MFLAGS MAKEOVERRIDES CC CXX CFLAGS CXXFLAGS LDFLAGS
  cd "$port" || exit 1
  [ -e Makefile ] || "$srcdir/../configure" --host=$triplet CC=$triplet-gcc-12 CXX=$triplet-g++-12
  make
) 9>"$port.lock" >"$port.log" 2>&1 || { tail -n 20 "$port.log"; fail "the library for $cpu"; }
archive=$port/runtime/libbbprof.a
plugin=-fplugin=$bbprof_plugin
emulator="qemu-$cpu -L /usr/$triplet"

# cross SOURCE OUTPUT FLAGS...: compiles and links with the run-time library.
cross () {
  source=$1 output=$2
  shift 2
  must $triplet-gcc-12 -g -pg "$@" "$source" -o "$output" -pthread -Wl,-u,__bb_init_func "$archive"
}

# emulated OPTIONS... PROGRAM WORDS...
emulated () { timeout -s KILL 120 $emulator "$@"; }

# called PROGRAM FUNCTION [GMON]: the calls that GNU gprof shows.
called () {
  $triplet-gprof -bp "$1" "${3:-gmon.out}" 2>/dev/null | awk -v f="$2" '$NF == f { print $4 }'
}

# SPDX-License-Identifier: GPL-3.0-or-later
# What the tests of the documentation share: an installed bbprof, and pages that are run.
[ -n "${work-}" ] || . "${srcdir=.}/lib.sh"

doc=$(cd "$srcdir/../doc" && pwd)
need_command python3 python3

# Installs the build into a folder that the tests of this room share, and finds programs there.  The
# commands know another prefix: two variables name the parts that they look for in it.
usr=$builddir/doc/usr
mkdir -p "$builddir/doc"
{
  flock 9
  if [ -n "$(find "$top/gcc-plugin/bbprof.so" "$top/runtime/libbbprof.so" "$bbprof" \
               "$bbprof_commands" "$bbprof_gprof" "$BBPROF_WRITER" \
               -newer "$usr/installed" 2>&1)" ]; then
    must make -C "$top" install prefix="$usr" gccdir="$usr/lib/bbprof" OTHERS= >install.log 2>&1
    must sed -i -e "s,^prefix=.*,prefix=$usr," \
      -e "s,^plugin=.*,plugin=$usr/lib/bbprof/plugin/bbprof.so," "$usr/lib/pkgconfig/bbprof.pc"
    touch "$usr/installed"
  fi
} 9>"$builddir/doc/lock"
PATH=$usr/bin:$PATH
LIBRARY_PATH=$usr/lib/bbprof
PKG_CONFIG_PATH=$usr/lib/pkgconfig
BBPROF_LIBRARY=$usr/lib/bbprof/libbbprof.so
CMAKE_PREFIX_PATH=$usr
export PATH LIBRARY_PATH PKG_CONFIG_PATH CMAKE_PREFIX_PATH BBPROF_LIBRARY
# The pages' make is not a part of the one that runs the tests.
unset MAKEFLAGS MAKELEVEL MFLAGS

# runs PAGE: its commands, in the current folder, print what the page shows.
runs () {
  python3 "$srcdir/doc/page.py" "$doc/$1" >verdict 2>&1 || fail "$(cat verdict)"
  say "$(cat verdict)"
}

# in_copy_of FOLDER PAGE: the same, in a copy of a folder of doc/.
in_copy_of () {
  rm -rf copy
  cp -r "$doc/$1" copy
  chmod -R u+w copy
  cd copy || exit 99
  runs "$2"
  cd .. || exit 99
}

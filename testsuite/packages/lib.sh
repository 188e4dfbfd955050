# SPDX-License-Identifier: GPL-3.0-or-later
# What the tests of packages share: the tarball that they are made of.
. "${srcdir=.}/lib.sh"

# pack: sets $tarball to what `make dist' makes of the tree that is tested, in this test's folder,
# and $version to bbprof's.
pack () {
  version=$(sed -n 's/^PACKAGE_VERSION = //p' "$top/Makefile")
  {
    flock 9
    make -s -C "$top" dist MAKEFLAGS= >dist.log 2>&1 ||
      fail "make dist: $(tail -n 3 dist.log)"
    mv "$top/bbprof-$version.tar.gz" .
  } 9>"$builddir/packages/lock"
  tarball=$work/bbprof-$version.tar.gz
}

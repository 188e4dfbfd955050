# SPDX-License-Identifier: GPL-3.0-or-later
# ninja: C++ with the standard library's containers; many small functions, most of them comdat.
package=ninja-build
jobs="plan"
test_size=2
bench_size=20

objects_of () { # FILE...
  for file; do
    compile_cxx "$file" -w -std=c++11 -fno-rtti -DUSE_PPOLL -DNDEBUG -fvisibility=hidden
  done
}

library () {
  for file in "$src"/src/*.cc; do
    case $file in
      *_test.cc | *perftest.cc | *bench.cc | *win32.cc | *.in.cc) ;;
      */msvc_helper* | */test.cc | */browse.cc | */ninja.cc) ;;
      *) objects_of "$file" ;;
    esac
  done
}

build () {
  library
  objects_of "$src/src/ninja.cc"
  link_cxx ninja
}

own_tests () {
  library
  for file in "$src"/src/*_test.cc "$src"/src/test.cc; do
    case $file in
      *win32* | *msvc* | *includes_normalize*) ;;
      *) objects_of "$file" ;;
    esac
  done
  link_cxx ninja_test
  mkdir -p tmp # it leaves files in the folder of temporary files
  TMPDIR=$PWD/tmp ./ninja_test
}

# A build file of SIZE x 4000 compilations, archives of 50, and programs of 4 archives each.
prepare () { # JOB SIZE
  mkdir -p src
  awk -v n=$((4000 * $2)) 'BEGIN {
    print "rule cc\n  command = cc $flags -MMD -MF $out.d -c $in -o $out"
    print "  depfile = $out.d\n  description = CC $out"
    print "rule ar\n  command = ar rcs $out $in\nrule ld\n  command = cc -o $out $in $libs"
    print "flags = -O2 -g"
    for (i = 0; i < n; i++) {
      printf "build obj/unit%d.o: cc src/unit%d.c | src/common%d.h || order\n", i, i, i % 97
      if (i % 7 == 0)
        printf "  flags = $flags -DUNIT=%d -I${root}/include\n", i
      members = members " obj/unit" i ".o"
      if (i % 50 == 49) {
        print "build lib/part" ++parts ".a: ar" members
        members = ""
        libs = libs " lib/part" parts ".a"
        if (parts % 4 == 0) {
          print "build bin/prog" ++programs ": ld" libs "\n  libs = -lm"
          libs = ""
        }
      }
    }
    print "build order: phony"
  }' >build.ninja
  awk -v n=$((4000 * $2)) 'BEGIN {
    for (i = 0; i < n; i++)
      print "src/unit" i ".c"
    for (i = 0; i < 97; i++)
      print "src/common" i ".h"
  }' | xargs touch
}

run () { # JOB SIZE COMMAND...
  shift 2
  exec "$@" -n
}

# SPDX-License-Identifier: GPL-3.0-or-later
# The reference BLAS in Fortran, and its own test of matrix products: nested loops over matrices,
# many of a few rounds.
package=lapack
jobs=level3
test_size=6
bench_size=12
needs=gfortran

# A program of level 1 to 3, single, double or complex, with all of the library's functions for that
# kind of numbers.
test_program () { # KIND LEVEL PROGRAM
  objects=
  for file in "$src/BLAS/SRC/$1"*.f* "$src/BLAS/SRC/i$1amax.f" "$src/BLAS/SRC/"[xl]*.f \
    "$src/BLAS/TESTING/$1blat$2.f"; do
    case $file in
      */xerbla.f) [ "$2" = 1 ] || continue ;; # the other levels' programs have one of their own
    esac
    compile_with "$FC" "$file" -w
  done
  link_with "$FC" "$3"
}

build () {
  test_program d 3 blas
}

own_tests () {
  for kind in s d; do
    for level in 1 2 3; do
      test_program $kind $level ${kind}blat$level
      if [ $level = 1 ]; then
        ./${kind}blat$level >output
      else
        ./${kind}blat$level <"$src/BLAS/TESTING/${kind}blat$level.in" >output
        cat ./*"blat$level.out" >>output
      fi
      grep -q PASS output
      if grep -q FAIL output; then return 1; fi
    done
  done
}

# Matrices of up to 3 x SIZE rows.
prepare () { # JOB SIZE
  sed -e "s:^'dblat3.out':'/dev/stdout':" -e '/ UNIT NUMBER OF SUMMARY/s/6/7/' \
    -e "/[0-9] *VALUES OF N$/s/9/$((3 * $2))/" \
    "$src/BLAS/TESTING/dblat3.in" >input
}

run () { # JOB SIZE COMMAND...
  shift 2
  exec "$@" <input
}

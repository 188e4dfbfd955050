# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by the tests of other projects' viewers: installs these, and makes the profile that they
# read.
. "${srcdir:-.}/lib.sh"
need_command python3 python3

# need_viewers: installs the viewers of package-lock.json once, for all tests, into the build
# folder; sets $modules.  Skips the test if npm or the network is missing.
need_viewers () {
  need_command npm npm
  installed=$builddir/viewers/npm
  modules=$installed/node_modules
  (
    flock 9
    cmp -s "$srcdir/viewers/package-lock.json" "$installed/complete" && exit 0
    rm -rf "$installed"
    mkdir -p "$installed" && cd "$installed" || exit 99
    cp "$srcdir/viewers/package.json" "$srcdir/viewers/package-lock.json" . || exit 99
    chmod u+w ./*
    timeout 600 npm ci --ignore-scripts --no-audit --no-fund --cache "$installed/cache" >log 2>&1 ||
      exit
    rm -rf cache
    cp package-lock.json complete
  ) 9>"$builddir/viewers/lock"
  case $? in
    0) return ;;
    124) skip "npm was not done in ten minutes" ;;
  esac
  why=$(grep -i '^npm err' "$installed/log" | head -n 4 | cut -d ' ' -f 3- | tr '\n' ' ')
  no_network='NOTFOUND|AI_AGAIN|CONNREFUSED|CONNRESET|TIMEDOUT|NETUNREACH|HOSTUNREACH|50.'
  if echo "$why" | grep -Eq "E($no_network|BADPLATFORM)"; then
    skip "npm cannot install the viewers: $why"
  fi
  tail -n 20 "$installed/log"
  fail "npm ci: $why"
}

# make_profile: of a program with two threads.  `expected' has its stacks in the form of
# report/export.py; a tick is 1 / 250 s.
make_profile () {
  cat >prog.c <<'C'
static volatile int sink;
__attribute__ ((noipa)) void work (void) { sink++; }
__attribute__ ((noipa)) void easy (void) { work (); sink++; }
__attribute__ ((noipa)) void hard (void) { work (); sink++; }
__attribute__ ((noipa)) void again (int n) { if (n) again (n - 1); work (); sink++; }
int main (void) { easy (); hard (); again (3); return 0; }
C
  echo 'static volatile int sink; void lib (void) { sink++; }' >lib.c
  must $CC -O1 prog.c -o prog
  must $CC -O1 -shared -fPIC lib.c -o lib.so
  must python3 "$srcdir/report/process.py" gmon.out <<D
object 0 $PWD/prog
object 0x100000000 $PWD/lib.so
sampling thread 0 512 1 5
thread 1 4242 prog 0 0 900
thread 2 4243 worker 10 500 100
stack 1 3 prog:main+4 prog:easy+4 prog:work+2
stack 1 97 prog:main+4 prog:hard+4 prog:work+2
stack 1 10 prog:main+4 prog:again+4 prog:again+4 prog:work+2
stack 1 5 prog:main+4 prog:again+4 prog:again+4
stack 2 20 prog:hard+4 lib.so:lib+2 %0
stack 2 3 ? prog:easy+8 @7f0012345678
stack 2 2 prog:easy+8 %
D
  cat >expected <<'E'
3 12000000 prog;main;easy;work
97 388000000 prog;main;hard;work
10 40000000 prog;main;again;again;work
5 20000000 prog;main;again;again
20 80000000 worker;hard;lib;[read]
3 12000000 worker;[unknown];easy;[anonymous 7f0012345000]
2 8000000 worker;easy;[kernel]
E
}

# SPDX-License-Identifier: GPL-3.0-or-later
# The lists of tests and of their sources, found in the folders by GNU make.
# A test is a program or an executable script with status 0: passed, 77: skipped (it prints why),
# else: failed.  Every script X.test of the folders below is a test; those in nightly_tests run in
# `make check-nightly' only, those of a stage in `make check STAGE=real'.
scripts = $(sort $(patsubst $(srcdir)/%,%, \
  $(wildcard $(addprefix $(srcdir)/,$(addsuffix /*.test,$(1))))))
unit_tests = $(filter %_test,$(check_PROGRAMS)) $(call scripts,unit unit/runtime unit/tools)
tree_tests = $(patsubst $(srcdir)/%,%,$(wildcard $(srcdir)/*.test))
plugin_tests = $(call scripts,plugin)
run_tests = $(call scripts,run)
sample_tests = $(call scripts,sample)
timeline_tests = $(call scripts,timeline)
lang_tests = $(call scripts,lang)
doc_tests = $(call scripts,doc)
flow_tests = $(call scripts,flow)
report_tests = $(call scripts,report)
real_tests = $(filter-out $(nightly_tests),$(call scripts,real))
viewers_tests = $(call scripts,viewers)
windows_tests = $(call scripts,windows)
ports_tests = $(call scripts,ports)
packages_tests = $(call scripts,packages)
mpi_tests = $(call scripts,mpi)
kept_tests = $(call scripts,kept)
fuzz_tests = $(call scripts,fuzz)

# Tests that take hours; `make check-nightly' runs them, and more random programs of fuzz_tests.
nightly_tests = \
  real/blas-matrix.test \
  real/bzip2-matrix.test \
  real/gawk-own-tests.test \
  real/gprof-matrix.test \
  real/long-traces.test \
  real/lua-matrix.test \
  real/ninja-matrix.test \
  real/sqlite-gcov.test \
  real/sqlite-matrix.test \
  real/tcl-own-tests.test

# The stages, which check.sh runs one by one: what takes minutes, or needs more than Debian.
stages = real fuzz viewers windows ports mpi packages
real_stage = $(real_tests)
fuzz_stage = $(fuzz_tests)
viewers_stage = $(viewers_tests)
windows_stage = $(windows_tests)
ports_stage = $(ports_tests)
packages_stage = $(packages_tests)
mpi_stage = $(mpi_tests)
# Of the core, too, but there with one compiler only.  These differ by the compiler: what its own
# passes leave to the plugin, what the plugin asks it, and the code that comes out of it.  The
# others are about options, macro texts, units and files, or judge a judge.
again_stages = compilers
compilers_stage = $(addsuffix .test, \
  $(addprefix plugin/, debug entry errors judge pointers unwind) \
  $(addprefix lang/, c cxx fortran lto profile-use) \
  $(addprefix flow/, callers coroutines ends nested objects tails throws) \
  $(addprefix real/, lua-callgrind bzip2-callgrind))

# `make check-fast' is rooms.test, unit/, plugin/ and report/ without these, which
# - wait for clocks, and need an idle machine;
clock_tests = unit/collect/polls_test unit/collect/watch_writer_test \
  unit/runtime/snapshot_test unit/runtime/ticker_test unit/tools/timed.test
# - run programs under gdb or callgrind;
stepped_tests = plugin/debug.test plugin/frames.test plugin/judge.test report/deep-trace.test
# - or try hundreds of combinations, for more than five seconds.
long_tests = plugin/ccache.test plugin/choice.test plugin/configure.test plugin/object.test \
  plugin/points.test plugin/program.test \
  plugin/separate.test plugin/vendor-object.test plugin/words.test \
  report/bad-input.test report/cut.test report/deep.test report/foreign.test \
  report/identity.test report/lines.test report/options.test report/ordering.test \
  report/schemas.test \
  report/sum.test report/visible.test \
  unit/runtime/zone_test
fast_tests = $(filter-out $(clock_tests) $(stepped_tests) $(long_tests), \
  $(tree_tests) $(unit_tests) $(plugin_tests) $(report_tests))

# `make check' starts the longest tests first, and never two of one program in parallel, as these
# share its build.  Durations, after a run:
#   find testsuite -name '*.trs' | while read -r trs; do
#     echo $(($(stat -c %Y $trs) - $(stat -c %W ${trs%trs}log))) $trs
#   done | sort -rn | head -n 40
longest_tests = \
  real/sqlite-own-tests.test \
  real/ninja-own-tests.test \
  real/sqlite-callgrind.test \
  real/install.test \
  real/sqlite-trace.test \
  run/seconds.test \
  real/ninja-trace.test \
  fuzz/readers.test \
  real/ninja-callgrind.test \
  real/sqlite-output.test \
  real/judge.test \
  real/sqlite-gprof.test \
  real/ninja-output.test \
  plugin/program.test \
  flow/steps.test \
  flow/shapes.test \
  flow/words.test \
  flow/threads.test \
  flow/throws.test \
  flow/jumps.test \
  flow/judge.test \
  sample/unseen-filter.test \
  run/trace.test \
  real/lua-callgrind-nopie.test \
  sample/sampling-api.test \
  fuzz/own.test \
  report/deep-trace.test \
  fuzz/csmith.test \
  sample/user-threads.test \
  flow/forks.test \
  real/lua-callgrind.test \
  run/recover.test \
  lang/c.test \
  report/visible.test \
  real/blas-own-tests.test \
  sample/stops.test \
  real/ninja-gprof.test \
  real/bzip2-callgrind-ax.test
tests_by_folder = $(tree_tests) $(unit_tests) $(plugin_tests) $(run_tests) $(sample_tests) \
  $(timeline_tests) $(lang_tests) $(doc_tests) $(report_tests) $(real_tests) $(fuzz_tests) \
  $(flow_tests) $(viewers_tests) $(windows_tests) $(ports_tests) $(mpi_tests) $(packages_tests) \
  $(kept_tests)
all_tests = $(filter $(tests_by_folder), $(longest_tests)) \
  $(filter-out $(longest_tests), $(tests_by_folder))

# `make check ROOM=timeline': the tests in timeline/ and in unit/timeline/, if these folders exist.
ifeq ($(origin ROOM), command line)
  of_room = $(filter $(1)/% unit/$(1)/%, $(all_tests))
  rooms = $(filter-out ., $(sort $(patsubst unit/%,%,$(patsubst %/,%,$(dir $(all_tests))))))
  ifneq ($(filter-out $(rooms) $(addprefix unit/,$(rooms)), $(ROOM)),)
    $(error there are no tests of a room $(ROOM); the rooms: $(rooms))
  endif
  TESTS = $(foreach room, $(ROOM), $(call of_room,$(room)))
else
  ifneq ($(filter-out $(stages) $(again_stages), $(STAGE)),)
    $(error there is no stage $(STAGE); the stages: $(stages) $(again_stages))
  endif
  of_stages = $(foreach stage, $(stages), $($(stage)_stage))
  TESTS = $(if $(STAGE), $(filter $($(STAGE)_stage), $(all_tests)), \
    $(filter-out $(of_stages), $(all_tests)))
endif

.PHONY: check-fast list-tests
check-fast:
	$(MAKE) check TESTS='$(fast_tests)'
list-tests:
	@printf '%s\n' $(TESTS)

# A second build of the library, with sanitizers, for this test only.
run/sanitized.log: ../runtime/bbprof-asan.o ../runtime/bbprof-tsan.o

# Each test's .trs says how long it took.
LOG_DRIVER = $(SHELL) $(srcdir)/timed-driver.sh $(SHELL) $(top_srcdir)/build-aux/test-driver
TEST_LOG_DRIVER = $(LOG_DRIVER)

# All sources of tests, for the tarball.
kinds = test py sh c h cc S s macros f90 go d adb mod m js java lua php rb scm sql allowed hex \
  json xz
folders = bench doc flow fuzz kept lang mpi packages plugin ports readers real real/inputs \
  real/programs report run sample seam timeline unit unit/collect unit/model unit/runtime \
  unit/runtime/bsd/sys unit/tools viewers windows
sources = README.md lib.sh rooms.py rooms.test vendor.test tests.mk timed-driver.sh kept/facts \
  kept/keep real/program \
  $(sort $(patsubst $(srcdir)/%,%, \
    $(wildcard $(foreach folder,$(folders),$(addprefix $(srcdir)/$(folder)/*.,$(kinds))))))

# SPDX-License-Identifier: GPL-3.0-or-later
# Which tests there are, and what they need: found in the folders, for GNU make.
# A test is a program or an executable script: status 0 passed, 77 skipped (it says why), else failed.  Every script X.test of a folder of
# judges is a test; what is in nightly_tests runs in `make check-nightly' only.
scripts = $(sort $(patsubst $(srcdir)/%,%,$(wildcard $(addprefix $(srcdir)/,$(addsuffix /*.test,$(1))))))
unit_tests = $(filter %_test,$(check_PROGRAMS)) $(call scripts,unit unit/runtime unit/tools)
plugin_tests = $(call scripts,plugin)
run_tests = $(call scripts,run)
sample_tests = $(call scripts,sample)
timeline_tests = $(call scripts,timeline)
lang_tests = $(call scripts,lang)
flow_tests = $(call scripts,flow)
report_tests = $(call scripts,report)
real_tests = $(filter-out $(nightly_tests),$(call scripts,real))
fuzz_tests = $(call scripts,fuzz)

# What takes hours, beside the random programs of fuzz_tests: `make check-nightly'.
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

TESTS = $(unit_tests) $(plugin_tests) $(run_tests) $(sample_tests) $(timeline_tests) $(lang_tests) $(report_tests) $(real_tests) $(fuzz_tests) $(flow_tests)

.PHONY: list-tests
list-tests:
	@printf '%s\n' $(TESTS)

# Everything in the folders of judges that is a source of a test.
kinds = test py sh pl c h cc S s macros f90 go d adb mod m lua sql allowed
folders = bench flow fuzz lang plugin real real/inputs real/programs report run sample seam timeline unit unit/collect unit/model unit/runtime unit/runtime/bsd/sys unit/tools
sources = lib.sh tests.mk real/program \
  $(sort $(patsubst $(srcdir)/%,%,$(wildcard $(foreach folder,$(folders),$(addprefix $(srcdir)/$(folder)/*.,$(kinds))))))

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the lines that say why a process cannot be sampled from outside, for reasons that the
   machine of the tests need not have: each names what would allow it. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "collect/outside/session.h"
#include "testsuite/unit/unit.h"

static const struct {
  int scope;
  const char *cure; /* words of the line */
  const char *none; /* words that are not in it; null: any may be */
} scopes[]
    = { { 0, "(a security module or a container's filter forbids process_vm_readv)", "yama" },
        { 1, "ptrace_scope is 1; allowed by: sysctl kernel.yama.ptrace_scope=0, ", NULL },
        { 2, "ptrace_scope is 2; allowed by: the capability CAP_SYS_PTRACE", "sysctl" },
        { 3, "ptrace_scope is 3, which forbids it until the next boot", "allowed by" },
        { 9, "a security module", "yama" } };

START_TEST (memory)
{
  struct error why;
  refusal_explain_memory (4711, 12, scopes[_i].scope, &why);
  ck_assert_ptr_nonnull (
      strstr (why.text, "12 stacks are cut, because the memory of process 4711 may not be read ("));
  ck_assert_ptr_nonnull (strstr (why.text, scopes[_i].cure));
  ck_assert (!scopes[_i].none || !strstr (why.text, scopes[_i].none));
  ck_assert_ptr_null (strchr (why.text, '\n'));
  ck_assert_uint_lt (strlen (why.text), sizeof why.text - 1); /* not cut off */
}
END_TEST

static const struct {
  int error;
  const char *words;
} errors[] = { { EMFILE, "are allowed (ulimit -Hn)" },
               { ENOSYS, "this kernel has no perf_event_open" },
               { ESRCH, "has ended" },
               { ENOENT, "has ended" },
               { EPERM, "cannot be sampled: " },
               { EBUSY, "cannot be sampled: " } };

START_TEST (attempt)
{
  struct error why;
  ck_assert (!refusal_explain (getpid (), errors[_i].error, OUTSIDE_KERNEL_AUTO, &why));
  ck_assert_ptr_nonnull (strstr (why.text, errors[_i].words));
  ck_assert_ptr_null (strchr (why.text, '\n'));
}
END_TEST

int
main (void)
{
  const struct unit_test tests[] = { { memory, .times = sizeof scopes / sizeof *scopes },
                                     { attempt, .times = sizeof errors / sizeof *errors } };
  return unit_run (UNIT_SUITE ("refusal", UNIT_CASE (tests)));
}

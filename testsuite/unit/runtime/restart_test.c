/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of restarting blocking system calls that a tick interrupts, by the registers that the
   kernel shows to the handler: the call is made again, by its own number, with the time that is
   left; also where the kernel was about to restart it and the handler's return cancels that.
   Natural ticks meet that moment once in some hundred thousand. */
#include <errno.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "runtime/sample/sample.h"
#include "runtime/signals/signals.h"
#include "testsuite/unit/unit.h"

/* nanosleep, as libc makes it; its number is 35. */
extern const char entry[] __attribute__ ((visibility ("hidden")));
__asm__(".text\n"
        ".skip 64, 0x90\n"
        "mov $35, %eax\n"
        "entry: syscall\n"
        ".skip 64, 0x90\n");

static struct bbp_sampled thread;
static const struct timespec asked = { 7, 8 };

/* Interrupted, with RESULT; AGAIN: before the kernel makes the call with that number. */
static ucontext_t
interrupted (bool again, long result)
{
  ucontext_t context = { 0 };
  greg_t *reg = context.uc_mcontext.gregs;
  reg[REG_RCX] = (greg_t) entry + 2;
  reg[REG_RIP] = (greg_t) entry + (again ? 0 : 2);
  reg[REG_RAX] = result;
  reg[REG_RDI] = (greg_t) &asked;
  return context;
}

static void
is_made_again (ucontext_t *context)
{
  greg_t *reg = context->uc_mcontext.gregs;
  bbp_restart (&thread, context);
  ck_assert_int_eq (reg[REG_RIP], (greg_t) entry);
  ck_assert_int_eq (reg[REG_RAX], SYS_nanosleep);
  ck_assert_int_eq (reg[REG_RDI], (greg_t) &thread.restart_left);
  ck_assert_int_eq (thread.restart_left.tv_sec, asked.tv_sec);
  ck_assert_int_eq (thread.restart_left.tv_nsec, asked.tv_nsec);
}

START_TEST (failed)
{
  ucontext_t context = interrupted (false, -EINTR);
  is_made_again (&context);
}
END_TEST

START_TEST (forgotten)
{
  ucontext_t context = interrupted (true, SYS_restart_syscall);
  ck_assert_int_eq (bbp_kernel_call (&context), SYS_nanosleep);
  is_made_again (&context);
}
END_TEST

/* A call that the kernel itself repeats unchanged stays as it is; one that has succeeded, too. */
START_TEST (left_alone)
{
  ucontext_t before = interrupted (true, SYS_read), after = before;
  bbp_restart (&thread, &after);
  ck_assert_mem_eq (&before, &after, sizeof before);
  before = after = interrupted (false, 0);
  bbp_restart (&thread, &after);
  ck_assert_mem_eq (&before, &after, sizeof before);
}
END_TEST

int
main (void)
{
  const struct unit_test tests[] = { { failed }, { forgotten }, { left_alone } };
  return unit_run (UNIT_SUITE ("calls that go on", UNIT_CASE (tests)));
}

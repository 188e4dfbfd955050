/* SPDX-License-Identifier: MIT */
/* The system calls that a seccomp filter of the program leaves to the library.  Context: any,
   unless stated otherwise. */
#include "runtime/base/allowed_calls.h"
#include "runtime/base/base.h"
#include "runtime/base/sys.h"

bool bbp_sandboxed, bbp_avoid_syscalls;

/* The system calls that are allowed while bbp_sandboxed is set.  Writer: lock. */
static struct bbp_calls allowed;

/* While a filter is expected: the function that says whether a filter binds the calling thread.
   While it is set, and after it has reported a filter, ALLOWED is empty. */
static bool (*expects) (void);

/* Nesting depth of bbp_sandbox_keep_answer; and whether the thread never installs a filter itself.
   */
static __thread unsigned answer_kept __attribute__ ((tls_model ("initial-exec")));
static __thread bool is_free __attribute__ ((tls_model ("initial-exec")));

bool
bbp_calls_have (const struct bbp_calls *calls, long number)
{
  return number >= 0 && number < BBP_CALL_NUMBERS
         && (calls->word[number / 64] >> (number % 64) & 1);
}

void
bbp_calls_add (struct bbp_calls *calls, long number)
{
  calls->word[number / 64] |= 1UL << (number % 64);
}

void
bbp_sandbox_keep_answer (bool keep)
{
  answer_kept += keep ? 1 : answer_kept ? -1U : 0;
}

void
bbp_sandbox_exempt (void)
{
  is_free = true;
}

bool
bbp_sandbox_allows (long number)
{
  if (is_free && bbp_avoid_syscalls)
    return true;
  bool (*sees) (void) = __atomic_load_n (&expects, __ATOMIC_ACQUIRE);
  if (!sees)
    return bbp_calls_have (&allowed, number);
  if (answer_kept || !sees ())
    return true;
  bbp_allowed_end_expecting ();
  return false;
}

struct bbp_calls
bbp_allowed_calls (void)
{
  return allowed;
}

/* A thread that has its signals blocked at this moment may keep them blocked if the filter forbids
   changing the mask.  That cannot be undone: the filter may already be in force. */
void
bbp_allowed_set (bool sandboxed, const struct bbp_calls *calls)
{
  allowed = *calls;
  __atomic_store_n (&bbp_sandboxed, sandboxed, __ATOMIC_RELEASE);
}

void
bbp_allowed_expect (bool (*sees) (void))
{
  allowed = (struct bbp_calls) { { 0 } };
  __atomic_store_n (&expects, sees, __ATOMIC_RELEASE);
  __atomic_store_n (&bbp_avoid_syscalls, sees != NULL, __ATOMIC_RELEASE);
  __atomic_store_n (&bbp_sandboxed, sees != NULL, __ATOMIC_RELEASE);
}

bool
bbp_allowed_is_expecting (void)
{
  return __atomic_load_n (&expects, __ATOMIC_RELAXED) != NULL;
}

void
bbp_allowed_end_expecting (void)
{
  __atomic_store_n (&expects, NULL, __ATOMIC_RELEASE);
}

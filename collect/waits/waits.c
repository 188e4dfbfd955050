/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>
#include <sys/uio.h>

#include "collect/waits/code_cfi.h"
#include "collect/waits/lock_owner.h"
#include "collect/waits/waits.h"
#include "common/clock.h"
#include "runtime/switches/why.h"

enum { OBJECTS = 8, WORDS = 256, DEEPEST = 8, PAGE = 4096 };

struct waits {
  pid_t pid;
  struct code objects[OBJECTS]; /* objects in which threads were found asleep */
  size_t n, oldest;
  uint64_t prepared;
  struct areas areas; /* of the process */
};

struct waits *
waits_new (pid_t pid)
{
  struct waits *w = calloc (1, sizeof *w);
  if (w)
    w->pid = w->areas.pid = pid;
  return w;
}

void
waits_free (struct waits *w)
{
  for (size_t i = 0; w && i < w->n; i++)
    code_close (&w->objects[i]);
  if (w)
    areas_free (&w->areas);
  free (w);
}

static const struct code *
object_at (struct waits *w, uint64_t pc)
{
  for (size_t i = 0; i < w->n; i++)
    if (pc >= w->objects[i].low && pc < w->objects[i].high)
      return &w->objects[i];
  struct code *c = &w->objects[w->n < OBJECTS ? w->n++ : w->oldest++ % OBJECTS];
  const uint64_t since = clock_used ();
  code_close (c);
  code_open (c, w->pid, pc);
  w->prepared += clock_used () - since;
  return c;
}

uint64_t
waits_prepared (const struct waits *w)
{
  return w ? w->prepared : 0;
}

/* The call of libc in which a thread waits. */
struct call {
  enum bbs_why why; /* by its function; or BBS_WHY_NOT_KNOWN */
  uint64_t caller;  /* return address of that function, or of libc's; 0: unknown */
  bool glibc;       /* the function is glibc's */
};

/* Finds the wait reason of a thread that sleeps at PC with stack pointer SP.  It is
   BBS_WHY_NOT_KNOWN if its stack cannot be read, or leaves the object before a function tells the
   reason. */
static struct call
find_call (struct waits *w, uint64_t pc, uint64_t sp)
{
  uint64_t words[WORDS];
  const struct code *c = object_at (w, pc);
  struct call call = { .why = BBS_WHY_NOT_KNOWN, .glibc = c->glibc };
  /* The next page may not exist. */
  const size_t first = PAGE - sp % PAGE < sizeof words ? PAGE - sp % PAGE : sizeof words;
  const struct iovec here = { words, sizeof words },
                     there[] = { { (void *) (uintptr_t) sp, first },
                                 { (void *) (uintptr_t) (sp + first), sizeof words - first } };
  ssize_t bytes = c->copy ? process_vm_readv (w->pid, &here, 1, there, 2, 0) : -1;
  struct code_frame f = { .pc = pc, .sp = sp, .exact = true };
  for (int depth = 0; bytes > 0 && depth < DEEPEST; depth++)
    {
      const unsigned char *at = code_at (c, f.exact ? f.pc : f.pc - 1);
      const uint8_t why = at ? code_why (c, at) : BBS_WHY_NOT_KNOWN;
      if (why == BBS_WHY_NOT_KNOWN && (call.why != BBS_WHY_NOT_KNOWN || (!at && depth > 0)))
        call.caller = f.pc;
      if (!at || call.caller)
        break;
      if (call.why == BBS_WHY_NOT_KNOWN)
        call.why = why;
      if (!code_cfi_step (c, &f, words, (size_t) bytes / sizeof *words, sp))
        break;
    }
  return call;
}

enum bbs_why
waits_futex (struct waits *w, const struct waits_futex *futex, struct bbs_look *look)
{
  const struct call call = find_call (w, futex->pc, futex->sp);
  const struct lock_call of = { .address = futex->address,
                                .operation = futex->operation,
                                .value = futex->value,
                                .why = bbp_why_of_wait (futex->operation, call.why),
                                .glibc = call.glibc && call.why != BBS_WHY_NOT_KNOWN };
  struct area *stack = areas_find (&w->areas, futex->sp);
  if (stack && stack->kind == BBS_AREA_ANONYMOUS)
    stack->stack = futex->tid;
  look->caller = call.caller;
  lock_find (&w->areas, &of, look);
  return of.why;
}

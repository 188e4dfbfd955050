/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>
#include <sys/uio.h>

#include "collect/waits/code_cfi.h"
#include "collect/waits/waits.h"
#include "common/clock.h"

enum { OBJECTS = 8, WORDS = 256, DEEPEST = 8, PAGE = 4096 };

struct waits {
  pid_t pid;
  struct code objects[OBJECTS]; /* whose code threads have slept in */
  size_t n, oldest;
  uint64_t prepared;
};

struct waits *
waits_new (pid_t pid)
{
  struct waits *w = calloc (1, sizeof *w);
  if (w)
    w->pid = pid;
  return w;
}

void
waits_free (struct waits *w)
{
  for (size_t i = 0; w && i < w->n; i++)
    code_close (&w->objects[i]);
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

enum bbs_why
waits_why (struct waits *w, uint64_t pc, uint64_t sp)
{
  uint64_t words[WORDS];
  const struct code *c = object_at (w, pc);
  /* The next page may not be there. */
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
      if (!at || why != BBS_WHY_NOT_KNOWN)
        return why;
      if (!code_cfi_step (c, &f, words, (size_t) bytes / sizeof *words, sp))
        break;
    }
  return BBS_WHY_NOT_KNOWN;
}

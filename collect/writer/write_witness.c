/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The witness: answers whether more seccomp filters bind a thread of the process than bound the
   process at first (include/bbprof-witness.h), from /proc, where any process may read it.
   Without questions it sleeps.  After a question it stays awake for a moment, because the next
   one usually follows at once. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "collect/writer/traced_process.h"
#include "collect/writer/write.h"
#include "include/bbprof-witness.h"

enum { AWAKE_NS = 300000, PAUSE_NS = 1000000, PASSES_FOR_END = 64 };

struct filters {
  unsigned long mode, number;
};

static unsigned long
number_behind (const char *text, const char *key)
{
  const char *found = strstr (text, key);
  return found ? strtoul (found + strlen (key), NULL, 10) : 0;
}

/* False: no such thread, or the kernel does not show its filters. */
static bool
read_filters (uint64_t tid, struct filters *filters)
{
  char name[64], text[4096];
  snprintf (name, sizeof name, "/proc/%lu/status", (unsigned long) tid);
  const int fd = open (name, O_RDONLY | O_CLOEXEC);
  const ssize_t n = fd < 0 ? -1 : read (fd, text, sizeof text - 1);
  if (fd >= 0)
    close (fd);
  text[n > 0 ? n : 0] = '\0';
  *filters = (struct filters) { number_behind (text, "\nSeccomp:"),
                                number_behind (text, "\nSeccomp_filters:") };
  return n > 0 && strstr (text, "\nSeccomp:");
}

static uint64_t
answer_for (uint64_t tid, const struct filters *first)
{
  struct filters now;
  const bool clear = read_filters (tid, &now) && now.mode == first->mode
                     && now.number == first->number;
  return clear ? BBW_CLEAR : BBW_FILTERED;
}

/* Was there any question? */
static bool
answer_all (struct bbw_head *head, const struct filters *first)
{
  bool any = false;
  for (unsigned i = 0; i < BBW_SLOTS; i++)
    {
      uint64_t question = atomic_load (&head->slot[i]);
      if (question % BBW_STATES != BBW_ASKED)
        continue;
      any = true;
      atomic_compare_exchange_strong (&head->slot[i], &question,
                                      answer_for (question / BBW_STATES, first));
    }
  atomic_fetch_add (&head->passes, 1);
  return any;
}

static uint64_t
now (void)
{
  struct timespec time;
  clock_gettime (CLOCK_MONOTONIC, &time);
  return (uint64_t) time.tv_sec * 1000000000 + (uint64_t) time.tv_nsec;
}

static void
serve (struct bbw_head *head, const struct filters *first, const struct process *process)
{
  uint64_t asked = 0;
  for (unsigned passes = 0; !atomic_load (&head->over); passes++)
    {
      if (answer_all (head, first))
        asked = now ();
      if (now () - asked < AWAKE_NS)
        continue;
      if (passes % PASSES_FOR_END == 0 && process_is_gone (process))
        return;
      nanosleep (&(struct timespec) { 0, PAUSE_NS }, NULL);
    }
}

bool
serve_witness (int fd)
{
  struct filters first;
  struct process process;
  struct bbw_head *head = mmap (NULL, sizeof *head, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (head == MAP_FAILED || !read_filters (head->pid, &first))
    return false;
  process_open (&process, head->pid);
  prctl (PR_SET_TIMERSLACK, 1);
  serve (head, &first, &process);
  return true;
}

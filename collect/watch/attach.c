/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/watch/attach.h"
#include "collect/watch/descriptors.h"
#include "common/array.h"
#include "runtime/switches/kernel_records.h"

/* Each event takes a descriptor.  Some must be left over for polls of /proc, without which events
   are worth little. */
static int
open_event (struct attached *a, const struct perf_event_attr *wanted, uint32_t tid, size_t cpu)
{
  for (int fd;; a->form++)
    {
      struct perf_event_attr event = *wanted;
      bbp_event_reduce (&event, a->form);
      fd = (int) syscall (SYS_perf_event_open, &event, (pid_t) tid, (int) cpu, -1,
                          PERF_FLAG_FD_CLOEXEC);
      if (fd >= 0 && !descriptors_left (fd))
        return close (fd), errno = EMFILE, -1;
      if (fd >= 0 || errno != EINVAL || a->form + 1 == BBP_EVENT_FORMS)
        return fd;
    }
}

/* False: errno says why. */
static bool
attach_on (struct attached *a, const struct perf_event_attr *event, uint32_t tid, size_t cpu)
{
  struct attached_cpu *c = &a->cpus[cpu];
  const int fd = open_event (a, event, tid, cpu);
  if (fd < 0)
    return false;
  int error = !c->buffer.page ? -bbp_event_buffer_map (&c->buffer, fd, a->pages)
              : ioctl (fd, PERF_EVENT_IOC_SET_OUTPUT, c->fds[0]) == 0 ? 0
                                                                      : errno;
  if (!error && array_grow (&c->fds, c->n, &c->room, sizeof *c->fds))
    return c->fds[c->n++] = fd, true;
  error = error ? error : ENOMEM;
  close (fd);
  return errno = error, false;
}

/* On all processors that are online.  A thread that has ended meanwhile is not an error. */
static bool
attach_thread (struct attached *a, uint32_t tid)
{
  for (size_t cpu = 0; cpu < a->ncpus; cpu++)
    for (size_t i = 0; i < a->nevents; i++)
      if (!attach_on (a, &a->events[i], tid, cpu) && errno != ENODEV)
        return errno == ESRCH;
  return true;
}

/* Threads without an event may make new threads meanwhile.  So the list is read until it has no
   new thread, twice, with a pause between: a thread that is being made is not listed yet.  A
   thread that is found late may also have inherited its maker's events. */
static bool
attach_threads (struct attached *a, struct threads *threads)
{
  enum { ROUNDS = 16, MOMENT_US = 1000 };
  struct threads before = { .tids = NULL };
  bool good = true;
  for (int round = 0, quiet = 0; good && quiet < 2 && round < ROUNDS; round++)
    {
      bool new = false;
      if (quiet > 0)
        usleep (MOMENT_US);
      good = threads_list (threads, a->pid);
      for (size_t i = 0; good && i < threads->n; i++)
        if (!threads_has (&before, threads->tids[i]))
          {
            good = attach_thread (a, threads->tids[i]);
            a->twice |= round > 0;
            new = true;
          }
      quiet = new ? 0 : quiet + 1;
      const struct threads swap = before;
      before = *threads;
      *threads = swap;
    }
  const int error = errno;
  threads_free (threads);
  *threads = before;
  return errno = error, good;
}

static bool
attaches_any (const struct attached *a)
{
  for (size_t i = 0; i < a->ncpus; i++)
    if (a->cpus[i].buffer.page)
      return true;
  return errno = ESRCH, false;
}

bool
attach (struct attached *a, struct threads *threads)
{
  const long ncpus = sysconf (_SC_NPROCESSORS_CONF);
  a->ncpus = ncpus > 0 ? (size_t) ncpus : 1;
  a->cpus = calloc (a->ncpus, sizeof *a->cpus);
  if (!a->cpus)
    return errno = ENOMEM, false;
  descriptors_allow ();
  if (attach_threads (a, threads) && attaches_any (a))
    return true;
  const int error = errno;
  detach (a);
  return errno = error, false;
}

void
detach (struct attached *a)
{
  for (size_t i = 0; i < a->ncpus; i++)
    {
      struct attached_cpu *c = &a->cpus[i];
      bbp_event_buffer_unmap (&c->buffer);
      for (size_t k = 0; k < c->n; k++)
        close (c->fds[k]);
      free (c->fds);
    }
  free (a->cpus);
  *a = (struct attached) { .cpus = NULL };
}

/* Each event counts the records that it could not write; the buffer has reported most of them. */
uint64_t
attach_dropped (const struct attached *a, size_t cpu)
{
  const struct attached_cpu *c = &a->cpus[cpu];
  uint64_t dropped = 0;
  struct {
    uint64_t value, lost;
  } count;
  for (size_t i = 0; a->form < BBP_EVENT_NO_LOST && i < c->n; i++)
    if (read (c->fds[i], &count, sizeof count) == sizeof count)
      dropped += count.lost;
  return dropped > c->lost ? dropped - c->lost : 0;
}

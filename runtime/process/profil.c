/* SPDX-License-Identifier: MIT */
/* profil and sprofil, the system's interface to sampled time, on the library's sampler.  A program
   or start-up file that calls them must not get a second timer and handler from libc.  Semantics:
   profil(3), and otherwise those of glibc: while it runs, the program cannot use SIGPROF and
   setitimer's profiling timer. */
#include <errno.h>
#include <sys/time.h>

#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/process/process.h"
#include "runtime/sample/sample.h"
#include "runtime/signals/signals.h"

/* As in sys/profil.h. */
struct prof {
  void *pr_base;
  size_t pr_size;
  size_t pr_off;
  unsigned long pr_scale;
};
#define PROF_UINT 1 /* counters of 32 bits */

/* Regions with a smaller scale are ignored.  In sprofil a region with this scale counts, in its
   first counter, samples that belong to no other region. */
#define OVERFLOW_SCALE 2 /* of sprofil */

/* The program's regions.  The handler reads NREGIONS of them, and OVERFLOW if that is not null. */
static struct prof *regions;
static size_t room;
static unsigned nregions, counter_bytes;
static void *overflow;

/* The program's settings of signal and timer, while the library uses these. */
static struct {
  bool taken;
  struct sigaction action;
  struct itimerval timer;
} before;

BBP_PUBLIC int __profil (unsigned short *buffer, size_t bytes, size_t offset, unsigned scale);
BBP_PUBLIC_WEAK int profil (unsigned short *buffer, size_t bytes, size_t offset, unsigned scale);
BBP_PUBLIC int __sprofil (struct prof *region, int n, struct timeval *period, unsigned flags);
BBP_PUBLIC_WEAK int sprofil (struct prof *region, int n, struct timeval *period, unsigned flags);
BBP_PUBLIC int __profile_frequency (void);

/* Index of the counter for PC: half the distance, times the fraction scale / 65536; computed in two
   parts to avoid overflow. */
static size_t
counter_of (const struct prof *region, uintptr_t pc)
{
  uint64_t distance = (pc - region->pr_off) / counter_bytes;
  return distance / 65536 * region->pr_scale + distance % 65536 * region->pr_scale / 65536;
}

static void
add (void *counters, size_t i, unsigned ticks)
{
  if (counter_bytes == 2)
    bbp_arch_add_16 ((uint16_t *) counters + i, (uint16_t) ticks);
  else
    __atomic_fetch_add ((uint32_t *) counters + i, ticks, __ATOMIC_RELAXED);
}

/* Count TICKS in the first region that has a counter for PC.  Context: signal. */
void
bbp_profil_sample (uintptr_t pc, unsigned ticks)
{
  unsigned n = __atomic_load_n (&nregions, __ATOMIC_ACQUIRE);
  for (unsigned i = 0; i < n; i++)
    {
      const struct prof *region = &regions[i];
      size_t counter = counter_of (region, pc);
      if (pc < region->pr_off || counter >= region->pr_size / counter_bytes)
        continue;
      add (region->pr_base, counter, ticks);
      return;
    }
  if (n && overflow)
    add (overflow, 0, ticks);
}

/* Handlers of other threads may still read the old regions, so those are not freed. */
static bool
make_room (size_t n)
{
  struct prof *more = n > room ? bbp_pages_map (n * sizeof *more) : regions;
  if (!more)
    return false;
  regions = more;
  room = n > room ? n : room;
  return true;
}

/* Take SIGPROF and the timer from the program.  Its pending signals are discarded by setting
   SIG_IGN. */
static void
take_over (void)
{
  static const struct itimerval none;
  const struct sigaction ignore = { .sa_handler = SIG_IGN }, standard = { .sa_handler = SIG_DFL };
  if (!bbp_sampler_takes_sigprof ())
    return;
  before.taken = true;
  bbp_setitimer (ITIMER_PROF, &none, &before.timer);
  bbp_sigaction (SIGPROF, NULL, &before.action);
  if (before.action.sa_handler == SIG_DFL)
    return;
  bbp_sigaction (SIGPROF, &ignore, NULL);
  bbp_sigaction (SIGPROF, &standard, NULL);
}

static void
give_back (void)
{
  if (!before.taken)
    return;
  before.taken = false;
  bbp_sigaction (SIGPROF, &before.action, NULL);
  bbp_setitimer (ITIMER_PROF, &before.timer, NULL);
}

static void
run (bool on)
{
  bbp_sigset old = bbp_lock ();
  bbp_sampler_run (on);
  bbp_unlock (old);
}

static void
stop (void)
{
  if (!nregions)
    return;
  run (false);
  __atomic_store_n (&nregions, 0, __ATOMIC_SEQ_CST);
  give_back ();
}

static int
fail (int error)
{
  errno = error;
  return -1;
}

/* Counts in the N regions of FROM, with counters of BYTES bytes, instead of the previous regions.
   SEVERAL: scales up to OVERFLOW_SCALE have their meaning in sprofil. */
static int
start (const struct prof *from, size_t n, unsigned bytes, bool several)
{
  unsigned used = 0;
  stop ();
  if (n && !make_room (n))
    return fail (ENOMEM);
  overflow = NULL;
  for (size_t i = 0; i < n; i++)
    if (!several || from[i].pr_scale > OVERFLOW_SCALE)
      regions[used++] = from[i];
    else if (from[i].pr_scale == OVERFLOW_SCALE)
      overflow = from[i].pr_base;
  if (!used && !overflow)
    return 0;
  if (!used) /* an empty region, so that there is one */
    regions[used++] = (struct prof) { 0 };
  counter_bytes = bytes;
  __atomic_store_n (&nregions, used, __ATOMIC_SEQ_CST);
  run (true);
  take_over ();
  if (bbp_sampler_runs ())
    return 0;
  stop ();
  return fail (EBUSY);
}

int
__profil (unsigned short *buffer, size_t bytes, size_t offset, unsigned scale)
{
  struct prof region = { buffer, bytes, offset, scale };
  if (buffer)
    return start (&region, 1, sizeof (uint16_t), false);
  stop ();
  return 0;
}

int
profil (unsigned short *buffer, size_t bytes, size_t offset, unsigned scale)
{
  return __profil (buffer, bytes, offset, scale);
}

int
__sprofil (struct prof *region, int n, struct timeval *period, unsigned flags)
{
  if (n < 0)
    return fail (EINVAL);
  if (period)
    {
      period->tv_sec = 0;
      period->tv_usec = 1000000 / bbp_sampler_rate ();
    }
  return start (region, (size_t) n, flags & PROF_UINT ? sizeof (uint32_t) : sizeof (uint16_t),
                true);
}

int
sprofil (struct prof *region, int n, struct timeval *period, unsigned flags)
{
  return __sprofil (region, n, period, flags);
}

int
__profile_frequency (void)
{
  return bbp_sampler_rate ();
}

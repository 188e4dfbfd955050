/* SPDX-License-Identifier: MIT */
/* profil and sprofil, the system's own interface to sampled time, on our sampler: a program that calls them, or a start-up
   file that does, must not end up with a second timer and handler of libc's.  Semantics: profil(3). */
#include <errno.h>
#include <sys/time.h>

#include "internal.h"

/* As in sys/profil.h. */
struct prof {
  void *pr_base;
  size_t pr_size;
  size_t pr_off;
  unsigned long pr_scale;
};
#define PROF_UINT 1 /* counters of 32 bits */

#define MOST_REGIONS 64

/* Regions of the program's; read by the handler as soon as NREGIONS says so. */
static struct prof regions[MOST_REGIONS];
static unsigned nregions, counter_bytes;

BBP_PUBLIC int __profil (unsigned short *buffer, size_t bytes, size_t offset, unsigned scale);
BBP_PUBLIC_WEAK int profil (unsigned short *buffer, size_t bytes, size_t offset, unsigned scale);
BBP_PUBLIC int __sprofil (struct prof *region, int n, struct timeval *period, unsigned flags);
BBP_PUBLIC_WEAK int sprofil (struct prof *region, int n, struct timeval *period, unsigned flags);
BBP_PUBLIC int __profile_frequency (void);

/* Index of the counter for PC: half the distance, times the fraction scale / 65536; computed in two parts, so that it
   does not overflow. */
static size_t
counter_of (const struct prof *region, uintptr_t pc)
{
  uint64_t distance = (pc - region->pr_off) / counter_bytes;
  return distance / 65536 * region->pr_scale + distance % 65536 * region->pr_scale / 65536;
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
      if (counter_bytes == 2)
        __atomic_fetch_add ((uint16_t *) region->pr_base + counter, (uint16_t) ticks, __ATOMIC_RELAXED);
      else
        __atomic_fetch_add ((uint32_t *) region->pr_base + counter, ticks, __ATOMIC_RELAXED);
      return;
    }
}

static void
set_regions (const struct prof *from, unsigned n, unsigned bytes)
{
  bbp_sigset old = bbp_lock ();
  if (nregions)
    bbp_sampler_run (false);
  __atomic_store_n (&nregions, 0, __ATOMIC_SEQ_CST);
  counter_bytes = bytes;
  for (unsigned i = 0; i < n; i++)
    regions[i] = from[i];
  __atomic_store_n (&nregions, n, __ATOMIC_SEQ_CST);
  if (n)
    bbp_sampler_run (true);
  bbp_unlock (old);
}

int
__profil (unsigned short *buffer, size_t bytes, size_t offset, unsigned scale)
{
  struct prof region = { buffer, bytes, offset, scale };
  set_regions (&region, buffer != NULL, sizeof (uint16_t));
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
  if (n < 0 || n > MOST_REGIONS)
    {
      errno = n < 0 ? EINVAL : ENOMEM;
      return -1;
    }
  if (period)
    {
      period->tv_sec = 0;
      period->tv_usec = 1000000 / bbp_sampler_rate ();
    }
  set_regions (region, (unsigned) n, flags & PROF_UINT ? sizeof (uint32_t) : sizeof (uint16_t));
  return 0;
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

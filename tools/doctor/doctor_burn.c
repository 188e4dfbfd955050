/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program that the doctor samples.  It measures itself how long each kind of work took.  Its
   functions are in sections of their own; the linker knows their bounds, so a stripped program
   works too. */
#include "config.h"

#include <inttypes.h>
#include <link.h>
#include <string.h>
#include <time.h>

#include "tools/doctor/doctor.h"

/* Turns take from LEAST to MOST nanoseconds, at random, so that they are not in step with the
   samples. */
enum { LEAST = 200000, MOST = 2000000, CALIBRATION = 4000000 };

static inline __attribute__ ((always_inline)) void
spin (uint64_t rounds)
{
  while (rounds--)
    __asm__ volatile("" : "+r"(rounds));
}

/* The same instructions three times. */
#define BURNER(name)                                                                           \
  extern const char __start_doctor_##name[], __stop_doctor_##name[];                           \
  static __attribute__ ((noipa, section ("doctor_" #name))) void burn_##name (uint64_t rounds) \
  {                                                                                            \
    spin (rounds);                                                                             \
  }
BURNER (first)
BURNER (second)
BURNER (third)

extern const char __start_doctor_sleep[], __stop_doctor_sleep[];
static __attribute__ ((noipa, section ("doctor_sleep"))) void
fall_asleep (uint64_t nanoseconds)
{
  clock_nanosleep (CLOCK_MONOTONIC, 0, &(struct timespec) { .tv_nsec = (long) nanoseconds }, NULL);
  __asm__ volatile(""); /* prevents a tail call, after which this function would be on no stack */
}

static const struct work {
  const char *name, *start, *stop;
  void (*function) (uint64_t);
} works[DOCTOR_WORKS]
    = { [DOCTOR_FIRST] = { "first", __start_doctor_first, __stop_doctor_first, burn_first },
        [DOCTOR_SECOND] = { "second", __start_doctor_second, __stop_doctor_second, burn_second },
        [DOCTOR_THIRD] = { "third", __start_doctor_third, __stop_doctor_third, burn_third },
        [DOCTOR_SLEEP] = { "sleep", __start_doctor_sleep, __stop_doctor_sleep, fall_asleep } };

static uint64_t
now (clockid_t clock)
{
  struct timespec t;
  clock_gettime (clock, &t);
  return (uint64_t) t.tv_sec * 1000000000 + (uint64_t) t.tv_nsec;
}

/* Rounds of spin () per nanosecond. */
static double
calibrate (void)
{
  uint64_t begin = now (CLOCK_THREAD_CPUTIME_ID);
  spin (CALIBRATION);
  uint64_t took = now (CLOCK_THREAD_CPUTIME_ID) - begin;
  return took ? (double) CALIBRATION / (double) took : 1;
}

/* Three turns of the first kind for each turn of another kind. */
static enum doctor_work
choose (uint64_t random)
{
  static const enum doctor_work kinds[]
      = { DOCTOR_FIRST, DOCTOR_SECOND, DOCTOR_FIRST, DOCTOR_THIRD, DOCTOR_FIRST, DOCTOR_SLEEP };
  return kinds[random % (sizeof kinds / sizeof *kinds)];
}

static int
find_bias (struct dl_phdr_info *info, size_t size, void *bias)
{
  (void) size;
  *(uint64_t *) bias = info->dlpi_addr;
  return 1; /* the executable is the first object */
}

static void
print (const uint64_t cpu[], const uint64_t wall[])
{
  uint64_t bias = 0;
  dl_iterate_phdr (find_bias, &bias);
  for (int i = 0; i < DOCTOR_WORKS; i++)
    printf ("%s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", works[i].name,
            (uint64_t) (uintptr_t) works[i].start - bias,
            (uint64_t) (uintptr_t) works[i].stop - bias, cpu[i], wall[i]);
}

void
doctor_burn (double seconds)
{
  uint64_t cpu[DOCTOR_WORKS] = { 0 }, wall[DOCTOR_WORKS] = { 0 }, random = now (CLOCK_REALTIME);
  double rounds = calibrate ();
  uint64_t end = now (CLOCK_MONOTONIC) + (uint64_t) (seconds * 1e9);
  for (uint64_t begin; (begin = now (CLOCK_MONOTONIC)) < end;)
    {
      random = random * 6364136223846793005 + 1442695040888963407;
      enum doctor_work kind = choose (random >> 33);
      uint64_t length = LEAST + (random >> 40) % (MOST - LEAST);
      uint64_t before = now (CLOCK_THREAD_CPUTIME_ID);
      works[kind].function (kind == DOCTOR_SLEEP ? length : (uint64_t) ((double) length * rounds));
      cpu[kind] += now (CLOCK_THREAD_CPUTIME_ID) - before;
      wall[kind] += now (CLOCK_MONOTONIC) - begin;
    }
  print (cpu, wall);
}

bool
doctor_read_burnt (struct doctor_burnt burnt[DOCTOR_WORKS], const char *text)
{
  for (int i = 0; i < DOCTOR_WORKS; i++)
    {
      char name[16];
      struct doctor_burnt *b = &burnt[i];
      const char *line = i && text ? strchr (text, '\n') : text;
      text = line && i ? line + 1 : line;
      if (!text
          || sscanf (text, "%15s %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64, name, &b->start,
                     &b->end, &b->cpu, &b->wall)
                 != 5
          || strcmp (name, works[i].name) != 0)
        return false;
    }
  return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts about the kernel: ticks, clocks, timers, events. */
#include "config.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "tools/doctor/doctor.h"
#include "tools/doctor/doctor_file.h"

static double
resolution (clockid_t clock)
{
  struct timespec t;
  return clock_getres (clock, &t) == 0 ? (double) t.tv_sec * 1e9 + (double) t.tv_nsec : 0;
}

static void
find_system (struct doctor_facts *facts)
{
  struct utsname name;
  cpu_set_t mine;
  char source[32];
  if (uname (&name) == 0)
    doctor_add (facts, DOCTOR_PLAIN, "kernel", "kernel", "%s %s", name.release, name.machine);
  int usable = sched_getaffinity (0, sizeof mine, &mine) == 0 ? CPU_COUNT (&mine) : 1;
  doctor_add (facts, DOCTOR_PLAIN, "processors", "processors", "%d of %ld", usable,
              sysconf (_SC_NPROCESSORS_ONLN));
  if (doctor_read_word ("/sys/devices/system/clocksource/clocksource0/current_clocksource", source,
                        sizeof source))
    doctor_add (facts, DOCTOR_PLAIN, "clock_source", "clock source", "%s", source);
}

/* In the same way as the run-time library. */
static void
find_tick (struct doctor_facts *facts)
{
  double tick = resolution (CLOCK_MONOTONIC_COARSE);
  struct doctor_fact *f = doctor_add (facts, DOCTOR_PLAIN, "hz", "tick of the kernel",
                                      "%.0f a second", tick ? 1e9 / tick : 0);
  snprintf (f->note, sizeof f->note,
            "timers of CPU time are not finer (samplers itimer and thread)");
}

static void
find_timers (struct doctor_facts *facts)
{
  double fine = resolution (CLOCK_MONOTONIC);
  struct doctor_fact *f = doctor_add (facts, fine == 1 ? DOCTOR_GOOD : DOCTOR_POOR,
                                      "high_resolution_timers", "high-resolution timers", "%s",
                                      fine == 1 ? "yes" : "no");
  if (fine != 1)
    snprintf (f->note, sizeof f->note, "timers of wall time have a resolution of %.0f ns", fine);
  doctor_add (facts, DOCTOR_PLAIN, "thread_clock_ns", "CPU clock of a thread", "%.0f ns",
              resolution (CLOCK_THREAD_CPUTIME_ID));

  struct sigevent none = { .sigev_notify = SIGEV_NONE };
  timer_t timer;
  bool has = timer_create (CLOCK_MONOTONIC, &none, &timer) == 0;
  f = doctor_add (facts, has ? DOCTOR_GOOD : DOCTOR_POOR, "posix_timers", "POSIX timers", "%s",
                  has ? "yes" : "no");
  if (has)
    timer_delete (timer);
  else
    snprintf (f->note, sizeof f->note, "%s: no sampler thread", strerror (errno));
}

static int
open_event (bool kernel)
{
  struct perf_event_attr event = { .type = PERF_TYPE_SOFTWARE,
                                   .size = sizeof event,
                                   .config = PERF_COUNT_SW_TASK_CLOCK,
                                   .sample_period = 1000000,
                                   .exclude_kernel = !kernel,
                                   .exclude_hv = 1,
                                   .disabled = 1 };
  long fd = syscall (SYS_perf_event_open, &event, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
  if (fd < 0)
    return errno;
  close ((int) fd);
  return 0;
}

static void
find_event (struct doctor_facts *facts, bool kernel)
{
  int error = open_event (kernel);
  struct doctor_fact *f
      = doctor_add (facts, error ? DOCTOR_POOR : DOCTOR_GOOD, kernel ? "perf_kernel" : "perf_user",
                    kernel ? "perf events, kernel too" : "perf events", "%s", error ? "no" : "yes");
  if (error)
    snprintf (f->note, sizeof f->note, "%s: %s", strerror (error),
              kernel ? "time in the kernel comes from the thread's CPU clock" : "no sampler perf");
}

static void
find_perf (struct doctor_facts *facts)
{
  char level[32];
  if (doctor_read_word ("/proc/sys/kernel/perf_event_paranoid", level, sizeof level))
    doctor_add (facts, DOCTOR_PLAIN, "perf_event_paranoid", "perf_event_paranoid", "%s", level);
  else
    doctor_add (facts, DOCTOR_POOR, "perf_event_paranoid", "perf_event_paranoid", "not there");
  find_event (facts, false);
  find_event (facts, true);
}

static void
find_memory (struct doctor_facts *facts)
{
  int fd = memfd_create ("bbprof doctor", MFD_CLOEXEC);
  struct doctor_fact *f = doctor_add (facts, fd >= 0 ? DOCTOR_GOOD : DOCTOR_POOR, "memfd",
                                      "memory files", "%s", fd >= 0 ? "yes" : "no");
  if (fd >= 0)
    close (fd);
  else
    snprintf (f->note, sizeof f->note, "%s: no times of samples", strerror (errno));
}

void
doctor_find_kernel (struct doctor_facts *facts)
{
  find_system (facts);
  find_tick (facts);
  find_timers (facts);
  find_perf (facts);
  find_memory (facts);
}

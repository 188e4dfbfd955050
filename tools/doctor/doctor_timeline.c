/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests whether context switches can be watched here: with a process that sleeps and is woken in
   turn.  The kernel counts its switches, and the monitor must see as many. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collect/watch/monitor.h"
#include "tools/doctor/doctor.h"
#include "tools/doctor/doctor_file.h"

enum { ROUNDS = 1000 };

/* The partner process, and this process's end of its pipe. */
struct partner {
  pid_t pid;
  int fd;
};

/* The partner: sends back each byte that it gets. */
static _Noreturn void
be_partner (int fd)
{
  char byte;
  while (read (fd, &byte, 1) == 1 && write (fd, &byte, 1) == 1)
    continue;
  _exit (0);
}

static bool
start_partner (struct partner *p)
{
  int ends[2];
  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return false;
  p->fd = ends[0];
  p->pid = fork ();
  if (p->pid == 0)
    {
      close (ends[0]);
      be_partner (ends[1]);
    }
  close (ends[1]);
  if (p->pid < 0)
    close (p->fd);
  return p->pid > 0;
}

static void
end_partner (const struct partner *p)
{
  close (p->fd);
  while (waitpid (p->pid, NULL, 0) < 0 && errno == EINTR)
    continue;
}

static bool
exchange (const struct partner *p, int rounds)
{
  char byte = 0;
  while (rounds > 0 && write (p->fd, &byte, 1) == 1 && read (p->fd, &byte, 1) == 1)
    rounds--;
  return rounds == 0;
}

/* How often the partner fell asleep, read while it sleeps again. */
static unsigned long
sleeps_of (const struct partner *p)
{
  enum { PATIENCE = 1000 };
  static const struct timespec moment = { .tv_nsec = 1000000 };
  char path[64], state[16] = "", sleeps[32] = "0";
  snprintf (path, sizeof path, "/proc/%d/status", (int) p->pid);
  for (int i = 0; i < PATIENCE && strcmp (state, "S") != 0; i++)
    {
      nanosleep (&moment, NULL);
      doctor_read_field (path, "State:", state, sizeof state);
    }
  doctor_read_field (path, "voluntary_ctxt_switches:", sleeps, sizeof sleeps);
  return strtoul (sleeps, NULL, 10);
}

static unsigned long
count_sleeps (const struct watched *w)
{
  unsigned long n = 0;
  for (size_t i = 0; i < w->nswitches; i++)
    n += w->switches[i].kind == BBS_OUT_SLEEPS;
  return n;
}

static void
say_events (struct doctor_fact *f, unsigned long seen, unsigned long slept)
{
  f->state = seen == slept && slept > 0 ? DOCTOR_GOOD : DOCTOR_POOR;
  snprintf (f->value, sizeof f->value, "events");
  snprintf (f->note, sizeof f->note, "saw %lu of %lu switches of a test process", seen, slept);
}

/* Debian's kernel has an additional level 3, which refuses all events to users. */
static void
say_polls (struct doctor_fact *f, const struct bbs_watch *watch)
{
  enum { ENOUGH = 2 };
  const char *why = strerror ((int) watch->refused);
  char level[16] = "?";
  doctor_read_word ("/proc/sys/kernel/perf_event_paranoid", level, sizeof level);
  f->state = DOCTOR_POOR;
  snprintf (f->value, sizeof f->value,
            "polls of /proc, %u a second: sums are right, single moments are not", watch->rate);
  if (atoi (level) > ENOUGH)
    snprintf (f->note, sizeof f->note,
              "events: %s; sysctl kernel.perf_event_paranoid=%d allows them", why, ENOUGH);
  else
    snprintf (f->note, sizeof f->note,
              "events: %s, though perf_event_paranoid is %s; probably a sandbox forbids them", why,
              level);
}

static void
say_reasons (struct doctor_facts *facts, enum bbs_reasons reasons)
{
  static const char *const values[] = { [BBS_REASONS_NONE] = "not known",
                                        [BBS_REASONS_WCHAN] = "by kernel functions (wchan)",
                                        [BBS_REASONS_SYSCALL] = "by system calls" };
  const bool all = reasons == BBS_REASONS_SYSCALL;
  struct doctor_fact *f = doctor_add (facts, all ? DOCTOR_GOOD : DOCTOR_POOR, "sleep_reasons",
                                      "wait reasons", "%s", values[reasons]);
  if (!all)
    snprintf (f->note, sizeof f->note,
              "/proc/PID/syscall needs the right to trace the process: see ptrace_scope");
}

static void
watch (struct doctor_facts *facts, struct monitor *m, const struct partner *p)
{
  struct watched w = { 0 };
  const struct bbs_watch *how = monitor_watch (m);
  const unsigned long before = sleeps_of (p);
  bool handed = exchange (p, ROUNDS);
  const unsigned long slept = sleeps_of (p) - before;
  monitor_take (m, &w, true);
  struct doctor_fact *f
      = doctor_add (facts, DOCTOR_POOR, "timeline", "thread timeline", "not known");
  if (handed && how->how == BBS_BY_EVENTS)
    say_events (f, count_sleeps (&w), slept);
  else if (handed)
    say_polls (f, how);
  say_reasons (facts, (enum bbs_reasons) how->reasons);
  watched_free (&w);
}

void
doctor_find_timeline (struct doctor_facts *facts)
{
  struct partner p;
  struct error err = { .text = "cannot create a process" };
  struct monitor *m = NULL;
  bool started = start_partner (&p);
  if (started)
    {
      sleeps_of (&p);
      m = monitor_open (&(struct monitor_options) { .pid = p.pid }, &err);
    }
  if (m)
    watch (facts, m, &p);
  else
    {
      struct doctor_fact *f = doctor_add (facts, DOCTOR_POOR, "timeline", "thread timeline", "no");
      snprintf (f->note, sizeof f->note, "%.119s", err.text);
    }
  monitor_close (m);
  if (started)
    end_partner (&p);
}

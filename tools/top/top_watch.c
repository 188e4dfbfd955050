/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A watched process: from its number to the sums of its threads, and to its end. */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/watch/monitor.h"
#include "common/clock.h"
#include "tools/top/top.h"

uint64_t
top_watch_now (const struct top_watch *w)
{
  return clock_now () - w->started;
}

/* The value of FIELD in /proc/PID/status; 0: it has none. */
static unsigned long
status_field (pid_t pid, const char *field)
{
  char name[64], line[256];
  unsigned long value = 0;
  snprintf (name, sizeof name, "/proc/%d/status", pid);
  FILE *in = fopen (name, "re");
  while (in && fgets (line, sizeof line, in))
    if (strncmp (line, field, strlen (field)) == 0)
      value = strtoul (line + strlen (field), NULL, 10);
  if (in)
    fclose (in);
  return value;
}

/* Checks that the process exists, is the user's, and is no thread. */
static bool
check_process (pid_t pid, struct error *err)
{
  char name[64];
  struct stat st;
  snprintf (name, sizeof name, "/proc/%d", pid);
  if (stat (name, &st) != 0)
    return error_set (err, NULL, ERROR_NO_OFFSET, "process %d: it does not exist", pid);
  if (geteuid () != 0 && st.st_uid != geteuid ())
    return error_set (err, NULL, ERROR_NO_OFFSET, "process %d: it is another user's", pid);
  unsigned long whole = status_field (pid, "Tgid:");
  if (whole && whole != (unsigned long) pid)
    return error_set (err, NULL, ERROR_NO_OFFSET, "process %d: that is a thread of process %lu",
                      pid, whole);
  return true;
}

static void
read_name (struct top_watch *w)
{
  char file[64];
  snprintf (file, sizeof file, "/proc/%d/comm", w->pid);
  FILE *in = fopen (file, "re");
  if (in && fgets (w->name, sizeof w->name, in))
    w->name[strcspn (w->name, "\n")] = '\0';
  if (in)
    fclose (in);
}

bool
top_watch_open (struct top_watch *w, pid_t pid, const char *name, bool polls, struct error *err)
{
  *w = (struct top_watch) { .pid = pid, .fd = -1, .started = clock_now () };
  if (!check_process (pid, err))
    return false;
  if ((w->named = name != NULL))
    snprintf (w->name, sizeof w->name, "%s", name);
  else
    read_name (w);
  w->fd = (int) syscall (SYS_pidfd_open, pid, 0);
  w->monitor = monitor_open (&(struct monitor_options) { .pid = pid,
                                                         .started = w->started,
                                                         .how = polls ? BBS_BY_POLLS : 0 },
                             err);
  if (!w->monitor)
    return false;
  w->how = *monitor_watch (w->monitor);
  top_sums_open (&w->sums, w->how.how);
  return true;
}

void
top_watch_close (struct top_watch *w)
{
  if (w->monitor)
    monitor_close (w->monitor);
  watched_free (&w->seen);
  top_sums_close (&w->sums);
  if (w->fd >= 0)
    close (w->fd);
}

static bool
has_ended (const struct top_watch *w)
{
  if (w->fd >= 0)
    return poll (&(struct pollfd) { .fd = w->fd, .events = POLLIN }, 1, 0) == 1;
  return kill (w->pid, 0) != 0 && errno == ESRCH;
}

bool
top_watch_take (struct top_watch *w, unsigned milliseconds)
{
  if (w->ended)
    {
      poll (NULL, 0, (int) milliseconds);
      return true;
    }
  monitor_wait (w->monitor, milliseconds);
  if (!w->named)
    read_name (w);
  bool ended = has_ended (w);
  watched_clear (&w->seen);
  ended |= !monitor_take (w->monitor, &w->seen, ended);
  if (!top_sums_play (&w->sums, &w->seen))
    return false;
  if (ended)
    {
      w->ended = top_watch_now (w);
      top_sums_end (&w->sums, w->ended);
    }
  return true;
}

void
top_watch_describe (const struct top_watch *w, char *text, size_t size)
{
  if (w->how.how == BBS_BY_EVENTS)
    snprintf (text, size, "by events");
  else if (w->how.refused)
    snprintf (text, size, "by polls (events: %s)", strerror ((int) w->how.refused));
  else
    snprintf (text, size, "by polls");
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/watch/descriptors.h"
#include "collect/watch/proc.h"
#include "collect/waits/waits.h"

/* Open files: events need descriptors, too, and 1,024 is a common limit of a process. */
enum { MOST_KEPT = 256 };

static const char *const names[PROC_FILES] = {
  [PROC_SCHEDSTAT] = "schedstat", [PROC_STAT] = "stat",   [PROC_STATUS] = "status",
  [PROC_SYSCALL] = "syscall",     [PROC_WCHAN] = "wchan",
};

void
proc_thread_open (struct proc_thread *t, uint32_t tid)
{
  t->tid = tid;
  for (int f = 0; f < PROC_FILES; f++)
    t->files[f] = -1;
}

void
proc_thread_close (struct proc *p, struct proc_thread *t)
{
  for (int f = 0; f < PROC_FILES; f++)
    if (t->files[f] >= 0)
      {
        close (t->files[f]);
        t->files[f] = -1;
        p->kept--;
      }
}

bool
proc_read (struct proc *p, struct proc_thread *t, enum proc_file f, char *text, size_t size)
{
  int fd = t->files[f];
  if (fd < 0)
    {
      char path[80];
      snprintf (path, sizeof path, "/proc/%d/task/%" PRIu32 "/%s", (int) p->pid, t->tid, names[f]);
      fd = open (path, O_RDONLY | O_CLOEXEC);
      if (fd < 0)
        return false;
      if (p->kept < MOST_KEPT && descriptors_left (fd))
        {
          t->files[f] = fd;
          p->kept++;
        }
    }
  ssize_t n = pread (fd, text, size - 1, 0);
  int error = n < 0 ? errno : ESRCH;
  if (t->files[f] < 0)
    close (fd);
  errno = error;
  if (n <= 0)
    return false;
  text[n] = 0;
  return true;
}

static uint64_t
next_number (const char **text)
{
  char *end;
  uint64_t value = strtoull (*text, &end, 10);
  *text = end;
  return value;
}

/* The text behind the next N words, each with one space in front. */
static const char *
skip_words (const char *text, int n)
{
  while (*text && n-- > 0)
    text += 1 + strcspn (text + 1, " ");
  return text;
}

/* "123 (a name) S 1 ...": the name may contain parentheses. */
enum { STAT_PPID = 4, STAT_UTIME = 14, STAT_STIME = 15, STAT_PROCESSOR = 39 };

bool
proc_read_stat (struct proc *p, struct proc_thread *t, struct proc_stat *s)
{
  char text[1024];
  if (!proc_read (p, t, PROC_STAT, text, sizeof text))
    return false;
  char *name = strchr (text, '('), *end = strrchr (text, ')');
  if (!name || !end || end[1] != ' ' || !end[2])
    return errno = EPROTO, false;
  snprintf (s->name, sizeof s->name, "%.*s", (int) (end - name - 1), name + 1);
  s->state = end[2];
  const char *at = skip_words (end + 3, STAT_UTIME - STAT_PPID);
  s->ticks = next_number (&at);
  s->ticks += next_number (&at);
  at = skip_words (at, STAT_PROCESSOR - STAT_STIME - 1);
  uint64_t cpu = next_number (&at);
  s->cpu = cpu < BBS_CPU_UNKNOWN ? (uint16_t) cpu : BBS_CPU_UNKNOWN;
  return true;
}

static uint64_t
number_behind (const char *text, const char *label)
{
  const char *at = strstr (text, label);
  if (!at)
    return BBS_NOT_KNOWN;
  at += strlen (label);
  return next_number (&at);
}

bool
proc_read_switches (struct proc *p, struct proc_thread *t, uint64_t *voluntary,
                    uint64_t *involuntary)
{
  char text[4096];
  if (!proc_read (p, t, PROC_STATUS, text, sizeof text))
    return false;
  *voluntary = number_behind (text, "\nvoluntary_ctxt_switches:");
  *involuntary = number_behind (text, "\nnonvoluntary_ctxt_switches:");
  return true;
}

bool
proc_sums (struct proc *p, struct proc_thread *t, struct proc_sums *s)
{
  if (!p->schedstat)
    {
      struct proc_stat stat;
      uint64_t voluntary, involuntary;
      if (!proc_read_stat (p, t, &stat) || !proc_read_switches (p, t, &voluntary, &involuntary))
        return false;
      *s = (struct proc_sums) { .run = stat.ticks * p->tick,
                                .wait = BBS_NOT_KNOWN,
                                .turns = voluntary + involuntary };
      return true;
    }
  char text[80];
  if (!proc_read (p, t, PROC_SCHEDSTAT, text, sizeof text))
    return false;
  const char *at = text;
  s->run = next_number (&at);
  s->wait = next_number (&at);
  s->turns = next_number (&at);
  return true;
}

/* The system call of a sleeping thread needs the permission to trace the process; the kernel's
   function, the permission to read its memory map. */
static enum bbs_reasons
reasons_of (struct proc *p, struct proc_thread *leader)
{
  char text[200], path[40];
  if (proc_read (p, leader, PROC_SYSCALL, text, sizeof text))
    return BBS_REASONS_SYSCALL;
  snprintf (path, sizeof path, "/proc/%d/auxv", (int) p->pid);
  int map = open (path, O_RDONLY | O_CLOEXEC);
  if (map < 0)
    return BBS_REASONS_NONE;
  close (map);
  return proc_read (p, leader, PROC_WCHAN, text, sizeof text) ? BBS_REASONS_WCHAN
                                                              : BBS_REASONS_NONE;
}

/* In a container without a /proc of its own, a pid there is another process's. */
bool
proc_is_ours (struct error *err)
{
  char number[24] = "";
  if (readlink ("/proc/self", number, sizeof number - 1) < 0)
    return error_set (err, NULL, ERROR_NO_OFFSET,
                      "/proc is not mounted, or shows another PID namespace");
  return strtol (number, NULL, 10) == getpid ()
         || error_set (
             err, NULL, ERROR_NO_OFFSET,
             "/proc shows another PID namespace (unshare --mount-proc mounts the right one)");
}

static bool
no_process (struct error *err, pid_t pid, int error)
{
  bool hidden = error == ENOENT && kill (pid, 0) < 0 && errno == EPERM;
  return error_set (err, NULL, ERROR_NO_OFFSET, "process %d cannot be watched: %s", (int) pid,
                    hidden ? "it is another user's, which /proc hides (hidepid)"
                    : error == ENOENT || error == ESRCH ? "there is no such process"
                                                        : strerror (error));
}

bool
proc_open (struct proc *p, pid_t pid, uint64_t started, struct error *err)
{
  long ticks = sysconf (_SC_CLK_TCK);
  *p = (struct proc) { .pid = pid, .started = started, .schedstat = true };
  p->tick = 1000000000 / (uint64_t) (ticks > 0 ? ticks : 100);
  struct proc_thread leader;
  proc_thread_open (&leader, (uint32_t) pid);
  struct proc_stat stat;
  bool there = proc_read_stat (p, &leader, &stat);
  int error = errno;
  if (there)
    {
      struct proc_sums sums;
      p->schedstat = proc_sums (p, &leader, &sums) && sums.turns;
      p->reasons = reasons_of (p, &leader);
    }
  proc_thread_close (p, &leader);
  return there || no_process (err, pid, error);
}

void
proc_close (struct proc *p)
{
  waits_free (p->waits);
  p->waits = NULL;
}

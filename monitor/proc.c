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

#include "clock.h"
#include "proc.h"
#include "why.h"

enum {
  MOST_KEPT = 256, /* open files: the events need descriptors, too, and 1,024 is what a process commonly gets */
  TRIES = 3        /* to look at a thread that does not hold still */
};

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

/* The whole file, as a string.  False: errno says why. */
static bool
read_text (struct proc *p, struct proc_thread *t, enum proc_file f, char *text, size_t size)
{
  int fd = t->files[f];
  if (fd < 0)
    {
      char path[80];
      snprintf (path, sizeof path, "/proc/%d/task/%" PRIu32 "/%s", (int) p->pid, t->tid, names[f]);
      fd = open (path, O_RDONLY | O_CLOEXEC);
      if (fd < 0)
        return false;
      if (p->kept < MOST_KEPT)
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

/* The text behind the next N words, each with one space before it. */
static const char *
skip_words (const char *text, int n)
{
  while (*text && n-- > 0)
    text += 1 + strcspn (text + 1, " ");
  return text;
}

/* "123 (a name) S 1 ...": the name may have parentheses. */
struct stat_file {
  char name[20];
  char state;
  uint16_t cpu;
  uint64_t ticks; /* on a processor */
};

enum { STAT_PPID = 4, STAT_UTIME = 14, STAT_STIME = 15, STAT_PROCESSOR = 39 };

static bool
read_stat (struct proc *p, struct proc_thread *t, struct stat_file *s)
{
  char text[1024];
  if (!read_text (p, t, PROC_STAT, text, sizeof text))
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

static bool
read_switches (struct proc *p, struct proc_thread *t, uint64_t *voluntary, uint64_t *involuntary)
{
  char text[4096];
  if (!read_text (p, t, PROC_STATUS, text, sizeof text))
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
      struct stat_file stat;
      uint64_t voluntary, involuntary;
      if (!read_stat (p, t, &stat) || !read_switches (p, t, &voluntary, &involuntary))
        return false;
      *s = (struct proc_sums) { .run = stat.ticks * p->tick, .wait = BBS_NOT_KNOWN, .turns = voluntary + involuntary };
      return true;
    }
  char text[80];
  if (!read_text (p, t, PROC_SCHEDSTAT, text, sizeof text))
    return false;
  const char *at = text;
  s->run = next_number (&at);
  s->wait = next_number (&at);
  s->turns = next_number (&at);
  return true;
}

/* CALL is the text of a system call, "0 0x3 ...": what its first argument is a descriptor of. */
static enum bbs_why
why_by_descriptor (struct proc *p, const char *call, char state)
{
  char path[64], what[64];
  snprintf (path, sizeof path, "/proc/%d/fd/%lu", (int) p->pid, strtoul (call + strcspn (call, " "), NULL, 16));
  ssize_t n = readlink (path, what, sizeof what - 1);
  what[n > 0 ? n : 0] = 0;
  return why_of_descriptor (what, state);
}

/* Of a thread that sleeps.  If it has been woken up in the meantime, that is its state. */
static void
find_reason (struct proc *p, struct proc_thread *t, struct bbs_look *look)
{
  char call[200], function[80];
  const char state = (char) look->state;
  if (p->reasons == BBS_REASONS_SYSCALL && read_text (p, t, PROC_SYSCALL, call, sizeof call))
    {
      if (strncmp (call, "running", 7) == 0)
        {
          look->state = 'R';
          return;
        }
      look->call = (int32_t) strtol (call, NULL, 10);
    }
  unsigned why = state == 'T' || state == 't' ? BBS_WHY_STOPPED : why_of_call (look->call);
  if (why == WHY_BY_DESCRIPTOR)
    why = why_by_descriptor (p, call, state);
  if ((why == BBS_WHY_OTHER || why == BBS_WHY_NOT_KNOWN) && p->reasons != BBS_REASONS_NONE
      && read_text (p, t, PROC_WCHAN, function, sizeof function))
    {
      enum bbs_why better = why_of_function (function);
      why = better == BBS_WHY_NOT_KNOWN ? why : better;
    }
  look->why = (uint8_t) why;
}

static bool
look_once (struct proc *p, struct proc_thread *t, bool switches, struct bbs_look *look, struct stat_file *stat)
{
  *look = (struct bbs_look) {
    .tid = t->tid, .voluntary = BBS_NOT_KNOWN, .involuntary = BBS_NOT_KNOWN, .call = BBS_CALL_NOT_KNOWN, .why = BBS_WHY_NOT_KNOWN
  };
  if (!read_stat (p, t, stat))
    return false;
  look->state = (uint8_t) stat->state;
  look->cpu = stat->cpu;
  if (!strchr ("RZX", stat->state))
    find_reason (p, t, look);
  return !switches || read_switches (p, t, &look->voluntary, &look->involuntary);
}

/* Between two reads of the same sums the thread has got no processor: all that lies between is of one turn and of what
   followed it. */
bool
proc_look (struct proc *p, struct proc_thread *t, struct proc_sums *sums, bool switches, struct bbs_look *look, char name[20])
{
  struct stat_file stat;
  int32_t call = BBS_CALL_NOT_KNOWN;
  uint8_t why = BBS_WHY_NOT_KNOWN;
  bool still = false;
  for (int tries = 0; tries < TRIES && !still; tries++)
    {
      struct proc_sums before = *sums;
      if (!look_once (p, t, switches, look, &stat))
        return false;
      look->time = clock_now () - p->started;
      if (!proc_sums (p, t, sums))
        return false;
      still = before.turns == sums->turns && before.wait == sums->wait;
      call = look->why == BBS_WHY_NOT_KNOWN ? call : look->call;
      why = look->why == BBS_WHY_NOT_KNOWN ? why : look->why;
    }
  look->run = sums->run;
  look->wait = sums->wait;
  if (!still)
    {
      look->state = 0;
      look->call = call;
      look->why = why;
    }
  if (name)
    memcpy (name, stat.name, sizeof stat.name);
  return true;
}

/* The call that a thread sleeps in is told to whoever may trace the process, the kernel's function to whoever may read its
   memory's map. */
static enum bbs_reasons
reasons_of (struct proc *p, struct proc_thread *leader)
{
  char text[200], path[40];
  if (read_text (p, leader, PROC_SYSCALL, text, sizeof text))
    return BBS_REASONS_SYSCALL;
  snprintf (path, sizeof path, "/proc/%d/auxv", (int) p->pid);
  int map = open (path, O_RDONLY | O_CLOEXEC);
  if (map < 0)
    return BBS_REASONS_NONE;
  close (map);
  return read_text (p, leader, PROC_WCHAN, text, sizeof text) ? BBS_REASONS_WCHAN : BBS_REASONS_NONE;
}

static bool
no_process (struct error *err, pid_t pid, int error)
{
  bool hidden = error == ENOENT && kill (pid, 0) < 0 && errno == EPERM;
  return error_set (err, NULL, ERROR_NO_OFFSET, "process %d cannot be watched: %s", (int) pid,
                    hidden                              ? "it is another user's, and /proc hides those (hidepid)"
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
  struct stat_file stat;
  bool there = read_stat (p, &leader, &stat);
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

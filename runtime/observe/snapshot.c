/* SPDX-License-Identifier: MIT */
/* The current threads of the process, for a display of the program's own.  Needs no profile, and
   keeps nothing between two snapshots.  So any number of threads may take one at the same time,
   in any context, also in a child of any kind.  Context: any. */
#include "include/bbprof.h"
#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/base/task.h"

BBP_PUBLIC int bbprof_monitor_snapshot (struct bbprof_thread_row *, int);

/* The lowest tids met so far, ascending, in the first ROWS; all are counted. */
struct met {
  struct bbprof_thread_row *rows;
  int room, n, all;
};

/* The folder has them almost in order, so entries are hardly ever moved. */
static void
meet (int tid, void *argument)
{
  struct met *met = argument;
  met->all++;
  if (met->n < met->room)
    met->n++;
  else if (met->n == 0 || tid > met->rows[met->n - 1].tid)
    return;
  int i = met->n - 1;
  for (; i > 0 && met->rows[i - 1].tid > tid; i--)
    met->rows[i].tid = met->rows[i - 1].tid;
  met->rows[i].tid = tid;
}

/* The state as in /proc, reduced to the letters that are of use to a program. */
static char
state_of (char letter)
{
  switch (letter)
    {
    case 'I':
    case 'P': return 'S';
    case 't': return 'T';
    default: return letter;
    }
}

static const char *
behind_words (const char *text, int n)
{
  while (*text && n > 0)
    n -= *text++ == ' ';
  return text;
}

/* "TID (NAME) STATE ...  CPU": the name may contain anything, parentheses too. */
static bool
read_stat (struct bbprof_thread_row *row)
{
  enum { STATE_TO_CPU = 36 };
  char text[512];
  if (bbp_task_read (row->tid, "/stat", text, sizeof text) <= 0)
    return false;
  const char *name = text, *end = NULL;
  while (*name && *name != '(')
    name++;
  for (const char *p = name; *p; p++)
    if (*p == ')')
      end = p;
  if (!end || !end[1])
    return false;
  size_t n = (size_t) (end - name - 1);
  n = n < sizeof row->name ? n : sizeof row->name - 1;
  bbp_copy_bytes (row->name, name + 1, n);
  row->name[n] = '\0';
  row->state = state_of (end[2]);
  const char *cpu = behind_words (end + 2, STATE_TO_CPU);
  row->cpu = *cpu ? (int) bbp_task_number (cpu) : -1;
  return true;
}

/* These lines are almost at the end of a long file. */
static void
read_switches (struct bbprof_thread_row *row)
{
  enum { LINES = 256 };
  char text[4 * LINES];
  bbp_task_end (row->tid, "/status", text, sizeof text, LINES);
  row->voluntary = bbp_task_number (bbp_task_behind (text, "\nvoluntary_ctxt_switches:\t"));
  row->involuntary = bbp_task_number (bbp_task_behind (text, "\nnonvoluntary_ctxt_switches:\t"));
}

/* The clock is exact to the nanosecond while the thread runs, too; schedstat's first number is
   not. */
static void
read_times (struct bbprof_thread_row *row)
{
  char text[128];
  bbp_task_read (row->tid, "/schedstat", text, sizeof text);
  row->wait = bbp_task_number (behind_words (text, 1));
  row->run = bbp_sys_nanoseconds (bbp_sys_thread_clock (row->tid));
  row->time = bbp_sys_nanoseconds (CLOCK_MONOTONIC);
}

/* False: the thread has ended meanwhile. */
static bool
fill (struct bbprof_thread_row *row)
{
  read_times (row);
  read_switches (row);
  return read_stat (row);
}

int
bbprof_monitor_snapshot (struct bbprof_thread_row *rows, int n)
{
  uint64_t room[128];
  struct met met = { .rows = rows, .room = n > 0 ? n : 0 };
  long error = bbp_task_all (meet, &met, room, sizeof room);
  if (error)
    return (int) error;
  int there = 0;
  for (int i = 0; i < met.n; i++)
    {
      const int tid = rows[i].tid;
      rows[there] = (struct bbprof_thread_row) { .tid = tid };
      there += fill (&rows[there]);
    }
  return met.all - (met.n - there);
}

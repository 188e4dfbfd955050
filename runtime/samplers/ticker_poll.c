/* SPDX-License-Identifier: MIT */
/* What a thread does just now, as the kernel tells it in files of /proc.  They stay open, for a
   look takes a third of the time then; those of so many threads that there is no room for them
   are opened again each time.

   A thread that was not given a processor since has not left its sleep either; the count of that
   is the cheapest to read.

   Context: the ticker's thread. */
#include "runtime/base/task.h"
#include "runtime/samplers/ticker.h"

/* The files of threads that are kept open, so that some descriptors are left. */
#define HIGHEST_KEPT 768

/* The file of the thread, its descriptor in *KEPT if it may stay open.  -1: none. */
static long
open_file (int tid, const char *name, int *kept)
{
  if (*kept)
    return *kept - 1;
  long fd = bbp_task_open (tid, name);
  if (fd >= 0 && fd <= HIGHEST_KEPT)
    *kept = (int) fd + 1;
  return fd;
}

/* Its text as it is now; how many bytes, 0: the thread has gone. */
static size_t
read_file (int tid, const char *name, int *kept, char *text, size_t size)
{
  long fd = open_file (tid, name, kept);
  if (fd < 0)
    return 0;
  long n = bbp_sys_read_at ((int) fd, text, size - 1, 0);
  if (!*kept)
    bbp_sys_close ((int) fd);
  text[n > 0 ? n : 0] = '\0';
  return n > 0 ? (size_t) n : 0;
}

/* The last word of TEXT[0..*N), which is cut off. */
static const char *
take_last (char *text, size_t *n)
{
  while (*n && text[*n - 1] <= ' ')
    --*n;
  text[*n] = '\0';
  while (*n && text[*n - 1] > ' ')
    --*n;
  return text + *n;
}

/* The argument of the system call that says whether it may be interrupted. */
static int
telling_argument (long number)
{
  return number == SYS_io_uring_enter ? 1 : number == SYS_recvmsg ? 2 : 3;
}

/* "running", or the number of a system call, or -1, its arguments, the stack pointer, and where
   it is. */
enum bbp_doing
bbp_poll_thread (struct bbp_poll_files *files, int tid, struct bbp_sleep *sleep)
{
  char text[256];
  size_t n = read_file (tid, "/syscall", &files->call, text, sizeof text);
  if (n == 0)
    return BBP_GONE_AWAY;
  if (text[0] == 'r')
    return BBP_RUNNING;
  sleep->pc = bbp_task_number (take_last (text, &n));
  sleep->sp = bbp_task_number (take_last (text, &n));
  sleep->number = text[0] == '-' ? -1 : (long) bbp_task_number (text);
  for (int argument = 5; argument >= telling_argument (sleep->number); argument--)
    sleep->telling = (unsigned) bbp_task_number (take_last (text, &n));
  return BBP_SLEEPING;
}

/* The last of three numbers. */
uint64_t
bbp_poll_switches (struct bbp_poll_files *files, int tid)
{
  char text[128];
  size_t n = read_file (tid, "/schedstat", &files->switches, text, sizeof text);
  return n ? bbp_task_number (take_last (text, &n)) : 0;
}

void
bbp_poll_close (struct bbp_poll_files *files)
{
  if (files->call)
    bbp_sys_close (files->call - 1);
  if (files->switches)
    bbp_sys_close (files->switches - 1);
  *files = (struct bbp_poll_files) { 0 };
}

/* SPDX-License-Identifier: MIT */
/* Polls a thread's state, from files of /proc.  They stay open, because a poll then takes a
   third of the time.  With too many threads some files are opened again for each poll.

   A thread that has not got a processor since has not left its sleep either; that count is the
   cheapest to read.

   Context: the ticker's thread. */
#include "runtime/base/task.h"
#include "runtime/samplers/ticker.h"

/* Highest descriptor that stays open, so that some descriptors are left. */
#define HIGHEST_KEPT 768

/* The file NAME of the thread, with its descriptor in *KEPT if it may stay open.  -1: none. */
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

/* Reads the file into TEXT; returns the number of bytes, 0: the thread has ended. */
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

/* Cuts off the last word of TEXT[0..*N), and returns it. */
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

/* The argument of the system call that tells whether it may be interrupted. */
static int
telling_argument (long number)
{
  return number == SYS_io_uring_enter ? 1 : number == SYS_recvmsg ? 2 : 3;
}

/* The file has "running"; or the number of a system call, or -1, its arguments, the stack
   pointer, and the program counter. */
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

/* The last of the file's three numbers. */
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

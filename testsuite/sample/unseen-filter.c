/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives up new privileges, then nearly all system calls, and works on.

     unseen-filter seen | unseen    the filter is installed by libc, or by a bare instruction
     unseen-filter none [WAY]       no filter follows; WAY: the end is fork, exec (of itself), or
                                    term
     unseen-filter quiet LOG        nor here; by how many lines LOG grows while it works on, for
                                    half a second

   Whatever else is called then ends the program.  Status 77: the kernel has no filters. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ALLOW(number) \
  BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

__attribute__ ((noipa)) static void
step (void)
{
  __asm__ volatile ("");
}

/* By the processor's clock: the program's own are given up. */
__attribute__ ((noipa)) static void
work (long million)
{
  for (long i = 0; i < million * 1000000; i++)
    __asm__ volatile ("");
}

__attribute__ ((noipa)) static void
before (void)
{
  step ();
  work (40);
}

__attribute__ ((noipa)) static void
after (int depth)
{
  char room[2000];
  __asm__ volatile ("" : : "r"(room) : "memory");
  if (depth > 0)
    after (depth - 1);
  else
    work (240);
  step ();
}

static void *
in_thread (void *unused)
{
  after (1);
  return unused;
}

static long
install (const char *way)
{
  struct sock_filter code[]
      = { BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
          ALLOW (SYS_write), ALLOW (SYS_exit_group), ALLOW (SYS_rt_sigreturn),
          BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS) };
  const struct sock_fprog filter = { sizeof code / sizeof *code, code };
  if (strcmp (way, "seen") == 0)
    return syscall (SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
  long result;
  __asm__ volatile ("syscall"
                   : "=a"(result)
                   : "a"(SYS_seccomp), "D"(SECCOMP_SET_MODE_FILTER), "S"(0L), "d"(&filter)
                   : "rcx", "r11", "memory");
  return result;
}

static void
end (const char *way, char **argv)
{
  pthread_t thread;
  pthread_create (&thread, NULL, in_thread, NULL);
  pthread_join (thread, NULL);
  if (strcmp (way, "fork") == 0)
    {
      int status;
      if (fork () == 0)
        exit (5);
      wait (&status);
      printf ("%x\n", (unsigned) status);
    }
  else if (strcmp (way, "exec") == 0)
    execl (argv[0], argv[0], "none", NULL);
  else if (strcmp (way, "term") == 0)
    raise (SIGTERM);
}

static long
bytes_of (const char *path)
{
  struct stat st;
  return stat (path, &st) == 0 ? (long) st.st_size : -1;
}

/* The process that starts the writer makes calls of its own, which on a busy machine come late:
   waits until LOG has not grown for a while, if that happens at all. */
static void
settle (const char *log)
{
  long before = -1;
  for (int i = 0; i < 50 && bytes_of (log) != before; i++)
    {
      before = bytes_of (log);
      after (1);
    }
}

static int
measure (const char *log)
{
  enum { LINE = 4 };
  settle (log);
  clock_t began = clock ();
  long bytes = bytes_of (log);
  while (clock () - began < CLOCKS_PER_SEC / 2)
    after (10);
  bytes = bytes_of (log) - bytes;
  printf ("%ld lines\n", bytes / LINE);
  return 0;
}

int
main (int argc, char **argv)
{
  before ();
  if (prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return 77;
  if (strcmp (argv[1], "quiet") == 0)
    return measure (argv[2]);
  if (strcmp (argv[1], "none") != 0 && install (argv[1]) != 0)
    return 77;
  after (10);
  if (strcmp (argv[1], "none") == 0)
    end (argc > 2 ? argv[2] : "", argv);
  write (1, "end\n", 4);
  _exit (7);
}

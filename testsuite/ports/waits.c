/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A process reads from an empty pipe.  Another one sends it a signal without SA_RESTART, after it
   has slept in that read, so the read must fail with EINTR.  It sleeps nowhere else.  If it is seen
   awake meanwhile, that is a tick: the signal is sent then, before the read is made again. */
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define READS 300
#define PATIENCE 20000 /* looks, each after a millisecond */
#define TICK 2000      /* looks without a pause: longer than from tick to tick */

static _Atomic int *begun; /* number of reads that have begun; shared */
static volatile int came;

static void
on_alarm (int number)
{
  came += number == SIGALRM;
}

static int
keep_reading (void)
{
  int fds[2];
  char byte;
  if (pipe (fds))
    return 99;
  for (int i = 1; i <= READS; i++)
    {
      *begun = i;
      if (read (fds[0], &byte, 1) != -1 || errno != EINTR || came != i)
        return printf ("read %d: errno %d after %d signals\n", i, errno, came), 1;
    }
  *begun = READS + 1;
  return 0;
}

/* The letter behind the name; 0: unknown. */
static char
state_of (pid_t process)
{
  char path[64], text[512] = "";
  snprintf (path, sizeof path, "/proc/%d/stat", process);
  FILE *file = fopen (path, "r");
  char *line = file ? fgets (text, sizeof text, file) : NULL, *name = strrchr (text, ')');
  if (file)
    fclose (file);
  return line && name ? name[2] : 0;
}

/* True as soon as READ has begun and, if ASLEEP, the process sleeps. */
static int
wait_until (pid_t process, int read, int asleep)
{
  for (int look = 0; look < PATIENCE; look++)
    {
      if (*begun == read && (!asleep || state_of (process) == 'S'))
        return 1;
      usleep (1000);
    }
  return 0;
}

static int
send_when_awake (pid_t process)
{
  for (int look = 0; look < TICK && state_of (process) == 'S'; look++)
    continue;
  return kill (process, SIGALRM) == 0;
}

static int
keep_sending (pid_t reader)
{
  for (int read = 1; read <= READS; read++)
    if (!wait_until (reader, read, 1) || !send_when_awake (reader)
        || !wait_until (reader, read + 1, 0))
      {
        printf ("read %d does not end\n", read);
        kill (reader, SIGKILL);
        return 1;
      }
  return 0;
}

int
main (void)
{
  const pid_t reader = getpid ();
  struct sigaction action = { .sa_handler = on_alarm };
  begun = mmap (NULL, sizeof *begun, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (begun == MAP_FAILED || sigaction (SIGALRM, &action, NULL))
    return 99;
  const pid_t sender = fork ();
  if (sender == 0)
    return keep_sending (reader);
  const int wrong = keep_reading ();
  int status;
  if (waitpid (sender, &status, 0) == sender && status == 0 && !wrong)
    puts ("right");
  return wrong;
}

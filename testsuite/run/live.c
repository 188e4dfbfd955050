/* SPDX-License-Identifier: GPL-3.0-or-later */
/* live TRUTH THREADS CALLS [WORD...]: each thread calls f CALLS times (0: for ever), and says in
   the file TRUTH, which outlives it, how many calls it has begun and how many have come back.  f
   runs its odd or its even block, and calls odd or even.  The words, in their order, are done
   before, or as the last thing where they say so:

     close    closes all descriptors but 0 to 2
     folder   goes to another folder
     rights   becomes a user that may not open the live file; needs the right to
     grow     calls f from many places, so that the tables of arcs grow
     fork     a child makes 7 calls of f and ends well; its number is printed
     orphan   a child does the calls that are requested, and the parent 10 calls of f
     clone    like fork, without libc's fork handlers
     fail     an exec that fails
     threads  5000 threads one after the other, each of 3 calls
     dumps    the profile is written again and again while the threads run
     ready    prints a line when all that is done
     kill     the process kills itself when the threads have ended
     exec     /bin/true takes its place then */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern void write_profiling (void);

#define NOIPA __attribute__ ((noipa))

/* One cache line for each thread. */
struct truth {
  volatile long begun, back;
  long unused[6];
};
static struct truth *truth;
static long ncalls;

NOIPA static void
odd (void)
{
  __asm__ volatile ("");
}

NOIPA static void
even (void)
{
  __asm__ volatile ("");
}

NOIPA static void
f (long x)
{
  if (x & 1)
    odd ();
  else
    even ();
}

static void *
work (void *data)
{
  struct truth *mine = data;
  for (long i = 0; !ncalls || i < ncalls; i++)
    {
      mine->begun++;
      f (i);
      mine->back++;
    }
  return NULL;
}

static void
call (struct truth *mine, long n)
{
  for (long i = 0; i < n; i++)
    {
      mine->begun++;
      f (i);
      mine->back++;
    }
}

#define TEN(x) x x x x x x x x x x

/* 1000 call sites. */
NOIPA static void
grow (void)
{
  TEN (TEN (TEN (f (0);)))
}

static void *
three (void *data)
{
  call (data, 3);
  return NULL;
}

static void
many_threads (struct truth *mine)
{
  for (int i = 0; i < 5000; i++)
    {
      pthread_t thread;
      if (pthread_create (&thread, NULL, three, mine) || pthread_join (thread, NULL))
        exit (3);
    }
}

static void
do_fork (struct truth *mine, pid_t child)
{
  if (child == 0)
    {
      call (mine, 7);
      exit (0);
    }
  int status;
  if (waitpid (child, &status, 0) != child || status != 0)
    exit (4);
  printf ("%d\n", (int) child);
  fflush (stdout);
}

static void
orphan (struct truth *mine)
{
  pid_t child = fork ();
  if (child == 0)
    return;
  printf ("%d\n", (int) child);
  fflush (stdout);
  call (mine, 10);
  waitpid (child, NULL, 0);
  exit (0);
}

static void
fail_exec (void)
{
  execl ("/nonexistent/program", "program", (char *) NULL);
}

static void *
write_again (void *unused)
{
  for (;;)
    write_profiling ();
  return unused;
}

static void
before (const char *word, struct truth *mine)
{
  if (strcmp (word, "close") == 0)
    for (int fd = 3; fd < 1024; fd++)
      close (fd);
  else if (strcmp (word, "folder") == 0 && chdir ("/"))
    exit (2);
  else if (strcmp (word, "rights") == 0 && (setgid (65534) || setuid (65534)))
    exit (2);
  else if (strcmp (word, "grow") == 0)
    {
      mine->begun += 1000;
      grow ();
      mine->back += 1000;
    }
  else if (strcmp (word, "fork") == 0)
    do_fork (mine, fork ());
  else if (strcmp (word, "orphan") == 0)
    orphan (mine);
  else if (strcmp (word, "clone") == 0)
    do_fork (mine, (pid_t) syscall (SYS_clone, SIGCHLD, 0, 0, 0, 0));
  else if (strcmp (word, "fail") == 0)
    fail_exec ();
  else if (strcmp (word, "threads") == 0)
    many_threads (mine);
  else if (strcmp (word, "dumps") == 0)
    pthread_create (&(pthread_t) { 0 }, NULL, write_again, NULL);
  else if (strcmp (word, "ready") == 0)
    puts ("ready"), fflush (stdout);
}

static void
after (const char *word)
{
  if (strcmp (word, "kill") == 0)
    kill (getpid (), SIGKILL);
  else if (strcmp (word, "exec") == 0)
    execl ("/bin/true", "true", (char *) NULL);
}

int
main (int argc, char **argv)
{
  int n = atoi (argv[2]);
  int fd = open (argv[1], O_RDWR | O_CREAT, 0666);
  if (ftruncate (fd, (n + 1) * (off_t) sizeof *truth))
    return 1;
  truth = mmap (NULL, (size_t) (n + 1) * sizeof *truth, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close (fd);
  ncalls = atol (argv[3]);
  for (int i = 4; i < argc; i++)
    before (argv[i], truth + n);
  pthread_t threads[n + 1];
  for (int i = 0; i < n; i++)
    if (pthread_create (&threads[i], NULL, work, truth + i))
      return 1;
  for (int i = 0; i < n; i++)
    pthread_join (threads[i], NULL);
  for (int i = 4; i < argc; i++)
    after (argv[i]);
  return 0;
}

// SPDX-License-Identifier: GPL-3.0-or-later
/* fork in the middle of a function, with work before and behind in both processes; in a loop, in
   a thread, twice; vfork and exec; a child that is killed. */
#include "places.h"
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

APART void
note (int n)
{
  AT (noted);
  if (n > 1000)
    AT (noted_much);
}

static ALONE void
await (pid_t child)
{
  int status;
  AT (await);
  waitpid (child, &status, 0);
  AT (awaited);
  if (WIFEXITED (status))
    AT (awaited_exit);
  else
    AT (awaited_signal);
}

/* The child goes on to the end of the program, or leaves here. */
APART void
parted (int leaves)
{
  AT (parted);
  note (1);
  note (2);
  pid_t child = fork ();
  AT (parted_both);
  note (3);
  if (child == 0)
    {
      AT (parted_child);
      for (int i = 0; i < 10; i++)
        {
          AT (parted_child_loop);
          note (i);
        }
      if (leaves == 1)
        {
          AT (parted_child_exit);
          exit (1);
        }
      if (leaves == 2)
        {
          AT (parted_child__exit);
          _exit (2);
        }
      if (leaves == 3)
        {
          AT (parted_child_term);
          raise (SIGTERM);
          AT (parted_child_never);
        }
    }
  else
    {
      AT (parted_parent);
      await (child);
      note (4);
    }
  if (leaves == 9)
    {
      AT (parted_kill);
      kill (getpid (), SIGKILL);
      AT (parted_kill_never);
    }
  AT (parted_behind);
  note (5);
  note (6);
}

APART void
callers (int depth, int leaves)
{
  AT (callers);
  note (depth);
  if (depth > 0)
    {
      AT (callers_down);
      callers (depth - 1, leaves);
      AT (callers_up);
      note (depth);
    }
  else
    {
      AT (callers_bottom);
      parted (leaves);
      AT (callers_parted);
      note (depth);
    }
  AT (callers_behind);
  note (depth);
}

/* Each child makes the next one. */
APART void
chain (int length)
{
  for (int i = 0; i < length; i++)
    {
      AT (chain);
      pid_t child = fork ();
      if (child != 0)
        {
          AT (chain_parent);
          await (child);
          AT (chain_awaited);
          break;
        }
      AT (chain_child);
      note (i);
    }
  AT (chain_out);
  note (length);
}

APART void *
thread (void *nothing)
{
  FROM (outside);
  for (int i = 0; i < 5; i++)
    {
      AT (thread_loop);
      note (i);
    }
  parted (1);
  AT (thread_behind);
  return nothing;
}

APART void
executed (void)
{
  char *words[] = { (char *)"/bin/true", 0 };
  for (int i = 0; i < 3; i++)
    {
      AT (vfork_loop);
      pid_t child = vfork ();
      if (child == 0)
        {
          AT (vfork_child);
          if (i == 2)
            {
              AT (vfork_leaves);
              _exit (1);
            }
          execv (words[0], words);
          AT (vfork_never);
          _exit (127);
        }
      AT (vfork_parent);
      await (child);
      posix_spawn (&child, words[0], 0, 0, words, environ);
      AT (spawned);
      await (child);
    }
  AT (executed_out);
  pid_t child = fork ();
  if (child == 0)
    {
      AT (exec_child);
      note (1);
      execv (words[0], words);
      AT (exec_never);
    }
  AT (exec_parent);
  await (child);
  note (2);
}

int
main (int count, char **words)
{
  AT (main);
  const char *way = count > 1 ? words[1] : "";
  if (!strcmp (way, "parted"))
    {
      AT (main_parted);
      callers (3, atoi (words[2]));
    }
  else if (!strcmp (way, "chain"))
    {
      AT (main_chain);
      chain (4);
    }
  else if (!strcmp (way, "thread"))
    {
      AT (main_thread);
      pthread_t id;
      pthread_create (&id, 0, thread, 0);
      pthread_join (id, 0);
      AT (main_joined);
    }
  else if (!strcmp (way, "replaced"))
    {
      char *other[] = { (char *)"/bin/true", 0 };
      AT (main_replaced);
      note (8);
      execv (other[0], other);
      AT (main_never);
      note (9);
    }
  else
    {
      AT (main_executed);
      executed ();
    }
  AT (main_behind);
  note (7);
  return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof-writer: writes the trace of a process, or the times of its samples, while it runs, or
   says by which filters it is bound.  The run-time library starts it, a process of its own, in a
   process group of its own, with the descriptor of the memory that both share as its argument;
   which of these it is to do says the memory's first word.  It ends when the process says so, or
   is gone, however it ended.  It never lets the process wait longer than it must: when the file
   cannot be written any more, the memory is emptied all the same. */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "collect/writer/write.h"
#include "include/bbprof-pieces.h"
#include "include/bbprof-samples.h"
#include "include/bbprof-witness.h"

/* For good.  Where they are the same nothing is to be done: in a user namespace that does not
   know them it could not be, either. */
static bool
drop_rights (void)
{
  uid_t user = getuid ();
  gid_t group = getgid ();
  return (getegid () == group || setresgid (group, group, group) == 0)
         && (geteuid () == user || setresuid (user, user, user) == 0);
}

/* Whoever ends the process, or its group, does not mean the writer; and a program that has more
   rights than who started it shall not have files written with them. */
static bool
stand_apart (void)
{
  for (int signal_number = 1; signal_number < NSIG; signal_number++)
    if (signal_number != SIGSEGV && signal_number != SIGBUS)
      signal (signal_number, SIG_IGN);
  return drop_rights ();
}

static bool
work_on (int fd)
{
  uint64_t magic;
  if (pread (fd, &magic, sizeof magic, 0) != sizeof magic)
    return false;
  switch (magic)
    {
    case BBQ_MAGIC: return write_trace (fd);
    case BBS_MAGIC: return write_samples (fd);
    case BBW_MAGIC: return answer_questions (fd);
    default: return false;
    }
}

int
main (int argc, char **argv)
{
  return argc == 2 && stand_apart () && work_on (atoi (argv[1])) ? EXIT_SUCCESS : EXIT_FAILURE;
}

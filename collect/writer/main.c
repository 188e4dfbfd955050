/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof-writer: writes the trace or the sample times of a process while it runs, or answers
   which seccomp filters bind it.

   The run-time library starts it as a process of its own, in a process group of its own.  The only
   argument is the descriptor of the memory that both share; the first word of that memory selects
   the work.  The writer ends when the process asks for it, or when the process has ended for any
   reason.  It never lets the process wait longer than necessary: when the file can no longer be
   written, it still empties the memory. */
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "collect/writer/write.h"
#include "include/bbprof-pieces.h"
#include "include/bbprof-samples.h"
#include "include/bbprof-witness.h"

/* Drops them for good.  If they are equal, nothing is done: in a user namespace that does not map
   them it would fail. */
static bool
drop_rights (void)
{
  uid_t user = getuid ();
  gid_t group = getgid ();
  return (getegid () == group || setresgid (group, group, group) == 0)
         && (geteuid () == user || setresuid (user, user, user) == 0);
}

/* Signals to the process or its group are not meant for the writer, so they are ignored.  Files
   are written with the rights of the user, also if the program has more (set-user-id). */
static bool
detach (void)
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
    case BBW_MAGIC: return serve_witness (fd);
    default: return false;
    }
}

int
main (int argc, char **argv)
{
  return argc == 2 && detach () && work_on (atoi (argv[1])) ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts bbprof-writer of this build as a child of a unit test, which stands for the process
   that the writer serves. */
#ifndef START_WRITER_H
#define START_WRITER_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

/* MEMORY: the descriptor that both share.  LIMIT: of the file's size, 0: none. */
static inline pid_t
start_writer_of (int memory, rlim_t limit)
{
  const char *top = getenv ("top_builddir");
  char program[4096], fd[16];
  snprintf (program, sizeof program, "%s/collect/bbprof-writer", top ? top : "..");
  snprintf (fd, sizeof fd, "%d", memory);
  pid_t writer = fork ();
  if (writer == 0)
    {
      struct rlimit most = { limit, limit };
      if (limit)
        setrlimit (RLIMIT_FSIZE, &most);
      execl (program, program, fd, (char *) NULL);
      _exit (127);
    }
  ck_assert_int_gt (writer, 0);
  return writer;
}

#endif

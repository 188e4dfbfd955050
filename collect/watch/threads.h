/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The threads that a process has, as /proc lists them. */
#ifndef BBPROF_MONITOR_THREADS_H
#define BBPROF_MONITOR_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct threads {
  uint32_t *tids; /* ascending */
  size_t n, room;
};

/* Those of PID now.  False: errno says why: ENOENT, ESRCH: there is no such process, or it has
   ended; ENOMEM. */
bool threads_list (struct threads *, pid_t pid);
void threads_free (struct threads *);

bool threads_has (const struct threads *, uint32_t tid);

/* Its name, without the newline, at most 15 bytes.  False: it has ended. */
bool threads_name (pid_t pid, uint32_t tid, char name[20]);

#endif

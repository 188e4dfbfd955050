/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The threads of a process, as /proc lists them. */
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

/* Lists the threads of PID.  False: errno says why: ENOENT, ESRCH: there is no such process, or
   it has ended; ENOMEM. */
bool threads_list (struct threads *, pid_t pid);
void threads_free (struct threads *);

bool threads_has (const struct threads *, uint32_t tid);

/* The thread's name, without the newline, at most 15 bytes.  False: it has ended. */
bool threads_name (pid_t pid, uint32_t tid, char name[20]);

#endif

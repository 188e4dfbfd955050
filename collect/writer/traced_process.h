/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The process for which a writer writes. */
#ifndef BBPROF_PROCESS_H
#define BBPROF_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

struct process {
  pid_t pid;
  int fd; /* pidfd; -1: the kernel has none */
};

void process_open (struct process *, unsigned pid);

/* Has it ended, for any reason? */
bool process_is_gone (const struct process *);

#endif

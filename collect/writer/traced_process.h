/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The process that a writer writes for. */
#ifndef BBPROF_PROCESS_H
#define BBPROF_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

struct process {
  pid_t pid;
  int fd; /* pidfd; -1: the kernel has none to give */
};

void process_open (struct process *, unsigned pid);

/* Has it ended, however it did? */
bool process_is_gone (const struct process *);

#endif

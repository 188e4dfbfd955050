/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collect/writer/traced_process.h"

void
process_open (struct process *p, unsigned pid)
{
  *p = (struct process) { .pid = (pid_t) pid, .fd = (int) syscall (SYS_pidfd_open, pid, 0) };
}

bool
process_is_gone (const struct process *process)
{
  struct pollfd p = { .fd = process->fd, .events = POLLIN };
  if (process->fd >= 0)
    return poll (&p, 1, 0) > 0;
  return kill (process->pid, 0) != 0 && errno == ESRCH;
}

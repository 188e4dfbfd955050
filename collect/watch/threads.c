/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/watch/threads.h"
#include "common/array.h"

static int
compare_tids (const void *a, const void *b)
{
  const uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
  return (x > y) - (x < y);
}

static bool
add (struct threads *t, const char *name)
{
  char *end;
  const unsigned long tid = strtoul (name, &end, 10);
  if (end == name || *end != '\0')
    return true;
  if (!array_grow (&t->tids, t->n, &t->room, sizeof *t->tids))
    return errno = ENOMEM, false;
  t->tids[t->n++] = (uint32_t) tid;
  return true;
}

/* /proc/PID/task of a process that has ended, but was not waited for, still lists its first
   thread. */
bool
threads_list (struct threads *t, pid_t pid)
{
  char path[32];
  snprintf (path, sizeof path, "/proc/%d/task", pid);
  DIR *folder = opendir (path);
  t->n = 0;
  if (!folder)
    return false;
  bool good = true;
  for (struct dirent *entry; good && (errno = 0, entry = readdir (folder));)
    good = add (t, entry->d_name);
  const int error = errno;
  closedir (folder);
  qsort (t->tids, t->n, sizeof *t->tids, compare_tids);
  return errno = error ? error : t->n == 0 ? ESRCH : 0, errno == 0;
}

void
threads_free (struct threads *t)
{
  free (t->tids);
  *t = (struct threads) { .tids = NULL };
}

bool
threads_has (const struct threads *t, uint32_t tid)
{
  return t->n > 0 && bsearch (&tid, t->tids, t->n, sizeof tid, compare_tids);
}

bool
threads_name (pid_t pid, uint32_t tid, char name[20])
{
  char path[48];
  snprintf (path, sizeof path, "/proc/%d/task/%u/comm", pid, tid);
  const int fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  const ssize_t n = read (fd, name, 19);
  close (fd);
  if (n <= 0)
    return false;
  name[name[n - 1] == '\n' ? n - 1 : n] = '\0';
  return true;
}

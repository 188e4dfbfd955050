/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A writer of traces for tests (include/bbprof-pieces.h): appends each piece to the file as it lies
   in memory.  What it is to do wrong is said by files beside that one: PATH.slow, PATH.stuck
   (empties nothing), PATH.die (after its first piece), PATH.fail.  After the end of a process
   that was killed it makes PATH.complete when all is written. */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "bbprof-pieces.h"

static struct bbq_head *head;
static FILE *file;

static bool
told (const char *what)
{
  char name[sizeof head->path + 16];
  snprintf (name, sizeof name, "%s.%s", head->path, what);
  return access (name, F_OK) == 0;
}

static void
wake (_Atomic uint32_t *word)
{
  atomic_fetch_add (word, 1);
  syscall (SYS_futex, word, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

static struct bbq_piece *
piece_at (uint32_t i)
{
  return (struct bbq_piece *) ((char *) head + head->bytes_of_head
                               + i * (size_t) head->bytes_of_piece);
}

static void
append (const struct bbq_piece *piece)
{
  if (!head->failed)
    fwrite (piece, sizeof *piece, 1, file);
  fflush (file);
}

/* All that are full; of one stream in their order. */
static void
empty (void)
{
  for (;;)
    {
      struct bbq_piece *first = NULL;
      for (uint32_t i = 0; i < head->pieces; i++)
        {
          struct bbq_piece *piece = piece_at (i);
          if (piece->state == BBQ_FULL && (!first || piece->sequence < first->sequence))
            first = piece;
        }
      if (!first)
        return;
      append (first);
      if (told ("die"))
        _exit (1);
      if (told ("slow"))
        nanosleep (&(struct timespec) { 0, 200000000 }, NULL);
      first->state = BBQ_FREE;
      wake (&head->freed);
    }
}

static void
append_used (void)
{
  for (uint32_t i = 0; i < head->pieces; i++)
    if (piece_at (i)->state == BBQ_USED)
      append (piece_at (i));
}

/* Of the process's number there may be another one by now, but not so soon. */
static bool
process_is_gone (void)
{
  return kill ((pid_t) head->pid, 0) != 0 && errno == ESRCH;
}

int
main (int argc, char **argv)
{
  struct stat st;
  int fd = argc > 1 ? atoi (argv[1]) : -1;
  if (fstat (fd, &st) != 0)
    return 1;
  head = mmap (NULL, (size_t) st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (head == MAP_FAILED || head->magic != BBQ_MAGIC || !(file = fopen (head->path, "w")))
    return 1;
  fwrite (head, head->bytes_of_head, 1, file);
  if (told ("fail"))
    head->failed = ENOSPC;
  for (;;)
    {
      uint32_t seen = head->submitted;
      uint32_t ending = head->ending;
      bool gone = process_is_gone ();
      if (!told ("stuck") && (!head->window || gone || ending))
        empty ();
      if (gone)
        break;
      if (pwrite (fileno (file), head, head->bytes_of_head, 0) < 0)
        return 1;
      if (ending && !told ("stuck"))
        {
          append_used ();
          head->ending = 0;
          wake (&head->ended);
          if (ending == 1)
            return 0;
        }
      head->waiting_writer = 1;
      syscall (SYS_futex, &head->submitted, FUTEX_WAIT, seen, &(struct timespec) { 0, 20000000 },
               NULL, 0);
      head->waiting_writer = 0;
    }
  append_used ();
  char name[sizeof head->path + 16];
  snprintf (name, sizeof name, "%s.complete", head->path);
  return !fopen (name, "w");
}

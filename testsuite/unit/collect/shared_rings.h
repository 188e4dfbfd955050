/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For unit tests that stand for a sampled process: the memory shared with bbprof-writer, and the
   file that the writer makes of it. */
#ifndef SHARED_RINGS_H
#define SHARED_RINGS_H

#include <check.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "collect/streams/samples_read.h"
#include "testsuite/unit/collect/start_writer.h"

enum { RINGS = 4, ROOM = 64, RUN = 78, PATIENCE = 60000 /* milliseconds */ };

/* The process and its writer. */
static struct {
  struct bbs_head *head;
  size_t bytes, of_head, of_ring;
  int memory;
  pid_t writer;
  const char *path; /* of its file */
} here;

static inline struct bbs_ring *
ring_at (size_t i)
{
  return (struct bbs_ring *) (void *) ((char *) here.head + here.of_head + i * here.of_ring);
}

static inline void
set_up (const char *file)
{
  here.path = file;
  here.of_head = (sizeof *here.head + 4095) & -4096UL;
  here.of_ring = sizeof (struct bbs_ring) + ROOM * sizeof (struct bbs_sample);
  here.bytes = here.of_head + RINGS * here.of_ring;
  here.memory = memfd_create ("rings", 0);
  ck_assert_int_eq (ftruncate (here.memory, (off_t) here.bytes), 0);
  here.head = mmap (NULL, here.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, here.memory, 0);
  ck_assert (here.head != MAP_FAILED);
  here.head->magic = BBS_MAGIC;
  here.head->run = RUN;
  here.head->pid = (uint32_t) getpid ();
  here.head->rings = RINGS;
  here.head->bytes_of_head = (uint32_t) here.of_head;
  here.head->bytes_of_ring = (uint32_t) here.of_ring;
  here.head->made = RINGS;
  if (*file != '/')
    ck_assert (getcwd (here.head->file, sizeof here.head->file - 100)
               && strcat (here.head->file, "/"));
  strcat (here.head->file, file);
}

static inline void
tear_down (void)
{
  munmap (here.head, here.bytes);
  close (here.memory);
}

/* LIMIT: of the file's size, 0: none. */
static inline void
start_writer (rlim_t limit)
{
  here.writer = start_writer_of (here.memory, limit);
}

static inline void
ring_doorbell (void)
{
  atomic_fetch_add (&here.head->doorbell, 1);
  syscall (SYS_futex, &here.head->doorbell, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static inline void
end (void)
{
  int status;
  atomic_store (&here.head->state, BBS_ENDING);
  ring_doorbell ();
  ck_assert_int_eq (waitpid (here.writer, &status, 0), here.writer);
  ck_assert (WIFEXITED (status) && WEXITSTATUS (status) == 0);
  ck_assert_uint_eq (here.head->state, BBS_ENDED);
}

static inline uint64_t
loss (const struct samples_file *f, const char *cause)
{
  for (size_t i = 0; i < f->nlosses; i++)
    if (strcmp (f->losses[i].cause, cause) == 0)
      return f->losses[i].count;
  ck_abort_msg ("the file does not say: %s", cause);
  return 0;
}

static inline void
open_file (struct samples_file *f)
{
  struct error err;
  ck_assert_msg (samples_file_open (f, here.path, &err), "%s", err.text);
  ck_assert_uint_eq (f->run, RUN);
}

#endif

/* SPDX-License-Identifier: MIT */
/* raw=FILE: the address of each sample, in order of time, as old preloaded profilers wrote them:
   machine words and nothing else.  The addresses are those of gmon.out: in the executable those
   of link time.  A handler that finds the queue half full writes it, if the lock is free; the
   rest is written with the profile.  The file is closed between two writes, because the program
   may close all open descriptors.  Context: cold, lock held, unless a function says otherwise. */
#include <errno.h>
#include <string.h>

#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/base/sys.h"
#include "runtime/objects/objects.h"
#include "runtime/observe/sample_queue.h"

struct bbp_queue *bbp_raw_queue;

static struct {
  char path[BBP_PATH_SIZE];
  uint64_t written; /* bytes */
  uint64_t lost;    /* samples that found the queue full */
  bool failed;      /* the rest is dropped */
  bool said;        /* the error was reported, once in the process */
} raw;

/* Too large for the stacks of handlers. */
static uint64_t words[1024];
enum { WORDS = sizeof words / sizeof *words };

static void
fail (long error)
{
  if (!raw.said)
    bbp_message (raw.path, strerrordesc_np ((int) -error));
  raw.failed = raw.said = true;
}

/* A descriptor, or -errno. */
static long
open_file (int flags)
{
  long fd = bbp_rights_lower () ? -bbp_out_check_target (raw.path) : -EPERM;
  if (fd == 0)
    fd = bbp_open_high (raw.path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | flags);
  bbp_rights_restore ();
  return fd;
}

static void
make_file (void)
{
  long fd = bbp_path_named (raw.path, sizeof raw.path, bbp_options.raw)
                ? open_file (O_CREAT | O_TRUNC)
                : -ENAMETOOLONG;
  raw.written = raw.lost = 0;
  raw.failed = false;
  if (fd < 0)
    fail (fd);
  else
    bbp_sys_close ((int) fd);
}

/* 0 or -errno.  Beyond the file size limit a signal would come. */
static long
write_bytes (int fd, const char *bytes, size_t n)
{
  struct rlimit limit;
  if (bbp_sys_limit (RLIMIT_FSIZE, &limit) == 0 && raw.written + n > limit.rlim_cur)
    return -EFBIG;
  while (n)
    {
      long taken = bbp_sys_write (fd, bytes, n);
      if (taken == -EINTR)
        continue;
      if (taken <= 0)
        return taken ? taken : -EIO;
      bytes += taken;
      n -= (size_t) taken;
      raw.written += (uint64_t) taken;
    }
  return 0;
}

/* Code in no object has only its run-time address.  The first unknown address makes the library
   read the list of objects again, once, for libraries loaded since. */
static uint64_t
word_of (const struct bbp_observed *observed, bool *asked)
{
  if (!observed->mapping)
    return observed->sample.address;
  uint64_t word = bbp_mapping_virtual (observed->mapping, observed->sample.address);
  if (word || *asked)
    return word;
  *asked = true;
  bbp_objects_find_counted ();
  return bbp_mapping_virtual (observed->mapping, observed->sample.address);
}

static void
write_queue (int fd)
{
  struct bbp_observed observed;
  bool asked = false;
  size_t n = 0;
  long error = 0;
  while (bbp_queue_take (bbp_raw_queue, &observed))
    {
      uint64_t word = word_of (&observed, &asked);
      raw.lost += observed.sample.lost;
      for (unsigned i = 0; i < observed.sample.ticks && !error; i++)
        {
          words[n++] = word;
          if (n == WORDS)
            error = write_bytes (fd, (const char *) words, sizeof words);
          n %= WORDS;
        }
    }
  if (!error)
    error = write_bytes (fd, (const char *) words, n * sizeof *words);
  if (error)
    fail (error);
}

void
bbp_raw_write (void)
{
  if (!bbp_raw_queue || raw.failed)
    return;
  long fd = open_file (O_APPEND);
  if (fd < 0)
    {
      fail (fd);
      return;
    }
  write_queue ((int) fd);
  bbp_sys_close ((int) fd);
}

static void
write_in_handler (void *unused)
{
  (void) unused;
  bbp_raw_write ();
}

/* Signal.  If the lock is held, the next tick does it. */
void
bbp_raw_tick (void)
{
  bbp_sigset old;
  const struct bbp_queue *queue = bbp_raw_queue;
  if (!queue || bbp_avoid_syscalls
      || __atomic_load_n (&queue->tail, __ATOMIC_RELAXED)
                 - __atomic_load_n (&queue->head, __ATOMIC_RELAXED)
             < BBP_QUEUE / 2
      || !bbp_lock_try (&old))
    return;
  bbp_on_handler_stack (write_in_handler, NULL);
  bbp_unlock (old);
}

void
bbp_raw_start (void)
{
  if (!*bbp_options.raw || bbp_raw_queue)
    return;
  struct bbp_queue *queue = bbp_queue_make ();
  if (!queue)
    {
      bbp_message ("raw=", strerrordesc_np (ENOMEM));
      return;
    }
  bbp_mappings_start ();
  make_file ();
  __atomic_store_n (&bbp_raw_queue, queue, __ATOMIC_RELEASE);
}

void
bbp_raw_reset (void)
{
  struct bbp_observed observed;
  if (!bbp_raw_queue)
    return;
  while (bbp_queue_take (bbp_raw_queue, &observed))
    continue;
  make_file ();
}

/* The queue is the parent's.  fork may have interrupted its use, so it is left as it is. */
void
bbp_raw_forked (void)
{
  if (!bbp_raw_queue)
    return;
  __atomic_store_n (&bbp_raw_queue, bbp_queue_make (), __ATOMIC_RELEASE);
  if (bbp_raw_queue)
    make_file ();
}

void
bbp_raw_end (void)
{
  char line[96];
  struct bbp_text text = { .buffer = line, .size = sizeof line };
  uint64_t lost
      = bbp_raw_queue ? raw.lost + __atomic_load_n (&bbp_raw_queue->lost, __ATOMIC_RELAXED) : 0;
  if (lost == 0 || raw.failed)
    return;
  bbp_text_number (&text, lost);
  bbp_text_string (&text, " samples are missing: they came faster than they could be written");
  bbp_message (raw.path, line);
}

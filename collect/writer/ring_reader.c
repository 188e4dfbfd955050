/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "collect/writer/ring_reader.h"

static bool
is_possible (const struct rings *r, uint64_t bytes_of_head, uint64_t bytes)
{
  return r->head->magic == BBS_MAGIC && bytes_of_head >= sizeof *r->head && bytes_of_head % 8 == 0
         && r->bytes_of_ring % 8 == 0
         && r->bytes_of_ring >= sizeof (struct bbs_ring) + sizeof (struct bbs_sample)
         && bytes_of_head + r->n * (uint64_t) r->bytes_of_ring <= bytes;
}

bool
rings_open (struct rings *r, int fd)
{
  struct stat st;
  if (fstat (fd, &st) != 0 || st.st_size < (off_t) sizeof *r->head)
    return false;
  r->head = mmap (NULL, (size_t) st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (r->head == MAP_FAILED)
    return false;
  const size_t bytes_of_head = r->head->bytes_of_head;
  r->first = (char *) r->head + bytes_of_head;
  r->n = r->head->rings;
  r->bytes_of_ring = r->head->bytes_of_ring;
  if (!is_possible (r, bytes_of_head, (uint64_t) st.st_size))
    return false;
  const size_t room = (r->bytes_of_ring - sizeof (struct bbs_ring)) / sizeof (struct bbs_sample);
  for (r->samples = 1; 2 * r->samples <= room;)
    r->samples *= 2;
  process_open (&r->process, r->head->pid);
  return true;
}

struct bbs_ring *
rings_at (const struct rings *r, size_t i)
{
  return (struct bbs_ring *) (void *) (r->first + i * r->bytes_of_ring);
}

size_t
rings_copy (const struct rings *r, const struct bbs_ring *ring, struct bbs_sample *to, size_t most)
{
  uint64_t tail = atomic_load_explicit (&ring->tail, memory_order_relaxed);
  uint64_t n = atomic_load_explicit (&ring->head, memory_order_acquire) - tail;
  if (n > r->samples)
    n = r->samples;
  if (n > most)
    n = most;
  for (uint64_t i = 0; i < n; i++)
    to[i] = ring->samples[(tail + i) & (r->samples - 1)];
  return n;
}

void
rings_take (struct bbs_ring *ring, size_t n)
{
  uint64_t tail = atomic_load_explicit (&ring->tail, memory_order_relaxed);
  atomic_store_explicit (&ring->tail, tail + n, memory_order_release);
}

/* Pairs with the process, which first increments the doorbell and then checks for a waiter. */
void
rings_wait (struct rings *r, unsigned seen, unsigned milliseconds)
{
  struct timespec time
      = { .tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000L };
  atomic_store (&r->head->waiting, 1);
  if (atomic_load (&r->head->doorbell) == seen)
    syscall (SYS_futex, &r->head->doorbell, FUTEX_WAIT, seen, &time, NULL, 0);
  atomic_store (&r->head->waiting, 0);
}

void
rings_end (struct rings *r)
{
  atomic_store (&r->head->state, BBS_ENDED);
  syscall (SYS_futex, &r->head->state, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collect/watch/buffer.h"

static size_t
page_bytes (void)
{
  return (size_t) sysconf (_SC_PAGESIZE);
}

/* Mapped for writing: then the kernel does not overwrite unread records, and counts those that it
   drops. */
bool
buffer_map (struct buffer *b, int fd, size_t pages)
{
  for (; pages > 0; pages /= 2)
    {
      void *page
          = mmap (NULL, (1 + pages) * page_bytes (), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
      if (page != MAP_FAILED)
        return *b = (struct buffer) { .page = page, .pages = pages }, true;
      if (errno != EPERM && errno != ENOMEM)
        return false;
    }
  return false;
}

void
buffer_unmap (struct buffer *b)
{
  if (b->page)
    munmap (b->page, (1 + b->pages) * page_bytes ());
  *b = (struct buffer) { .page = NULL };
}

void
buffer_begin (struct buffer *b)
{
  b->head = __atomic_load_n (&b->page->data_head, __ATOMIC_ACQUIRE);
}

static void
copy (const struct buffer *b, uint64_t from, void *to, size_t size)
{
  const char *data = (const char *) b->page + page_bytes ();
  const size_t bytes = b->pages * page_bytes (), offset = from % bytes,
               first = bytes - offset < size ? bytes - offset : size;
  memcpy (to, data + offset, first);
  memcpy ((char *) to + first, data, size - first);
}

bool
buffer_next (struct buffer *b, void *room, size_t size)
{
  struct perf_event_header header;
  if (b->head - b->tail < sizeof header)
    return false;
  copy (b, b->tail, &header, sizeof header);
  if (header.size < sizeof header || header.size > b->head - b->tail)
    return b->tail = b->head, false;
  copy (b, b->tail, room, header.size < size ? header.size : size);
  b->tail += header.size;
  return true;
}

void
buffer_end (struct buffer *b)
{
  __atomic_store_n (&b->page->data_tail, b->tail, __ATOMIC_RELEASE);
}

/* SPDX-License-Identifier: MIT */
#include <errno.h>

#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/switches/event_buffer.h"

/* Mapped for writing: then the kernel does not overwrite unread records, and counts those that it
   drops. */
int
bbp_event_buffer_map (struct bbp_event_buffer *b, int fd, size_t pages)
{
  long page = -EINVAL;
  for (; pages > 0; pages /= 2)
    {
      page = bbp_sys_mmap_file (NULL, (1 + pages) * BBP_PAGE_BYTES, fd, 0);
      if (page > 0 || page < -BBP_PAGE_BYTES)
        return *b = (struct bbp_event_buffer) { .page = (void *) page, .pages = pages }, 0;
      if (page != -EPERM && page != -ENOMEM)
        break;
    }
  return (int) page;
}

void
bbp_event_buffer_unmap (struct bbp_event_buffer *b)
{
  if (b->page)
    bbp_sys_munmap (b->page, (1 + b->pages) * BBP_PAGE_BYTES);
  *b = (struct bbp_event_buffer) { .page = NULL };
}

void
bbp_event_buffer_begin (struct bbp_event_buffer *b)
{
  b->head = __atomic_load_n (&b->page->data_head, __ATOMIC_ACQUIRE);
}

static void
copy (const struct bbp_event_buffer *b, uint64_t from, void *to, size_t size)
{
  const char *data = (const char *) b->page + BBP_PAGE_BYTES;
  const size_t bytes = b->pages * BBP_PAGE_BYTES, offset = from % bytes,
               first = bytes - offset < size ? bytes - offset : size;
  bbp_copy_bytes (to, data + offset, first);
  bbp_copy_bytes ((char *) to + first, data, size - first);
}

bool
bbp_event_buffer_next (struct bbp_event_buffer *b, void *room, size_t size)
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
bbp_event_buffer_end (struct bbp_event_buffer *b)
{
  __atomic_store_n (&b->page->data_tail, b->tail, __ATOMIC_RELEASE);
}

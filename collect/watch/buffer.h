/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The buffer that one processor's records come in: the kernel fills it, and who watches empties
   it. */
#ifndef BBPROF_MONITOR_BUFFER_H
#define BBPROF_MONITOR_BUFFER_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buffer {
  /* Its data behind it; null: nobody can be watched on this processor. */
  struct perf_event_mmap_page *page;
  size_t pages; /* of data: a power of two */
  uint64_t head, tail;
};

/* Maps the event FD, with as many of PAGES (a power of two) as the kernel grants.  False: errno
   says why. */
bool buffer_map (struct buffer *, int fd, size_t pages);
void buffer_unmap (struct buffer *);

/* What is read is what was there at this call. */
void buffer_begin (struct buffer *);
/* Copies the next record into ROOM, of SIZE bytes, cut if it is longer.  False: there is none. */
bool buffer_next (struct buffer *, void *room, size_t size);
/* The kernel may use the room of what has been read. */
void buffer_end (struct buffer *);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ring buffer of one processor's records: the kernel writes it, events.c reads it. */
#ifndef BBPROF_MONITOR_BUFFER_H
#define BBPROF_MONITOR_BUFFER_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buffer {
  /* The data follow it; null: no event could be opened on this processor. */
  struct perf_event_mmap_page *page;
  size_t pages; /* of data; a power of two */
  uint64_t head, tail;
};

/* Maps the buffer of the event FD, with at most PAGES pages (a power of two), or as many as the
   kernel grants.  False: errno says why. */
bool buffer_map (struct buffer *, int fd, size_t pages);
void buffer_unmap (struct buffer *);

/* Begins to read the records that are in the buffer at this call. */
void buffer_begin (struct buffer *);
/* Copies the next record to ROOM, cut to SIZE bytes.  False: there is none. */
bool buffer_next (struct buffer *, void *room, size_t size);
/* Gives the space of the records that were read back to the kernel. */
void buffer_end (struct buffer *);

#endif

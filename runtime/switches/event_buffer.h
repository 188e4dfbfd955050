/* SPDX-License-Identifier: MIT */
/* The ring buffer of one processor's records: the kernel writes it, one thread reads it.  Context:
   cold. */
#ifndef BBP_EVENT_BUFFER_H
#define BBP_EVENT_BUFFER_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct bbp_event_buffer {
  /* The data follow it; null: no event could be opened on this processor. */
  struct perf_event_mmap_page *page;
  size_t pages; /* of data; a power of two */
  uint64_t head, tail;
};

/* Maps the buffer of the event FD, with at most PAGES pages (a power of two), or as many as the
   kernel grants.  0 or -errno. */
int bbp_event_buffer_map (struct bbp_event_buffer *, int fd, size_t pages);
void bbp_event_buffer_unmap (struct bbp_event_buffer *);

/* Begins to read the records that are in the buffer at this call. */
void bbp_event_buffer_begin (struct bbp_event_buffer *);
/* Copies the next record to ROOM, cut to SIZE bytes.  False: there is none. */
bool bbp_event_buffer_next (struct bbp_event_buffer *, void *room, size_t size);
/* Gives the space of the records that were read back to the kernel. */
void bbp_event_buffer_end (struct bbp_event_buffer *);

#pragma GCC visibility pop

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The threads that live, by number: what has to be known of one to understand the next record of
   it. */
#ifndef BBPROF_MONITOR_KNOWN_H
#define BBPROF_MONITOR_KNOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct known {
  uint32_t tid;  /* 0: free */
  uint16_t cpu;  /* of the last switch */
  uint16_t last; /* enum bbs_switch_kind, of the last switch; BBS_SWITCH_KINDS: none yet */
  char name[20];
};

struct known_threads {
  struct known *slots;
  size_t n, room; /* a power of two, or 0 */
};

/* Null: it is not known. */
struct known *known_find (const struct known_threads *, uint32_t tid);
/* The one of that number, made if it is not there.  Null: no memory. */
struct known *known_add (struct known_threads *, uint32_t tid);
void known_remove (struct known_threads *, uint32_t tid);
void known_free (struct known_threads *);

#endif

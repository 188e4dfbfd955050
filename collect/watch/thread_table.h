/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The living threads by tid: what events.c has to know of a thread to interpret its next record. */
#ifndef BBPROF_THREAD_TABLE_H
#define BBPROF_THREAD_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct thread_entry {
  uint32_t tid;  /* 0: free */
  uint16_t cpu;  /* of the last switch */
  uint16_t last; /* enum bbs_switch_kind of the last switch; BBS_SWITCH_KINDS: none yet */
  char name[20];
};

struct thread_table {
  struct thread_entry *slots;
  size_t n, room; /* a power of two, or 0 */
};

/* Null: there is none. */
struct thread_entry *thread_table_find (const struct thread_table *, uint32_t tid);
/* The entry of TID, made if there is none.  Null: out of memory. */
struct thread_entry *thread_table_add (struct thread_table *, uint32_t tid);
void thread_table_remove (struct thread_table *, uint32_t tid);
void thread_table_free (struct thread_table *);

#endif

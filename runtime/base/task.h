/* SPDX-License-Identifier: MIT */
/* What /proc/self/task says of the threads of this process: for samplers, who have to know them
   all, and for snapshots. */
#ifndef BBP_TASK_H
#define BBP_TASK_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Any context, but as said.  NAME: of the file in the folder of thread TID, "/stat" for example. */
long bbp_task_open (int tid, const char *name); /* descriptor, or -errno */
/* The text of it as it is now, with a zero behind it; how many bytes, at most SIZE - 1, or
   -errno. */
long bbp_task_read (int tid, const char *name, char *text, size_t size);

/* The last KEEP bytes of it, or some more; reads it in pieces of SIZE - KEEP. */
void bbp_task_end (int tid, const char *name, char *text, size_t size, size_t keep);

/* The number that TEXT begins with, decimal, or hexadecimal with 0x; 0: none. */
uint64_t bbp_task_number (const char *text);

/* What follows the first KEY in TEXT; empty: it is not there. */
const char *bbp_task_behind (const char *text, const char *key);

/* Calls MEET for each thread, one that begins or ends meanwhile or not.  0, or -errno: not for
   all.  ROOM: of at least 256 bytes, at an address that is a multiple of 8; more of it makes the
   list of one moment more likely. */
long bbp_task_all (void (*meet) (int tid, void *argument), void *argument, void *room,
                   size_t bytes);

#pragma GCC visibility pop

#endif

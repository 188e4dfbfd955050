/* SPDX-License-Identifier: MIT */
/* Files of /proc/self/task, one folder a thread: for samplers, which have to know all threads, and
   for snapshots. */
#ifndef BBP_TASK_H
#define BBP_TASK_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

/* Any context, unless stated otherwise.  NAME: of the file in the folder of thread TID, such as
   "/stat". */
long bbp_task_open (int tid, const char *name); /* descriptor, or -errno */
/* The current content of the file, terminated by a zero; returns the length, at most SIZE - 1, or
   -errno. */
long bbp_task_read (int tid, const char *name, char *text, size_t size);

/* The last KEEP bytes of the file, or a few more; read in pieces of SIZE - KEEP. */
void bbp_task_end (int tid, const char *name, char *text, size_t size, size_t keep);

/* The number at the start of TEXT, decimal, or hexadecimal with 0x; 0: none. */
uint64_t bbp_task_number (const char *text);

/* The text behind the first KEY in TEXT; empty: there is none. */
const char *bbp_task_behind (const char *text, const char *key);

/* Calls MEET for each thread; one that begins or ends meanwhile may be missing.  0, or -errno: not
   all were listed.  ROOM: at least 256 bytes, aligned to 8; more room makes it more likely that the
   list is of one moment. */
long bbp_task_all (void (*meet) (int tid, void *argument), void *argument, void *room,
                   size_t bytes);

#pragma GCC visibility pop

#endif

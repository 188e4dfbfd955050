/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files with symbols from the servers that DEBUGINFOD_URLS names, through elfutils' client,
   which keeps them in a cache.  The client is loaded when it is needed; without it, or without
   servers, nothing is fetched. */
#ifndef BBPROF_DEBUGINFOD_H
#define BBPROF_DEBUGINFOD_H

#include <stdbool.h>
#include <string.h>

#include "model/elf/image.h"

/* The path of the file for IMAGE, by its build id, in fresh memory, or null.  A server that is
   silent for 10 s, or files that take more than 120 s in all, end fetching, and so does SIGINT
   (Ctrl-C), which then does nothing else; the client's own variables DEBUGINFOD_TIMEOUT and
   DEBUGINFOD_MAXTIME set other limits, in seconds.  On a terminal a line on stderr tells how far
   it is. */
char *debuginfod_fetch (const struct image *);

/* Could DEBUGINFOD_URLS be TEXT?  The client takes hosts, too, and would wait for the name of
   anything to be looked up. */
static inline bool
debuginfod_is_url (const char *text)
{
  return strpbrk (text, ":./");
}

/* Could servers be asked, if DEBUGINFOD_URLS named some? */
bool debuginfod_can (void);

/* Why fetching has ended before its time, or null.  Lives as long as the process. */
const char *debuginfod_trouble (void);

#endif

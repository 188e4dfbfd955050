/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fetches debug files from the servers in DEBUGINFOD_URLS, through elfutils' client, which keeps
   them in a cache.  The client is loaded on demand; without it, or without servers, nothing is
   fetched. */
#ifndef BBPROF_DEBUGINFOD_H
#define BBPROF_DEBUGINFOD_H

#include <stdbool.h>
#include <string.h>

#include "model/elf/image.h"

/* The path of the debug file of IMAGE, found by its build id, in new memory, or null.  Fetching
   ends for good if a server is silent for 10 s, if all files together take more than 120 s, or on
   SIGINT (Ctrl-C), which then has no other effect.  The client's variables DEBUGINFOD_TIMEOUT and
   DEBUGINFOD_MAXTIME set other limits, in seconds.  On a terminal a line on stderr shows the
   progress. */
char *debuginfod_fetch (const struct image *);

/* Could DEBUGINFOD_URLS be TEXT?  The client also takes host names, and would wait until any text
   is looked up as one. */
static inline bool
debuginfod_is_url (const char *text)
{
  return strpbrk (text, ":./");
}

/* Could servers be asked, if DEBUGINFOD_URLS named some? */
bool debuginfod_can (void);

/* Why fetching ended early, or null.  Valid as long as the process. */
const char *debuginfod_trouble (void);

#endif

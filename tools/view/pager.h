/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows text through the user's pager (BBPROF_PAGER, PAGER, else less) on a terminal. */
#ifndef BBPROF_PAGER_H
#define BBPROF_PAGER_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

/* Writes TEXT to standard output, through a pager if that is a terminal and MAY_PAGE.  It is no
   error if the user leaves the pager before the end.  Called once, by the main thread. */
bool pager_show (const char *text, size_t size, bool may_page, struct error *);

#endif

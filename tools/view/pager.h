/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows text through the user's pager (BBPROF_PAGER, PAGER, else less) on a terminal. */
#ifndef BBPROF_PAGER_H
#define BBPROF_PAGER_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

/* From now on standard output goes through a pager, if it is a terminal and MAY_PAGE.  The style is
   chosen before this.  Called once, by the main thread. */
void pager_begin (bool may_page);

/* All is written: waits until the user leaves the pager.  It is no error if that is before the end.
   Without pager_begin it only says whether all was written. */
bool pager_end (struct error *);

/* Both, with TEXT between. */
bool pager_show (const char *text, size_t size, bool may_page, struct error *);

#endif

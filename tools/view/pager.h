/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A page of text for a person: on a terminal by the pager that the user likes (BBPROF_PAGER,
   PAGER, less). */
#ifndef BBPROF_PAGER_H
#define BBPROF_PAGER_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

/* Shows the whole TEXT on standard output, by a pager if that is a terminal and MAY_PAGE.  A
   user who leaves the pager before the end has seen enough: that is no error.  Called by the
   main thread, once. */
bool pager_show (const char *text, size_t size, bool may_page, struct error *);

#endif

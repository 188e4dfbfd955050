/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --output=FILE of commands that print a page: FILE takes the place of standard output, and has
   the whole page or stays what it was. */
#ifndef BBPROF_PAGE_OUTPUT_H
#define BBPROF_PAGE_OUTPUT_H

#include <stdbool.h>

#include "common/error.h"

/* From now on standard output goes to NAME.  False: ERR says why it cannot. */
bool page_output_begin (const char *name, struct error *err);

/* The page is complete.  Without page_output_begin it does nothing. */
bool page_output_end (struct error *err);

#endif

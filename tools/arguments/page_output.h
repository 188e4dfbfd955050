/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --output=FILE of commands that print a page: FILE replaces standard output.  It gets the whole
   page, or stays unchanged. */
#ifndef BBPROF_PAGE_OUTPUT_H
#define BBPROF_PAGE_OUTPUT_H

#include <stdbool.h>

#include "common/error.h"

/* Redirects standard output to NAME.  False: ERR has the reason. */
bool page_output_begin (const char *name, struct error *err);

/* The page is complete.  Without page_output_begin it does nothing. */
bool page_output_end (struct error *err);

#endif

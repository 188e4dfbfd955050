/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows a page in the user's browser. */
#ifndef BBPROF_OPEN_PAGE_H
#define BBPROF_OPEN_PAGE_H

#include <stdbool.h>

#include "common/error.h"

/* Starts xdg-open for the file NAME, and does not wait for it.  False: ERR says why not. */
bool open_page (const char *name, struct error *err);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strings that an HTML page uses many times, numbered from 0 in order of their first use. */
#ifndef BBPROF_WEB_NAMES_H
#define BBPROF_WEB_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct web_name;
struct web_names {
  struct web_name *first; /* in order */
  size_t count;
};

/* Finds or adds the number of NAME, which is borrowed.  False: no memory. */
bool web_names_number (struct web_names *, const char *name, size_t *number);
/* Prints the names as a JSON array for a script element. */
void web_names_print (FILE *, const struct web_names *);
void web_names_free (struct web_names *);

#endif

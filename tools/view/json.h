/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes JSON values. */
#ifndef BBPROF_JSON_H
#define BBPROF_JSON_H

#include <stdio.h>

/* TEXT as a JSON string; null as null.  Bytes that are not UTF-8 become U+FFFD. */
void json_string (FILE *, const char *text);

/* The same for JSON that stands in a script element of HTML: nothing in it can end that. */
void json_string_in_html (FILE *, const char *text);

#endif

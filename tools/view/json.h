/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes JSON strings and numbers. */
#ifndef BBPROF_JSON_H
#define BBPROF_JSON_H

#include <stdint.h>
#include <stdio.h>

/* TEXT as a JSON string; null as null.  Bytes that are not UTF-8 become U+FFFD. */
void json_string (FILE *, const char *text);

/* The same for JSON inside a script element of HTML: nothing in the string can end the element. */
void json_string_in_html (FILE *, const char *text);

/* Faster than fprintf: exports have millions of numbers. */
void json_number (FILE *, uint64_t);

#endif

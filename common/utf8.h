/* SPDX-License-Identifier: GPL-3.0-or-later */
/* UTF-8 decoding. */
#ifndef BBPROF_UTF8_H
#define BBPROF_UTF8_H

#define UTF8_REPLACEMENT "\xef\xbf\xbd" /* U+FFFD, for invalid bytes */

/* Length of the UTF-8 sequence at P (not ASCII).  0: invalid: too short, overlong, a surrogate,
   or too large. */
int utf8_length (const unsigned char *p);

/* TEXT as UTF-8, in new memory: invalid bytes become U+FFFD.  Null: out of memory. */
char *utf8_clean (const char *text);

#endif

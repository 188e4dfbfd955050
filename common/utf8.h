/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Is it UTF-8? */
#ifndef BBPROF_UTF8_H
#define BBPROF_UTF8_H

#define UTF8_REPLACEMENT "\xef\xbf\xbd" /* U+FFFD, for what is none */

/* Length of the UTF-8 sequence at P (not ASCII), 0 if it is none: too short, too long for its
   value, a surrogate or too large. */
int utf8_length (const unsigned char *p);

#endif

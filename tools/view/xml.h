/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes text into XML. */
#ifndef BBPROF_XML_H
#define BBPROF_XML_H

#include <stdio.h>

/* TEXT, in an attribute or between tags.  What XML cannot have, and bytes that are not UTF-8,
   become U+FFFD. */
void xml_text (FILE *, const char *text);

#endif

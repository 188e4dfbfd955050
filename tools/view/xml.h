/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes text into XML. */
#ifndef BBPROF_XML_H
#define BBPROF_XML_H

#include <stdio.h>

/* Writes TEXT for an attribute or an element.  Bytes that are not UTF-8, and characters that XML
   does not allow, become U+FFFD. */
void xml_text (FILE *, const char *text);

#endif

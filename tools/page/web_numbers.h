/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of numbers in the data of HTML pages: a list is a string.  A number is its groups of 5
   bits, the lowest first; each group is a digit of base 64, whose highest bit says that another
   group follows.  tools/page/numbers.js reads them. */
#ifndef BBPROF_WEB_NUMBERS_H
#define BBPROF_WEB_NUMBERS_H

#include <stdint.h>
#include <stdio.h>

void web_number (FILE *, uint64_t);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads profiles of BSD's systems: a header, the counters of one histogram, calls up to the end
   of the file.

     low and high address, then in four bytes the size of header and counters; in 4.4BSD's files
     also version, rate and twelve unused bytes; counters of two bytes; per call: from, self
     and count

   Addresses and counts of calls are as wide as the machine's pointers. */
#ifndef BBPROF_GMON_BSD_H
#define BBPROF_GMON_BSD_H

#include "model/files/gmon_read.h"

#define GMON_44BSD_VERSION 0x51879

/* Adds the records of a file without the letters gmon.  False: the profile has only some of it. */
bool gmon_bsd_read (struct profile *, struct gmon_file *, const struct gmon_shape *,
                    struct error *);

#endif

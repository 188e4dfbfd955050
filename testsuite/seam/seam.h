/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selects the library's system calls that fail: see seam.c. */
#ifndef BBP_SEAM_H
#define BBP_SEAM_H

#include <stdbool.h>

/* From now on, of the calls with this NUMBER, the NTH (counted from 1) fails with ERROR, and if
   ONWARDS all later ones.  ERROR 0: does half of what it is asked for (a short write).  NTH 0:
   none. */
void bbp_seam_plan (long number, unsigned nth, bool onwards, int error);

#endif

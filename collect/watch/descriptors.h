/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many descriptors this process may have. */
#ifndef BBPROF_MONITOR_DESCRIPTORS_H
#define BBPROF_MONITOR_DESCRIPTORS_H

#include <stdbool.h>

/* As many as the system allows. */
void descriptors_allow (void);

/* FD is the lowest that was free.  True: some are left behind it, for files that are opened for
   a moment. */
bool descriptors_left (int fd);

#endif

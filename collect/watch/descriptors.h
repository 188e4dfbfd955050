/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The limit of this process's file descriptors. */
#ifndef BBPROF_MONITOR_DESCRIPTORS_H
#define BBPROF_MONITOR_DESCRIPTORS_H

#include <stdbool.h>

/* Raises the limit as far as the system allows. */
void descriptors_allow (void);

/* FD was just opened, so it is the lowest that was free.  True: enough are left for files that
   are opened for a short time. */
bool descriptors_left (int fd);

#endif

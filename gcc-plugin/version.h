/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Is the compiler that loads the plugin the one that it was built for?  Plain C, so that a unit test can ask. */
#ifndef BBPROF_VERSION_H
#define BBPROF_VERSION_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* GCC promises no stable interface to plugins, not even between 12.2 and 12.3, so the base versions must be equal.
   A release of a distribution that only adds patches keeps the base version. */
bool bbp_version_fits (const char *built_for, const char *running);

#ifdef __cplusplus
}
#endif

#endif

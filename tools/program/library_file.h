/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the run-time library is. */
#ifndef BBPROF_LIBRARY_FILE_H
#define BBPROF_LIBRARY_FILE_H

#include "common/error.h"

/* The file of the run-time library; null: ERR says why none can be preloaded. */
const char *library_file (struct error *err);

#endif

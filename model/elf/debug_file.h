/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file beside a stripped object that has its symbols and its debug information. */
#ifndef BBPROF_DEBUG_FILE_H
#define BBPROF_DEBUG_FILE_H

#include "model/elf/image.h"

/* Names folders like /usr/lib/debug, with colons between them, where files are looked for first. */
#define DEBUG_FILE_PATH_VARIABLE "BBPROF_DEBUG_PATH"

/* The path of the file that belongs to the object, in fresh memory, or null: by build id in the
   folder .build-id of each folder for such files; by the name and checksum that the object has
   of it (.gnu_debuglink); from the servers of DEBUGINFOD_URLS. */
char *debug_file_find (const struct image *);

#endif

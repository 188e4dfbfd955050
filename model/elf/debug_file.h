/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the separate file with symbols and debug information of a stripped object. */
#ifndef BBPROF_DEBUG_FILE_H
#define BBPROF_DEBUG_FILE_H

#include "model/elf/image.h"

/* Folders like /usr/lib/debug, separated by colons, that are searched first. */
#define DEBUG_FILE_PATH_VARIABLE "BBPROF_DEBUG_PATH"

/* The path of the object's debug file, in new memory, or null.  Searched by build id in the
   subfolder .build-id of each folder for debug files; by the name and checksum in the object
   (.gnu_debuglink); then at the servers of DEBUGINFOD_URLS. */
char *debug_file_find (const struct image *);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paths of Windows, as profiles from there have them. */
#ifndef BBPROF_WINDOWS_PATH_H
#define BBPROF_WINDOWS_PATH_H

/* PATH of Windows as a path of this system: the file of that name beside NEIGHBOUR; else on Wine's
   drives (WINEPREFIX, or ~/.wine); else PATH with slashes.  Other paths are copied as they are.
   Null: out of memory. */
char *windows_path (const char *path, const char *neighbour);

#endif

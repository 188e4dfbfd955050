/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small files, as /proc and /sys have them. */
#ifndef BBPROF_DOCTOR_FILE_H
#define BBPROF_DOCTOR_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* What the file PATH holds, as far as there is room, with a zero at its end.  False: it cannot
   be read. */
bool doctor_read_file (const char *path, char *text, size_t room);

/* Its first word. */
bool doctor_read_word (const char *path, char *word, size_t room);

/* The word behind LABEL, at the beginning of a line of the file. */
bool doctor_read_field (const char *path, const char *label, char *word, size_t room);

#endif

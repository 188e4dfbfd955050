/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads small files, as in /proc and /sys. */
#ifndef BBPROF_DOCTOR_FILE_H
#define BBPROF_DOCTOR_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Reads the file PATH as far as there is room, and adds a terminating zero.  False: it cannot be
   read. */
bool doctor_read_file (const char *path, char *text, size_t room);

/* Reads its first word. */
bool doctor_read_word (const char *path, char *word, size_t room);

/* Reads the word behind LABEL, which begins a line of the file. */
bool doctor_read_field (const char *path, const char *label, char *word, size_t room);

#endif

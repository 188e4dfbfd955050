/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Detects the run-time library by the note that it carries (runtime/base/second_copy.c), and so
   does each object that it is linked into. */
#ifndef BBPROF_LIBRARY_NOTE_H
#define BBPROF_LIBRARY_NOTE_H

#include <elf.h>
#include <stdbool.h>
#include <sys/types.h>

/* True if SEGMENT (PT_NOTE) of the ELF file FD has that note. */
bool library_note_in_segment (int fd, const Elf64_Phdr *segment);

enum library_presence { LIBRARY_ABSENT, LIBRARY_DEAF, LIBRARY_LISTENS, LIBRARY_UNKNOWN };

/* Searches the objects in the memory of thread THREAD of process PID for that note, and for one
   that takes commands (include/bbprof-control.h).  LIBRARY_UNKNOWN: no permission to read it; errno
   has the reason. */
enum library_presence library_in_process (pid_t pid, pid_t thread);

#endif

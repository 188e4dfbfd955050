/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The run-time library carries a note (runtime/base/second_copy.c), and so does each object that it
   was linked into. */
#ifndef BBPROF_LIBRARY_NOTE_H
#define BBPROF_LIBRARY_NOTE_H

#include <elf.h>
#include <stdbool.h>
#include <sys/types.h>

/* Whether that note is in SEGMENT, of the type PT_NOTE, of the ELF file FD. */
bool library_note_in_segment (int fd, const Elf64_Phdr *segment);

enum library_presence { LIBRARY_ABSENT, LIBRARY_DEAF, LIBRARY_LISTENS, LIBRARY_UNKNOWN };

/* Whether an object in the memory of thread THREAD of process PID has that note, and one takes
   commands (include/bbprof-control.h).  LIBRARY_UNKNOWN: this process may not look, errno says
   why. */
enum library_presence library_in_process (pid_t pid, pid_t thread);

#endif

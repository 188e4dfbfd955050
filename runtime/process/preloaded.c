/* SPDX-License-Identifier: MIT */
/* All of libbbprof-record.so, which is preloaded so that a process is recorded: a note, by which
   the library knows that (second_copy.c).  It is a filter for the library (DT_FILTER), so the
   loader puts that one in front of libc, as it does with what is preloaded itself; what an object
   needs only would come behind libc, whose functions would win. */
#include "runtime/base/elf_note.h"

static const struct bbp_note note BBP_IN_NOTES = BBP_NOTE (BBP_NOTE_RECORD);

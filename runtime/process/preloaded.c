/* SPDX-License-Identifier: MIT */
/* All of libbbprof-record.so.  Its preloading means that the process is to be recorded: the ELF
   note that tells the library so (second_copy.c).  It is a filter for the library (DT_FILTER), so
   the loader places that one before libc, as it does with preloaded objects.  As a mere dependency
   it would come behind libc, and functions of libc would win. */
#include "runtime/base/elf_note.h"

static const struct bbp_note note BBP_IN_NOTES = BBP_NOTE (BBP_NOTE_RECORD);

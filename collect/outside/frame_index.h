/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An index of call frame information, as the linker makes for programs that are not static. */
#ifndef BBPROF_FRAME_INDEX_H
#define BBPROF_FRAME_INDEX_H

#include <stddef.h>

#include "runtime/unwind/unwinding.h"

/* Bytes that the index of SIZE bytes of .eh_frame needs at most. */
size_t frame_index_room (size_t size);

/* Makes the index of the section .eh_frame from FIRST to END, in the same copy of an object.
   Returns its bytes; 0: no entry, or more than ROOM bytes. */
size_t frame_index_make (const unsigned char *first, const unsigned char *end,
                         struct bbp_cfi_index *, size_t room);

#endif

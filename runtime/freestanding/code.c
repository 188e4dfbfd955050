/* SPDX-License-Identifier: MIT */
/* The program's code and linkage table.  The code ends at the linker's symbol etext.  Without
   that symbol code is read no further than to the end of its page, because the memory behind it
   may be unmapped. */
#include "runtime/base/base.h"
#include "runtime/dump/dump.h"
#include "runtime/freestanding/freestanding.h"

extern const char etext[] __attribute__ ((weak, visibility ("hidden")));

static const unsigned char *
code_at (uintptr_t address, size_t *n)
{
  uintptr_t stop = (uintptr_t) etext > address ? (uintptr_t) etext
                                               : (address | (BBP_PAGE_BYTES - 1)) + 1;
  *n = stop - address;
  return (const unsigned char *) address;
}

static bool
code_slot (uintptr_t address, uintptr_t *content)
{
  *content = *(const uintptr_t *) address;
  return true;
}

/* The dump uses no other function of higher rooms here. */
const struct bbp_dump_above bbp_dump_above = {
  .code_at = code_at,
  .code_slot = code_slot,
};

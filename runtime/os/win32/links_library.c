/* SPDX-License-Identifier: MIT */
/* In each DLL with instrumented code, which is linked with nothing else: its links to the library
   in the executable.  Without one the DLL works, uncounted. */
#include "runtime/os/win32/counting.h"

extern void bbp_nothing (void);
void __bb_init_func (struct bb *);

struct bbp_links __bb_links = { BBP_ZERO_WORD, bbp_nothing, bbp_nothing, bbp_nothing };
_Static_assert(offsetof (struct bbp_links, arc) == 24, "as links_none.S has it");

static const struct bbp_library *library; /* null: none */

static void
attach (void)
{
  const struct bbp_library *found = (const struct bbp_library *) (void (*) (void)) GetProcAddress (
      GetModuleHandleW (NULL), "__bb_library");
  if (!found || found->magic != BBP_ABI_MAGIC)
    return;
  library = found;
  library->attach (&__bb_links);
}

/* Before all other code of the DLL: "A0" sorts before the names that programs use. */
static void NTAPI
on_change (void *module, DWORD reason, void *unused)
{
  (void) module;
  (void) unused;
  if (reason == DLL_PROCESS_ATTACH)
    attach ();
}
static const PIMAGE_TLS_CALLBACK callback __attribute__ ((section (".CRT$XLA0"), used)) = on_change;

void
__bb_init_func (struct bb *unit)
{
  if (library)
    library->add_unit (unit, &__bb_links);
}

/* After all destructors of the DLL's own.  Code that still runs counts nothing. */
static void __attribute__ ((destructor (101))) detach (void)
{
  const uint64_t slot = __bb_links.slot;
  __bb_links = (struct bbp_links) { BBP_ZERO_WORD, bbp_nothing, bbp_nothing, bbp_nothing };
  if (library)
    library->detach (slot);
}

/* SPDX-License-Identifier: MIT */
/* In the executable: its own links to the library, and what it exports to those of DLLs. */
#include "runtime/os/win32/counting.h"

void __bb_init_func (struct bb *);
extern const struct bbp_library __bb_library;

struct bbp_links __bb_links = { .slot = BBP_ZERO_WORD };

const struct bbp_library __bb_library __attribute__ ((dllexport))
= { .magic = BBP_ABI_MAGIC,
    .attach = bbp_module_attach,
    .add_unit = bbp_module_add_unit,
    .detach = bbp_module_detach };

/* Before all other code of the executable: "A0" sorts before the names that programs use.  DLLs
   that are linked with it are attached before it is. */
static void NTAPI
on_change (void *module, DWORD reason, void *unused)
{
  (void) module;
  (void) unused;
  if (reason == DLL_PROCESS_ATTACH)
    bbp_module_attach (&__bb_links);
}
static const PIMAGE_TLS_CALLBACK callback __attribute__ ((section (".CRT$XLA0"), used)) = on_change;

void
__bb_init_func (struct bb *unit)
{
  bbp_module_add_unit (unit, &__bb_links);
}

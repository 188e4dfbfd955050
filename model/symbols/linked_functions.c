/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <elfutils/libdwfl.h>
#include <string.h>

#include "model/symbols/linked_functions.h"

/* libdwfl asks for a separate file with symbols.  debug_file.c has found none already. */
static int
find_nothing (Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, const char *file,
              const char *link, GElf_Word checksum, char **found)
{
  (void) module, (void) data, (void) name, (void) base, (void) file, (void) link, (void) checksum,
      (void) found;
  return -1;
}

static bool
is_function (const GElf_Sym *sym, GElf_Word section, const char *name)
{
  unsigned type = GELF_ST_TYPE (sym->st_info);
  return (type == STT_FUNC || type == STT_GNU_IFUNC) && section != SHN_UNDEF && name && *name;
}

static bool
add (struct functions *f, const GElf_Sym *sym, uint64_t address, const char *name,
     struct symtab *names)
{
  char *copy = strdup (name);
  return symtab_keep (names, copy)
         && functions_add (
             f, &(struct function) { .start = address,
                                     .end = sym->st_size > 0 ? address + sym->st_size : 0,
                                     .name = copy,
                                     .is_static = GELF_ST_BIND (sym->st_info) == STB_LOCAL });
}

static bool
read_module (struct functions *f, Dwfl_Module *module, struct symtab *names)
{
  GElf_Addr bias = 0;
  bool ok = true;
  int n = dwfl_module_getelf (module, &bias) ? dwfl_module_getsymtab (module) : 0;
  for (int i = 0; ok && i < n; i++)
    {
      GElf_Sym sym;
      GElf_Addr address;
      GElf_Word section;
      const char *name = dwfl_module_getsym_info (module, i, &sym, &address, &section, NULL, NULL);
      if (is_function (&sym, section, name))
        ok = add (f, &sym, address - bias, name, names);
    }
  return ok;
}

bool
linked_functions_read (struct functions *f, const char *path, struct symtab *names)
{
  static const Dwfl_Callbacks callbacks
      = { .find_elf = dwfl_build_id_find_elf, .find_debuginfo = find_nothing };
  Dwfl *dwfl = dwfl_begin (&callbacks);
  if (!dwfl)
    return false;
  Dwfl_Module *module = dwfl_report_elf (dwfl, path, path, -1, 0, true);
  bool ok = !module || read_module (f, module, names);
  dwfl_end (dwfl);
  return ok;
}

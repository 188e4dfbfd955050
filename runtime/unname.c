/* SPDX-License-Identifier: MIT */
/* Removes the names of inner symbols from a relocatable object, in place; part of the build, not
   of the library.
     unname OBJECT
   objcopy keeps each local symbol that a relocation names, and linkers put these into the
   executable, among the user's own functions.  So this program makes relocations refer to
   sections, as assemblers do for static functions.  The linkage table needs symbols for
   thread-local words; these symbols remain, without names of their own.

   OBJECT has a local symbol AREA (objcopy --add-symbol).  All remaining symbols get this name:
   thread-local words, and each run of inner functions between public ones.  Debuggers and perf
   show those functions by this name.  objcopy --strip-unneeded removes the rest.

   The relocations of the section OWN name sections even in place of public functions: they mean
   the functions of OBJECT (strong.h). */
#include <err.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define AREA "bbprof_library"
#define OWN ".rela.data.rel.ro.own"

static Elf *elf;
static const char *object;
static Elf_Data *symbols;
static size_t names, section_names; /* sections with the names of symbols, of sections */
static int count;
static int machine; /* EM_... */

static void
fail (const char *what)
{
  errx (1, "%s: %s: %s", object, what, elf_errmsg (-1));
}

static GElf_Sym
symbol_at (int i)
{
  GElf_Sym symbol;
  if (!gelf_getsym (symbols, i, &symbol))
    fail ("symbol");
  return symbol;
}

static const char *
name_of (const GElf_Sym *symbol)
{
  const char *name = elf_strptr (elf, names, symbol->st_name);
  return name ? name : "?";
}

/* Defined here, and neither public nor a section symbol. */
static bool
is_inner (const GElf_Sym *symbol)
{
  int type = GELF_ST_TYPE (symbol->st_info);
  return GELF_ST_BIND (symbol->st_info) == STB_LOCAL && symbol->st_shndx != SHN_UNDEF
         && symbol->st_shndx < SHN_LORESERVE && type != STT_SECTION && type != STT_FILE;
}

static GElf_Shdr
header_of (size_t section)
{
  GElf_Shdr header;
  if (!gelf_getshdr (elf_getscn (elf, section), &header))
    fail ("section");
  return header;
}

/* The assembler makes no symbol for a section that nothing refers to: then the symbol at its
   beginning becomes the section's. */
static int
make_section_symbol (size_t section)
{
  for (int i = 1; i < count; i++)
    {
      GElf_Sym symbol = symbol_at (i);
      if (!is_inner (&symbol) || symbol.st_shndx != section || symbol.st_value != 0)
        continue;
      symbol.st_info = GELF_ST_INFO (STB_LOCAL, STT_SECTION);
      symbol.st_other = STV_DEFAULT;
      symbol.st_name = 0;
      symbol.st_size = 0;
      if (!gelf_update_sym (symbols, i, &symbol))
        fail ("symbol");
      return i;
    }
  errx (1, "%s: section %zu has no symbol", object, section);
}

static int
section_symbol (size_t section)
{
  for (int i = 1; i < count; i++)
    {
      GElf_Sym symbol = symbol_at (i);
      if (GELF_ST_TYPE (symbol.st_info) == STT_SECTION && symbol.st_shndx == section)
        return i;
    }
  return make_section_symbol (section);
}

/* For relocations that add symbol and addend, the section's symbol gives the same result; a call
   of a local function needs no linkage table. */
static bool
adds_on_x86_64 (GElf_Rela *relocation)
{
  switch (GELF_R_TYPE (relocation->r_info))
    {
    case R_X86_64_PLT32:
      relocation->r_info = GELF_R_INFO (GELF_R_SYM (relocation->r_info), R_X86_64_PC32);
      return true;
    case R_X86_64_64:
    case R_X86_64_PC32:
    case R_X86_64_PC64:
    case R_X86_64_32:
    case R_X86_64_32S: return true;
    default: return false;
    }
}

static bool
adds_on_aarch64 (const GElf_Rela *relocation)
{
  switch (GELF_R_TYPE (relocation->r_info))
    {
    case R_AARCH64_ABS64:
    case R_AARCH64_PREL64:
    case R_AARCH64_PREL32:
    case R_AARCH64_ADR_PREL_LO21:
    case R_AARCH64_ADR_PREL_PG_HI21:
    case R_AARCH64_ADD_ABS_LO12_NC:
    case R_AARCH64_LDST8_ABS_LO12_NC:
    case R_AARCH64_LDST16_ABS_LO12_NC:
    case R_AARCH64_LDST32_ABS_LO12_NC:
    case R_AARCH64_LDST64_ABS_LO12_NC:
    case R_AARCH64_LDST128_ABS_LO12_NC:
    case R_AARCH64_CONDBR19:
    case R_AARCH64_JUMP26:
    case R_AARCH64_CALL26: return true;
    default: return false;
    }
}

/* The code is assembled with -mno-relax, so that no distance in a section changes. */
static bool
adds_on_riscv (const GElf_Rela *relocation)
{
  switch (GELF_R_TYPE (relocation->r_info))
    {
    case R_RISCV_32:
    case R_RISCV_64:
    case R_RISCV_BRANCH:
    case R_RISCV_JAL:
    case R_RISCV_CALL:
    case R_RISCV_CALL_PLT:
    case R_RISCV_PCREL_HI20:
    case R_RISCV_RVC_BRANCH:
    case R_RISCV_RVC_JUMP:
    case R_RISCV_32_PCREL: return true;
    default: return false;
    }
}

static bool
adds (GElf_Rela *relocation)
{
  switch (machine)
    {
    case EM_AARCH64: return adds_on_aarch64 (relocation);
    case EM_RISCV: return adds_on_riscv (relocation);
    default: return adds_on_x86_64 (relocation);
    }
}

/* Means the place of a label, to which nothing may be added: the instruction whose lower half this
   one has; the ends of a distance, from which linkers do not subtract the addend.  Assemblers have
   such labels at each use, and linkers drop them. */
static bool
needs_label (const GElf_Rela *relocation)
{
  const int type = (int) GELF_R_TYPE (relocation->r_info);
  return machine == EM_RISCV
         && (type == R_RISCV_PCREL_LO12_I || type == R_RISCV_PCREL_LO12_S
             || (type >= R_RISCV_ADD8 && type <= R_RISCV_SUB64)
             || (type >= R_RISCV_SUB6 && type <= R_RISCV_SET32));
}

/* A linker that merges equal strings takes the addend for the position of a string in the
   section, so the sum must be one. */
static void
refer_to_section (GElf_Rela *relocation, bool always)
{
  GElf_Sym symbol = symbol_at ((int) GELF_R_SYM (relocation->r_info));
  if (!always && (!is_inner (&symbol) || GELF_ST_TYPE (symbol.st_info) == STT_TLS))
    return;
  if (needs_label (relocation))
    return;
  if (symbol.st_shndx == SHN_UNDEF)
    errx (1, "%s: %s is not defined", object, name_of (&symbol));
  if (header_of (symbol.st_shndx).sh_flags & SHF_MERGE)
    errx (1, "%s: %s is in a section of which the linker merges parts", object, name_of (&symbol));
  if (!adds (relocation))
    errx (1, "%s: a relocation of type %d needs the name %s", object,
          (int) GELF_R_TYPE (relocation->r_info), name_of (&symbol));
  relocation->r_addend += (GElf_Sxword) symbol.st_value;
  relocation->r_info
      = GELF_R_INFO (section_symbol (symbol.st_shndx), GELF_R_TYPE (relocation->r_info));
}

static void
change_relocations (Elf_Scn *section)
{
  Elf_Data *data = elf_getdata (section, NULL);
  const char *name = elf_strptr (elf, section_names, header_of (elf_ndxscn (section)).sh_name);
  bool own = name && strcmp (name, OWN) == 0;
  GElf_Rela relocation;
  for (int i = 0; gelf_getrela (data, i, &relocation); i++)
    {
      refer_to_section (&relocation, own);
      if (!gelf_update_rela (data, i, &relocation))
        fail ("relocation");
    }
  elf_flagdata (data, ELF_C_SET, ELF_F_DIRTY);
}

static void
change_all_relocations (void)
{
  for (Elf_Scn *section = NULL; (section = elf_nextscn (elf, section));)
    if (header_of (elf_ndxscn (section)).sh_type == SHT_RELA)
      change_relocations (section);
}

static void
change_symbol (int i, const GElf_Sym *symbol)
{
  GElf_Sym changed = *symbol;
  if (!gelf_update_sym (symbols, i, &changed))
    fail ("symbol");
}

/* By address; public symbols first, because the code that begins there is theirs. */
static int
by_address (const void *a, const void *b)
{
  GElf_Sym left = symbol_at (*(const int *) a), right = symbol_at (*(const int *) b);
  if (left.st_value != right.st_value)
    return left.st_value < right.st_value ? -1 : 1;
  return is_inner (&left) - is_inner (&right);
}

/* Inner function I becomes the name of everything from its start to END. */
static void
name_run (int i, GElf_Addr end, GElf_Word area)
{
  GElf_Sym symbol = symbol_at (i);
  symbol.st_name = area;
  symbol.st_size = end - symbol.st_value;
  symbol.st_info = GELF_ST_INFO (STB_LOCAL, STT_FUNC);
  symbol.st_other = STV_DEFAULT;
  change_symbol (i, &symbol);
}

static void
name_runs (size_t section, GElf_Word area, int *order)
{
  GElf_Addr covered = 0;
  int n = 0, first = 0;
  for (int i = 1; i < count; i++)
    {
      GElf_Sym symbol = symbol_at (i);
      if (symbol.st_shndx == section && GELF_ST_TYPE (symbol.st_info) != STT_SECTION)
        order[n++] = i;
    }
  qsort (order, (size_t) n, sizeof *order, by_address);
  for (int k = 0; k < n; k++)
    {
      GElf_Sym symbol = symbol_at (order[k]);
      if (is_inner (&symbol))
        {
          if (!first && symbol.st_value >= covered)
            first = order[k];
          continue;
        }
      if (first)
        name_run (first, symbol.st_value, area);
      first = 0;
      if (symbol.st_value + symbol.st_size > covered)
        covered = symbol.st_value + symbol.st_size;
    }
  if (first)
    name_run (first, header_of (section).sh_size, area);
}

/* The position of AREA's name in the string table; the symbol itself is removed. */
static GElf_Word
take_area (void)
{
  for (int i = 1; i < count; i++)
    {
      GElf_Sym symbol = symbol_at (i);
      GElf_Word area = symbol.st_name;
      if (strcmp (name_of (&symbol), AREA) != 0)
        continue;
      symbol.st_name = 0;
      symbol.st_shndx = SHN_ABS;
      change_symbol (i, &symbol);
      return area;
    }
  errx (1, "%s: no symbol %s", object, AREA);
}

static void
change_names (void)
{
  GElf_Word area = take_area ();
  int *order = calloc ((size_t) count, sizeof *order);
  if (!order)
    err (1, "%s", object);
  for (int i = 1; i < count; i++)
    {
      GElf_Sym symbol = symbol_at (i);
      if (!is_inner (&symbol) || GELF_ST_TYPE (symbol.st_info) != STT_TLS)
        continue;
      symbol.st_name = area;
      change_symbol (i, &symbol);
    }
  for (Elf_Scn *section = NULL; (section = elf_nextscn (elf, section));)
    if (header_of (elf_ndxscn (section)).sh_flags & SHF_EXECINSTR)
      name_runs (elf_ndxscn (section), area, order);
  free (order);
  elf_flagdata (symbols, ELF_C_SET, ELF_F_DIRTY);
}

static void
find_symbols (void)
{
  for (Elf_Scn *section = NULL; (section = elf_nextscn (elf, section));)
    {
      GElf_Shdr header = header_of (elf_ndxscn (section));
      if (header.sh_type != SHT_SYMTAB)
        continue;
      symbols = elf_getdata (section, NULL);
      names = header.sh_link;
      count = (int) (header.sh_size / header.sh_entsize);
    }
  if (!symbols)
    errx (1, "%s: no symbols", object);
}

int
main (int argc, char **argv)
{
  if (argc != 2)
    errx (1, "usage: unname OBJECT");
  object = argv[1];
  int fd = open (object, O_RDWR);
  if (fd < 0)
    err (1, "%s", object);
  elf_version (EV_CURRENT);
  elf = elf_begin (fd, ELF_C_RDWR, NULL);
  if (!elf || elf_kind (elf) != ELF_K_ELF)
    fail ("not an object");
  GElf_Ehdr header;
  if (!gelf_getehdr (elf, &header))
    fail ("header");
  machine = header.e_machine;
  elf_flagelf (elf, ELF_C_SET, ELF_F_LAYOUT);
  if (elf_getshdrstrndx (elf, &section_names))
    fail ("names of sections");
  find_symbols ();
  change_all_relocations ();
  change_names ();
  if (elf_update (elf, ELF_C_WRITE) < 0)
    fail ("cannot write");
  elf_end (elf);
  return close (fd);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <dwarf.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "tools/generated/code_bytes.h"
#include "tools/generated/generated_image.h"

#define START 4096U
#define ALIGNMENT 16U
#define NO_FILE UINT32_MAX

enum { NONE, TEXT, SYMBOLS, NAMES, INFO, ABBREVIATIONS, LINES, SECTION_NAMES, SECTIONS };

static const struct {
  const char *name;
  uint32_t type;
} kinds[SECTIONS] = { [NONE] = { "", SHT_NULL },
                      [TEXT] = { ".text", SHT_PROGBITS },
                      [SYMBOLS] = { ".symtab", SHT_SYMTAB },
                      [NAMES] = { ".strtab", SHT_STRTAB },
                      [INFO] = { ".debug_info", SHT_PROGBITS },
                      [ABBREVIATIONS] = { ".debug_abbrev", SHT_PROGBITS },
                      [LINES] = { ".debug_line", SHT_PROGBITS },
                      [SECTION_NAMES] = { ".shstrtab", SHT_STRTAB } };

/* A function: the pieces of code of one name. */
struct made_function {
  const char *name;
  uint64_t low, high; /* link-time addresses */
};

struct maker {
  bool has_code; /* the bytes of all code are known */
  FILE *parts[SECTIONS];
  char *bytes[SECTIONS];
  size_t sizes[SECTIONS];
  struct kept_code **order; /* by name and address */
  size_t n;
  struct made_function *functions;
  size_t nfunctions, room;
  const char **files; /* of the lines, each once */
  size_t nfiles, room_files;
  uint64_t end;
};

/* Numbers. */

static void
put (FILE *out, uint64_t value, size_t bytes)
{
  fwrite (&value, 1, bytes, out); /* of this machine: little-endian */
}

static void
put_number (FILE *out, uint64_t value)
{
  for (; value > 127; value >>= 7)
    putc ((int) (value & 127) | 128, out);
  putc ((int) value, out);
}

static void
put_signed (FILE *out, int64_t value)
{
  for (; value < -64 || value > 63; value >>= 7)
    putc ((int) (value & 127) | 128, out);
  putc ((int) (value & 127), out);
}

static void
put_text (FILE *out, const char *text)
{
  fwrite (text, 1, strlen (text) + 1, out);
}

/* Places. */

static int
compare_codes (const void *a, const void *b, void *context)
{
  const struct kept_code *x = *(struct kept_code *const *) a, *y = *(struct kept_code *const *) b;
  (void) context;
  const int names = strcmp (x->name, y->name);
  return names ? names : x->start < y->start ? -1 : x->start > y->start;
}

static bool
add_function (struct maker *m, const char *name)
{
  struct made_function *last = m->nfunctions > 0 ? &m->functions[m->nfunctions - 1] : NULL;
  if (last && strcmp (last->name, name) == 0)
    return true;
  if (!array_grow (&m->functions, m->nfunctions, &m->room, sizeof *m->functions))
    return false;
  m->functions[m->nfunctions++] = (struct made_function) { .name = name, .low = m->end };
  return true;
}

static bool
place (struct maker *m, struct kept_codes *k)
{
  m->end = START;
  m->order = malloc ((k->n + 1) * sizeof *m->order);
  for (m->n = 0; m->order && m->n < k->n; m->n++)
    m->order[m->n] = &k->codes[m->n];
  bool ok = m->order && array_sort (m->order, m->n, sizeof *m->order, compare_codes, NULL);
  for (size_t i = 0; ok && i < m->n; i++)
    {
      ok = add_function (m, m->order[i]->name);
      m->order[i]->place = m->end;
      m->order[i]->used = m->has_code ? m->order[i]->size : kept_codes_sampled (k, m->order[i]);
      m->end += (m->order[i]->used + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
      if (ok)
        m->functions[m->nfunctions - 1].high = m->end;
    }
  return ok;
}

/* Code. */

static void
put_code (const struct maker *m)
{
  enum { PADDING = 0x90 };
  FILE *out = m->parts[TEXT];
  for (size_t i = 0; i < m->n; i++)
    {
      const struct kept_code *c = m->order[i];
      for (uint64_t at = (uint64_t) ftell (out) + START; at < c->place; at++)
        putc (PADDING, out);
      fwrite (c->bytes, 1, c->size, out);
    }
  for (uint64_t at = (uint64_t) ftell (out) + START; at < m->end; at++)
    putc (PADDING, out);
}

/* Symbols. */

static void
put_symbols (struct maker *m)
{
  const Elf64_Sym none = { .st_name = 0 };
  fwrite (&none, sizeof none, 1, m->parts[SYMBOLS]);
  put_text (m->parts[NAMES], "");
  for (size_t i = 0; i < m->nfunctions; i++)
    {
      const struct made_function *f = &m->functions[i];
      const Elf64_Sym symbol = { .st_name = (Elf64_Word) ftell (m->parts[NAMES]),
                                 .st_info = ELF64_ST_INFO (STB_GLOBAL, STT_FUNC),
                                 .st_shndx = TEXT,
                                 .st_value = f->low,
                                 .st_size = f->high - f->low };
      fwrite (&symbol, sizeof symbol, 1, m->parts[SYMBOLS]);
      put_text (m->parts[NAMES], f->name);
    }
}

/* Debug information of DWARF 4: one unit, its functions, its lines. */

enum { UNIT = 1, FUNCTION };

static void
put_abbreviations (FILE *out)
{
  static const uint8_t all[] = { UNIT,
                                 DW_TAG_compile_unit,
                                 DW_CHILDREN_yes,
                                 DW_AT_name,
                                 DW_FORM_string,
                                 DW_AT_low_pc,
                                 DW_FORM_addr,
                                 DW_AT_high_pc,
                                 DW_FORM_addr,
                                 DW_AT_stmt_list,
                                 DW_FORM_sec_offset,
                                 0,
                                 0,
                                 FUNCTION,
                                 DW_TAG_subprogram,
                                 DW_CHILDREN_no,
                                 DW_AT_name,
                                 DW_FORM_string,
                                 DW_AT_low_pc,
                                 DW_FORM_addr,
                                 DW_AT_high_pc,
                                 DW_FORM_addr,
                                 0,
                                 0,
                                 0 };
  fwrite (all, 1, sizeof all, out);
}

/* Puts the length of what follows it in front of all that OUT has. */
static void
put_length (FILE *out)
{
  const long end = ftell (out);
  rewind (out);
  put (out, (uint64_t) end - 4, 4);
  fseek (out, end, SEEK_SET);
}

static void
put_info (struct maker *m)
{
  FILE *out = m->parts[INFO];
  put (out, 0, 4);
  put (out, 4, 2); /* version */
  put (out, 0, 4); /* of the abbreviations: offset */
  put (out, 8, 1); /* bytes of an address */
  put (out, UNIT, 1);
  put_text (out, "generated code");
  put (out, START, 8);
  put (out, m->end, 8);
  put (out, 0, 4);
  for (size_t i = 0; i < m->nfunctions; i++)
    {
      put (out, FUNCTION, 1);
      put_text (out, m->functions[i].name);
      put (out, m->functions[i].low, 8);
      put (out, m->functions[i].high, 8);
    }
  put (out, 0, 1);
  put_length (out);
}

static int
compare_texts (const void *a, const void *b, void *context)
{
  (void) context;
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static bool
find_files (struct maker *m)
{
  size_t n = 0;
  for (size_t i = 0; i < m->n; i++)
    for (size_t l = 0; l < m->order[i]->nlines; l++)
      {
        const char *file = m->order[i]->lines[l].file;
        if (l > 0 && file == m->order[i]->lines[l - 1].file)
          continue;
        if (!array_grow (&m->files, m->nfiles, &m->room_files, sizeof *m->files))
          return false;
        m->files[m->nfiles++] = file;
      }
  if (!array_sort (m->files, m->nfiles, sizeof *m->files, compare_texts, NULL))
    return false;
  for (size_t i = 0; i < m->nfiles; i++)
    if (n == 0 || strcmp (m->files[i], m->files[n - 1]) != 0)
      m->files[n++] = m->files[i];
  m->nfiles = n;
  return true;
}

static void
put_lines_of (const struct maker *m, const struct kept_code *c, FILE *out)
{
  uint64_t address = c->place, line = 1;
  put (out, 0, 1);
  put_number (out, 9);
  put (out, DW_LNE_set_address, 1);
  put (out, address, 8);
  for (size_t i = 0; i < c->nlines; i++)
    {
      const struct generated_line *l = &c->lines[i];
      if (l->address < c->start || l->address - c->start >= c->used)
        continue;
      put (out, DW_LNS_set_file, 1);
      put_number (out, ARRAY_BEFORE (f, m->nfiles, strcmp (m->files[f], l->file) < 0) + 1);
      put (out, DW_LNS_advance_pc, 1);
      put_number (out, c->place + (l->address - c->start) - address);
      put (out, DW_LNS_advance_line, 1);
      put_signed (out, (int64_t) l->line - (int64_t) line);
      put (out, DW_LNS_copy, 1);
      address = c->place + (l->address - c->start);
      line = l->line;
    }
  put (out, DW_LNS_advance_pc, 1);
  put_number (out, c->place + c->used - address);
  put (out, 0, 1);
  put_number (out, 1);
  put (out, DW_LNE_end_sequence, 1);
}

static bool
put_lines (struct maker *m)
{
  /* One instruction byte; one operation; statements; special opcodes, of which none is used; 13
     opcodes with their numbers of operands. */
  static const uint8_t fixed[] = { 1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1 };
  FILE *out = m->parts[LINES];
  if (!find_files (m))
    return false;
  put (out, 0, 4);
  put (out, 4, 2); /* version */
  put (out, 0, 4); /* of what follows up to the program: bytes */
  fwrite (fixed, 1, sizeof fixed, out);
  put (out, 0, 1); /* no folders */
  for (size_t i = 0; i < m->nfiles; i++)
    {
      put_text (out, m->files[i]);
      put (out, 0, 3); /* folder, time, size */
    }
  put (out, 0, 1);
  const long program = ftell (out);
  fseek (out, 6, SEEK_SET);
  put (out, (uint64_t) program - 10, 4);
  fseek (out, program, SEEK_SET);
  for (size_t i = 0; i < m->n; i++)
    if (m->order[i]->nlines > 0)
      put_lines_of (m, m->order[i], out);
  put_length (out);
  return true;
}

/* The file. */

static bool
open_parts (struct maker *m)
{
  bool ok = true;
  for (int i = TEXT; i < SECTIONS; i++)
    ok &= (m->parts[i] = open_memstream (&m->bytes[i], &m->sizes[i])) != NULL;
  return ok;
}

static bool
close_parts (struct maker *m)
{
  bool ok = true;
  for (int i = TEXT; i < SECTIONS; i++)
    if (m->parts[i])
      {
        ok &= !ferror (m->parts[i]);
        ok &= fclose (m->parts[i]) == 0;
      }
  return ok;
}

static void
fill_headers (const struct maker *m, Elf64_Ehdr *head, Elf64_Shdr *sections)
{
  uint64_t offset = sizeof *head;
  uint32_t name = 0;
  for (int i = NONE; i < SECTIONS; i++)
    {
      sections[i] = (Elf64_Shdr) { .sh_name = name,
                                   .sh_type = kinds[i].type,
                                   .sh_offset = offset,
                                   .sh_size = m->sizes[i],
                                   .sh_addralign = 1 };
      offset += m->sizes[i];
      name += (uint32_t) strlen (kinds[i].name) + 1;
    }
  sections[NONE] = (Elf64_Shdr) { .sh_type = SHT_NULL };
  sections[TEXT].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
  sections[TEXT].sh_type = m->has_code ? SHT_PROGBITS : SHT_NOBITS;
  sections[TEXT].sh_addr = START;
  sections[TEXT].sh_size = m->end - START;
  sections[SYMBOLS].sh_link = NAMES;
  sections[SYMBOLS].sh_info = 1; /* the first global symbol */
  sections[SYMBOLS].sh_entsize = sizeof (Elf64_Sym);
  *head = (Elf64_Ehdr) { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
                                      EV_CURRENT },
                         .e_type = ET_DYN,
                         .e_machine = HOST_ELF,
                         .e_version = EV_CURRENT,
                         .e_shoff = offset,
                         .e_ehsize = sizeof *head,
                         .e_shentsize = sizeof *sections,
                         .e_shnum = SECTIONS,
                         .e_shstrndx = SECTION_NAMES };
}

static bool
join (const struct maker *m, struct generated_image *image)
{
  Elf64_Ehdr head;
  Elf64_Shdr sections[SECTIONS];
  fill_headers (m, &head, sections);
  FILE *out = open_memstream ((char **) &image->bytes, &image->size);
  if (!out)
    return false;
  fwrite (&head, sizeof head, 1, out);
  for (int i = TEXT; i < SECTIONS; i++)
    fwrite (m->bytes[i], 1, m->sizes[i], out);
  fwrite (sections, sizeof *sections, SECTIONS, out);
  const bool ok = !ferror (out);
  return fclose (out) == 0 && ok;
}

bool
generated_image_make (struct generated_image *image, struct kept_codes *k)
{
  struct maker m = { .has_code = code_bytes_are_known (k) };
  *image = (struct generated_image) { .bytes = NULL };
  if (k->n == 0)
    return true;
  bool ok = open_parts (&m) && place (&m, k);
  if (ok && m.has_code)
    put_code (&m);
  if (ok)
    {
      put_symbols (&m);
      put_info (&m);
      put_abbreviations (m.parts[ABBREVIATIONS]);
      ok = put_lines (&m);
      for (int i = NONE; i < SECTIONS; i++)
        put_text (m.parts[SECTION_NAMES], kinds[i].name);
    }
  ok = close_parts (&m) && ok && join (&m, image);
  image->start = START;
  image->end = m.end;
  for (int i = TEXT; i < SECTIONS; i++)
    free (m.bytes[i]);
  free (m.order);
  free (m.functions);
  free (m.files);
  return ok;
}

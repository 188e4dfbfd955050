/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <bfd.h>
#include <dis-asm.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "model/elf/demangle.h"
#include "tools/code/disassemble.h"
#include "tools/view/short_name.h"

enum { TEXT_SIZE = 512, LONGEST = 15 /* bytes of an instruction */ };

struct disassembler {
  const struct model *model;
  const struct object *object;
  disassembler_ftype print;
  struct disassemble_info info;
  asection *section; /* the section that is loaded */
  bfd_byte *bytes;
  char text[TEXT_SIZE];
  size_t length;
  uint64_t target;
};

/* Callbacks of libopcodes. */

static void
append (struct disassembler *d, const char *format, va_list args)
{
  int n = vsnprintf (d->text + d->length, TEXT_SIZE - d->length, format, args);
  if (n > 0)
    d->length += (size_t) n < TEXT_SIZE - d->length ? (size_t) n : TEXT_SIZE - 1 - d->length;
}

static int __attribute__ ((format (printf, 2, 3)))
print_text (void *stream, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  append (stream, format, args);
  va_end (args);
  return 0;
}

static int __attribute__ ((format (printf, 3, 4)))
print_styled (void *stream, enum disassembler_style style, const char *format, ...)
{
  va_list args;
  (void) style;
  va_start (args, format);
  append (stream, format, args);
  va_end (args);
  return 0;
}

static void
print_place (struct disassembler *d, bfd_vma address)
{
  uint64_t place = address + d->object->base;
  const struct symbol *s = symtab_find (&d->model->symtab, place);
  if (!s || s->object != d->object || address >= d->object->image.code_high
      || address < d->object->image.code_low)
    return;
  char *name = demangle_name (model_program (d->model), s->name),
       *cut = short_name (name ? name : s->name, SHORT_NAME);
  print_text (d, s->address == place ? " <%s>" : " <%s+0x%" PRIx64 ">", cut ? cut : s->name,
              place - s->address);
  free (cut);
  free (name);
}

static void
print_address (bfd_vma address, struct disassemble_info *info)
{
  struct disassembler *d = info->stream;
  d->target = address + d->object->base;
  print_text (d, "0x%" PRIx64, (uint64_t) address);
  print_place (d, address);
}

static void
ignore_error (int status, bfd_vma address, struct disassemble_info *info)
{
  (void) status;
  (void) address;
  (void) info;
}

/* Open and close.  */

struct disassembler *
disassembler_open (const struct model *m, const struct object *o, struct error *err)
{
  struct disassembler *d = calloc (1, sizeof *d);
  if (!d)
    {
      error_no_memory (err);
      return NULL;
    }
  d->model = m;
  d->object = o;
  init_disassemble_info (&d->info, d, print_text, print_styled);
  d->info.arch = bfd_get_arch (o->image.bfd);
  d->info.mach = bfd_get_mach (o->image.bfd);
  d->info.endian = bfd_big_endian (o->image.bfd) ? BFD_ENDIAN_BIG : BFD_ENDIAN_LITTLE;
  d->info.print_address_func = print_address;
  d->info.memory_error_func = ignore_error;
  disassemble_init_for_target (&d->info);
  d->print = disassembler (d->info.arch, bfd_big_endian (o->image.bfd), d->info.mach, o->image.bfd);
  if (!d->print)
    {
      error_set (err, NULL, ERROR_NO_OFFSET,
                 "%s: this build's libopcodes cannot disassemble its code (Debian: build with "
                 "binutils-multiarch-dev)",
                 o->path);
      disassembler_close (d);
      return NULL;
    }
  return d;
}

void
disassembler_close (struct disassembler *d)
{
  if (!d)
    return;
  disassemble_free_target (&d->info);
  free (d->bytes);
  free (d);
}

/* Instructions.  */

static bool
is_one_of (const char *word, const char *const *words)
{
  for (; *words; words++)
    if (strcmp (word, *words) == 0)
      return true;
  return false;
}

/* Returns the mnemonic of TEXT behind its prefixes, and the first byte of the operands. */
static const char *
find_mnemonic (const char *text, char *word, size_t size)
{
  static const char *const prefixes[] = { "addr32", "data16", "bnd",   "notrack", "lock",
                                          "rep",    "repz",   "repnz", "cs",      "ds",
                                          "es",     "ss",     "fs",    "gs",      NULL };
  const char *p = text;
  do
    {
      p += strspn (p, " ");
      size_t n = strcspn (p, " ");
      snprintf (word, size, "%.*s", (int) n, p);
      p += n;
  } while (*p && (is_one_of (word, prefixes) || strncmp (word, "rex", 3) == 0));
  return p + strspn (p, " ");
}

static enum instruction_kind
kind_of (const char *text, bool *indirect)
{
  static const char *const ends[]
      = { "hlt", "ud0", "ud1", "ud2", "sysret", "sysretq", "sysexit", NULL };
  char word[24];
  const char *operands = find_mnemonic (text, word, sizeof word);
  *indirect = *operands == '*';
  if (strncmp (word, "call", 4) == 0 || strcmp (word, "lcall") == 0)
    return INSTRUCTION_CALL;
  if (strncmp (word, "jmp", 3) == 0 || strcmp (word, "ljmp") == 0)
    return INSTRUCTION_JUMP;
  if (*word == 'j' || strncmp (word, "loop", 4) == 0)
    return INSTRUCTION_BRANCH;
  if (strncmp (word, "ret", 3) == 0 || strncmp (word, "iret", 4) == 0
      || strncmp (word, "lret", 4) == 0 || is_one_of (word, ends))
    return INSTRUCTION_END;
  if (strncmp (word, "nop", 3) == 0 || strcmp (word, "int3") == 0
      || (strcmp (word, "xchg") == 0 && strcmp (operands, "%ax,%ax") == 0))
    return INSTRUCTION_PADDING;
  return INSTRUCTION_PLAIN;
}

/* Loads the bytes of the code section around ADDRESS (in the file): sets d->section, or null. */
static bool
enter_section (struct disassembler *d, bfd_vma address, struct error *err)
{
  if (d->section && address >= bfd_section_vma (d->section)
      && address - bfd_section_vma (d->section) < bfd_section_size (d->section))
    return true;
  bfd *file = d->object->image.bfd;
  asection *s = file->sections;
  while (s
         && !((bfd_section_flags (s) & SEC_CODE) && address >= bfd_section_vma (s)
              && address - bfd_section_vma (s) < bfd_section_size (s)))
    s = s->next;
  free (d->bytes);
  d->bytes = NULL;
  d->section = s;
  if (!s)
    return true;
  if (!bfd_malloc_and_get_section (file, s, &d->bytes))
    {
      d->section = NULL;
      return error_set (err, d->object->path, ERROR_NO_OFFSET, "cannot read the section %s: %s",
                        bfd_section_name (s), bfd_errmsg (bfd_get_error ()));
    }
  d->info.section = s;
  d->info.buffer = d->bytes;
  d->info.buffer_vma = bfd_section_vma (s);
  d->info.buffer_length = bfd_section_size (s);
  return true;
}

bool
disassembler_read (struct disassembler *d, uint64_t address, struct instruction *i,
                   struct error *err)
{
  bfd_vma place = address - d->object->base;
  bool indirect;
  *i = (struct instruction) { .address = address };
  if (!enter_section (d, place, err))
    return false;
  if (!d->section)
    return true;
  d->length = 0;
  d->text[0] = '\0';
  d->target = 0;
  int size = d->print (place, &d->info);
  if (size <= 0 || size > LONGEST)
    {
      size = 1;
      d->length = 0;
      print_text (d, "(bad)");
    }
  while (d->length > 0 && d->text[d->length - 1] == ' ')
    d->text[--d->length] = '\0';
  i->size = (unsigned) size;
  i->text = strdup (d->text);
  i->kind = kind_of (d->text, &indirect);
  bool leads = i->kind == INSTRUCTION_BRANCH || i->kind == INSTRUCTION_JUMP
               || i->kind == INSTRUCTION_CALL;
  i->target = leads && !indirect ? d->target : 0;
  return i->text || error_no_memory (err);
}

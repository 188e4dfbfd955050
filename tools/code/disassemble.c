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
#include "tools/code/objdump.h"
#include "tools/view/short_name.h"

enum { TEXT_SIZE = 512, LONGEST = 15 /* bytes of an instruction */ };

struct disassembler {
  const struct model *model;
  const struct object *object;
  struct objdump *objdump; /* null: by libopcodes, the members up to BYTES */
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
  if (d->print || (d->objdump = objdump_open (&o->image, err)))
    return d;
  disassembler_close (d);
  return NULL;
}

void
disassembler_close (struct disassembler *d)
{
  if (!d)
    return;
  disassemble_free_target (&d->info);
  if (d->objdump)
    objdump_close (d->objdump);
  free (d->bytes);
  free (d);
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

/* Instructions.  Both ways leave the text in D.  *SIZE 0: no code at PLACE (in the file). */

static bool
read_by_libopcodes (struct disassembler *d, bfd_vma place, unsigned *size, struct error *err)
{
  *size = 0;
  if (!enter_section (d, place, err))
    return false;
  if (!d->section)
    return true;
  int n = d->print (place, &d->info);
  *size = n > 0 && n <= LONGEST ? (unsigned) n : 1;
  if (*size != (unsigned) n)
    {
      d->length = 0;
      print_text (d, "(bad)");
    }
  return true;
}

/* Prints the place that TEXT begins with, "76c <f+0x14>", as libopcodes would.  The model has no
   names of foreign stubs.  Returns the rest; TEXT itself: it is no place. */
static const char *
print_foreign_place (struct disassembler *d, const char *text)
{
  char *end;
  bfd_vma address = strtoull (text, &end, 16);
  if (end == text || strncmp (end, " <", 2) != 0)
    return text;
  const char *rest = end + strcspn (end, ">");
  rest += *rest == '>';
  if (rest - end > 5 && strncmp (rest - 5, "@plt>", 5) == 0)
    {
      d->target = address + d->object->base;
      print_text (d, "0x%" PRIx64 "%.*s", (uint64_t) address, (int) (rest - end), end);
    }
  else
    print_address (address, &d->info);
  return rest;
}

static void
print_foreign (struct disassembler *d, const char *text)
{
  static const char blanks[] = " \t";
  size_t mnemonic = strcspn (text, blanks);
  print_text (d, "%-6.*s", (int) mnemonic, text);
  for (text += mnemonic; *text;)
    {
      size_t n = strspn (text, blanks);
      const char *rest = n                           ? text + n
                         : strchr (" \t,", text[-1]) ? print_foreign_place (d, text)
                                                     : text;
      if (rest == text || n)
        print_text (d, "%c", n ? ' ' : *rest++);
      text = rest;
    }
}

static bool
read_by_objdump (struct disassembler *d, bfd_vma place, unsigned *size, struct error *err)
{
  const char *text;
  if (!objdump_read (d->objdump, place, size, &text, err))
    return false;
  if (*size)
    print_foreign (d, text);
  return true;
}

bool
disassembler_read (struct disassembler *d, uint64_t address, struct instruction *i,
                   struct error *err)
{
  bfd_vma place = address - d->object->base;
  bool indirect;
  *i = (struct instruction) { .address = address };
  d->length = 0;
  d->text[0] = '\0';
  d->target = 0;
  if (!(d->objdump ? read_by_objdump : read_by_libopcodes) (d, place, &i->size, err))
    return false;
  if (i->size == 0)
    return true;
  while (d->length > 0 && d->text[d->length - 1] == ' ')
    d->text[--d->length] = '\0';
  i->text = strdup (d->text);
  i->kind = instruction_kind (d->object->image.machine, d->text, &indirect);
  bool leads = i->kind == INSTRUCTION_BRANCH || i->kind == INSTRUCTION_JUMP
               || i->kind == INSTRUCTION_CALL;
  i->target = leads && !indirect ? d->target : 0;
  return i->text || error_no_memory (err);
}

/* SPDX-License-Identifier: MIT */
/* Code objects of CPython that have been sampled.  Names and lines are copied when one is first
   seen, because it may be freed, and its address used for another one.  It is the same one if it
   has the same name, file, table of lines and first line, at the same addresses, and if samples of
   file and table are equal.  Context: signal, unless a function says
   otherwise. */
#include "runtime/providers/python.h"
#include "runtime/providers/python_layout.h"

/* What identifies a code object, as it stands in it. */
struct identity {
  const void *type;
  const char *file, *name, *lines;
  uint64_t print; /* of parts of file and lines */
  int first_line;
};

struct code {
  const char *address;
  struct identity is;
  const char *name, *file; /* copies */
  const unsigned char *table;
  size_t table_bytes;
};

enum { SLOTS = 1 << 16, MOST_TABLE = 1 << 18 };
static struct code *slots[SLOTS]; /* open addressing, never rehashed; atomic */
static unsigned used;             /* atomic */

/* A number that depends on the first and the last bytes of the object at ADDRESS, SIZE of them
   behind its HEAD; 0: it cannot be read. */
static uint64_t
print_of (struct provider_pages *pages, const char *address, size_t head, size_t size)
{
  struct {
    uint64_t size, words[4];
  } sample = { .size = size };
  const size_t part = sizeof sample.words / 2, n = size < part ? size : part;
  uint64_t print = 0;
  if (!provider_read (pages, address + head, sample.words, n)
      || !provider_read (pages, address + head + size - n, &sample.words[2], n))
    return 0;
  for (size_t i = 0; i < sizeof sample / sizeof print; i++)
    print = (print ^ ((const uint64_t *) &sample)[i]) * 0x9e3779b97f4a7c15;
  return print;
}

/* Both strings and bytes begin with their sizes. */
static bool
print_both (struct provider_pages *pages, struct identity *is)
{
  size_t file, lines;
  if (!provider_read (pages, is->file + PYTHON_TEXT_LENGTH, &file, sizeof file)
      || !provider_read (pages, is->lines + PYTHON_BYTES_SIZE, &lines, sizeof lines))
    return false;
  is->print = print_of (pages, is->file, PYTHON_TEXT_ASCII, file)
              ^ print_of (pages, is->lines, PYTHON_BYTES_DATA, lines) >> 1;
  return true;
}

static bool
identify (struct provider_pages *pages, const char *code, struct identity *is)
{
  const char *names[4]; /* file, name, qualified name, lines */
  return provider_read (pages, code + PYTHON_OBJECT_TYPE, &is->type, sizeof is->type)
         && is->type == python_types.code
         && provider_read (pages, code + PYTHON_CODE_FIRST_LINE, &is->first_line,
                           sizeof is->first_line)
         && provider_read (pages, code + PYTHON_CODE_FILE, names, sizeof names)
         && (is->file = names[0], is->name = names[2], is->lines = names[3], true)
         && print_both (pages, is);
}

static bool
is_same (const struct code *kept, const char *address, const struct identity *is)
{
  return kept->address == address && kept->is.file == is->file && kept->is.name == is->name
         && kept->is.lines == is->lines && kept->is.first_line == is->first_line
         && kept->is.print == is->print;
}

static void
keep_table (struct provider_pages *pages, struct code *kept)
{
  struct {
    const void *type;
    size_t size;
  } head;
  if (!provider_read (pages, kept->is.lines + PYTHON_OBJECT_TYPE, &head, sizeof head)
      || head.type != python_types.bytes || head.size > MOST_TABLE)
    return;
  unsigned char *table = provider_keep (head.size);
  if (table && provider_read (pages, kept->is.lines + PYTHON_BYTES_DATA, table, head.size))
    {
      kept->table = table;
      kept->table_bytes = head.size;
    }
}

/* Null: its name or file cannot be read, or there is no room for them. */
static struct code *
keep (struct provider_pages *pages, const char *address, const struct identity *is)
{
  struct code *kept = provider_keep (sizeof *kept);
  if (!kept)
    return NULL;
  *kept = (struct code) { .address = address,
                          .is = *is,
                          .name = python_text_keep (pages, is->name),
                          .file = python_text_keep (pages, is->file) };
  if (!kept->name || !kept->file)
    return NULL;
  keep_table (pages, kept);
  return kept;
}

unsigned long
python_code_number (struct provider_pages *pages, const char *address)
{
  struct identity is;
  struct code *new = NULL;
  if (!identify (pages, address, &is))
    return 0;
  for (unsigned i = (unsigned) ((uintptr_t) address / 16 * 0x9e3779b1U) % SLOTS;;
       i = (i + 1) % SLOTS)
    {
      struct code *seen = __atomic_load_n (&slots[i], __ATOMIC_ACQUIRE);
      if (!seen)
        {
          if (__atomic_load_n (&used, __ATOMIC_RELAXED) > SLOTS / 4 * 3)
            return PYTHON_NO_ROOM;
          if (!new && !(new = keep (pages, address, &is)))
            return 0;
          if (__atomic_compare_exchange_n (&slots[i], &seen, new, false, __ATOMIC_ACQ_REL,
                                           __ATOMIC_ACQUIRE))
            {
              __atomic_fetch_add (&used, 1, __ATOMIC_RELAXED);
              return provider_number (new);
            }
        }
      if (is_same (seen, address, &is))
        return provider_number (seen);
    }
}

/* Context: any. */
int
python_code_describe (unsigned long number, unsigned offset, struct bbprof_function *to)
{
  const struct code *kept = provider_at (number);
  if (!kept || !kept->name)
    return 0;
  const unsigned first = kept->is.first_line > 0 ? (unsigned) kept->is.first_line : 0;
  *to = (struct bbprof_function) { .name = kept->name,
                                   .file = kept->file,
                                   .first_line = first,
                                   .line = python_line_at (kept->table, kept->table_bytes, first,
                                                           offset) };
  return 1;
}

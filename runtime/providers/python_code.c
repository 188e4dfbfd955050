/* SPDX-License-Identifier: MIT */
/* Code objects of CPython that have been sampled.  Names and lines are copied when one is first
   seen, because it may be freed.  Code objects with the same names, file and lines are one
   function: a program that compiles the same again and again has no more of them.

   Names and lines are not compared in each sample.  A cache has the numbers of code objects by
   their addresses, those of their parts, and samples of the parts' contents, because another object
   may have got the same addresses.  Context: signal, unless a function says otherwise. */
#include "runtime/providers/python.h"
#include "runtime/providers/python_layout.h"

/* A code object as it stands in memory. */
struct object {
  const char *address;
  const char *file, *name, *lines;
  int first_line;
};

struct code {
  uint64_t contents; /* hash of all below */
  const char *name, *file;
  const unsigned char *table;
  size_t table_bytes;
  unsigned first_line;
};

enum { SLOTS = 1 << 16, MOST_CODES = SLOTS / 4 * 3, MOST_TABLE = 1 << 18, NUMBER_BITS = 24 };
static struct code *codes[SLOTS]; /* by contents: open addressing, never rehashed; atomic */
static unsigned used;             /* atomic */
/* The number, and above it the upper bits of the object's hash; 0: none; atomic. */
static uint64_t cache[SLOTS];

static uint64_t
mix (uint64_t hash, uint64_t word)
{
  hash = (hash ^ word) * 0x9e3779b97f4a7c15;
  return hash ^ hash >> 32;
}

static bool
read_object (struct provider_pages *pages, const char *address, struct object *object)
{
  const void *type;
  const char *parts[4]; /* file, name, qualified name, lines */
  if (!provider_read (pages, address + PYTHON_OBJECT_TYPE, &type, sizeof type)
      || type != python_types.code
      || !provider_read (pages, address + PYTHON_CODE_FIRST_LINE, &object->first_line,
                         sizeof object->first_line)
      || !provider_read (pages, address + PYTHON_CODE_FILE, parts, sizeof parts))
    return false;
  object->address = address;
  object->file = parts[0];
  object->name = parts[2];
  object->lines = parts[3];
  return true;
}

/* The content of a bytes object; false: it is none, or too long. */
static bool
find_table (struct provider_pages *pages, const char *lines, struct python_part *part)
{
  struct {
    const void *type;
    size_t size;
  } head;
  if (!provider_read (pages, lines + PYTHON_OBJECT_TYPE, &head, sizeof head)
      || head.type != python_types.bytes || head.size > MOST_TABLE)
    return false;
  *part = (struct python_part) { lines + PYTHON_BYTES_DATA, head.size };
  return true;
}

/* Changes HASH by the bytes of PART; false: they cannot be read. */
static bool
add_bytes (struct provider_pages *pages, struct python_part part, uint64_t *hash)
{
  *hash = mix (*hash, part.n);
  for (size_t n; part.n > 0; part.start += n, part.n -= n)
    {
      uint64_t words[8] = { 0 };
      n = part.n < sizeof words ? part.n : sizeof words;
      if (!provider_read (pages, part.start, words, n))
        return false;
      for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        *hash = mix (*hash, words[i]);
    }
  return true;
}

/* The same by its last bytes only. */
static bool
add_end (struct provider_pages *pages, struct python_part part, uint64_t *hash)
{
  enum { MOST = 48 };
  const size_t skipped = part.n > MOST ? part.n - MOST : 0;
  *hash = mix (*hash, skipped);
  return add_bytes (pages, (struct python_part) { part.start + skipped, part.n - skipped }, hash);
}

/* The parts of an object: names and table. */
struct parts {
  struct python_part file, name, table;
};

static bool
find_parts (struct provider_pages *pages, const struct object *object, struct parts *parts)
{
  return python_text_find (pages, object->file, &parts->file)
         && python_text_find (pages, object->name, &parts->name)
         && find_table (pages, object->lines, &parts->table);
}

/* Depends on what distinguishes objects in memory; 0: it cannot be read. */
static uint64_t
hash_object (struct provider_pages *pages, const struct object *object, const struct parts *parts)
{
  uint64_t hash = mix ((uintptr_t) object->address, (unsigned) object->first_line);
  hash = mix (mix (mix (hash, (uintptr_t) object->file), (uintptr_t) object->name),
              (uintptr_t) object->lines);
  return add_end (pages, parts->file, &hash) && add_end (pages, parts->name, &hash)
                 && add_end (pages, parts->table, &hash)
             ? hash | 1
             : 0;
}

static uint64_t
hash_contents (struct provider_pages *pages, const struct object *object, const struct parts *parts)
{
  uint64_t hash = mix (0, (unsigned) object->first_line);
  return add_bytes (pages, parts->file, &hash) && add_bytes (pages, parts->name, &hash)
                 && add_bytes (pages, parts->table, &hash)
             ? hash | 1
             : 0;
}

/* Null: there is no room, or it cannot be read. */
static struct code *
keep (struct provider_pages *pages, const struct object *object, const struct parts *parts,
      uint64_t contents)
{
  struct code *kept = provider_keep (sizeof *kept);
  unsigned char *table = kept ? provider_keep (parts->table.n) : NULL;
  if (!table || !provider_read (pages, parts->table.start, table, parts->table.n))
    return NULL;
  *kept
      = (struct code) { .contents = contents,
                        .name = python_text_keep (pages, object->name),
                        .file = python_text_keep (pages, object->file),
                        .table = table,
                        .table_bytes = parts->table.n,
                        .first_line = object->first_line > 0 ? (unsigned) object->first_line : 0 };
  return kept->name && kept->file ? kept : NULL;
}

/* The number of the function with the object's contents. */
static unsigned long
find (struct provider_pages *pages, const struct object *object, const struct parts *parts)
{
  const uint64_t contents = hash_contents (pages, object, parts);
  struct code *new = NULL;
  for (unsigned i = (unsigned) (contents >> 16) % SLOTS; contents; i = (i + 1) % SLOTS)
    {
      struct code *seen = __atomic_load_n (&codes[i], __ATOMIC_ACQUIRE);
      if (!seen)
        {
          if (!new &&__atomic_load_n (&used, __ATOMIC_RELAXED) < MOST_CODES)
            new = keep (pages, object, parts, contents);
          if (!new)
            return PYTHON_NO_ROOM;
          if (__atomic_compare_exchange_n (&codes[i], &seen, new, false, __ATOMIC_ACQ_REL,
                                           __ATOMIC_ACQUIRE))
            {
              __atomic_fetch_add (&used, 1, __ATOMIC_RELAXED);
              return provider_number (new);
            }
        }
      if (seen->contents == contents)
        return provider_number (seen);
    }
  return 0;
}

static unsigned long
number_of (struct provider_pages *pages, const char *address)
{
  struct object object;
  struct parts parts;
  uint64_t hash;
  if (!read_object (pages, address, &object) || !find_parts (pages, &object, &parts)
      || !(hash = hash_object (pages, &object, &parts)))
    return 0;
  uint64_t *slot = &cache[hash % SLOTS], seen = __atomic_load_n (slot, __ATOMIC_RELAXED);
  if (seen && seen >> NUMBER_BITS == hash >> NUMBER_BITS)
    return seen & ((1UL << NUMBER_BITS) - 1);
  const unsigned long number = find (pages, &object, &parts);
  if (number && number != PYTHON_NO_ROOM)
    __atomic_store_n (slot, hash >> NUMBER_BITS << NUMBER_BITS | number, __ATOMIC_RELAXED);
  return number;
}

unsigned long
python_code_number (struct provider_pages *pages, struct python_seen *seen, const char *address)
{
  const unsigned i = (unsigned) ((uintptr_t) address / 16 % PYTHON_SEEN);
  if (seen->address[i] != address || !address)
    {
      seen->address[i] = address;
      seen->number[i] = number_of (pages, address);
    }
  return seen->number[i];
}

/* Context: any. */
int
python_code_describe (unsigned long number, unsigned offset, struct bbprof_function *to)
{
  const struct code *kept = provider_at (number);
  if (!kept || !kept->name)
    return 0;
  *to = (struct bbprof_function) { .name = kept->name,
                                   .file = kept->file,
                                   .first_line = kept->first_line,
                                   .line = python_line_at (kept->table, kept->table_bytes,
                                                           kept->first_line, offset) };
  return 1;
}

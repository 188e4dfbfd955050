/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Knows the wait reasons of functions of libc: of functions with standard names, and of functions
   without a name that only these call.  (Libcs are stripped, and sem_wait jumps to a function
   without a name.) */
#include "config.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/waits/code_cfi.h"
#include "collect/waits/code_copy.h"
#include "common/array.h"
#include "include/bbprof-samples.h"

static const struct {
  const char *name;
  enum bbs_why why;
} functions[] = {
  { "pthread_mutex_lock", BBS_WHY_LOCK },
  { "__pthread_mutex_lock", BBS_WHY_LOCK },
  { "pthread_mutex_timedlock", BBS_WHY_LOCK },
  { "pthread_mutex_clocklock", BBS_WHY_LOCK },
  { "mtx_lock", BBS_WHY_LOCK },
  { "mtx_timedlock", BBS_WHY_LOCK },
  { "pthread_rwlock_rdlock", BBS_WHY_RWLOCK },
  { "__pthread_rwlock_rdlock", BBS_WHY_RWLOCK },
  { "pthread_rwlock_timedrdlock", BBS_WHY_RWLOCK },
  { "pthread_rwlock_clockrdlock", BBS_WHY_RWLOCK },
  { "pthread_rwlock_wrlock", BBS_WHY_RWLOCK },
  { "__pthread_rwlock_wrlock", BBS_WHY_RWLOCK },
  { "pthread_rwlock_timedwrlock", BBS_WHY_RWLOCK },
  { "pthread_rwlock_clockwrlock", BBS_WHY_RWLOCK },
  { "sem_wait", BBS_WHY_SEMAPHORE },
  { "sem_timedwait", BBS_WHY_SEMAPHORE },
  { "sem_clockwait", BBS_WHY_SEMAPHORE },
  { "pthread_join", BBS_WHY_THREAD },
  { "pthread_timedjoin_np", BBS_WHY_THREAD },
  { "pthread_clockjoin_np", BBS_WHY_THREAD },
  { "pthread_tryjoin_np", BBS_WHY_THREAD },
  { "thrd_join", BBS_WHY_THREAD },
  { "pthread_cond_wait", BBS_WHY_CONDITION },
  { "pthread_cond_timedwait", BBS_WHY_CONDITION },
  { "pthread_cond_clockwait", BBS_WHY_CONDITION },
  { "cnd_wait", BBS_WHY_CONDITION },
  { "cnd_timedwait", BBS_WHY_CONDITION },
  { "pthread_barrier_wait", BBS_WHY_BARRIER },
};

enum {
  MOST_TABLE = 64 << 20,
  MOST_RANGES = 1000,
  MOST_SECTIONS = 1000,
  DEEPEST = 2,
  ALIGNMENT = 16
};

/* A part of the file, in fresh memory; null: it cannot be read. */
static void *
read_piece (int fd, uint64_t offset, uint64_t bytes)
{
  void *piece = bytes > 0 && bytes < MOST_TABLE ? malloc (bytes + 1) : NULL;
  if (piece && pread (fd, piece, bytes, (off_t) offset) != (ssize_t) bytes)
    {
      free (piece);
      return NULL;
    }
  if (piece)
    ((char *) piece)[bytes] = 0;
  return piece;
}

static size_t
find_range (const struct code *c, const unsigned char *start)
{
  size_t i = 0;
  while (i < c->nranges && c->ranges[i].start != start)
    i++;
  return i;
}

/* False: out of memory. */
static bool
add_range (struct code *c, const unsigned char *start, const unsigned char *end, uint8_t why,
           unsigned depth)
{
  const size_t i = find_range (c, start);
  if (i < c->nranges || c->nranges == MOST_RANGES)
    return true;
  if (!array_grow (&c->ranges, c->nranges, &c->room, sizeof *c->ranges))
    return false;
  c->ranges[c->nranges++] = (struct code_range) { start, end, why, (uint8_t) depth };
  return true;
}

/* Names a function that only glibc has: in the shared library, or in a static program. */
static bool
is_of_glibc (const char *name)
{
  return strcmp (name, "gnu_get_libc_version") == 0 || strcmp (name, "__libc_setup_tls") == 0;
}

static bool
add_symbols (struct code *c, const Elf64_Sym *symbols, size_t n, const char *names,
             size_t name_bytes)
{
  const uint64_t low = code_cfi_vaddr (c);
  for (size_t i = 0; i < n; i++)
    {
      const Elf64_Sym *s = &symbols[i];
      const unsigned type = ELF64_ST_TYPE (s->st_info);
      if (type != STT_FUNC || s->st_shndx == SHN_UNDEF || s->st_name >= name_bytes
          || s->st_size == 0 || s->st_value < low || s->st_value - low >= c->bytes
          || s->st_size > c->bytes - (s->st_value - low))
        continue;
      c->glibc |= is_of_glibc (names + s->st_name);
      for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
        if (strcmp (names + s->st_name, functions[k].name) == 0)
          {
            const unsigned char *start = c->copy + (s->st_value - low);
            if (!add_range (c, start, start + s->st_size, (uint8_t) functions[k].why, 0))
              return false;
          }
    }
  return true;
}

static bool
read_symbols (struct code *c, int fd)
{
  const Elf64_Ehdr *head = (const Elf64_Ehdr *) c->copy;
  Elf64_Shdr *sections = head->e_shentsize == sizeof *sections && head->e_shnum <= MOST_SECTIONS
                             ? read_piece (fd, head->e_shoff, head->e_shnum * sizeof *sections)
                             : NULL;
  bool ok = true;
  for (size_t i = 0; sections && ok && i < head->e_shnum; i++)
    {
      const Elf64_Shdr *table = &sections[i];
      if ((table->sh_type != SHT_DYNSYM && table->sh_type != SHT_SYMTAB)
          || table->sh_link >= head->e_shnum)
        continue;
      const Elf64_Shdr *strings = &sections[table->sh_link];
      Elf64_Sym *symbols = read_piece (fd, table->sh_offset, table->sh_size);
      char *names = read_piece (fd, strings->sh_offset, strings->sh_size);
      ok = !symbols || !names
           || add_symbols (c, symbols, table->sh_size / sizeof *symbols, names, strings->sh_size);
      free (symbols);
      free (names);
    }
  free (sections);
  return ok;
}

/* The target of the call or jump at AT, if a function can begin there.  Bytes that are no
   instruction have a target by chance only, and seldom such a one. */
static const unsigned char *
target_of (const struct code *c, const unsigned char *at, const unsigned char *end)
{
  int32_t distance;
  const bool conditional = at[0] == 0x0f && end - at >= 2 && (at[1] & 0xf0) == 0x80;
  const size_t opcode = conditional ? 2 : 1;
  if ((!conditional && at[0] != 0xe8 && at[0] != 0xe9)
      || (size_t) (end - at) < opcode + sizeof distance)
    return NULL;
  memcpy (&distance, at + opcode, sizeof distance);
  const int64_t to = (at - c->copy) + (int64_t) (opcode + sizeof distance) + distance;
  const bool valid = to >= c->text - c->copy && to < c->text_end - c->copy && to % ALIGNMENT == 0;
  return valid ? c->copy + to : NULL;
}

/* Adds the functions that the listed ones call, and those that these call. */
static bool
add_helpers (struct code *c)
{
  bool ok = true;
  for (size_t i = 0; ok && i < c->nranges; i++)
    {
      const struct code_range caller = c->ranges[i];
      for (const unsigned char *at = caller.start; ok && at < caller.end && caller.depth < DEEPEST;
           at++)
        {
          const unsigned char *target = target_of (c, at, caller.end), *end;
          if (target && find_range (c, target) == c->nranges
              && (end = code_cfi_function (c, target)))
            ok = add_range (c, target, end, caller.why, caller.depth + 1U);
        }
    }
  return ok;
}

static int
compare_ranges (const void *a, const void *b, void *context)
{
  const struct code_range *x = a, *y = b;
  (void) context;
  return x->start < y->start ? -1 : x->start > y->start;
}

/* The range that begins at START; null: none does. */
static struct code_range *
range_from (struct code *c, const unsigned char *start)
{
  size_t before = ARRAY_BEFORE (i, c->nranges, c->ranges[i].start < start);
  return before < c->nranges && c->ranges[before].start == start ? &c->ranges[before] : NULL;
}

/* A call of, or a jump to, a function without a name. */
struct use {
  const unsigned char *at;
  size_t helper; /* index in ranges */
};

static bool
find_uses (struct code *c, struct use **uses, size_t *n)
{
  size_t room = 0;
  for (const unsigned char *at = c->text; at < c->text_end; at++)
    {
      if (at[0] != 0xe8 && at[0] != 0xe9 && at[0] != 0x0f)
        continue;
      const unsigned char *target = target_of (c, at, c->text_end);
      struct code_range *helper = target ? range_from (c, target) : NULL;
      if (!helper || helper->depth == 0 || (at >= helper->start && at < helper->end))
        continue;
      if (!array_grow (uses, *n, &room, sizeof **uses))
        return false;
      (*uses)[(*n)++] = (struct use) { at, (size_t) (helper - c->ranges) };
    }
  return true;
}

/* A function that other code also calls tells no wait reason.  Functions that only it calls tell
   none either. */
static bool
drop_shared (struct code *c)
{
  struct use *uses = NULL;
  size_t n = 0;
  bool ok = find_uses (c, &uses, &n), changed = ok;
  while (changed)
    {
      changed = false;
      for (size_t i = 0; i < n; i++)
        {
          struct code_range *helper = &c->ranges[uses[i].helper];
          if (helper->why == BBS_WHY_NOT_KNOWN || code_why (c, uses[i].at) == helper->why)
            continue;
          helper->why = BBS_WHY_NOT_KNOWN;
          changed = true;
        }
    }
  free (uses);
  return ok;
}

bool
code_name (struct code *c, int fd)
{
  return read_symbols (c, fd) && c->nranges > 0 && add_helpers (c)
         && array_sort (c->ranges, c->nranges, sizeof *c->ranges, compare_ranges, NULL)
         && drop_shared (c);
}

uint8_t
code_why (const struct code *c, const unsigned char *at)
{
  size_t before = ARRAY_BEFORE (i, c->nranges, c->ranges[i].start <= at);
  return before > 0 && at < c->ranges[before - 1].end ? c->ranges[before - 1].why
                                                      : BBS_WHY_NOT_KNOWN;
}

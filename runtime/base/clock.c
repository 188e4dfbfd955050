/* SPDX-License-Identifier: MIT */
/* CLOCK_MONOTONIC without a system call, by the vdso's clock_gettime.  It reads memory and the
   processor's counter, takes no lock, and may be called from any context.  If the vdso itself falls
   back to the system call, it is not used.  Context: any, unless stated otherwise. */
#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>

#include "runtime/base/base.h"
#include "runtime/base/sys.h"

typedef int vdso_clock (clockid_t, struct timespec *);

static vdso_clock *from_vdso; /* null: use the system call.  Writer: bbp_clock_start */

/* The symbol table of the vdso. */
struct symbols {
  const ElfW (Sym) * symbol;
  const char *names;
  const uint32_t *hash; /* DT_HASH: its second word is the number of symbols */
};

static const void *
at (const ElfW (Ehdr) * head, uintptr_t address)
{
  return (const char *) head + address;
}

static struct symbols
find_symbols (const ElfW (Ehdr) * head)
{
  const ElfW (Phdr) *segment = at (head, head->e_phoff);
  const ElfW (Dyn) *entry = NULL;
  struct symbols symbols = { 0 };
  for (int i = 0; i < head->e_phnum; i++)
    if (segment[i].p_type == PT_DYNAMIC)
      entry = at (head, segment[i].p_offset);
  for (; entry && entry->d_tag != DT_NULL; entry++)
    switch (entry->d_tag)
      {
      case DT_SYMTAB: symbols.symbol = at (head, entry->d_un.d_ptr); break;
      case DT_STRTAB: symbols.names = at (head, entry->d_un.d_ptr); break;
      case DT_HASH: symbols.hash = at (head, entry->d_un.d_ptr); break;
      }
  return symbols;
}

static vdso_clock *
find_clock (const ElfW (Ehdr) * head)
{
  struct symbols symbols = find_symbols (head);
  if (!symbols.symbol || !symbols.names || !symbols.hash)
    return NULL;
  for (uint32_t i = 0; i < symbols.hash[1]; i++)
    if (strcmp (symbols.names + symbols.symbol[i].st_name, "__vdso_clock_gettime") == 0)
      return (vdso_clock *) (uintptr_t) at (head, symbols.symbol[i].st_value);
  return NULL;
}

static uint64_t
read_clock (vdso_clock *clock)
{
  struct timespec now;
  return clock (CLOCK_MONOTONIC, &now) == 0
             ? (uint64_t) now.tv_sec * 1000000000 + (uint64_t) now.tv_nsec
             : 0;
}

/* True if CLOCK is faster than the system call.  It is slower if it makes the system call
   itself. */
static bool
is_fast (vdso_clock *clock)
{
  enum { TRIES = 5 };
  uint64_t by_function = UINT64_MAX, by_call = UINT64_MAX;
  for (int i = 0; i < TRIES; i++)
    {
      uint64_t begin = bbp_arch_ticks ();
      if (read_clock (clock) == 0)
        return false;
      uint64_t middle = bbp_arch_ticks ();
      bbp_sys_nanoseconds (CLOCK_MONOTONIC);
      uint64_t end = bbp_arch_ticks ();
      by_function = middle - begin < by_function ? middle - begin : by_function;
      by_call = end - middle < by_call ? end - middle : by_call;
    }
  return by_function < by_call;
}

void
bbp_clock_start (void)
{
  const ElfW (Ehdr) *head = (const ElfW (Ehdr) *) getauxval (AT_SYSINFO_EHDR);
  vdso_clock *clock = head ? find_clock (head) : NULL;
  from_vdso = clock && is_fast (clock) ? clock : NULL;
}

uint64_t
bbp_clock_now (void)
{
  return from_vdso ? read_clock (from_vdso) : bbp_sys_nanoseconds (CLOCK_MONOTONIC);
}

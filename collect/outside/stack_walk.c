/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory of the process, in this order: the copy of the stack in the sample; the files of
   objects, as far as they cannot have changed; the process itself, if it still lives and may be
   read.  That part may have changed since the sample; but the frames that lie so far out rarely
   change in milliseconds, and the unwinder believes a return address only behind a call. */
#include "config.h"

#include <string.h>
#include <sys/uio.h>

#include "collect/outside/stack_walk.h"

enum { PAGE = 4096, PAGES = 2 };

/* The stack that is being unwound.  Writer: the two functions at the end; the unwinder's table has
   no place for it. */
static struct {
  const struct process *process;
  const struct outside_record *sample;
  struct bbp_walk walk;
  /* Of the process's memory, for the walk's stack, and for its code. */
  unsigned char pages[2][PAGES * PAGE];
} current;

/* Reads the page of ADDRESS and, if there is one, the next into BUFFER. */
static bool
read_pages (unsigned char *buffer, struct bbp_readable *known, uintptr_t address)
{
  const uintptr_t page = address & -(uintptr_t) PAGE;
  const struct iovec here = { buffer, PAGES * PAGE },
                     there[PAGES] = { { (void *) page, PAGE }, { (void *) (page + PAGE), PAGE } };
  const ssize_t n = page ? process_vm_readv (current.process->pid, &here, 1, there, PAGES, 0) : 0;
  if (n <= 0)
    return false;
  *known = (struct bbp_readable) { page, page + (uintptr_t) n, (uintptr_t) buffer - page };
  return true;
}

static bool
is_inside (const struct bbp_readable *known, uintptr_t address, size_t bytes)
{
  return address >= known->low && address < known->high && bytes <= known->high - address;
}

static struct bbp_readable
copied_stack (const struct outside_record *r)
{
  const uintptr_t sp = (uintptr_t) bbp_arch_register (&r->context, BBP_ARCH_STACK);
  return (struct bbp_readable) { sp, sp + r->stack_bytes, (uintptr_t) r->stack - sp };
}

static const struct process_object *
object_of (const struct process_map *map)
{
  return map && map->object != PROCESS_NO_OBJECT ? &current.process->objects[map->object] : NULL;
}

static bool
is_in_file (struct bbp_readable *known, uintptr_t address)
{
  const struct process_map *map = process_map_at (current.process, address);
  const struct process_object *o = object_of (map);
  if (!o || !object_file_readable (o->file, address - map->bias, known))
    return false;
  known->low += map->bias;
  known->high += map->bias;
  known->shift -= map->bias;
  return true;
}

static bool
readable_more (struct bbp_readable *known, uintptr_t address, size_t bytes)
{
  const struct bbp_readable stack = copied_stack (current.sample);
  unsigned char *buffer = current.pages[known == &current.walk.code];
  if (is_inside (&stack, address, bytes))
    *known = stack;
  else if (!is_in_file (known, address) && !read_pages (buffer, known, address))
    return false;
  return is_inside (known, address, bytes);
}

static enum bbp_cfi_found
cfi_find (uintptr_t address, struct bbp_cfi *cfi)
{
  const struct process_map *map = process_map_at (current.process, address);
  const struct process_object *o = object_of (map);
  if (!o)
    return BBP_CFI_NOBODYS;
  if (!object_file_cfi (o->file, address - map->bias, cfi))
    return BBP_CFI_NONE;
  cfi->start += map->bias;
  cfi->end += map->bias;
  cfi->shift -= map->bias;
  return BBP_CFI_THERE;
}

static bool
is_loader (uintptr_t address)
{
  const struct process_object *o = object_of (process_map_at (current.process, address));
  return o && o->file->is_loader;
}

static uint32_t
mapping_of (uintptr_t address)
{
  const struct process_map *map = process_map_at (current.process, address);
  return map && map->object != PROCESS_NO_OBJECT ? map->number : 0;
}

const struct bbp_unwind_above bbp_unwind_above = {
  .readable_more = readable_more,
  .cfi_find = cfi_find,
  .is_loader = is_loader,
  .mapping_of = mapping_of,
};

static bool
read_code (unsigned char *bytes, uintptr_t address, size_t *before)
{
  *before = BBP_CALL_CODE;
  return bbp_read_bytes (&current.walk.code, address - BBP_CALL_CODE, bytes,
                         BBP_CALL_CODE + BBP_CALL_BEHIND);
}

static bool
read_word (uintptr_t address, uintptr_t *value)
{
  return bbp_read_word (&current.walk.stack, address, value);
}

static void
begin (const struct process *p, const struct outside_record *r)
{
  current.process = p;
  current.sample = r;
  current.walk = (struct bbp_walk) { .exact = true, .stack = copied_stack (r) };
  current.walk.now.known = r->only_pc ? 1UL << BBP_ARCH_STACK_POINTER | 1UL << BBP_ARCH_RETURN
                                      : BBP_WALK_ALL;
  bbp_arch_registers (&r->context, current.walk.now.value);
}

struct bbp_unwound
stack_walk (const struct process *p, const struct outside_record *r, struct bbp_frame *frames)
{
  if (!r->has_registers)
    return (struct bbp_unwound) { 0 };
  begin (p, r);
  return bbp_unwind_walk (&current.walk, frames, NULL, STACK_DEPTH);
}

long
stack_system_call (const struct process *p, const struct outside_record *r)
{
  static const struct bbp_call_reader reader = { .code = read_code, .word = read_word };
  begin (p, r);
  return r->has_registers ? bbp_system_call (&r->context, &reader) : BBP_SYSCALL_UNKNOWN;
}

void
stack_walk_start (void)
{
  bbp_unwind_cache_start ();
}

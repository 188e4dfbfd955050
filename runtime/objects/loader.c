/* SPDX-License-Identifier: MIT */
/* Reads the loader's data: its whole list of objects, or, where its lock cannot be waited for, the
   object at one address.  Everything is copied, because an object may be unloaded at any time.
   Context: cold. */
#include <dlfcn.h>
#include <link.h>
#include <sys/auxv.h>

#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/objects/objects.h"

/* Takes no lock and may be called at any time; missing before glibc 2.35 and in static programs. */
extern int _dl_find_object (void *, struct dl_find_object *) __attribute__ ((weak));

/* Copies of one object's data, too large for handlers' stacks.  Lock. */
static char head[4 * BBP_PAGE_BYTES], loader_name[BBP_PATH_SIZE];

/* BYTES zeroed bytes of FOUND's memory; null: no room. */
static void *
take (struct bbp_found *found, size_t bytes)
{
  bytes = (bytes + 15) & -(size_t) 16;
  if (found->room - found->used < bytes)
    {
      found->cut = true;
      return NULL;
    }
  void *memory = found->memory + found->used;
  found->used += bytes;
  return memory;
}

bool
bbp_found_make (struct bbp_found *found, size_t room)
{
  *found = (struct bbp_found) { .memory = bbp_pages_map (room), .room = room };
  found->last = &found->first;
  return found->memory;
}

static const char *
take_path (struct bbp_found *found, const char *name, const struct bbp_object *object)
{
  if (object->bias + object->start == getauxval (AT_SYSINFO_EHDR))
    return "[vdso]";
  size_t bytes = bbp_string_bytes (name);
  char *path = take (found, bytes);
  if (path)
    bbp_copy_bytes (path, name, bytes);
  return path;
}

static struct bbp_object *
append (struct bbp_found *found)
{
  struct bbp_object *object = take (found, sizeof *object);
  if (object)
    {
      *found->last = object;
      found->last = &object->next;
      found->n++;
    }
  return object;
}

void
bbp_found_append (struct bbp_found *found, const struct bbp_object *known)
{
  struct bbp_object *object = append (found);
  if (object)
    {
      *object = *known;
      object->next = NULL;
    }
}

/* Append the object that INFO describes; BIAS is added to its link-time addresses; null: no
   room. */
static struct bbp_object *
describe (struct bbp_found *found, const struct dl_phdr_info *info, uintptr_t bias)
{
  struct bbp_object *object = append (found);
  if (!object)
    return NULL;
  bbp_identity_bounds (object, info);
  object->bias = bias;
  const unsigned char *id = bbp_identity_build_id (info, &object->build_id_bytes);
  unsigned char *copy = take (found, object->build_id_bytes);
  if (!copy || !(object->path = take_path (found, info->dlpi_name, object)))
    return NULL;
  bbp_copy_bytes (copy, id, object->build_id_bytes);
  object->build_id = copy;
  return object;
}

/* Make the path absolute, and identify the file if there is no build id. */
static void
complete (struct bbp_found *found, struct bbp_object *object)
{
  char *path = object->path[0] != '/' && object->path[0] != '[' ? take (found, BBP_PATH_SIZE)
                                                                : NULL;
  if (path)
    object->path = bbp_path_absolute (path, object->path);
  bbp_identity_complete (object);
}

/* Notes what is known, so that the lock is free when the loader calls again: between its calls
   code of the program may run, which has a dl_iterate_phdr of its own. */
static void
note_known (struct bbp_found *found)
{
  bbp_sigset old = bbp_lock ();
  size_t n = bbp_objects_known (NULL);
  if ((found->known = take (found, n * sizeof *found->known)))
    found->known_count = bbp_objects_known (found->known);
  bbp_unlock (old);
}

/* Lists the known object that INFO describes; false: there is none.  It was loaded when the table
   was read, and the loader has not unloaded it since, so it does not change.  The loader has the
   objects in the same order, most of the time. */
static bool
list_known (struct bbp_found *found, const struct dl_phdr_info *info)
{
  struct bbp_object object;
  bbp_identity_bounds (&object, info);
  object.build_id = bbp_identity_build_id (info, &object.build_id_bytes);
  size_t i = 0, at = found->expected;
  for (; i < found->known_count; i++, at++)
    {
      if (at >= found->known_count)
        at -= found->known_count;
      if (found->known[at].address == info->dlpi_addr + object.start)
        break;
    }
  if (i == found->known_count || !bbp_identity_stays (found->known[at].object, &object))
    return false;
  found->known[at].listed = true;
  found->expected = at + 1;
  return true;
}

/* The first object of the loader's list is the executable, which is known. */
static int
visit (struct dl_phdr_info *info, size_t size, void *data)
{
  struct bbp_found *found = data;
  (void) size;
  if (!found->changes)
    {
      found->changes = 1 + info->dlpi_adds + info->dlpi_subs;
      found->removals = info->dlpi_subs;
      found->unchanged = found->changes == found->seen;
      if (!found->unchanged)
        note_known (found);
      return found->unchanged;
    }
  return !list_known (found, info) && !describe (found, info, info->dlpi_addr);
}

/* Copies the objects of the loader's list that are not known into ROOM bytes of memory, unless the
   list has not changed since SEEN; false: too little room, or no memory. */
bool
bbp_loader_list (struct bbp_found *found, size_t room, uint64_t seen)
{
  if (!bbp_found_make (found, room))
    return false;
  found->seen = seen;
  dl_iterate_phdr (visit, found);
  for (struct bbp_object *object = found->first; object && !found->cut; object = object->next)
    complete (found, object);
  return !found->cut;
}

/* The length of the part of HEAD that identifies the object: up to the end of program headers and
   notes; 0: not an ELF file.  LENGTH: the bytes read; FIRST: the link-time address of the first
   one. */
static size_t
head_bytes (size_t length, uintptr_t first)
{
  const ElfW (Ehdr) *file = (const ElfW (Ehdr) *) head;
  const ElfW (Phdr) *segment = (const ElfW (Phdr) *) (head + file->e_phoff),
                    *stop = segment + file->e_phnum;
  if (head[0] != ELFMAG0 || head[1] != ELFMAG1 || head[2] != ELFMAG2 || head[3] != ELFMAG3
      || file->e_phoff > length)
    return 0;
  size_t bytes = file->e_phoff + file->e_phnum * sizeof *segment;
  for (; bytes <= length && segment < stop; segment++)
    if (segment->p_type == PT_NOTE && segment->p_vaddr + segment->p_memsz - first > bytes)
      bytes = segment->p_vaddr + segment->p_memsz - first;
  return bytes;
}

/* Append the object that AT describes; null: it cannot be read. */
static struct bbp_object *
append_at (struct bbp_found *found, const struct dl_find_object *at)
{
  struct link_map map;
  long length = bbp_sys_read_own (head, at->dlfo_map_start, sizeof head);
  if (length < BBP_PAGE_BYTES
      || bbp_sys_read_own (&map, at->dlfo_link_map, sizeof map) != sizeof map
      || bbp_sys_read_own (loader_name, map.l_name, sizeof loader_name - 1) <= 0)
    return NULL;
  uintptr_t first = (uintptr_t) at->dlfo_map_start - map.l_addr;
  size_t bytes = head_bytes ((size_t) length, first);
  if (bytes == 0 || bytes > (size_t) length)
    return NULL;
  const ElfW (Ehdr) *file = (const ElfW (Ehdr) *) head;
  const struct dl_phdr_info info = {
    .dlpi_addr = (uintptr_t) head - first,
    .dlpi_name = loader_name,
    .dlpi_phdr = (const ElfW (Phdr) *) (head + file->e_phoff),
    .dlpi_phnum = file->e_phnum,
  };
  struct bbp_object *object = describe (found, &info, map.l_addr);
  if (object)
    {
      complete (found, object);
      object->unlisted = true;
    }
  return object;
}

/* The object at ADDRESS, from FOUND or appended to it; null: none, or the loader cannot be
   queried.  Takes none of the loader's locks.  Another thread may unload the object meanwhile, so
   it is read by a system call, which fails if the memory is gone. */
const struct bbp_object *
bbp_loader_at (struct bbp_found *found, uintptr_t address)
{
  struct dl_find_object at;
  for (const struct bbp_object *object = found->first; object; object = object->next)
    if (bbp_object_holds (object, address))
      return object;
  if (!_dl_find_object || _dl_find_object ((void *) address, &at) != 0)
    return NULL;
  return append_at (found, &at);
}

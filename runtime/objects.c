/* SPDX-License-Identifier: MIT */
/* The ELF objects of the process: executable, shared libraries, vdso; where they lie, who they are, and which virtual
   addresses they have in the profile.

   Counts are kept by run-time addresses, so the table is asked only in the cold, when they are put together, and must be
   right by then: it is compared with the loader's list (*refreshed*) at the dump, when a module registers itself, and
   when an object leaves.  dlopen needs no wrapper for that.

   An object leaves in two steps.  Its destructors have run (unload.c), and all that was counted in it has been put
   aside (retire.c): it is *leaving*.  The loader does not list it any more: it is *gone*.  Should it run code of its own
   in between, that is still its own, unless somebody else has its place by then.

   The list is not there for everybody: a dump in a signal handler may not wait for the loader, and libraries in namespaces
   of their own (dlmopen) are not in it.  What was counted in no known object is looked up by its address
   (_dl_find_object, which takes no lock), and the object is entered as *unlisted*.

   Context: cold, lock held, but for bbp_objects_refresh. */
#include <dlfcn.h>
#include <link.h>
#include <sys/auxv.h>

#include "arch.h"
#include "internal.h"
#include "sys.h"

#define VIRTUAL_SLOTS (((uintptr_t) 1 << 47) / BBX_BASE_UNIT)

static struct bbp_object executable = { .presence = BBP_PRESENT, .loads = 1 };

/* The loader's counters at the time of the list that was taken over last.  Writer: under the lock. */
static uint64_t changes_seen, removals_seen;

/* The objects in memory by their run-time addresses, ascending, disjoint; replaced as a whole, by one store, because of
   children that are forked meanwhile. */
static struct places {
  size_t n, bytes;
  struct bbp_object *object[];
} *places;

/* What one look at the loader's list found: objects in a mapping, linked by their NEXT. */
struct found {
  char *memory;
  size_t used, room;
  struct bbp_object *first, **last;
  uint64_t changes, removals;
  size_t n;
  bool unchanged, cut;
};

struct bbp_object *
bbp_object_executable (void)
{
  return &executable;
}

/* BYTES zeroed bytes of FOUND's memory; null: there is no room left. */
static void *
take (struct found *found, size_t bytes)
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

static const char *
take_path (struct found *found, const struct dl_phdr_info *info, const struct bbp_object *object)
{
  if (object->bias + object->start == getauxval (AT_SYSINFO_EHDR))
    return "[vdso]";
  const char *name = info->dlpi_name;
  size_t bytes = bbp_string_bytes (name);
  char *path = take (found, bytes);
  if (path)
    bbp_copy_bytes (path, name, bytes);
  return path;
}

/* The object may be unloaded as soon as it is not looked at any more: everything is copied.  False: no room. */
static bool
copy_object (struct found *found, const struct dl_phdr_info *info)
{
  struct bbp_object *object = take (found, sizeof *object);
  if (!object)
    return false;
  bbp_identity_bounds (object, info);
  const unsigned char *id = bbp_identity_build_id (info, &object->build_id_bytes);
  unsigned char *copy = take (found, object->build_id_bytes);
  if (!copy || !(object->path = take_path (found, info, object)))
    return false;
  bbp_copy_bytes (copy, id, object->build_id_bytes);
  object->build_id = copy;
  *found->last = object;
  found->last = &object->next;
  found->n++;
  return true;
}

/* The first object of the loader's list is the executable, which is known. */
static int
look_at (struct dl_phdr_info *info, size_t size, void *data)
{
  struct found *found = data;
  (void) size;
  if (found->changes)
    return !copy_object (found, info);
  found->changes = 1 + info->dlpi_adds + info->dlpi_subs;
  found->removals = info->dlpi_subs;
  found->unchanged = found->changes == __atomic_load_n (&changes_seen, __ATOMIC_RELAXED);
  return found->unchanged;
}

/* The paths of FOUND made absolute; which files they are, where that matters. */
static void
complete (struct found *found)
{
  for (struct bbp_object *object = found->first; object; object = object->next)
    {
      char *path = object->path[0] != '/' && object->path[0] != '[' ? take (found, BBP_PATH_SIZE) : NULL;
      if (path)
        object->path = bbp_path_absolute (path, object->path);
      bbp_identity_complete (object);
    }
}

static bool
is_virtual_free (uintptr_t first, uintptr_t n)
{
  for (const struct bbp_object *object = &executable; object; object = object->next)
    if ((object->start + object->base) / BBX_BASE_UNIT < first + n
        && (object->end - 1 + object->base) / BBX_BASE_UNIT >= first)
      return false;
  return true;
}

/* By the object's identity, so that a library has the same one in every process; the next free one if two meet.  0: there
   is none left. */
static uintptr_t
choose_base (const struct bbp_object *object)
{
  uintptr_t first = object->start / BBX_BASE_UNIT, n = (object->end - 1) / BBX_BASE_UNIT - first + 1;
  uint64_t wanted = bbp_identity_hash (object);
  for (uintptr_t i = 0; i < VIRTUAL_SLOTS; i++)
    {
      uintptr_t slot = 1 + (wanted + i) % (VIRTUAL_SLOTS - 1);
      if (slot != first && slot + n <= VIRTUAL_SLOTS && is_virtual_free (slot, n))
        return (slot - first) * BBX_BASE_UNIT;
    }
  return 0;
}

/* A lasting copy of FOUND, at the end of the list; null: no memory for it, or no addresses. */
static struct bbp_object *
add (const struct bbp_object *found)
{
  size_t id = found->build_id_bytes, path = bbp_string_bytes (found->path);
  uintptr_t base = choose_base (found);
  struct bbp_object *object = base ? bbp_pages_map (sizeof *object + id + path) : NULL, *last = &executable;
  if (!object)
    return NULL;
  *object = *found;
  object->next = NULL;
  object->base = base;
  object->loads = 1;
  object->presence = BBP_PRESENT;
  char *data = (char *) (object + 1);
  bbp_copy_bytes (data, found->build_id, id);
  object->build_id = (const unsigned char *) data;
  bbp_copy_bytes (data + id, found->path, path);
  object->path = data + id;
  while (last->next)
    last = last->next;
  last->next = object;
  return object;
}

static bool
overlap (const struct bbp_object *a, const struct bbp_object *b)
{
  return a->start + a->bias < b->end + b->bias && b->start + b->bias < a->end + a->bias;
}

static uintptr_t
place_of (const struct bbp_object *object)
{
  return object->start + object->bias;
}

/* Room for all known objects and MORE new ones; null: no memory. */
static struct places *
make_room (size_t more)
{
  for (struct bbp_object *object = &executable; object; object = object->next)
    more++;
  size_t bytes = sizeof *places + more * sizeof *places->object;
  struct places *room = bbp_pages_map (bytes);
  if (room)
    room->bytes = bytes;
  return room;
}

/* Fill ROOM and use it. */
static void
set_places (struct places *room)
{
  struct places *old = places;
  for (struct bbp_object *object = &executable; object; object = object->next)
    if (object->presence != BBP_GONE)
      {
        size_t i = room->n++;
        for (; i > 0 && place_of (room->object[i - 1]) > place_of (object); i--)
          room->object[i] = room->object[i - 1];
        room->object[i] = object;
      }
  __atomic_store_n (&places, room, __ATOMIC_RELEASE);
  if (old)
    bbp_pages_unmap (old, old->bytes);
}

/* FOUND is the known OBJECT at its known place. */
static bool
is_there (const struct bbp_object *object, const struct bbp_object *found)
{
  return object->presence != BBP_GONE && object->bias == found->bias && bbp_identity_same (object, found);
}

static void
recognise (struct bbp_object *found, uint64_t removals)
{
  for (struct bbp_object *object = executable.next; object; object = object->next)
    if (is_there (object, found))
      {
        object->listed = found->listed = true;
        object->unlisted = false;
        if (object->presence == BBP_LEAVING && object->removals != removals)
          {
            object->presence = BBP_PRESENT; /* it was unloaded, and has come back to its place */
            object->loads++;
          }
        return;
      }
}

/* FOUND is new, or loaded again.  False: it cannot be entered. */
static bool
welcome (const struct bbp_object *found)
{
  for (struct bbp_object *object = executable.next; object; object = object->next)
    if (object->presence == BBP_GONE && bbp_identity_same (object, found))
      {
        object->bias = found->bias;
        object->unlisted = found->unlisted;
        object->presence = BBP_PRESENT;
        object->loads++;
        return true;
      }
  return add (found) != NULL;
}

/* OBJECT is not listed any more.  What it has counted since it left, or all if nobody saw it leave, is its own if its
   place is free.  Otherwise nobody can say who counted what: what stood there before the newcomer's time is given up,
   what little a leaving one has done since is the newcomer's. */
static void
lose (struct bbp_object *object, const struct found *found)
{
  bool taken = false;
  for (const struct bbp_object *other = found->first; other; other = other->next)
    taken |= overlap (object, other);
  if (!taken || object->presence == BBP_PRESENT)
    bbp_retire (object, !taken);
  object->presence = BBP_GONE;
}

/* Not there in a static program. */
extern int _dl_find_object (void *, struct dl_find_object *) __attribute__ ((weak));

/* Whether the loader has something just where the unlisted OBJECT was. */
static bool
is_mapped (const struct bbp_object *object)
{
  struct dl_find_object at;
  return _dl_find_object ((void *) (object->text_start + object->bias), &at) == 0
         && at.dlfo_link_map->l_addr == object->bias;
}

/* The object in memory at ADDRESS, which is in none that is known, if the loader knows one. */
static void
find (uintptr_t address)
{
  static char memory[sizeof (struct bbp_object) + 3 * BBP_PATH_SIZE];
  struct found found = { .memory = memory, .room = sizeof memory, .last = &found.first };
  struct dl_find_object at;
  if (_dl_find_object ((void *) address, &at) != 0)
    return;
  const ElfW (Ehdr) *header = at.dlfo_map_start;
  if (!bbp_identity_is_elf (header))
    return;
  const struct dl_phdr_info info = { .dlpi_addr = at.dlfo_link_map->l_addr,
                                     .dlpi_name = at.dlfo_link_map->l_name,
                                     .dlpi_phdr = (const ElfW (Phdr) *) ((const char *) header + header->e_phoff),
                                     .dlpi_phnum = header->e_phnum };
  for (size_t i = 0; i < sizeof memory; i++)
    memory[i] = 0;
  if (!copy_object (&found, &info))
    return;
  complete (&found);
  found.first->unlisted = true;
  struct places *room = make_room (1);
  if (room && welcome (found.first))
    {
      set_places (room);
      bbp_live_save ();
    }
  else if (room)
    bbp_pages_unmap (room, room->bytes);
}

void
bbp_objects_find (const struct bbp_counts *counts)
{
  for (size_t i = 0; _dl_find_object && i < counts->n; i++)
    {
      const struct bbp_count *count = &counts->item[i];
      if (!bbp_object_at (count->self))
        find (count->self);
      if (count->from && !bbp_object_at (count->from))
        find (count->from);
    }
}

static void
find_all (void *counts)
{
  bbp_objects_find (counts);
}

void
bbp_objects_meet (struct bbp_thread *thread, uintptr_t from, uintptr_t self)
{
  struct bbp_count arc = { .from = from, .self = self };
  struct bbp_counts arcs = { .item = &arc, .n = 1, .room = 1 };
  bbp_sigset old = bbp_lock ();
  bbp_arch_keep_vectors (find_all, &arcs, thread + 1);
  bbp_unlock (old);
}

/* Make the table say what the loader's list said.  A list that is older than the last one is of no use. */
static void
take_over (struct found *found)
{
  struct places *room = found->changes > changes_seen ? make_room (found->n) : NULL;
  if (!room)
    return;
  for (struct bbp_object *object = executable.next; object; object = object->next)
    object->listed = false;
  for (struct bbp_object *object = found->first; object; object = object->next)
    recognise (object, found->removals);
  for (struct bbp_object *object = executable.next; object; object = object->next)
    if (!object->listed && object->presence != BBP_GONE && !(object->unlisted && is_mapped (object)))
      lose (object, found);
  for (struct bbp_object *object = found->first; object; object = object->next)
    if (!object->listed && !welcome (object))
      bbp.inexact = true;
  set_places (room);
  removals_seen = found->removals;
  __atomic_store_n (&changes_seen, found->changes, __ATOMIC_RELAXED);
  bbp_live_save ();
}

/* Look at the loader's list with ROOM bytes of memory; false: that was too little, or there is none. */
static bool
look (struct found *found, size_t room)
{
  *found = (struct found) { .memory = bbp_pages_map (room), .room = room };
  found->last = &found->first;
  if (!found->memory)
    return false;
  dl_iterate_phdr (look_at, found);
  if (!found->unchanged && !found->cut)
    complete (found);
  return !found->cut;
}

/* Waits for the loader, who may be waiting for a hook that waits for the lock: so the lock must not be held.  For the same
   reason not in a signal handler.  In a child that was forked while other threads ran, one of those may have left the
   loader's lock behind; it is not waited for, unless the caller is in the loader and so has seen that it is free. */
void
bbp_objects_refresh (bool inside_loader)
{
  struct found found;
  if (inside_loader)
    bbp.loader_in_doubt = false;
  if (bbp.loader_in_doubt)
    return;
  for (size_t room = 1 << 18; room <= 1 << 26; room *= 4)
    {
      bool whole = look (&found, room);
      if (whole && !found.unchanged)
        {
          bbp_sigset old = bbp_lock ();
          take_over (&found);
          bbp_unlock (old);
        }
      bbp_pages_unmap (found.memory, room);
      if (whole || !found.memory)
        return;
    }
}

struct bbp_object *
bbp_object_at (uintptr_t address)
{
  size_t low = 0, high = places ? places->n : 0;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      struct bbp_object *object = places->object[middle];
      if (bbp_object_holds (object, address))
        return object;
      if (place_of (object) < address)
        low = middle + 1;
      else
        high = middle;
    }
  return NULL;
}

void
bbp_object_leave (struct bbp_object *object)
{
  if (object->presence != BBP_PRESENT || object == &executable)
    return;
  bbp_blocks_retire (object);
  bbp_retire (object, true);
  object->presence = BBP_LEAVING;
  object->removals = removals_seen;
}

/* The loader's list begins with the executable. */
static int
take_executable (struct dl_phdr_info *info, size_t size, void *data)
{
  static unsigned char build_id[BBP_BUILD_ID_SIZE];
  (void) size, (void) data;
  bbp_identity_bounds (&executable, info);
  const unsigned char *id = bbp_identity_build_id (info, &executable.build_id_bytes);
  bbp_copy_bytes (build_id, id, executable.build_id_bytes);
  executable.build_id = build_id;
  return 1;
}

/* /proc may not be there; the kernel's word on the name of the program may be a relative one. */
static const char *
find_executable (void)
{
  static char path[BBP_PATH_SIZE];
  long n = bbp_sys_readlink ("/proc/self/exe", path, sizeof path - 1);
  const char *name = (const char *) getauxval (AT_EXECFN);
  if (n > 0)
    path[n] = '\0';
  else if (name)
    bbp_path_absolute (path, name);
  return path;
}

void
bbp_objects_start (void)
{
  dl_iterate_phdr (take_executable, NULL);
  executable.path = find_executable ();
  struct places *room = make_room (0);
  if (room)
    set_places (room);
}

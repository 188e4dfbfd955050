/* SPDX-License-Identifier: MIT */
/* The ELF objects of the process: executable, shared libraries, vdso; where they lie, who they
   are, and which virtual addresses they have in the profile.

   Counts are kept by run-time addresses, so the table is asked only in the cold, when they are
   put together, and must be right by then: it is compared with the loader's list (*refreshed*)
   at the dump, when a module registers itself, and when an object leaves.  dlopen needs no
   wrapper for that.  A dump in a handler cannot wait for the list, and asks who is at the
   addresses that were counted.

   An object leaves in two steps.  Its destructors have run (unload.c), and all that was counted
   in it has been put aside (retire.c): it is *leaving*.  The loader does not list it any more:
   it is *gone*.  Should it run code of its own in between, that is still its own, unless
   somebody else has its place by then.

   Context: cold, lock held, but for bbp_objects_refresh. */
#include <link.h>
#include <sys/auxv.h>

#include "arch.h"
#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/objects/objects.h"

#define VIRTUAL_SLOTS (((uintptr_t) 1 << 47) / BBX_BASE_UNIT)

static struct bbp_object executable = { .presence = BBP_PRESENT, .loads = 1 };

/* The loader's counters at the time of the list that was taken over last.  Writer: under the
   lock. */
static uint64_t changes_seen, removals_seen;

/* The objects in memory by their run-time addresses, ascending, disjoint; replaced as a whole,
   by one store, because of children that are forked meanwhile. */
static struct sorted {
  size_t n, bytes;
  struct bbp_object *object[];
} * sorted;

struct bbp_object *
bbp_object_executable (void)
{
  return &executable;
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

/* By the object's identity, so that a library has the same one in every process; the next free
   one if two meet.  0: there is none left. */
static uintptr_t
choose_base (const struct bbp_object *object)
{
  uintptr_t first = object->start / BBX_BASE_UNIT,
            n = (object->end - 1) / BBX_BASE_UNIT - first + 1;
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
  struct bbp_object *object = base ? bbp_pages_map (sizeof *object + id + path) : NULL,
                    *last = &executable;
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
static struct sorted *
make_room (size_t more)
{
  for (struct bbp_object *object = &executable; object; object = object->next)
    more++;
  size_t bytes = sizeof *sorted + more * sizeof *sorted->object;
  struct sorted *room = bbp_pages_map (bytes);
  if (room)
    room->bytes = bytes;
  return room;
}

/* Fill ROOM and use it. */
static void
set_sorted (struct sorted *room)
{
  struct sorted *old = sorted;
  for (struct bbp_object *object = &executable; object; object = object->next)
    if (object->presence != BBP_GONE)
      {
        size_t i = room->n++;
        for (; i > 0 && place_of (room->object[i - 1]) > place_of (object); i--)
          room->object[i] = room->object[i - 1];
        room->object[i] = object;
      }
  __atomic_store_n (&sorted, room, __ATOMIC_RELEASE);
  if (old)
    bbp_pages_unmap (old, old->bytes);
}

/* FOUND is the known OBJECT at its known place. */
static bool
is_there (const struct bbp_object *object, const struct bbp_object *found)
{
  return bbp_identity_stays (object, found)
         && (object->presence == BBP_PRESENT
             || (object->presence == BBP_LEAVING && bbp_identity_same (object, found)));
}

static void
recognise (struct bbp_object *found, uint64_t removals)
{
  struct bbp_object *object = bbp_object_at (place_of (found));
  if (!object || !is_there (object, found))
    return;
  object->listed = found->listed = true;
  object->unlisted = found->unlisted;
  if (object->presence == BBP_LEAVING && object->removals != removals)
    {
      object->presence = BBP_PRESENT; /* it was unloaded, and has come back to its place */
      object->loads++;
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

/* OBJECT is not listed any more.  What it has counted since it left, or all if nobody saw it
   leave, is its own if its place is free.  Otherwise nobody can say who counted what: what stood
   there before the newcomer's time is given up, what little a leaving one has done since is the
   newcomer's. */
static void
lose (struct bbp_object *object, const struct bbp_found *found)
{
  bool taken = false;
  for (const struct bbp_object *other = found->first; other; other = other->next)
    taken |= overlap (object, other);
  if (!taken || object->presence == BBP_PRESENT)
    bbp_objects_above.lost (object, !taken);
  if (object->presence == BBP_PRESENT)
    bbp_mapping_unload (object);
  object->presence = BBP_GONE;
}

/* Make the table say what FOUND does; false: no memory. */
static bool
update (const struct bbp_found *found)
{
  struct sorted *room = make_room (found->n);
  if (!room)
    return false;
  for (struct bbp_object *object = executable.next; object; object = object->next)
    object->listed = false;
  for (struct bbp_object *object = found->first; object; object = object->next)
    recognise (object, found->removals);
  for (struct bbp_object *object = executable.next; object; object = object->next)
    if (!object->listed && object->presence != BBP_GONE)
      lose (object, found);
  for (struct bbp_object *object = found->first; object; object = object->next)
    if (!object->listed && !welcome (object))
      bbp.inexact = true;
  set_sorted (room);
  bbp_objects_above.changed ();
  return true;
}

/* Objects that were found by their addresses need not be in the list at all: those in namespaces
   of their own (dlmopen). */
static void
ask_for_unlisted (struct bbp_found *found)
{
  for (const struct bbp_object *object = executable.next; object; object = object->next)
    if (object->unlisted && object->presence == BBP_PRESENT)
      bbp_loader_at (found, place_of (object));
}

/* A list that is older than the last one is of no use. */
static void
take_over (struct bbp_found *found)
{
  if (found->changes <= changes_seen)
    return;
  ask_for_unlisted (found);
  if (!update (found))
    return;
  removals_seen = found->removals;
  __atomic_store_n (&changes_seen, found->changes, __ATOMIC_RELAXED);
}

/* Waits for the loader, who may be waiting for a hook that waits for the lock: so the lock must
   not be held.  For the same reason not in a signal handler.  In a child that was forked while
   other threads ran, one of those may have left the loader's lock behind; it is not waited for,
   unless something has just been loaded (LOADING): so it is free.  The end of a library says
   nothing, because exit ends libraries without that lock. */
void
bbp_objects_refresh (bool loading)
{
  struct bbp_found found;
  if (loading)
    bbp.loader_in_doubt = false;
  if (bbp.loader_in_doubt)
    return;
  for (size_t room = 1 << 18; room <= 1 << 26; room *= 4)
    {
      bool whole
          = bbp_loader_list (&found, room, __atomic_load_n (&changes_seen, __ATOMIC_RELAXED));
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

/* True: one that leaves has lost its place to somebody else. */
static bool
ask_for_known (struct bbp_found *found)
{
  bool replaced = false;
  for (const struct bbp_object *object = executable.next; object; object = object->next)
    if (object->presence == BBP_PRESENT
        || (object->presence == BBP_LEAVING && !bbp_loader_at (found, place_of (object))))
      bbp_found_append (found, object);
    else if (object->presence == BBP_LEAVING)
      replaced = true;
  return replaced;
}

static void
ask_for (void *found, uintptr_t address)
{
  if (!bbp_object_at (address))
    bbp_loader_at (found, address);
}

/* For whom the list cannot be waited for, or who is not in it: the loader is asked who is at the
   addresses that were counted. */
void
bbp_objects_ask (void)
{
  struct bbp_found found;
  if (!bbp_found_make (&found, 1 << 24))
    return;
  found.removals = removals_seen;
  bool changed = ask_for_known (&found);
  size_t known = found.n;
  bbp_objects_above.name_counted (ask_for, &found);
  bbp_mappings_find_objects (&found);
  if (!found.cut && (changed || found.n > known))
    update (&found);
  bbp_pages_unmap (found.memory, found.room);
}

static void
ask (void *unused)
{
  (void) unused;
  bbp_objects_ask ();
}

void
bbp_objects_meet (struct bbp_thread *thread, uintptr_t self)
{
  bbp_sigset old = bbp_lock ();
  const struct bbp_object *object = bbp_object_at (self);
  if (!object || object->presence == BBP_LEAVING)
    bbp_arch_keep_vectors (ask, NULL, thread + 1);
  bbp_unlock (old);
}

struct bbp_object *
bbp_object_at (uintptr_t address)
{
  size_t low = 0, high = sorted ? sorted->n : 0;
  while (low < high)
    {
      size_t middle = low + (high - low) / 2;
      struct bbp_object *object = sorted->object[middle];
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
  bbp_objects_above.leaves (object);
  bbp_mapping_unload (object);
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
  struct sorted *room = make_room (0);
  if (room)
    set_sorted (room);
}

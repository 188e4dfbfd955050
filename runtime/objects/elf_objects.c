/* SPDX-License-Identifier: MIT */
/* The table of ELF objects: executable, shared libraries, vdso; with addresses, identities, and
   virtual addresses in the profile.

   Counts are kept by run-time addresses.  The table is needed only in cold code, when counts are
   merged, and must be right by then.  It is *refreshed* from the loader's list at the dump, when a
   module registers, and when an object is unloaded, so dlopen needs no wrapper.  A dump in a
   handler cannot wait for the list; it queries the loader for the counted addresses instead.

   An object is unloaded in two steps.  *Unloading*: its destructors have run (unload.c), and its
   counts have been retired (retire.c).  *Unloaded*: the loader no longer lists it.  Counts of code
   that it runs in between are still its own, unless another object is loaded at its address by
   then.

   Context: cold, lock held, except bbp_objects_refresh. */
#include <link.h>
#include <sys/auxv.h>

#include "arch.h"
#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/objects/objects.h"

#define VIRTUAL_SLOTS (((uintptr_t) 1 << 47) / BBX_BASE_UNIT)

static struct bbp_object executable = { .presence = BBP_LOADED, .loads = 1 };

/* The loader's counters at the last refresh.  Writer: under the lock. */
static uint64_t changes_seen, removals_seen;

/* The loaded objects, sorted by run-time address, disjoint.  The array is replaced as a whole, by
   one store, because the process may fork meanwhile. */
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

/* A virtual base derived from the object's identity, so that a library has the same one in every
   process; the next free one if two collide.  0: none is free. */
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

/* BYTES for ever, beside those before; null: no memory. */
static void *
keep (size_t bytes)
{
  enum { CHUNK = 16384, UNIT = 16 };
  static char *next;
  static size_t left;
  bytes = (bytes + UNIT - 1) & -(size_t) UNIT;
  if (bytes > left)
    {
      size_t more = bytes > CHUNK ? bytes : CHUNK;
      char *chunk = bbp_pages_map (more);
      if (!chunk)
        return NULL;
      next = chunk;
      left = more;
    }
  left -= bytes;
  next += bytes;
  return next - bytes;
}

/* Append a permanent copy of FOUND to the list; null: no memory, or no virtual addresses left. */
static struct bbp_object *
add (const struct bbp_object *found)
{
  size_t id = found->build_id_bytes, path = bbp_string_bytes (found->path);
  uintptr_t base = choose_base (found);
  struct bbp_object *object = base ? keep (sizeof *object + id + path) : NULL, *last = &executable;
  if (!object)
    return NULL;
  *object = *found;
  object->next = NULL;
  object->base = base;
  object->loads = 1;
  object->presence = BBP_LOADED;
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
address_of (const struct bbp_object *object)
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

static uint32_t times_sorted;

/* Insert OBJECT in its place. */
static void
insert (struct sorted *room, struct bbp_object *object)
{
  size_t i = room->n++;
  for (; i > 0 && address_of (room->object[i - 1]) > address_of (object); i--)
    room->object[i] = room->object[i - 1];
  room->object[i] = object;
  object->sorting = times_sorted;
}

/* Fill ROOM and publish it.  Most objects are in order already. */
static void
set_sorted (struct sorted *room)
{
  struct sorted *old = sorted;
  times_sorted++;
  for (size_t i = 0; old && i < old->n; i++)
    if (old->object[i]->presence != BBP_UNLOADED)
      insert (room, old->object[i]);
  for (struct bbp_object *object = &executable; object; object = object->next)
    if (object->presence != BBP_UNLOADED && object->sorting != times_sorted)
      insert (room, object);
  __atomic_store_n (&sorted, room, __ATOMIC_RELEASE);
  if (old)
    bbp_pages_unmap (old, old->bytes);
}

/* FOUND is the known OBJECT, at its known address. */
static bool
is_same (const struct bbp_object *object, const struct bbp_object *found)
{
  return bbp_identity_stays (object, found)
         && (object->presence == BBP_LOADED
             || (object->presence == BBP_UNLOADING && bbp_identity_same (object, found)));
}

static bool
is_known (const struct bbp_object *object)
{
  return object != &executable && object->presence == BBP_LOADED;
}

size_t
bbp_objects_known (struct bbp_known *known)
{
  size_t n = 0;
  for (struct bbp_object *object = &executable; object; object = object->next)
    if (is_known (object))
      {
        if (known)
          known[n] = (struct bbp_known) { object, address_of (object), object->loads, false };
        n++;
      }
  return n;
}

/* Lists the objects of FOUND that were known and have stayed; false: the table has changed
   meanwhile, so FOUND does not fit. */
static bool
list_stayed (const struct bbp_found *found)
{
  for (struct bbp_object *object = executable.next; object; object = object->next)
    object->listed = false;
  for (size_t i = 0; i < found->known_count; i++)
    {
      const struct bbp_known *known = &found->known[i];
      if (!known->listed)
        continue;
      if (!is_known (known->object) || known->object->loads != known->loads)
        return false;
      known->object->listed = true;
      known->object->unlisted = false;
    }
  return true;
}

static void
recognise (struct bbp_object *found, uint64_t removals)
{
  struct bbp_object *object = bbp_object_at (address_of (found));
  if (!object || !is_same (object, found))
    return;
  object->listed = found->listed = true;
  object->unlisted = found->unlisted;
  if (object->presence == BBP_UNLOADING && object->removals != removals)
    {
      object->presence = BBP_LOADED; /* unloaded, and loaded again at the same address */
      object->loads++;
    }
}

/* FOUND is new, or loaded again.  False: no memory for it. */
static bool
add_or_reload (const struct bbp_object *found)
{
  for (struct bbp_object *object = executable.next; object; object = object->next)
    if (object->presence == BBP_UNLOADED && bbp_identity_same (object, found))
      {
        object->bias = found->bias;
        object->unlisted = found->unlisted;
        object->presence = BBP_LOADED;
        object->loads++;
        return true;
      }
  return add (found) != NULL;
}

/* OBJECT is no longer listed.  Counts since its destructors ran (or all counts, if its unloading
   was not noticed) are its own if no other object is at its address.  Otherwise they cannot be
   attributed: counts of an object that was unloaded unnoticed are lost; the few after destructors
   ran go to the new object. */
static void
delist (struct bbp_object *object, const struct bbp_found *found)
{
  bool taken = false;
  for (const struct bbp_object *other = found->first; other; other = other->next)
    taken |= overlap (object, other);
  if (!taken || object->presence == BBP_LOADED)
    bbp_objects_above.delisted (object, !taken);
  if (object->presence == BBP_LOADED)
    bbp_mapping_unload (object);
  object->presence = BBP_UNLOADED;
}

/* Update the table from FOUND; false: no memory, or the table has changed meanwhile. */
static bool
update (const struct bbp_found *found)
{
  if (!list_stayed (found))
    return false;
  struct sorted *room = make_room (found->n);
  if (!room)
    return false;
  for (struct bbp_object *object = found->first; object; object = object->next)
    recognise (object, found->removals);
  for (struct bbp_object *object = executable.next; object; object = object->next)
    if (!object->listed && object->presence != BBP_UNLOADED)
      delist (object, found);
  for (struct bbp_object *object = found->first; object; object = object->next)
    if (!object->listed && !add_or_reload (object))
      bbp.inexact = true;
  set_sorted (room);
  bbp_objects_above.changed ();
  return true;
}

/* Objects that were found by address may not be in the loader's list at all: those in other
   namespaces (dlmopen). */
static void
query_unlisted (struct bbp_found *found)
{
  for (const struct bbp_object *object = executable.next; object; object = object->next)
    if (object->unlisted && object->presence == BBP_LOADED)
      bbp_loader_at (found, address_of (object));
}

/* A list older than the last one is ignored.  False: it has to be read again, or no memory. */
static bool
apply_list (struct bbp_found *found)
{
  if (found->changes <= changes_seen)
    return true;
  query_unlisted (found);
  if (!update (found))
    return false;
  removals_seen = found->removals;
  __atomic_store_n (&changes_seen, found->changes, __ATOMIC_RELAXED);
  return true;
}

/* Takes the loader's lock.  The loader may be waiting for a hook that waits for the library's
   lock, so that one must not be held; for the same reason not in a signal handler.  In a child
   forked while other threads ran, one of them may have held the loader's lock, which is then
   never released.  So it is not taken there, unless something has just been loaded (LOADING),
   which shows that it is free.  The unloading of a library does not show that: exit runs
   destructors without that lock. */
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
      bool done = bbp_loader_list (&found, room, __atomic_load_n (&changes_seen, __ATOMIC_RELAXED));
      if (done && !found.unchanged)
        {
          bbp_sigset old = bbp_lock ();
          done = apply_list (&found);
          bbp_unlock (old);
        }
      bbp_pages_unmap (found.memory, room);
      if (done || !found.memory)
        return;
    }
}

/* True: another object has been loaded at the address of one that is being unloaded. */
static bool
query_known (struct bbp_found *found)
{
  bool replaced = false;
  for (const struct bbp_object *object = executable.next; object; object = object->next)
    if (object->presence == BBP_LOADED
        || (object->presence == BBP_UNLOADING && !bbp_loader_at (found, address_of (object))))
      bbp_found_append (found, object);
    else if (object->presence == BBP_UNLOADING)
      replaced = true;
  return replaced;
}

/* Most addresses are in the object of the one before. */
static void
query (void *found, uintptr_t address)
{
  static const struct bbp_object *last;
  if (last && last->presence != BBP_UNLOADED && bbp_object_holds (last, address))
    return;
  last = bbp_object_at (address);
  if (!last)
    bbp_loader_at (found, address);
}

/* For callers that cannot wait for the loader's list, and for objects that are not in it: queries
   the loader for each counted address. */
void
bbp_objects_find_counted (void)
{
  struct bbp_found found;
  if (!bbp_found_make (&found, 1 << 24))
    return;
  found.removals = removals_seen;
  bool changed = query_known (&found);
  size_t known = found.n;
  bbp_objects_above.each_counted (query, &found);
  bbp_mappings_find_objects (&found);
  if (!found.cut && (changed || found.n > known))
    update (&found);
  bbp_pages_unmap (found.memory, found.room);
}

static void
find_counted (void *unused)
{
  (void) unused;
  bbp_objects_find_counted ();
}

void
bbp_objects_add_callee (struct bbp_thread *thread, uintptr_t self)
{
  bbp_sigset old = bbp_lock ();
  const struct bbp_object *object = bbp_object_at (self);
  if (!object || object->presence == BBP_UNLOADING)
    bbp_arch_keep_vectors (find_counted, NULL, thread + 1);
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
      if (address_of (object) < address)
        low = middle + 1;
      else
        high = middle;
    }
  return NULL;
}

void
bbp_object_unload (struct bbp_object *object)
{
  if (object->presence != BBP_LOADED || object == &executable)
    return;
  bbp_objects_above.unloads (object);
  bbp_mapping_unload (object);
  object->presence = BBP_UNLOADING;
  object->removals = removals_seen;
}

/* The first entry of the loader's list is the executable. */
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

/* The executable's path.  /proc may not be mounted, and AT_EXECFN may be relative. */
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

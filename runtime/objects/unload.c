/* SPDX-License-Identifier: MIT */
/* Notices that shared objects are unloaded.  Every library linked by gcc calls __cxa_finalize with
   its own handle when its destructors run, in dlclose and wherever else the loader unloads it.  The
   name is looked up dynamically, so this definition is found first.  At that moment code and data
   of the library are still mapped.  Its counts can be retired with no moment in which they could be
   taken for those of another library at the same address.  After dlclose it would be too late,
   because another thread may have loaded one; and a call of dlclose does not tell which libraries
   are unloaded.

   Libraries with block counters and destructors are retired later, by the destructor of their last
   unit (module.c), which runs after all others.

   In a static program there is no next definition to call, and nothing to do: exit itself has run
   what __cxa_finalize would run.  Context: cold, inside the loader. */
#include <dlfcn.h>

#include "runtime/base/base.h"
#include "runtime/objects/objects.h"

/* Null in a static program. */
extern void *dlsym (void *, const char *) __attribute__ ((weak));

BBP_PUBLIC_WEAK void __cxa_finalize (void *handle);

static void (*next) (void *);

void
bbp_unload_start (void)
{
  if (dlsym)
    next = (void (*) (void *)) dlsym (RTLD_NEXT, "__cxa_finalize");
}

/* HANDLE: an address in the object, or null, which old libraries pass at exit.  At the end of the
   process all objects call this and stay mapped; after the last dump that does not matter. */
static void
retire_object (void *handle)
{
  if (!handle || !bbp.started || bbp.finished
      || bbp_object_holds (bbp_object_executable (), (uintptr_t) handle))
    return;
  bbp_objects_refresh (false);
  bbp_sigset old = bbp_lock ();
  struct bbp_object *object = bbp_object_at ((uintptr_t) handle);
  /* It is at the address of an object that was unloaded. */
  if (bbp.loader_in_doubt && (!object || object->presence == BBP_UNLOADING))
    {
      bbp_objects_find_counted ();
      object = bbp_object_at ((uintptr_t) handle);
    }
  if (object && bbp_objects_above.modules_unload (object))
    {
      bbp_object_unload (object);
      bbp_objects_above.changed ();
    }
  bbp_unlock (old);
}

void
__cxa_finalize (void *handle)
{
  if (!next)
    bbp_unload_start ();
  if (next)
    next (handle);
  retire_object (handle);
}

/* SPDX-License-Identifier: MIT */
/* Shared objects that leave.  Every library that gcc links calls __cxa_finalize with its own
   handle when its destructors run, in dlclose and wherever else the loader gives it up: by a
   name that is looked up, and found here first.  At that moment its code and data are still
   there, and nobody else's can be: so what it has counted is put aside without a moment in which
   it could be taken for that of another library at the same address.  After dlclose it would be
   too late, for another thread may have loaded one; and that one calls dlclose does not say
   which libraries go.

   Libraries with block counters and destructors are put aside later, by the destructor of their
   last unit (module.c), which runs after all others.

   In a static program there is no next definition to go on to, and nothing to do: exit itself
   has run what __cxa_finalize would.  Context: cold, inside the loader. */
#include <dlfcn.h>

#include "runtime/base/base.h"
#include "runtime/objects/objects.h"

/* Not there in a static program. */
extern void *dlsym (void *, const char *) __attribute__ ((weak));

BBP_PUBLIC_WEAK void __cxa_finalize (void *handle);

static void (*next) (void *);

void
bbp_unload_start (void)
{
  if (dlsym)
    next = (void (*) (void *)) dlsym (RTLD_NEXT, "__cxa_finalize");
}

/* HANDLE is an address in the object that leaves, or null at exit, of old.  When the process
   ends all objects say that they leave, and stay: after the last dump it does not matter. */
static void
put_aside (void *handle)
{
  if (!handle || !bbp.started || bbp.finished
      || bbp_object_holds (bbp_object_executable (), (uintptr_t) handle))
    return;
  bbp_objects_refresh (false);
  bbp_sigset old = bbp_lock ();
  struct bbp_object *object = bbp_object_at ((uintptr_t) handle);
  /* It has the place of one that has left. */
  if (bbp.loader_in_doubt && (!object || object->presence == BBP_LEAVING))
    {
      bbp_objects_ask ();
      object = bbp_object_at ((uintptr_t) handle);
    }
  if (object && bbp_objects_above.modules_leave (object))
    {
      bbp_object_leave (object);
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
  put_aside (handle);
}

/* SPDX-License-Identifier: MIT */
/* Names of glibc's profiling library and of GCC 2.95's, which programs and start-up files call;
   __monstartup is in start.c.  Context: cold. */
#include "runtime/base/base.h"
#include "runtime/count/count.h"
#include "runtime/dump/dump.h"
#include "runtime/objects/objects.h"
#include "runtime/process/process.h"

BBP_PUBLIC void __moncontrol (int on);
BBP_PUBLIC_WEAK void moncontrol (int on);
BBP_PUBLIC_WEAK void _mcleanup (void);
BBP_PUBLIC void __write_profiling (void);
BBP_PUBLIC_WEAK void write_profiling (void);
BBP_PUBLIC void __mcount_internal (unsigned long from, unsigned long self);
BBP_PUBLIC_WEAK void __bb_exit_func (void);
BBP_PUBLIC_WEAK void __bb_fork_func (void);

/* The state of libc's own profiling library; only libc uses it.  Defined so that a static link
   finds it here, and does not take libc's definitions of all these functions. */
BBP_PUBLIC_WEAK long _gmonparam[16];

/* As in glibc; block counts, which glibc does not have, stop as well. */
void
__moncontrol (int on)
{
  bbp_stop (!on);
}

void
moncontrol (int on)
{
  __moncontrol (on);
}

/* Called by the program: write and stop.  Called by exit: write and continue, because code may
   still run.  In a preloaded library the constructor in start.c runs before the start-up file, so
   note_exit runs after this; but then exit calls this from libc, not from the executable. */
void
_mcleanup (void)
{
  bbp_objects_refresh (false);
  bbp_sigset old = bbp_lock ();
  if (!bbp_object_holds (bbp_object_executable (), (uintptr_t) __builtin_return_address (0)))
    bbp.exiting = true;
  if (bbp.started)
    {
      bbp.provisional = bbp.exiting;
      bbp_dump_locked (false);
      bbp.provisional = false;
      if (!bbp.exiting)
        {
          bbp_stop_locked (true);
          bbp.started = false;
          bbp.stopped_before = true;
        }
    }
  bbp_unlock (old);
}

/* Write without stopping. */
void
__write_profiling (void)
{
  bbp_dump ();
}

void
write_profiling (void)
{
  bbp_dump ();
}

/* GCC 2.95's run-time library: exit handlers and the code before a fork called these. */
void
__bb_exit_func (void)
{
  bbp_objects_refresh (false);
  bbp_sigset old = bbp_lock ();
  bbp_dump_locked (true);
  bbp_unlock (old);
}

/* If the dump fails, the counts stay, and the next dump writes them. */
void
__bb_fork_func (void)
{
  bbp_objects_refresh (false);
  bbp_sigset old = bbp_lock ();
  if (bbp_dump_locked (true) == 0)
    bbp_reset_locked ();
  bbp_unlock (old);
}

/* libc's mcount calls this.  Defined so that the link succeeds; it counts the arc if called. */
void
__mcount_internal (unsigned long from, unsigned long self)
{
  bbp_arc_slow (from, self);
}

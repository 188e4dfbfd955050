/* SPDX-License-Identifier: MIT */
/* The names of glibc's profiling library and of GCC 2.95's (but __monstartup, see start.c), which
   programs and start-up files call.  Context: cold. */
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

/* What libc's own library calls its state; nobody but libc looks into it.  Defined so that a
   static link finds it here and does not bring in libc's second set of all these functions. */
BBP_PUBLIC_WEAK long _gmonparam[16];

/* As in glibc, but that the blocks, which glibc does not have, stop with the rest. */
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

/* Called by the program: write, and stop.  Called by exit: write, and go on, for there may be
   more to count.  In a preloaded library the constructor in start.c comes before the start-up file,
   so note_exit comes too late; but there exit is libc's, not the executable's. */
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

/* The names of GCC 2.95's run-time library, where exit handlers and the code in front of a fork
   called them. */
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

/* What libc's assembler calls; here for the link's sake, and right if somebody calls it. */
void
__mcount_internal (unsigned long from, unsigned long self)
{
  bbp_arc_slow (from, self);
}

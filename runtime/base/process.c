/* SPDX-License-Identifier: MIT */
/* Which process this is: the profiled one, or a child that was made behind fork's back, by
   vfork, clone or _Fork, and has either its parent's memory or a copy of it.  Told apart by a
   page that the kernel clears in copies.  Context: any. */
#include "runtime/base/base.h"
#include "runtime/base/sys.h"

static int *mark; /* null: cannot be told */

/* Also in a forked child, whose page is cleared. */
void
bbp_process_start (void)
{
  bbp.pid = bbp_sys_getpid ();
  if (!mark)
    mark = bbp_pages_map (sizeof *mark);
  if (mark && bbp_sys_wipe_on_fork (mark, sizeof *mark) != 0)
    {
      bbp_pages_unmap (mark, sizeof *mark);
      mark = NULL;
    }
  if (mark)
    *mark = 1;
}

/* From here on the functions that stand in the place of libc's only pass calls on, as in a child
   of vfork. */
void
bbp_process_disown (void)
{
  bbp.pid = 0;
}

bool
bbp_own_process (void)
{
  return bbp_sys_getpid () == bbp.pid;
}

bool
bbp_profiled_memory (void)
{
  return mark ? *(volatile int *) mark : bbp_own_process ();
}

/* Whether the library's memory is this process's alone; if not, nothing of its state may be
   changed. */
bool
bbp_own_memory (void)
{
  return bbp_own_process () || (mark && *(volatile int *) mark == 0);
}

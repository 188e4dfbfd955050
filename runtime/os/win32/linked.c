/* SPDX-License-Identifier: MIT */
/* The library in the program: it starts before main, and writes the profile when the process ends.
   The functions are those of bbprof.h. */
#include <errno.h>
#include <stdlib.h>

#include "include/bbprof.h"
#include "runtime/os/win32/win32.h"

static bool runs, written;

static void
finish (void)
{
  if (!runs || written)
    return;
  written = true;
  bbp_sampler_end ();
  bbp_profile_write ();
}

/* ExitProcess without exit.  The executable's calls come here, because the linker finds both names
   in this file before it looks at the system's: the other threads still run, so the counters can be
   read, and the sampler ends before the system ends it, which could leave a thread suspended. */
void WINAPI bbp_exit (UINT status) __asm__("ExitProcess");
void (WINAPI *const bbp_exit_import) (UINT) __asm__("__imp_ExitProcess") = bbp_exit;

void WINAPI
bbp_exit (UINT status)
{
  typedef void WINAPI exits (UINT);
  exits *system = (exits *) (void (*) (void)) GetProcAddress (GetModuleHandleW (L"kernel32.dll"),
                                                              "ExitProcess");
  finish ();
  system (status);
}

/* From DLLs, and in abort: the system has ended all other threads, and calls what is called at the
   end of the thread that asked for it.  Windows then calls the functions below, too; Wine does
   not. */

BOOLEAN NTAPI RtlDllShutdownInProgress (void);

static DWORD slot = FLS_OUT_OF_INDEXES;

static void WINAPI
on_exit_of_thread (void *unused)
{
  (void) unused;
  if (RtlDllShutdownInProgress ())
    finish ();
}

static void
watch_thread (void)
{
  static char any;
  if (slot != FLS_OUT_OF_INDEXES)
    FlsSetValue (slot, &any);
}

static void NTAPI
on_change (void *module, DWORD reason, void *unused)
{
  (void) module;
  (void) unused;
  if (reason == DLL_THREAD_ATTACH)
    watch_thread ();
  if (reason == DLL_PROCESS_DETACH)
    finish ();
}

/* In the table of functions that the loader calls; "used" keeps it. */
static const PIMAGE_TLS_CALLBACK callback __attribute__ ((section (".CRT$XLY"), used)) = on_change;

/* Before all constructors of the program, so that what they register with atexit is called before
   `finish' is, and its calls are counted; so are those of the program's destructors, which the
   start-up code registers when all constructors have run. */
static void __attribute__ ((constructor (101))) begin (void)
{
  slot = FlsAlloc (on_exit_of_thread);
  watch_thread ();
  atexit (finish); /* without memory the end of the process calls it */
  bbp_subject_set (GetCurrentProcess (), GetCurrentProcessId (), 0);
  bbp_settings_read ();
  bbp_settings_fix_output ();
  bbp_profile_stop (!bbp_settings.start);
  runs = bbp_sampler_begin (bbp_settings.timer, bbp_settings.rate, bbp_settings.periodic,
                            bbp_settings.start);
  if (!runs)
    bbp_complain_error ("cannot start", "the sampler", GetLastError ());
}

/* The functions of bbprof.h.  The last error stays, as errno does on other systems. */

static void
stop (bool stop)
{
  const DWORD last_error = GetLastError ();
  bbp_sampler_enable (!stop);
  bbp_sampler_lock ();
  bbp_profile_stop (stop);
  bbp_sampler_unlock ();
  SetLastError (last_error);
}

void
bbprof_start (void)
{
  stop (false);
}

void
bbprof_stop (void)
{
  stop (true);
}

int
bbprof_dump (void)
{
  const DWORD last_error = GetLastError ();
  if (!runs || written)
    return -EINVAL;
  bbp_sampler_lock ();
  const DWORD error = bbp_profile_write ();
  bbp_sampler_unlock ();
  SetLastError (last_error);
  return error ? -EIO : 0;
}

int
bbprof_reset (void)
{
  const DWORD last_error = GetLastError ();
  bbp_sampler_lock ();
  const int error = bbp_profile_reset ();
  bbp_sampler_unlock ();
  SetLastError (last_error);
  return error;
}

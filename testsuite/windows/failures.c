/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Works, takes samples and writes profiles, as a program that is linked with the library, whose
   allocation of the number $FAILING fails.  Prints whether there was one, and ends with
   status 6. */
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

#include "include/bbprof.h"

static volatile LONG allocations;
static LONG failing = -1;

/* Called by the library, which counts no calls meanwhile. */
#define UNCOUNTED __attribute__ ((no_instrument_function))

static UNCOUNTED LONG
failing_one (void)
{
  char text[16] = "";
  if (failing < 0)
    failing = GetEnvironmentVariableA ("FAILING", text, sizeof text) ? atoi (text) : 0;
  return failing;
}

/* In the place of the system's, which the library calls through this pointer. */
static UNCOUNTED void *WINAPI
allocate (void *at, SIZE_T n, DWORD type, DWORD protection)
{
  typedef void *WINAPI allocates (void *, SIZE_T, DWORD, DWORD);
  static allocates *system;
  if (!system)
    system = (allocates *) (void (*) (void)) GetProcAddress (GetModuleHandleW (L"kernel32.dll"),
                                                             "VirtualAlloc");
  if (InterlockedIncrement (&allocations) != failing_one ())
    return system (at, n, type, protection);
  SetLastError (ERROR_NOT_ENOUGH_MEMORY);
  return NULL;
}
void *__imp_VirtualAlloc = (void *) allocate;

static volatile unsigned long work;

__attribute__ ((noinline)) void
busy (void)
{
  for (long i = 0; i < 20000000; i++)
    work += (unsigned long) i;
}

int
main (void)
{
  busy ();
  bbprof_dump ();
  busy ();
  printf ("%s\n", allocations < failing_one () ? "none" : "failed");
  return 6;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Works in busy (), then ends as the first argument says, with status 4. */
#include <stdlib.h>
#include <string.h>
#include <windows.h>

static volatile unsigned long work;

__attribute__ ((noinline)) void
busy (void)
{
  for (long i = 0; i < 150000000; i++)
    work += (unsigned long) i;
}

static DWORD WINAPI
end_here (void *unused)
{
  (void) unused;
  ExitProcess (4);
}

int
main (int argc, char **argv)
{
  const char *how = argc > 1 ? argv[1] : "";
  busy ();
  if (strcmp (how, "return") == 0)
    return 4;
  if (strcmp (how, "exit") == 0)
    exit (4);
  if (strcmp (how, "ExitProcess") == 0)
    ExitProcess (4);
  if (strcmp (how, "abort") == 0)
    abort ();
  if (strcmp (how, "TerminateProcess") == 0)
    TerminateProcess (GetCurrentProcess (), 4);
  CreateThread (NULL, 0, end_here, NULL, 0, NULL);
  Sleep (60000);
  return 99;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that spend their lives in the heap, in stdio and in the loader, for some seconds: where a
   sampler that takes one of their locks would wait for ever.  Prints how often each got round. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

enum { KINDS = 4 };

static volatile LONG stop;
static volatile LONG rounds[KINDS];
static FILE *nowhere;

static void
use_heap (unsigned round)
{
  void *blocks[20];
  for (int i = 0; i < 20; i++)
    blocks[i] = malloc (1 + (round * 37U + (unsigned) i * 101U) % 5000);
  for (int i = 0; i < 20; i++)
    free (blocks[i]);
}

static void
use_stdio (unsigned round)
{
  char text[64];
  sprintf (text, "%u %.3f", round, round / 7.0);
  fprintf (nowhere, "%s %p\n", text, (void *) text);
  if (round % 100 == 0)
    fflush (nowhere);
}

static void
use_loader (unsigned round)
{
  static const char *const names[] = { "version.dll", "ws2_32.dll", "shlwapi.dll" };
  HMODULE library = LoadLibraryA (names[round % 3]);
  if (library)
    FreeLibrary (library);
}

static DWORD WINAPI
short_life (void *unused)
{
  (void) unused;
  use_heap (1);
  return 0;
}

static void
use_threads (unsigned round)
{
  HANDLE thread = CreateThread (NULL, 0, short_life, NULL, 0, NULL);
  (void) round;
  if (thread)
    {
      WaitForSingleObject (thread, INFINITE);
      CloseHandle (thread);
    }
}

static DWORD WINAPI
run (void *argument)
{
  static void (*const kinds[KINDS]) (unsigned)
      = { use_heap, use_stdio, use_loader, use_threads };
  const size_t kind = (size_t) argument;
  for (unsigned round = 0; !stop; round++)
    {
      kinds[kind](round);
      InterlockedIncrement (&rounds[kind]);
    }
  return 0;
}

int
main (int argc, char **argv)
{
  HANDLE threads[KINDS];
  nowhere = fopen ("nowhere.txt", "w");
  for (size_t i = 0; i < KINDS; i++)
    threads[i] = CreateThread (NULL, 0, run, (void *) i, 0, NULL);
  Sleep (1000 * (DWORD) atoi (argc > 1 ? argv[1] : "10"));
  InterlockedExchange (&stop, 1);
  WaitForMultipleObjects (KINDS, threads, TRUE, INFINITE);
  printf ("heap %ld stdio %ld loader %ld threads %ld\n", rounds[0], rounds[1], rounds[2],
          rounds[3]);
  fclose (nowhere);
  return 5;
}

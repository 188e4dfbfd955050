/* SPDX-License-Identifier: GPL-3.0-or-later */
/* counted-loads LOADS THREADS ROUNDS SLOTS [keep]: takes slots of TlsAlloc, loads counted.dll so
   many times, has each thread, and the first one, work in it for some rounds, and unloads it. */
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

enum { MOST = 16 };

typedef int work_type (int, int (*) (int));
static work_type *work;
static int rounds;

static __attribute__ ((noinline)) int
back (int x)
{
  return x & 1;
}

static __attribute__ ((noinline)) DWORD WINAPI
run (void *unused)
{
  (void) unused;
  work (rounds, back);
  return 0;
}

int
main (int argc, char **argv)
{
  HANDLE threads[MOST];
  int loads = atoi (argv[1]), n = atoi (argv[2]);
  rounds = atoi (argv[3]);
  for (int i = atoi (argv[4]); i; i--)
    TlsAlloc ();
  for (int load = 0; load < loads; load++)
    {
      HMODULE library = LoadLibraryA ("counted.dll");
      work = (work_type *) (void (*) (void)) GetProcAddress (library, "work");
      for (int i = 0; i < n; i++)
        threads[i] = CreateThread (NULL, 0, run, NULL, 0, NULL);
      run (NULL);
      if (n)
        WaitForMultipleObjects ((DWORD) n, threads, TRUE, INFINITE);
      for (int i = 0; i < n; i++)
        CloseHandle (threads[i]);
      if (argc < 6)
        FreeLibrary (library);
    }
  printf ("end\n");
  return 7;
}

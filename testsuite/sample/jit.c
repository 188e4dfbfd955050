/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs machine code that it has written itself, for which no tables exist: a loop, with a
   frame or without one. */
#include "clocks.h"

#include <string.h>
#include <sys/mman.h>

/* dec %rdi; jne back; ret */
static const unsigned char bare[] = { 0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3 };
/* push %rbp; mov %rsp,%rbp; dec %rdi; jne back; pop %rbp; ret */
static const unsigned char framed[]
    = { 0x55, 0x48, 0x89, 0xe5, 0x48, 0xff, 0xcf, 0x75, 0xfb, 0x5d, 0xc3 };

__attribute__ ((noipa)) static void
generated (void *code, long rounds)
{
  ((void (*) (long)) code) (rounds);
  __asm__ volatile ("");
}

__attribute__ ((noipa)) static void
compiled (void *unused, long rounds)
{
  (void) unused;
  spin (rounds);
}

int
main (int argc, char **argv)
{
  long took[2] = { 0 }, wanted = (argc > 1 ? atol (argv[1]) : 500) * 1000000;
  unsigned char *code
      = mmap (NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (code == MAP_FAILED)
    return 3;
  memcpy (code, bare, sizeof bare);
  memcpy (code + 2048, framed, sizeof framed);
  while (now (CLOCK_PROCESS_CPUTIME_ID) < wanted)
    {
      TIMED (CPU, took[0], generated (code + below (2) * 2048, 1000 + below (2000000)));
      TIMED (CPU, took[1], compiled (NULL, 1000 + below (2000000)));
    }
  printf ("generated %ld\ncompiled %ld\nall %ld\n", took[0], took[1],
          now (CLOCK_PROCESS_CPUTIME_ID));
  return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parent calls f 1000 times before fork and 10 times after it, the child 7 times; the child
   uses CPU time too. */
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

__attribute__ ((noipa)) static void
f (int n)
{
  __asm__ volatile ("" : "+r"(n));
}

__attribute__ ((noipa)) static void
spin (void)
{
  clock_t end = clock () + CLOCKS_PER_SEC / 5;
  while (clock () < end)
    for (volatile int i = 0; i < 100000; i++)
      ;
}

int
main (void)
{
  for (int i = 0; i < 1000; i++)
    f (i);
  pid_t child = fork ();
  if (child < 0)
    return 1;
  for (int i = 0; i < (child ? 10 : 7); i++)
    f (i);
  if (!child)
    {
      spin ();
      return 0;
    }
  printf ("%d\n", (int) child);
  int status;
  return wait (&status) != child || status != 0;
}

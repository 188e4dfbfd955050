/* SPDX-License-Identifier: GPL-3.0-or-later */
/* small-stacks ROOM: works with a stack for signal handlers that has ROOM bytes beside the kernel's
   frame, in them and outside.  Nothing is written below that stack, and the handler's mask is read
   as it was set. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#define BELOW 65536

static volatile long work;
static volatile int handled;

static void
on_signal (int number)
{
  (void) number;
  for (int i = 0; i < 1000000; i++)
    work += i;
  handled++;
}

int
main (int argc, char **argv)
{
  size_t bytes = getauxval (AT_MINSIGSTKSZ) + strtoul (argv[argc - 1], NULL, 10);
  char *room
      = mmap (NULL, BELOW + bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const stack_t small = { .ss_sp = room + BELOW, .ss_size = bytes };
  struct sigaction early = { .sa_handler = on_signal, .sa_flags = SA_ONSTACK }, late = early, now;
  sigfillset (&late.sa_mask);
  sigdelset (&late.sa_mask, SIGKILL);
  sigdelset (&late.sa_mask, SIGSTOP);
  memset (room, 0x5a, BELOW);
  sigaction (SIGUSR1, &early, NULL);
  if (sigaltstack (&small, NULL) != 0)
    return 2;
  sigaction (SIGUSR2, &late, NULL);
  for (int i = 0; i < 100; i++)
    {
      raise (i % 2 ? SIGUSR1 : SIGUSR2);
      for (int k = 0; k < 1000000; k++)
        work += k;
    }
  for (size_t i = 0; i < BELOW; i++)
    if (room[i] != 0x5a)
      return 3;
  sigaction (SIGUSR1, NULL, &now);
  if (memcmp (&now.sa_mask, &early.sa_mask, 8) != 0)
    return 4;
  sigaction (SIGUSR2, NULL, &now);
  if (memcmp (&now.sa_mask, &late.sa_mask, 8) != 0)
    return 5;
  printf ("handled %d\n", handled);
  return 0;
}

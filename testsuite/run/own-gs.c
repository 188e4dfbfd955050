/* SPDX-License-Identifier: GPL-3.0-or-later */
/* own-gs HOW [WORD]: sets GS to memory of its own, by a system call (call), by libc's function
   (libc), or by the instruction (instruction), and works on in main and in two threads: one
   inherits GS, the other one was there before.  What is in its memory, and GS itself, must be what
   the program makes of it.  WORD: crash (a fault of its own ends it), caught (it handles that). */
#include <asm/prctl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PLAIN __attribute__ ((no_instrument_function, noinline))
#define CALLS 2000

extern int arch_prctl (int, unsigned long);

static uint64_t *mine;
static const char *how;
static pthread_barrier_t taken;

__attribute__ ((noipa)) void
work (void)
{
  __asm__ volatile ("nop");
}

static void (*volatile pointer) (void) = work;

/* A loop whose counters go by a register. */
__attribute__ ((noipa)) void
turn (int n)
{
  for (int i = 0; i < n; i++)
    __asm__ volatile ("nop");
}

static PLAIN void
take (void)
{
  if (strcmp (how, "call") == 0)
    syscall (SYS_arch_prctl, ARCH_SET_GS, mine);
  else if (strcmp (how, "libc") == 0)
    arch_prctl (ARCH_SET_GS, (unsigned long) mine);
  else
    __asm__ volatile ("wrgsbase %0" : : "r"(mine));
}

static PLAIN void
look (void)
{
  uint64_t first;
  __asm__ volatile ("movq %%gs:0, %0" : "=r"(first));
  if (first != 42)
    puts ("GS is another");
}

static void
many (void)
{
  for (int i = 0; i < CALLS; i++)
    {
      pointer ();
      turn (3);
    }
}

static void *
earlier (void *unused)
{
  many ();
  pthread_barrier_wait (&taken);
  pthread_barrier_wait (&taken);
  many ();
  return unused;
}

static void *
later (void *unused)
{
  many ();
  look ();
  return unused;
}

static sigjmp_buf again;

static PLAIN void
on_fault (int number)
{
  siglongjmp (again, number);
}

static void
do_as_said (const char *word)
{
  if (strcmp (word, "caught") == 0)
    signal (SIGSEGV, on_fault);
  if (sigsetjmp (again, 1) == 0)
    *(volatile int *) 8 = 0;
  else
    puts ("caught");
  many ();
}

int
main (int argc, char **argv)
{
  pthread_t threads[2];
  how = argv[1];
  mine = mmap (NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mine[0] = 42;
  pthread_barrier_init (&taken, NULL, 2);
  pthread_create (&threads[0], NULL, earlier, NULL);
  pthread_barrier_wait (&taken);
  many ();
  take ();
  pthread_barrier_wait (&taken);
  pthread_create (&threads[1], NULL, later, NULL);
  many ();
  look ();
  for (int i = 0; i < 2; i++)
    pthread_join (threads[i], NULL);
  if (argc > 2)
    do_as_said (argv[2]);
  for (int i = 1; i < 65536 / 8; i++)
    if (mine[i])
      puts ("somebody has written to the program's memory");
  puts ("done");
  return 3;
}

// SPDX-License-Identifier: GPL-3.0-or-later
/* Code that is stopped behind each of its instructions in turn, by a handler that jumps out of it.
   It runs by single steps, so that the handler sees all instructions.  The handler counts them in
   steps.bin, a pair of words for each byte of the program's code: how often control reached the
   instruction there, and how often it left it.

     steps WAY ROUNDS      in round n > 0 the jump comes after n steps; round 0 runs to the end,
                           after a round without steps, which is counted with it: the first call of
                           an arc must not be stepped, as signals may be blocked then
       alone, threads      one thread, or three
       nested              the handler of another signal interrupts each handler, and jumps out of
                           both every other time
       skip                the handler does not jump out but continues somewhere else, where the
                           round ends
       stays               the handler of the last step ends the process */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define APART __attribute__ ((__noipa__))
#define PLAIN __attribute__ ((__no_instrument_function__, __noipa__))

extern const char __executable_start[], etext[];
static unsigned long (*seen)[2]; /* came, went on */

struct thread {
  sigjmp_buf back;
  unsigned long last; /* where the step began; 0: none has */
  long left;          /* steps, in this round; below 0: any number, in round 0 */
};
static __thread struct thread self;
static const char *way;
static int rounds;

static volatile int sink;

static int
few (int n)
{
  return n & 1 ? n / 3 : n + 1;
}

APART int
many (int n)
{
  int sum = 0;
  while (n > 2)
    {
      sum += n & 4 ? 1 : few (n);
      n /= 2;
    }
  return sum;
}

static int (*volatile chosen[]) (int) = { few, many };

APART int
switched (int n)
{
  switch (n)
    {
    case 0:
      return 7;
    case 1:
      sink++;
      /* falls through */
    case 2:
      return many (n + 9);
    case 3:
      sink = 1;
      break;
    case 4:
      sink += strlen ("four");
      break;
    default:
      return -n;
    }
  return n;
}

APART int
work (void)
{
  int sum = 0;
  for (int i = 0; i < 6; i++)
    {
      sum += switched (i);
      sum += chosen[i & 1](i);
      if (sum < -1000)
        return -1;
    }
  sink = sum;
  return sum > 3 ? many (sum) : few (sum);
}

PLAIN static void
step (int on)
{
  if (on)
    __asm__ volatile ("pushfq; orl $0x100, (%%rsp); popfq" : : : "cc", "memory");
  else
    __asm__ volatile ("pushfq; andl $~0x100, (%%rsp); popfq" : : : "cc", "memory");
}

/* Where rounds end that the handler sends here; like a return. */
PLAIN static void
out (void)
{
  siglongjmp (self.back, 1);
}

PLAIN static void
count (unsigned long pc, int went)
{
  unsigned long place = pc - (unsigned long)__executable_start;
  if (pc && place < (unsigned long)(etext - __executable_start))
    __atomic_fetch_add (&seen[place][went], self.left < 0 ? 2 : 1, __ATOMIC_RELAXED);
}

PLAIN static void
on_second (int number)
{
  if (number == SIGUSR1 && self.left == 0 && rounds & 1)
    siglongjmp (self.back, 1);
}

PLAIN static void
on_step (int number, siginfo_t *info, void *context)
{
  greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  unsigned long pc = (unsigned long)registers[REG_RIP];
  if (number != SIGTRAP || info->si_signo != SIGTRAP)
    abort ();
  count (self.last, 1);
  count (pc, 0);
  self.last = pc;
  if (!strcmp (way, "nested"))
    raise (SIGUSR1);
  if (self.left < 0 || --self.left > 0)
    return;
  self.last = 0;
  if (rounds == 0 && !strcmp (way, "stays"))
    exit (3);
  if (strcmp (way, "skip"))
    siglongjmp (self.back, 1);
  registers[REG_RIP] = (greg_t)out;
  registers[REG_RSP] = (registers[REG_RSP] - 1024) & -16;
  registers[REG_RSP] -= 8;
  registers[REG_EFL] &= ~0x100;
}

PLAIN static void
round_of (long steps)
{
  self.last = 0;
  self.left = steps ? steps : -1;
  if (steps == 0)
    work ();
  if (sigsetjmp (self.back, 1) == 0)
    {
      step (1);
      work ();
      step (0);
    }
}

PLAIN static void *
all_rounds (void *last)
{
  for (int i = 0; i < *(const int *)last; i++)
    {
      if (strcmp (way, "threads"))
        rounds = *(const int *)last - 1 - i; /* that come after this one */
      round_of (i);
    }
  return 0;
}

int
main (int words, char **word)
{
  struct sigaction action = { .sa_flags = SA_SIGINFO };
  struct sigaction second = { .sa_handler = on_second, .sa_flags = SA_NODEFER };
  size_t bytes = (size_t)(etext - __executable_start) * sizeof *seen;
  int file = open ("steps.bin", O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (words < 3 || ftruncate (file, (off_t)bytes))
    return 1;
  seen = mmap (0, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  way = word[1];
  int n = atoi (word[2]);
  action.sa_sigaction = on_step;
  sigaction (SIGTRAP, &action, 0);
  sigaction (SIGUSR1, &second, 0);
  pthread_t threads[2];
  for (int i = 0; i < 2 && !strcmp (way, "threads"); i++)
    if (pthread_create (&threads[i], 0, all_rounds, &n))
      return 1;
  all_rounds (&n);
  for (int i = 0; i < 2 && !strcmp (way, "threads"); i++)
    pthread_join (threads[i], 0);
  return 0;
}

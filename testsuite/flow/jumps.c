// SPDX-License-Identifier: GPL-3.0-or-later
/* Calls that return another way: longjmp over frames, setjmp in a loop, siglongjmp out of the
   handlers of a fault and of a timer, and out of one while another interrupts; coroutines of
   ucontext that end, that wait for ever, and one that never begins. */
#include "places.h"
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>
#include <ucontext.h>

static jmp_buf back;
static sigjmp_buf signal_back;
static volatile int zero;
static volatile unsigned long turns;

APART void
note (int n)
{
  AT (noted);
  if (n > 1000)
    AT (noted_much);
}

/* Jumps over itself and two more frames when n says so. */
APART void
third (int n)
{
  FROM (second);
  if (n % 4 == 3)
    {
      AT (third_jump);
      note (n);
      longjmp (back, n + 1);
    }
  AT (third_behind);
  note (n);
}

static ALONE void
second (int n)
{
  FROM (first);
  third (n);
  AT (second_behind);
  note (n);
}

APART int
first (int n)
{
  FROM (jumper);
  for (int i = 0; i < n; i++)
    {
      AT (first_loop);
      second (i);
      AT (first_behind);
      note (i);
    }
  AT (first_out);
  return n;
}

APART void
jumper (int rounds)
{
  volatile int landed = 0, straight = 0;
  for (volatile int i = 0; i < rounds; i++)
    {
      AT (jumper_round);
      note (i);
      if (setjmp (back) == 0)
        {
          AT (jumper_direct);
          note (first (i));
          AT (jumper_no_jump);
          straight++;
          note (0);
        }
      else
        {
          AT (jumper_landed);
          landed++;
          note (1);
        }
      AT (jumper_end);
      note (2);
    }
  AT (jumper_out);
  note (landed + straight);
}

/* One setjmp, returned to again and again from the same frame. */
APART void
again (void)
{
  volatile int n = 0;
  AT (again);
  int value = setjmp (back);
  AT (again_returned);
  n++;
  if (value < 10)
    {
      AT (again_jump);
      if (n & 1)
        AT (again_odd);
      else
        AT (again_even);
      longjmp (back, value + 1);
    }
  AT (again_behind);
  note (n);
}

static void
on_fault (int number)
{
  FROM (outside);
  if (number == SIGSEGV)
    {
      AT (fault_jump);
      siglongjmp (signal_back, 1);
    }
  AT (fault_other);
}

APART void
fault (int n)
{
  FROM (faults);
  if (n & 1)
    {
      AT (fault_odd);
      if (n != zero)
        {
          AT (fault_here);
          if (n != 3)
            *(volatile int *)0 = n;
          AT (fault_behind_but_three);
        }
      else
        AT (fault_never);
      note (n);
    }
  else
    {
      AT (fault_even);
      note (n);
    }
  AT (fault_end);
  note (n);
}

APART void
faults (void)
{
  struct sigaction action;
  memset (&action, 0, sizeof action);
  action.sa_handler = on_fault;
  sigaction (SIGSEGV, &action, 0);
  for (volatile int i = 0; i < 10; i++)
    {
      AT (faults_round);
      if (sigsetjmp (signal_back, 1) == 0)
        {
          AT (faults_direct);
          fault (i);
          AT (faults_none);
          note (i);
        }
      else
        AT (faults_landed);
    }
  AT (faults_out);
  note (0);
}

static void
on_alarm (int number)
{
  FROM (outside);
  (void)number;
  siglongjmp (signal_back, 1);
}

// stopped spin by 1
// sum spin_head = spin_even + spin_odd
APART void
spin (void)
{
  AT (spin);
  for (;;)
    {
      AT (spin_head);
      if (turns++ & 1)
        AT (spin_odd);
      else
        AT (spin_even);
      if (turns == 0)
        {
          AT (spin_never);
          break;
        }
    }
  AT (spin_never_behind);
  note (3);
}

APART void
timer (void)
{
  struct sigaction action;
  memset (&action, 0, sizeof action);
  action.sa_handler = on_alarm;
  sigaction (SIGVTALRM, &action, 0);
  struct itimerval soon = { { 0, 0 }, { 0, 5000 } };
  AT (timer);
  if (sigsetjmp (signal_back, 1) == 0)
    {
      AT (timer_direct);
      setitimer (ITIMER_VIRTUAL, &soon, 0); /* its own time: on any machine it spins by then */
      spin ();
      AT (timer_never);
      note (4);
    }
  else
    {
      AT (timer_landed);
      note (5);
    }
  AT (timer_end);
  note (6);
}

static void
on_tick (int number)
{
  FROM (outside);
  note (number);
}

static void
on_leave (int number)
{
  FROM (outside);
  note (number);
  siglongjmp (signal_back, 1);
}

/* Handlers that are left again and again, while another one interrupts at every place. */
APART void
leaver (int rounds)
{
  struct itimerval often = { { 0, 50 }, { 0, 50 } }, never = { { 0, 0 }, { 0, 0 } };
  AT (leaver);
  signal (SIGALRM, on_tick);
  signal (SIGUSR1, on_leave);
  setitimer (ITIMER_REAL, &often, 0);
  for (volatile int i = 0; i < rounds; i++)
    {
      AT (leaver_round);
      if (sigsetjmp (signal_back, 1) == 0)
        {
          AT (leaver_direct);
          raise (SIGUSR1);
          AT (leaver_never);
        }
      else
        AT (leaver_landed);
      AT (leaver_end);
      note (7);
    }
  setitimer (ITIMER_REAL, &never, 0);
  AT (leaver_out);
}

static ucontext_t host, finite, endless, unborn;
static char stacks[3][65536];

static void
few_steps (void)
{
  FROM (outside);
  for (int i = 0; i < 3; i++)
    {
      AT (few_step);
      swapcontext (&finite, &host);
      AT (few_resumed);
      note (i);
    }
  AT (few_end);
  note (7);
}

static void
many_steps (void)
{
  FROM (outside);
  for (;;)
    {
      AT (many_step);
      note (8);
      swapcontext (&endless, &host);
      if (zero)
        {
          AT (many_never);
          break;
        }
      AT (many_resumed);
    }
  AT (many_never_behind);
}

static void
no_step (void)
{
  AT (unborn);
}

APART void
coroutines (int leave)
{
  ucontext_t *all[] = { &finite, &endless, &unborn };
  void (*bodies[]) (void) = { few_steps, many_steps, no_step };
  for (int i = 0; i < 3; i++)
    {
      AT (context);
      getcontext (all[i]);
      all[i]->uc_stack.ss_sp = stacks[i];
      all[i]->uc_stack.ss_size = sizeof stacks[i];
      all[i]->uc_link = &host;
      makecontext (all[i], bodies[i], 0);
    }
  for (int i = 0; i < 9; i++)
    {
      AT (switch_endless);
      swapcontext (&host, &endless);
      if (i % 2 == 0 && i < 7)
        {
          AT (switch_finite);
          swapcontext (&host, &finite);
          AT (switched_finite);
          note (i);
        }
      if (i == leave)
        {
          AT (leave);
          exit (5);
        }
    }
  AT (coroutines_end);
  note (9);
}

int
main (int count, char **words)
{
  AT (main);
  const char *way = count > 1 ? words[1] : "jump";
  if (!strcmp (way, "jump"))
    {
      AT (main_jump);
      jumper (9);
      again ();
      note (1);
    }
  else if (!strcmp (way, "fault"))
    {
      AT (main_fault);
      faults ();
      note (2);
    }
  else if (!strcmp (way, "timer"))
    {
      AT (main_timer);
      timer ();
      note (3);
    }
  else if (!strcmp (way, "leave"))
    {
      AT (main_leave);
      leaver (2000);
      note (5);
    }
  else
    {
      AT (main_context);
      coroutines (count > 2 ? 4 : -1);
      note (4);
    }
  AT (main_end);
  if (count > 3)
    kill (getpid (), SIGKILL);
  return 0;
}

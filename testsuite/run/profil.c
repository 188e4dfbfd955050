/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Uses profil and sprofil in the way that argv[1] names, and prints what came of it: the same with
   glibc's as with bbprof's. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/profil.h>
#include <sys/time.h>
#include <time.h>

#define CODE __attribute__ ((noipa, aligned (256)))

static volatile int came;
static unsigned short halves[3][128];
static unsigned words[128];

static void
on_signal (int number)
{
  (void) number;
  came++;
}

CODE static void
one (void)
{
  for (volatile int i = 0; i < 100000; i++)
    ;
}

CODE static void
two (void)
{
  for (volatile int i = 0; i < 100000; i++)
    ;
}

static int
some (const void *counters, size_t bytes)
{
  const char *p = counters;
  while (bytes--)
    if (*p++)
      return 1;
  return 0;
}

/* Until COUNTERS have something, but no longer than so many SECONDS of CPU time. */
static void
burn (double seconds, const void *counters, size_t bytes)
{
  clock_t end = clock () + (clock_t) (seconds * CLOCKS_PER_SEC);
  while (clock () < end && !some (counters, bytes))
    {
      one ();
      two ();
    }
}

static int
begin (unsigned scale)
{
  return profil (halves[0], sizeof halves[0], (size_t) one, scale);
}

static void
handler (const char *when)
{
  struct sigaction now;
  sigaction (SIGPROF, NULL, &now);
  printf ("%s: %s, flags %x, mask %d\n", when,
          now.sa_handler == on_signal ? "mine"
          : now.sa_handler == SIG_IGN ? "ignored"
          : now.sa_handler == SIG_DFL ? "default"
                                      : "other",
          (unsigned) (now.sa_flags & (SA_NODEFER | SA_RESTART | SA_SIGINFO)),
          sigismember (&now.sa_mask, SIGUSR1));
}

/* profil restores the handler and the timer that it found. */
static void
around (void)
{
  handler ("before");
  printf ("on: %d\n", begin (65536));
  burn (5, halves[0], sizeof halves[0]);
  printf ("counted: %d, came: %d\n", some (halves[0], sizeof halves[0]), came);
  printf ("off: %d\n", profil (NULL, 0, 0, 0));
  handler ("after");
  memset (halves, 0, sizeof halves);
  burn (0.1, halves, sizeof halves);
  printf ("after: %d\n", some (halves, sizeof halves));
}

static void
set_handler (void (*function) (int))
{
  struct sigaction action = { .sa_handler = function, .sa_flags = SA_NODEFER };
  sigaddset (&action.sa_mask, SIGUSR1);
  sigaction (SIGPROF, &action, NULL);
}

static void
with_timer (void)
{
  struct itimerval value = { { 0, 20000 }, { 0, 20000 } };
  set_handler (on_signal);
  setitimer (ITIMER_PROF, &value, NULL);
  begin (65536);
  came = 0;
  burn (5, halves[0], sizeof halves[0]);
  printf ("came: %d, counted: %d\n", came, some (halves[0], sizeof halves[0]));
  profil (NULL, 0, 0, 0);
  getitimer (ITIMER_PROF, &value);
  printf ("timer: %ld\n", (long) value.it_interval.tv_usec);
  int before = came;
  burn (5, (const void *) &came, sizeof came);
  printf ("comes again: %d\n", came > before);
}

/* A handler that the program sets meanwhile has the signal until the end, which puts back the first
   one. */
static void
meanwhile (void)
{
  signal (SIGPROF, SIG_IGN);
  begin (65536);
  burn (5, halves[0], sizeof halves[0]);
  signal (SIGPROF, on_signal);
  raise (SIGPROF);
  printf ("came: %d\n", came > 0);
  profil (NULL, 0, 0, 0);
  handler ("after");
}

static void
again (void)
{
  set_handler (on_signal);
  printf ("off first: %d\n", profil (NULL, 0, 0, 0));
  handler ("off first");
  printf ("on: %d %d\n", begin (65536), begin (32768));
  burn (5, halves[0], sizeof halves[0]);
  printf ("counted: %d\n", some (halves[0], sizeof halves[0] / 2));
  printf ("off: %d %d\n", profil (NULL, 0, 0, 0), profil (NULL, 0, 0, 0));
  handler ("after");
}

/* Each function has its own counters, and all else the overflow's. */
static void
regions (unsigned flags)
{
  struct prof list[] = { { halves[1], sizeof halves[1], (size_t) two, 65536 },
                         { halves[0], sizeof halves[0], (size_t) one, 65536 },
                         { halves[2], 2 * sizeof (unsigned), 0, 2 },
                         { words, sizeof words, (size_t) one, 1 } };
  struct timeval period = { 1, 0 };
  set_handler (on_signal);
  printf ("on: %d\n", sprofil (list, 4, &period, flags));
  printf ("period: %d\n", period.tv_sec == 0 && period.tv_usec > 0 && period.tv_usec <= 10000);
  burn (20, halves[0], sizeof halves[0]);
  burn (20, halves[1], sizeof halves[1]);
  for (clock_t end = clock () + 20 * CLOCKS_PER_SEC;
       clock () < end && !some (halves[2], sizeof halves[2]);)
    ;
  printf ("counted: %d %d %d %d\n", some (halves[0], sizeof halves[0]),
          some (halves[1], sizeof halves[1]), some (halves[2], 4), some (words, sizeof words));
  printf ("off: %d\n", sprofil (NULL, 0, NULL, 0));
  handler ("after");
}

static void
wide (void)
{
  struct prof region = { words, sizeof words, (size_t) one, 65536 };
  printf ("on: %d\n", sprofil (&region, 1, NULL, PROF_UINT));
  burn (5, words, sizeof words);
  sprofil (NULL, 0, NULL, 0);
  printf ("counted: %d\n", some (words, sizeof words));
}

/* More than fit into any table of a fixed size; and none that counts, which leaves the handler
   alone. */
static void
many (void)
{
  struct prof list[128];
  for (int i = 0; i < 128; i++)
    list[i] = (struct prof) { &halves[0][i], sizeof halves[0][i], (size_t) one + 2 * (size_t) i,
                              65536 };
  printf ("on: %d\n", sprofil (list, 128, NULL, 0));
  burn (5, halves[0], sizeof halves[0]);
  printf ("off: %d\n", sprofil (NULL, 0, NULL, 0));
  printf ("counted: %d\n", some (halves[0], sizeof halves[0]));
}

static void
none (void)
{
  struct prof region = { words, sizeof words, (size_t) one, 1 };
  set_handler (on_signal);
  printf ("on: %d\n", sprofil (&region, 1, NULL, PROF_UINT));
  handler ("with none");
  printf ("on: %d\n", sprofil (&region, 0, NULL, PROF_UINT));
  handler ("with none at all");
}

int
main (int argc, char **argv)
{
  const char *way = argc > 1 ? argv[1] : "";
  setvbuf (stdout, NULL, _IONBF, 0);
  if (!strcmp (way, "handler"))
    set_handler (on_signal);
  if (!strcmp (way, "ignored"))
    signal (SIGPROF, SIG_IGN);
  if (!strcmp (way, "plain") || !strcmp (way, "handler") || !strcmp (way, "ignored"))
    around ();
  else if (!strcmp (way, "timer"))
    with_timer ();
  else if (!strcmp (way, "meanwhile"))
    meanwhile ();
  else if (!strcmp (way, "again"))
    again ();
  else if (!strcmp (way, "regions"))
    regions (0);
  else if (!strcmp (way, "wide-regions"))
    regions (PROF_UINT);
  else if (!strcmp (way, "wide"))
    wide ();
  else if (!strcmp (way, "many"))
    many ();
  else if (!strcmp (way, "none"))
    none ();
  else
    return 1;
  return 0;
}

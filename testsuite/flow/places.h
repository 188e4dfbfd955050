// SPDX-License-Identifier: GPL-3.0-or-later
/* Counters of the test programs of this folder.  A *place* is a line of the source that counts its
   executions with one instruction that names its counter, so that judge.py finds the place's block
   in the machine code:

     AT (label)      a place
     FROM (caller)   a place that each call of the function from CALLER passes; "outside": from code
                     that is not instrumented

   judge.py also reads these comments:

     // running FUNCTION by N        N threads run it when the profile is written, so the counts of
                                     its places may still change
     // stopped FUNCTION by N        N times it was stopped for ever, between any two instructions
     // sum LABEL = LABEL + LABEL    holds always, except for one for each thread in flight

   The counters of a unit are in the file truth.PID:MODULE:SOURCE from the start, so they survive
   every end of the process; a forked child has a file of its own.  Line 0: the array's link-time
   address, from the first byte of the module.  */
#ifndef PLACES_H
#define PLACES_H

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PLACES_MAX 1024
#define PLACES_TEXT(x) #x
#define PLACES_NAME(x) PLACES_TEXT (x)

#define AT(label) ((void)__atomic_fetch_add (&places[__LINE__], 1, __ATOMIC_RELAXED))
#define FROM(caller) AT (caller)

/* A function that is not inlined, and whose content the compiler does not use in callers. */
#define APART __attribute__ ((__noipa__))
/* A function that is not inlined; the compiler uses its content in the callers of its unit. */
#define ALONE __attribute__ ((__noinline__, __noclone__))
/* A function without counters. */
#define PLAIN __attribute__ ((__no_instrument_function__, __noipa__))

extern const char __ehdr_start[] __attribute__ ((visibility ("hidden")));
static long places[PLACES_MAX] __attribute__ ((aligned (4096)));

PLAIN static void
places_map (void)
{
  char name[128];
  const char *source = strrchr (__BASE_FILE__, '/');
  snprintf (name, sizeof name, "truth.%d:" PLACES_NAME (MODULE) ":%s", getpid (),
            source ? source + 1 : __BASE_FILE__);
  int file = open (name, O_RDWR | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || ftruncate (file, sizeof places)
      || mmap (places, sizeof places, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0)
             == MAP_FAILED)
    abort ();
  close (file);
  places[0] = (char *)places - __ehdr_start;
}

__attribute__ ((constructor (101), __no_instrument_function__)) static void
places_begin (void)
{
  places_map ();
  pthread_atfork (0, 0, places_map);
}

#ifdef main /* the program is a shared object, and somebody else's main calls it */
#ifdef __cplusplus
extern "C"
#endif
int main (int count, char **words);
#endif
#endif

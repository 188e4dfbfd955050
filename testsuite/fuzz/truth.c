/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints the counts of a generated program itself when the process ends; never instrumented.

     place NUMBER TIMES
     arc CALLER CALLEE TIMES  */
#include "testsuite/fuzz/harness.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__thread struct truth truth;
static struct truth total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void
truth_add (void)
{
  pthread_mutex_lock (&lock);
  for (int i = 0; i < PLACES; i++)
    total.place[i] += truth.place[i];
  for (int i = 0; i < FUNCTIONS; i++)
    for (int j = 0; j < FUNCTIONS; j++)
      total.arc[i][j] += truth.arc[i][j];
  memset (&truth, 0, sizeof truth);
  pthread_mutex_unlock (&lock);
}

void
truth_print (void)
{
  truth_add ();
  for (int i = 0; i < PLACES; i++)
    if (total.place[i])
      printf ("place %d %lu\n", i, total.place[i]);
  for (int i = 0; i < FUNCTIONS; i++)
    for (int j = 0; j < FUNCTIONS; j++)
      if (total.arc[i][j])
        printf ("arc %d %d %lu\n", i, j, total.arc[i][j]);
  fflush (stdout);
}

__attribute__ ((constructor)) static void
begin (void)
{
  atexit (truth_print);
}

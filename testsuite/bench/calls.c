/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What one call and one block cost.  `calls call|block THREADS TIMES`: THREADS threads at once, each makes TIMES calls
   of an empty function, or goes TIMES times through a row of branches.  Prints the nanoseconds per time, wall clock.  */

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static uint64_t times;

__attribute__((noinline, noclone)) static void callee(void)
{
  __asm__ volatile("");
}

static void *call(void *unused)
{
  for (uint64_t i = 0; i < times; i++)
    callee();
  return unused;
}

/* Every branch keeps its block: the empty asm cannot be turned into a conditional move.  */
#define BRANCH(bit) \
  if (i & (bit)) \
    __asm__ volatile("" : "+r"(x)); \
  else \
    __asm__ volatile("# " #bit : "+r"(x));

static void *block(void *unused)
{
  uint64_t x = 0;
  for (uint64_t i = 0; i < times; i++) {
    BRANCH(1)
    BRANCH(2)
    BRANCH(4)
    BRANCH(8)
  }
  return x ? unused : NULL;
}

int main(int argc, char **argv)
{
  struct timespec begin, end;
  pthread_t thread[64];
  int threads = argc > 2 ? atoi(argv[2]) : 0;
  void *(*work)(void *) = argc > 1 && strcmp(argv[1], "call") == 0 ? call : block;
  if (argc != 4 || threads < 1 || threads > 64) {
    fprintf(stderr, "usage: calls call|block THREADS TIMES\n");
    return 2;
  }
  times = strtoull(argv[3], NULL, 10);
  clock_gettime(CLOCK_MONOTONIC, &begin);
  for (int i = 1; i < threads; i++)
    if (pthread_create(&thread[i], NULL, work, NULL))
      return 1;
  work(NULL);
  for (int i = 1; i < threads; i++)
    pthread_join(thread[i], NULL);
  clock_gettime(CLOCK_MONOTONIC, &end);
  printf("%.3f\n", ((double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec)) / (double)times);
  return 0;
}

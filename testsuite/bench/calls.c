/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measures one call, one block and one increment.  `calls call|pointer|site|block|loop THREADS
   TIMES`: each of THREADS threads makes TIMES calls of an empty function, directly or through a
   pointer, or of 64 of them in turn from one call site, or runs TIMES times through a row of
   branches, or makes TIMES iterations of a loop of one block, which costs every profiler one
   increment.  Prints nanoseconds for each, wall time. */

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

static void *pointer(void *unused)
{
  void (*volatile function)(void) = callee;
  for (uint64_t i = 0; i < times; i++)
    function();
  return unused;
}

/* 64 functions, all called through one pointer.  */
#define TARGET(n)                                              \
  __attribute__((noinline, noclone)) static void target##n(void) \
  {                                                            \
    __asm__ volatile("# target " #n);                          \
  }
#define EIGHT(macro, n)                                                                      \
  macro (n##0) macro (n##1) macro (n##2) macro (n##3) macro (n##4) macro (n##5) macro (n##6) \
      macro (n##7)
#define ALL(macro)                                                                     \
  EIGHT (macro, 0)                                                                     \
  EIGHT (macro, 1) EIGHT (macro, 2) EIGHT (macro, 3) EIGHT (macro, 4) EIGHT (macro, 5) \
      EIGHT (macro, 6) EIGHT (macro, 7)
ALL(TARGET)
#define NAME(n) target##n,
static void (*const target[64])(void) = {ALL(NAME)};

static void *site(void *unused)
{
  for (uint64_t i = 0; i < times; i++)
    target[i % 64]();
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

/* The memory clobber keeps the counter in memory.  */
static void *loop(void *unused)
{
  for (uint64_t i = 0; i < times; i++)
    __asm__ volatile("" : : : "memory");
  return unused;
}

int main(int argc, char **argv)
{
  struct timespec begin, end;
  pthread_t thread[64];
  int threads = argc > 2 ? atoi(argv[2]) : 0;
  const char *what = argc > 1 ? argv[1] : "";
  void *(*work)(void *) = strcmp(what, "call") == 0      ? call
                          : strcmp(what, "pointer") == 0 ? pointer
                          : strcmp(what, "site") == 0    ? site
                          : strcmp(what, "loop") == 0    ? loop
                                                         : block;
  if (argc != 4 || threads < 1 || threads > 64) {
    fprintf(stderr, "usage: calls call|pointer|site|block|loop THREADS TIMES\n");
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
  printf ("%.3f\n",
          ((double) (end.tv_sec - begin.tv_sec) * 1e9 + (double) (end.tv_nsec - begin.tv_nsec))
              / (double) times);
  return 0;
}

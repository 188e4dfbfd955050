/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The building blocks of generated programs (generate.py).  The programs count the same as
   bbprof: each place that control passes, by number, and each call, by the numbers of caller and
   callee.  The section bbprof_places of the program has pairs of address and number: where each
   place or copy of it is in the machine code. */
#ifndef HARNESS_H
#define HARNESS_H

#include <setjmp.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { PLACES = 4096, FUNCTIONS = 64 };
/* Numbers of functions that every program has, and of two that stand for many: s0, s1 ..., which
   may become part of their callers, and all that are not the program's own. */
enum { PROGRAM = FUNCTIONS - 5, ORDER, HANDLER, SOFT, OUTSIDE };

/* One for each thread, added up when it ends. */
struct truth {
  unsigned long place[PLACES];
  unsigned long arc[FUNCTIONS][FUNCTIONS]; /* caller, callee */
  long fuel;                               /* rounds of loops that are left in this run */
  jmp_buf *env;                            /* where longjmp leads to, or null */
  int catching;                            /* number of try blocks that an exception would find */
  int handled;                             /* the signal handler's runs */
};
extern __thread struct truth truth __attribute__ ((tls_model ("initial-exec")));

/* Control is here.  The asm can be copied, with the code around it, but neither moved nor
   removed; its one byte keeps it apart from the next block. */
#define PLACE(n)                                                                                \
  do                                                                                            \
    {                                                                                           \
      __asm__ volatile("661:\tnop\n\t.pushsection bbprof_places,\"\",@progbits\n\t.quad 661b, " \
                       "%c0\n\t.popsection"                                                     \
                       :                                                                        \
                       : "i"(n));                                                               \
      truth.place[n]++;                                                                         \
  } while (0)

/* Text of an asm goto: to label %l2 if %0 and the number %1, one bit, have that bit in common; and
   what it changes. */
#define JUMP_CHANGES "cc"
#ifdef __aarch64__
#define JUMP_IF_ANY "tst %w0, #%c1\n\tb.ne %l2"
#elif defined __riscv
#undef JUMP_CHANGES
#define JUMP_CHANGES "t0"
#define JUMP_IF_ANY "andi t0, %0, %c1\n\tbnez t0, %l2"
#else
#define JUMP_IF_ANY "testl $%c1, %0\n\tjnz %l2"
#endif

#define BURN (truth.fuel-- > 0)
#define CALL(from, to, call) (truth.arc[from][to]++, call)
#define HARD                    \
  __attribute__ ((__noinline__, \
                  __noclone__)) /* stays a function, and is called as the source says */

/* The program defines these for harness.c. */
extern const int program_threads;
extern const int program_runs;
extern const int program_signal; /* 1: raise a signal between two runs */
unsigned program (unsigned x);
unsigned program_order (unsigned x, unsigned y);
void program_handler (int number);

/* harness.c offers the program: values sorted by program_order (); the end of the process,
   0 by exit, 1 by _exit, 2 by a signal. */
unsigned sorted (unsigned x);
void leave (int way) __attribute__ ((__noreturn__));

/* truth.c: adds the calling thread's truth to the total; prints the total, as exit does by
   itself. */
void truth_add (void);
void truth_print (void);

#ifdef __cplusplus
}
#endif
#endif

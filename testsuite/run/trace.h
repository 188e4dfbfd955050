/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trace points as compiled code has them (bbprof-abi.h), but made by hand, and what they have done,
   in a list of the thread's own that the program writes down at its end.  So the truth about the
   trace is what the program says.

   TRACED (f) { ... } is a function void f (long) with an entry's point.  ENTRY (f) is that point
   alone; assembler continues at f_body.  To be compiled with -mno-red-zone, as compiled code has it
   where it calls. */
#ifndef TRACE_H
#define TRACE_H

#include <stdint.h>

extern void tell (char kind, const void *address, long way);

/* AT: a label's name, which stands for a block. */
#define ADDRESS(at) "\n\t.byte 0xa9\n\t.long " at "-.\n"
#define POINT(test, function, at)                                      \
  __asm__ volatile ("testb $" #test ", %%fs:__bb@tpoff+24\n\tjz 1f\n\t" \
                    "call " function ADDRESS (at) "1:"                 \
                    :                                                  \
                    :                                                  \
                    : "memory", "cc")

#define PLACE(name)         \
  extern const char name[]; \
  __asm__(".pushsection .rodata; " #name ": .byte 0; .popsection")

/* FUNCTION (ARGUMENT), and the point behind it, which stands there in compiled code.  Such a call
   says which function it enters. */
#define CALL(function, argument, at)                                                         \
  do                                                                                         \
    {                                                                                        \
      long argument_ = (argument);                                                           \
      tell ('D', function##_block, 0);                                                       \
      __asm__ volatile (                                                                      \
          "call " #function "\n\tcmpb $0, %%fs:__bb@tpoff+24\n\tje 1f\n\t"                  \
          "call __bb_return_func" ADDRESS (#at) "1:"                                         \
          : "+D"(argument_)                                                                  \
          :                                                                                  \
          : "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "memory", "cc");           \
      tell ('C', at, 0);                                                                     \
  } while (0)
#define RETURNED(name) do { POINT (-1, "__bb_return_func", #name); tell ('C', name, 0); } while (0)
#define LANDED(name) do { POINT (-1, "__bb_land_func", #name); tell ('L', name, 0); } while (0)
#define TOKEN(name) do { POINT (1, "__bb_token_func", #name); tell ('T', name, 0); } while (0)

static inline void
branch (int way)
{
  __asm__ volatile ("testb $1, %%fs:__bb@tpoff+24\n\tjz 1f\n\tbtl $0, %0\n\tjc 2f\n\t"
                    "call __bb_zero_func\n\tjmp 1f\n2:\tcall __bb_one_func\n1:"
                    :
                    : "r"(way)
                    : "memory", "cc");
  tell ('B', 0, way);
}

#define ENTRY(name)                                                                         \
  void name (long);                                                                         \
  __attribute__ ((used)) void name##_body (long) __asm__(#name "_body");                    \
  extern const char name##_block[] __asm__(#name "_block");                                 \
  __asm__(".pushsection .data; .short 0; " #name                                            \
          "_choice: .byte 0; .popsection\n\t.pushsection .text\n\t.globl " #name "\n" #name \
          ":\n" #name "_block:\n\t"                                                         \
          "cmpq $0, %fs:__bb_thread@tpoff\n\tjne 1f\n\tcall __bb_thread_func\n1:\t"         \
          "movb " #name "_choice(%rip), %r11b\n\torb %fs:__bb@tpoff+24, %r11b\n\tje 2f\n\t" \
          "leaq " #name "_choice(%rip), %r11\n\tmovq %r11, %fs:__bb@tpoff\n\tleaq " #name   \
          "_block(%rip), %r11\n\t"                                                          \
          "call __bb_enter_func\n2:\tjmp " #name "_body\n\t.popsection")

#define TRACED(name) \
  ENTRY (name);      \
  __attribute__ ((noinline)) void name##_body (long n)

#define ENTERED(name) tell ('E', name##_block, 0)

#endif

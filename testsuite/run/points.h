/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stand-in for code compiled with ax: functions whose trace points are written out
   (bbprof-abi.h), and which at the same time tell a model of the historic machine (expected.c) what
   they do.  Blocks are numbers; the run-time library knows them as addresses in an array of code,
   16 bytes apart, that is never executed.

     FUNCTION (f, "name", "file", FIRST)   int f (int) begins with block FIRST; its body is the
                                           function f_body
     BEGIN (FIRST); GO (N); LAND (N); CALL (expression); LEAVE (value)   what the body does  */
#include <stdint.h>

#include "bbprof-abi.h"

extern __thread struct bbp_here __bb;
extern char code[];

void expect_call (int first, uintptr_t sp);
void expect_block (int block);
void expect_return (void);
void expect_landing (uintptr_t sp);

#define TEXT(x) #x
#define NUMBER(x) TEXT (x)

/* At the entry the stack pointer is where the return address stands; then the body takes over. */
#define FUNCTION(f, name, file, first)                          \
  int f (int);                                                  \
  int f##_body (int);                                           \
  __asm__ (".section bbprof_choice,\"aw\",@progbits\n"          \
           "choice_" #f ": .byte 0\n"                           \
           ".section bbprof_names,\"a\",@progbits\n"            \
           ".balign 4\n"                                        \
           "1: .long " #f " - 1b\n"                             \
           "2: .long choice_" #f " - 2b\n"                      \
           "3: .long code + 16 * " NUMBER (first) " - 3b\n"     \
           ".long 5f - 4f\n"                                    \
           "4: .asciz \"" #f "\", \"" name "\", \"" file "\"\n" \
           ".balign 4\n"                                        \
           "5:\n"                                               \
           ".text\n"                                            \
           ".globl " #f "\n"                                    \
           ".type " #f ", @function\n" #f ":\n"                 \
           "cmpq $0, %fs:__bb_thread@tpoff\n"                   \
           "jne 1f\n"                                           \
           "call __bb_thread_func\n"                            \
           "1: movb choice_" #f "(%rip), %r11b\n"               \
           "orb %fs:__bb@tpoff+24, %r11b\n"                     \
           "je 2f\n"                                            \
           "leaq choice_" #f "(%rip), %r11\n"                   \
           "movq %r11, %fs:__bb@tpoff\n"                        \
           "leaq code + 16 * " NUMBER (first) "(%rip), %r11\n"  \
           "call __bb_enter_func\n"                             \
           "2: jmp " #f "_body\n")

/* To be compiled with -mno-red-zone, as compiled code has it where it calls. */
#define POINT(function, offset)                                                       \
  __asm__ volatile ("call " #function "; .byte 0xa9; .long code + " offset " - ." : : \
                    : "cc", "memory")

static inline __attribute__ ((always_inline)) uintptr_t
here (void)
{
  uintptr_t sp;
  __asm__ volatile ("movq %%rsp, %0" : "=r"(sp));
  return sp;
}

static inline void
set_source (int block)
{
  expect_block (block);
  __bb.source = (uintptr_t) &code[16 * block];
}

#define BEGIN(first) (expect_call (first, here ()), set_source (first))

#define GO(n)                                    \
  do                                             \
    {                                            \
      if (__bb.mode & BBP_MODE_JUMPS)            \
        POINT (__bb_jump_func, "16 * " NUMBER (n)); \
      set_source (n);                            \
    }                                            \
  while (0)

#define LAND(n)                                  \
  do                                             \
    {                                            \
      expect_landing (here ());                  \
      if (__bb.mode)                             \
        POINT (__bb_land_func, "16 * " NUMBER (n)); \
      set_source (n);                            \
    }                                            \
  while (0)

#define CALL(expression)                  \
  ({                                      \
    int result = (expression);            \
    if (__bb.mode)                        \
      POINT (__bb_return_func, "8"); \
    result;                               \
  })

#define LEAVE(value)    \
  do                    \
    {                   \
      expect_return (); \
      return value;     \
    }                   \
  while (0)

/* SPDX-License-Identifier: MIT */
/* The target header of an example port to x86-64, as one of GCC 2.95 would be: the macros write
   assembler text to FILE.  port.c makes the object that the compiler loads from it, support.c the
   library that the program is linked with.

   Mode 1 (profile_block_flag is 1, -a): each block has a word in .LPBX2.  Mode 2 (-ax): each block,
   entry and exit calls the library.  Counts are exact with one thread. */
#ifndef PORT_H
#define PORT_H

/* Calls of the library: through the global offset table in position independent code. */
#define INDIRECT (flag_pic ? "*" : "")
#define VIA_GOT (flag_pic ? "@GOTPCREL(%rip)" : "")

/* Counts a call: mcount, behind the prologue, with the address of the function's variable in
   %r11. */
#define FUNCTION_PROFILER(FILE, LABELNO)                                                           \
  do                                                                                               \
    {                                                                                              \
      fprintf (FILE, flag_pic ? "\tleaq\t.LP%d(%%rip), %%r11\n" : "\tmovl\t$.LP%d, %%r11d\n",      \
               (LABELNO));                                                                         \
      fprintf (FILE, "\tcall\t%smcount%s\n", INDIRECT, VIA_GOT);                                   \
    }                                                                                              \
  while (0)
#define FUNCTION_PROFILER_CLOBBERS "cc r11"

/* Registers the unit: in mode 1 once, in mode 2 at each entry, with the number of the function's
   first block.  All registers may hold arguments here. */
#define FUNCTION_BLOCK_PROFILER(FILE, BLOCK_OR_LABEL)                                              \
  do                                                                                               \
    {                                                                                              \
      static int num_func;                                                                         \
      switch (profile_block_flag)                                                                  \
        {                                                                                          \
        case 2:                                                                                    \
          fprintf (FILE, "\tpushq\t%%rdi\n\tpushq\t%%rsi\n");                                      \
          fprintf (FILE,                                                                           \
                   flag_pic ? "\tleaq\t.LPBX0(%%rip), %%rdi\n" : "\tmovl\t$.LPBX0, %%edi\n");      \
          fprintf (FILE, "\tmovl\t$%d, %%esi\n", (BLOCK_OR_LABEL));                                \
          fprintf (FILE, "\tcall\t%s__bb_init_trace_func%s\n", INDIRECT, VIA_GOT);                 \
          fprintf (FILE, "\tpopq\t%%rsi\n\tpopq\t%%rdi\n");                                        \
          break;                                                                                   \
        default:                                                                                   \
          fprintf (FILE, "\tcmpq\t$0, .LPBX0%s\n", flag_pic ? "(%rip)" : "");                      \
          fprintf (FILE, "\tjne\t.LPBZ%d\n", num_func);                                            \
          fprintf (FILE, "\tpushq\t%%rax\n\tpushq\t%%rcx\n\tpushq\t%%rdx\n\tpushq\t%%rsi\n"        \
                         "\tpushq\t%%rdi\n"                                                        \
                         "\tpushq\t%%r8\n\tpushq\t%%r9\n\tpushq\t%%r10\n\tpushq\t%%r11\n");        \
          fprintf (FILE,                                                                           \
                   flag_pic ? "\tleaq\t.LPBX0(%%rip), %%rdi\n" : "\tmovl\t$.LPBX0, %%edi\n");      \
          fprintf (FILE, "\tcall\t%s__bb_init_func%s\n", INDIRECT, VIA_GOT);                       \
          fprintf (FILE, "\tpopq\t%%r11\n\tpopq\t%%r10\n\tpopq\t%%r9\n\tpopq\t%%r8\n"              \
                         "\tpopq\t%%rdi\n\tpopq\t%%rsi\n\tpopq\t%%rdx\n\tpopq\t%%rcx\n"            \
                         "\tpopq\t%%rax\n");                                                       \
          fprintf (FILE, ".LPBZ%d:\n", num_func++);                                                \
          break;                                                                                   \
        }                                                                                          \
    }                                                                                              \
  while (0)
#define FUNCTION_BLOCK_PROFILER_CLOBBERS "cc"

/* Counts the block.  In mode 2 number and unit go to the two words of the thread's __bb, and no
   register or flag is changed; the 128 bytes below the stack pointer may be in use. */
#define BLOCK_PROFILER(FILE, BLOCKNO)                                                              \
  do                                                                                               \
    {                                                                                              \
      switch (profile_block_flag)                                                                  \
        {                                                                                          \
        case 2:                                                                                    \
          fprintf (FILE, "\tleaq\t-128(%%rsp), %%rsp\n");                                          \
          if (flag_pic)                                                                            \
            fprintf (FILE,                                                                         \
                     "\tpushq\t%%rax\n"                                                            \
                     "\tpushq\t%%rcx\n"                                                            \
                     "\tmovq\t__bb@gottpoff(%%rip), %%rax\n"                                       \
                     "\tmovq\t$%d, %%fs:(%%rax)\n"                                                 \
                     "\tleaq\t.LPBX0(%%rip), %%rcx\n"                                              \
                     "\tmovq\t%%rcx, %%fs:8(%%rax)\n"                                              \
                     "\tcall\t*__bb_trace_func@GOTPCREL(%%rip)\n"                                  \
                     "\tpopq\t%%rcx\n"                                                             \
                     "\tpopq\t%%rax\n",                                                            \
                     (BLOCKNO));                                                                   \
          else                                                                                     \
            fprintf (FILE,                                                                         \
                     "\tmovq\t$%d, %%fs:__bb@tpoff\n"                                              \
                     "\tmovq\t$.LPBX0, %%fs:__bb@tpoff+8\n"                                        \
                     "\tcall\t__bb_trace_func\n",                                                  \
                     (BLOCKNO));                                                                   \
          fprintf (FILE, "\tleaq\t128(%%rsp), %%rsp\n");                                           \
          break;                                                                                   \
        default:                                                                                   \
          fprintf (FILE, "\tincq\t.LPBX2+%d%s\n", 8 * (BLOCKNO), flag_pic ? "(%rip)" : "");        \
          break;                                                                                   \
        }                                                                                          \
    }                                                                                              \
  while (0)
#define BLOCK_PROFILER_CLOBBERS "cc"

/* Mode 2: the function is left; the return value is in registers. */
#define FUNCTION_BLOCK_PROFILER_EXIT(FILE)                                                         \
  fprintf (FILE, "\tcall\t%s__bb_trace_ret%s\n", INDIRECT, VIA_GOT)
#define FUNCTION_BLOCK_PROFILER_EXIT_CLOBBERS ""

/* Put around a block's text where the flags are in use. */
#define BBPROF_STATE_SAVE(FILE, ID) fprintf (FILE, "\tleaq\t-128(%%rsp), %%rsp\n\tpushfq\n")
#define BBPROF_STATE_RESTORE(FILE, ID) fprintf (FILE, "\tpopfq\n\tleaq\t128(%%rsp), %%rsp\n")

/* Used by the library, at the beginning and end of its three entry points of mode 2: saves all
   registers that C code may change. */
#define MACHINE_STATE_SAVE(ID)                                                                     \
  __asm__ ("pushfq; cld; pushq %rax; pushq %rcx; pushq %rdx; pushq %rsi; pushq %rdi");             \
  __asm__ ("pushq %r8; pushq %r9; pushq %r10; pushq %r11");
#define MACHINE_STATE_RESTORE(ID)                                                                  \
  __asm__ ("popq %r11; popq %r10; popq %r9; popq %r8");                                            \
  __asm__ ("popq %rdi; popq %rsi; popq %rdx; popq %rcx; popq %rax; popfq");

/* The support library, in place of the compiler's: the functions that the texts call.  Each calls a
   function of support.c. */
#define BLOCK_PROFILER_CODE                                                                        \
  __thread struct bb_place __bb;                                                                   \
  void                                                                                             \
  __bb_init_func (struct bb *unit)                                                                 \
  {                                                                                                \
    port_register (unit);                                                                          \
  }                                                                                                \
  __attribute__ ((naked)) void                                                                     \
  __bb_init_trace_func (struct bb *unit, unsigned long blockno)                                    \
  {                                                                                                \
    MACHINE_STATE_SAVE ("3")                                                                       \
    __asm__ ("call port_enter");                                                                   \
    MACHINE_STATE_RESTORE ("3")                                                                    \
    __asm__ ("ret");                                                                               \
  }                                                                                                \
  __attribute__ ((naked)) void                                                                     \
  __bb_trace_func (void)                                                                           \
  {                                                                                                \
    MACHINE_STATE_SAVE ("1")                                                                       \
    __asm__ ("call port_count");                                                                   \
    MACHINE_STATE_RESTORE ("1")                                                                    \
    __asm__ ("ret");                                                                               \
  }                                                                                                \
  __attribute__ ((naked)) void                                                                     \
  __bb_trace_ret (void)                                                                            \
  {                                                                                                \
    MACHINE_STATE_SAVE ("2")                                                                       \
    __asm__ ("call port_leave");                                                                   \
    MACHINE_STATE_RESTORE ("2")                                                                    \
    __asm__ ("ret");                                                                               \
  }

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The macros of mode 2 on x86-64.  The functions that they call change no register and no flag.
   A lazily bound PLT might, so the calls do not use it. */
#include "gcc-plugin/macros/x86_64.h"

/* FUNCTION_BLOCK_PROFILER: __bb_init_trace_func (LPBX0, number of the function's first block), as
   in C.  At an entry r11 is free, and one word on the stack is enough. */
#define FUNCTION_BLOCK_PROFILER_2(FILE, BLOCKNO)             \
  fprintf ((FILE),                                           \
           "\tmovq\t%%rdi, %%r11\n"                          \
           "\tmovq\t%%rsi, (%%rsp)\n"                        \
           "\tleaq\t.LPBX0(%%rip), %%rdi\n"                  \
           "\tmovl\t$%d, %%esi\n"                            \
           "\tcall\t*__bb_init_trace_func@GOTPCREL(%%rip)\n" \
           "\tmovq\t(%%rsp), %%rsi\n"                        \
           "\tmovq\t%%r11, %%rdi\n",                         \
           (BLOCKNO))

/* BLOCK_PROFILER: stores block and unit in the thread's __bb, then calls __bb_trace_func (). */
#define BLOCK_PROFILER_2(FILE, BLOCKNO)                 \
  fprintf ((FILE),                                      \
           "\tmovq\t%%r11, (%%rsp)\n"                   \
           "\tmovq\t%%rax, 8(%%rsp)\n"                  \
           "\tmovq\t__bb@gottpoff(%%rip), %%r11\n"      \
           "\tleaq\t.LPBX0(%%rip), %%rax\n"             \
           "\tmovq\t$%d, %%fs:(%%r11)\n"                \
           "\tmovq\t%%rax, %%fs:8(%%r11)\n"             \
           "\tcall\t*__bb_trace_func@GOTPCREL(%%rip)\n" \
           "\tmovq\t8(%%rsp), %%rax\n"                  \
           "\tmovq\t(%%rsp), %%r11\n",                  \
           (BLOCKNO))

/* Used where the frame is removed, or nearly so. */
#define FUNCTION_BLOCK_PROFILER_EXIT(FILE) \
  fputs ("\tcall\t*__bb_trace_ret@GOTPCREL(%rip)\n", (FILE))

void
x86_64_calls_init (FILE *file, int blockno, const struct bbp_site *site)
{
  (void) site;
  FUNCTION_BLOCK_PROFILER_2 (file, blockno);
}

void
x86_64_calls_block (FILE *file, int blockno, const struct bbp_site *site)
{
  (void) site;
  BLOCK_PROFILER_2 (file, blockno);
}

void
x86_64_calls_exit (FILE *file, int unused, const struct bbp_site *site)
{
  (void) unused;
  (void) site;
  FUNCTION_BLOCK_PROFILER_EXIT (file);
}

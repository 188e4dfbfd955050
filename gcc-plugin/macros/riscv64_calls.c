/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The macros of mode 2 on riscv64.  The functions that they call change no register except for the
   link register, which the call itself overwrites. */
#include "gcc-plugin/macros/riscv64.h"

#include <stddef.h>

/* FUNCTION_BLOCK_PROFILER: __bb_init_trace_func (LPBX0, number of the function's first block), as
   in C.  t0 and t3 to t6 are free at an entry. */
#define FUNCTION_BLOCK_PROFILER_2(FILE, BLOCKNO)           \
  do                                                       \
    {                                                      \
      fputs ("\tmv\tt4, a0\n\tmv\tt5, a1\n", (FILE));      \
      riscv64_address ((FILE), "a0", ".LPBX0", 0);         \
      fprintf ((FILE), "\tli\ta1, %d\n", (BLOCKNO));       \
      riscv64_call ((FILE), "__bb_init_trace_func", site); \
      fputs ("\tmv\ta1, t5\n\tmv\ta0, t4\n", (FILE));      \
  } while (0)

/* BLOCK_PROFILER: stores block and unit in the thread's __bb, then calls __bb_trace_func (). */
#define BLOCK_PROFILER_2(FILE, BLOCKNO)                                            \
  do                                                                               \
    {                                                                              \
      fprintf ((FILE),                                                             \
               "\tsd\tt3, 0(sp)\n"                                                 \
               "\tsd\tt4, 8(sp)\n"                                                 \
               "\tsd\tra, 16(sp)\n"                                                \
               "\tla.tls.ie\tt3, __bb\n"                                           \
               "\tadd\tt3, t3, tp\n"                                               \
               "\tli\tt4, %d\n"                                                    \
               "\tsd\tt4, %zu(t3)\n",                                              \
               (BLOCKNO), offsetof (struct bbp_here, blockno));                    \
      riscv64_address ((FILE), "t4", ".LPBX0", 0);                                 \
      fprintf ((FILE), "\tsd\tt4, %zu(t3)\n", offsetof (struct bbp_here, blocks)); \
      riscv64_from_table ((FILE), "t3", "__bb_trace_func");                        \
      fputs ("\tjalr\tt3\n"                                                        \
             "\tld\tra, 16(sp)\n"                                                  \
             "\tld\tt4, 8(sp)\n"                                                   \
             "\tld\tt3, 0(sp)\n",                                                  \
             (FILE));                                                              \
  } while (0)

/* Used where the frame is removed, or nearly so: a tail call may need any register but t0 and the
   link register. */
#define FUNCTION_BLOCK_PROFILER_EXIT(FILE)                 \
  do                                                       \
    {                                                      \
      riscv64_save_link ((FILE), site);                    \
      riscv64_from_table ((FILE), "ra", "__bb_trace_ret"); \
      fputs ("\tjalr\tra\n", (FILE));                      \
      riscv64_restore_link ((FILE), site);                 \
  } while (0)

void
riscv64_calls_init (FILE *file, int blockno, const struct bbp_site *site)
{
  FUNCTION_BLOCK_PROFILER_2 (file, blockno);
}

void
riscv64_calls_block (FILE *file, int blockno, const struct bbp_site *site)
{
  (void) site;
  BLOCK_PROFILER_2 (file, blockno);
}

void
riscv64_calls_exit (FILE *file, int unused, const struct bbp_site *site)
{
  (void) unused;
  FUNCTION_BLOCK_PROFILER_EXIT (file);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The macros of mode 2 on aarch64.  The functions that they call change no register and no flag,
   except for the link register, which the call itself overwrites. */
#include "gcc-plugin/macros/aarch64.h"

#include <stddef.h>

static void
write_number (FILE *file, const char *to, int number)
{
  fprintf (file, "\tmov\t%s, #%d\n", to, number & 0xffff);
  if (number >> 16)
    fprintf (file, "\tmovk\t%s, #%d, lsl #16\n", to, number >> 16);
}

/* FUNCTION_BLOCK_PROFILER: __bb_init_trace_func (LPBX0, number of the function's first block), as
   in C.  x9 to x11 and x17 are free at an entry. */
#define FUNCTION_BLOCK_PROFILER_2(FILE, BLOCKNO)           \
  do                                                       \
    {                                                      \
      fputs ("\tmov\tx10, x0\n\tmov\tx11, x1\n", (FILE));  \
      aarch64_address ((FILE), "x0", ".LPBX0", 0, false);  \
      write_number ((FILE), "x1", (BLOCKNO));              \
      aarch64_call ((FILE), "__bb_init_trace_func", site); \
      fputs ("\tmov\tx1, x11\n\tmov\tx0, x10\n", (FILE));  \
  } while (0)

/* BLOCK_PROFILER: stores block and unit in the thread's __bb, then calls __bb_trace_func (). */
#define BLOCK_PROFILER_2(FILE, BLOCKNO)                                                   \
  do                                                                                      \
    {                                                                                     \
      fputs ("\tstp\tx16, x17, [sp]\n"                                                    \
             "\tstr\tx30, [sp, #16]\n"                                                    \
             "\tadrp\tx16, :gottprel:__bb\n"                                              \
             "\tldr\tx16, [x16, #:gottprel_lo12:__bb]\n"                                  \
             "\tmrs\tx17, tpidr_el0\n"                                                    \
             "\tadd\tx16, x16, x17\n",                                                    \
             (FILE));                                                                     \
      write_number ((FILE), "x17", (BLOCKNO));                                            \
      fprintf ((FILE), "\tstr\tx17, [x16, #%zu]\n", offsetof (struct bbp_here, blockno)); \
      aarch64_address ((FILE), "x17", ".LPBX0", 0, false);                                \
      fprintf ((FILE), "\tstr\tx17, [x16, #%zu]\n", offsetof (struct bbp_here, blocks));  \
      aarch64_from_table ((FILE), "x17", "__bb_trace_func");                              \
      fputs ("\tblr\tx17\n"                                                               \
             "\tldr\tx30, [sp, #16]\n"                                                    \
             "\tldp\tx16, x17, [sp]\n",                                                   \
             (FILE));                                                                     \
  } while (0)

/* Used where the frame is removed, or nearly so: a tail call may need any register but x9 and the
   link register. */
#define FUNCTION_BLOCK_PROFILER_EXIT(FILE)                  \
  do                                                        \
    {                                                       \
      aarch64_save_link ((FILE), site);                     \
      aarch64_from_table ((FILE), "x30", "__bb_trace_ret"); \
      fputs ("\tblr\tx30\n", (FILE));                       \
      aarch64_restore_link ((FILE), site);                  \
  } while (0)

void
aarch64_calls_init (FILE *file, int blockno, const struct bbp_site *site)
{
  FUNCTION_BLOCK_PROFILER_2 (file, blockno);
}

void
aarch64_calls_block (FILE *file, int blockno, const struct bbp_site *site)
{
  (void) site;
  BLOCK_PROFILER_2 (file, blockno);
}

void
aarch64_calls_exit (FILE *file, int unused, const struct bbp_site *site)
{
  (void) unused;
  FUNCTION_BLOCK_PROFILER_EXIT (file);
}

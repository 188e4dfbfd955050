/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pass, registered with GCC's pass manager.

   It works on RTL and runs behind `alignments', so added code is not aligned.  All passes that
   add, copy, order or delete blocks have run, so the blocks are those of the machine code.  The
   control flow graph and the data flow framework still exist (`free_cfg' comes two passes later).

   To see what it did: -fdump-rtl-all, the file that ends in `bbprof' (a plugin's pass has no dump
   option of its own). */
#include "gcc-plugin/instrument.h"

namespace {
const pass_data data = { RTL_PASS, "bbprof", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0 };

struct bbprof_pass : rtl_opt_pass {
  bbprof_pass (gcc::context *context) : rtl_opt_pass (data, context)
  {
  }

  unsigned int
  execute (function *fn) final override
  {
    bbp_instrument (fn);
    return 0;
  }
};
}

opt_pass *
bbp_pass_make (void)
{
  return new bbprof_pass (g);
}

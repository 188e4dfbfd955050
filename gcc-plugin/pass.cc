/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pass: the one class, which GCC's pass manager asks for.  It works on RTL and stands just
   behind `alignments', so that what it adds is not aligned:
   every pass that adds, copies, orders or deletes blocks has run, so the blocks are those of the
   machine code, and the control flow graph and the data flow framework are still there
   (`free_cfg' comes two passes later).
   To see what it did: -fdump-rtl-all, the file that ends in `bbprof' (a plugin's pass has no
   dump option of its own). */
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

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The entry point: reads the options and registers callbacks with the compiler.  Then

   - at the start of a unit unit.cc checks the target;
   - after the inter-procedural passes filter.cc notes what must not be instrumented;
   - the pass (pass.cc) runs instrument.cc on each function.  That asks the filter, which checks
     the user's lists (lists/) for the function's names; then it makes the graph, inserts hooks,
     labels, counters and trace points (emit.h), and passes the function to unit.cc;
   - at the end of the unit unit.cc has the tables written.

   All of it runs on the compiler's only thread.  No file calls one of an earlier group in this
   list: instrument.cc; trace.cc, trace_copies.cc, historic_a.cc, trace_calls.cc, template.cc;
   hook.cc, historic.cc, pointers.cc; emit.cc, calls.cc; asm.cc, liveness.cc, split.cc; state.cc. */
#include "gcc-plugin/plan.h"
#include "gcc-plugin/instrument.h"
#include "gcc-plugin/unit.h"

/* For loader.cc. */
extern "C" __attribute__ ((visibility ("default"))) int bbprof_start (plugin_name_args *args);

static void
start_unit (void *, void *)
{
  bbp_unit_start ();
}

static void
all_ipa_passes_end (void *, void *)
{
  bbp_filter_note_calls ();
}

/* Called while text can still be added to the assembly file. */
static void
finish_unit (void *, void *)
{
  bbp_unit_finish ();
  bbp_filter_finish ();
}

int
bbprof_start (plugin_name_args *args)
{
  static plugin_info info = { BBPROF_VERSION, NULL };

  if (!bbp_options_read (args))
    return 0; /* the error already fails the compilation; a second message would add nothing */

  info.help = bbp_options_help ();
  register_pass_info pass = { bbp_pass_make (), "alignments", 1, PASS_POS_INSERT_AFTER };
  register_callback (args->base_name, PLUGIN_INFO, NULL, &info);
  register_callback (args->base_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &pass);
  register_callback (args->base_name, PLUGIN_START_UNIT, start_unit, NULL);
  register_callback (args->base_name, PLUGIN_ALL_IPA_PASSES_END, all_ipa_passes_end, NULL);
  register_callback (args->base_name, PLUGIN_FINISH_UNIT, finish_unit, NULL);
  return 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The entry point: read the options, register what the compiler shall call. */
#include "gcc-plugin/bbprof-plugin.h"
#include "gcc-plugin/pass.h"

/* For choose.cc. */
extern "C" __attribute__ ((visibility ("default"))) int bbprof_start (plugin_name_args *args);

static void
start_unit (void *, void *)
{
  bbp_unit_start ();
}

static void
all_ipa_passes_end (void *, void *)
{
  bbp_filter_look_at_calls ();
}

/* Comes while text can still be added to the assembly file. */
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
    return 0; /* the error fails the compilation; a second message would say less */

  info.help = bbp_options_help ();
  register_pass_info pass = { bbp_pass_make (), "alignments", 1, PASS_POS_INSERT_AFTER };
  register_callback (args->base_name, PLUGIN_INFO, NULL, &info);
  register_callback (args->base_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &pass);
  register_callback (args->base_name, PLUGIN_START_UNIT, start_unit, NULL);
  register_callback (args->base_name, PLUGIN_ALL_IPA_PASSES_END, all_ipa_passes_end, NULL);
  register_callback (args->base_name, PLUGIN_FINISH_UNIT, finish_unit, NULL);
  return 0;
}

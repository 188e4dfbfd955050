/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The entry point: look at the compiler's version, read the options, register what the compiler shall call. */
#include "bbprof-plugin.h"
#include "pass.h"
#include "version.h"

/* The two names that the compiler looks up. */
extern "C" {
__attribute__ ((visibility ("default"))) int plugin_is_GPL_compatible;
__attribute__ ((visibility ("default"))) int plugin_init (plugin_name_args *args, plugin_gcc_version *version);
}

static void
start_unit (void *, void *)
{
  bbp_unit_start ();
}

static void
all_ipa_passes_end (void *, void *)
{
  bbp_filter_find_resolvers ();
}

/* Comes while text can still be added to the assembly file. */
static void
finish_unit (void *, void *)
{
  bbp_unit_finish ();
  bbp_filter_finish ();
}

int
plugin_init (plugin_name_args *args, plugin_gcc_version *version)
{
  static plugin_info info = { BBPROF_VERSION, NULL };

  if (!bbp_version_fits (gcc_version.basever, version->basever))
    {
      error ("%s: built for GCC %s, but this is GCC %s: build the plugin with this compiler", args->base_name,
             gcc_version.basever, version->basever);
      return 1;
    }
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

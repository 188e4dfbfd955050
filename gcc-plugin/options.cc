/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options -fplugin-arg-bbprof-KEY=VALUE.  One table says what there is; the help text says the same to people. */
#include "bbprof-plugin.h"

struct bbp_options bbp_options = { true, BBP_ARCS_STATIC, BBP_UPDATE_THREAD, BBP_PLACEMENT_DEFAULT, false, NULL };

const char bbp_options_help[] =
  "  -fplugin-arg-bbprof-blocks=all|none        count basic blocks (default: all)\n"
  "  -fplugin-arg-bbprof-arcs=static|call|none  with -pg, count calls: derived from the blocks (the default), or by a call\n"
  "                                             of mcount in every function\n"
  "  -fplugin-arg-bbprof-update=thread|atomic|single\n"
  "                                             counters of each thread's own (the default), or shared by all threads, or\n"
  "                                             for programs of one thread\n"
  "  -fplugin-arg-bbprof-placement=before|after call to mcount before or after the prologue (default: before)\n"
  "  -fplugin-arg-bbprof-init=constructor|entry make the counters known in a constructor (the default), or at the entry of\n"
  "                                             every function, for code without constructors\n"
  "  -fplugin-arg-bbprof-macros=FILE            your own macro set, as doc/macros.md explains\n";

static void
set_blocks (int n)
{
  bbp_options.blocks = n == 0;
}

static void
set_arcs (int n)
{
  bbp_options.arcs = (enum bbp_arcs) n;
}

static void
set_update (int n)
{
  bbp_options.update = (enum bbp_update) n;
}

static void
set_placement (int n)
{
  bbp_options.placement = n == 0 ? BBP_PLACEMENT_BEFORE : BBP_PLACEMENT_AFTER;
}

static void
set_init (int n)
{
  bbp_options.init_entry = n == 1;
}

static const struct {
  const char *key;
  const char *values[3]; /* null: there are only two */
  void (*set) (int n); /* VALUES[N] was given */
} table[] = {
  { "blocks", { "all", "none", NULL }, set_blocks },
  { "arcs", { "static", "call", "none" }, set_arcs },
  { "update", { "thread", "atomic", "single" }, set_update },
  { "placement", { "before", "after", NULL }, set_placement },
  { "init", { "constructor", "entry", NULL }, set_init },
};

/* Options whose value is any text. */
static const struct {
  const char *key;
  const char **value;
} texts[] = {
  { "macros", &bbp_options.macros },
};

static bool
read_one (const char *plugin, const char *key, const char *value)
{
  for (const auto &row : table)
    if (!strcmp (row.key, key))
      {
        for (int n = 0; n < 3 && row.values[n]; n++)
          if (value && !strcmp (row.values[n], value))
            {
              row.set (n);
              return true;
            }
        error ("%s: %<-fplugin-arg-%s-%s=%s%>: the valid values are %qs, %qs%s%s", plugin, plugin, key,
               value ? value : "", row.values[0], row.values[1], row.values[2] ? ", " : "",
               row.values[2] ? row.values[2] : "");
        return false;
      }
  for (const auto &row : texts)
    if (!strcmp (row.key, key))
      {
        *row.value = value;
        if (value && *value)
          return true;
        error ("%s: %<-fplugin-arg-%s-%s%> without a value", plugin, plugin, key);
        return false;
      }
  error ("%s: unknown option %<-fplugin-arg-%s-%s%>: the valid ones are %<blocks=%>, %<arcs=%>, %<update=%>, "
         "%<placement=%>, %<init=%> and %<macros=%>",
         plugin, plugin, key);
  return false;
}

bool
bbp_options_read (const plugin_name_args *args)
{
  for (int i = 0; i < args->argc; i++)
    if (!read_one (args->base_name, args->argv[i].key, args->argv[i].value))
      return false;
  return true;
}

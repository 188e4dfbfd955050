/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bbprof.so, the plugin that the user names.  It loads bbprof-VERSION.so, the plugin that was
   built for the running compiler, from its own folder; for a cross compiler
   bbprof-VERSION-TARGET.so.

   GCC promises no stable interface to plugins, not even between 12.2 and 12.3, so the version
   must be equal. A distribution's release that only adds patches keeps the version.  This file
   uses nothing of the compiler but its error function, which has not changed for long, so any GCC
   can load it and report what is wrong. */
#include "gcc-plugin.h"
#include "diagnostic-core.h"

#include <dirent.h>
#include <dlfcn.h>

/* The two names that the compiler looks up. */
extern "C" {
__attribute__ ((visibility ("default"))) int plugin_is_GPL_compatible;
__attribute__ ((visibility ("default"))) int plugin_init (plugin_name_args *args,
                                                          plugin_gcc_version *version);
}

/* clang loads any shared object that is named as a plugin, does not check its contents, and
   continues: the program would be linked with libc's profiling and without counters.  So this ends
   clang before it has written anything. */
static void __attribute__ ((constructor)) refuse_other_compilers ()
{
  if (dlsym (RTLD_DEFAULT, "register_callback"))
    return;
  fprintf (stderr, "bbprof: %s is not GCC, and cannot use GCC's plugin: compile with gcc or g++\n",
           program_invocation_short_name);
  exit (1);
}

static const char prefix[] = "bbprof-", suffix[] = ".so";

/* The versions of the plugins in FOLDER, as a list for users. */
static const char *
versions (const char *folder)
{
  static char list[256];
  DIR *dir = opendir (folder);
  for (dirent *entry; dir && (entry = readdir (dir));)
    {
      const char *name = entry->d_name, *end = strrchr (name, '.');
      if (strncmp (name, prefix, strlen (prefix)) || !end || strcmp (end, suffix))
        continue;
      const char *version = name + strlen (prefix);
      size_t used = strlen (list);
      snprintf (list + used, sizeof list - used, "%s%.*s", used ? " and " : "",
                (int) (end - version), version);
    }
  if (dir)
    closedir (dir);
  return *list ? list : "no version at all";
}

/* The value of OPTION in the configuration of the compiler; false: it is not there. */
static bool
configured (const char *configuration, const char *option, char *value, size_t size)
{
  const char *start = strstr (configuration, option);
  if (!start)
    return false;
  start += strlen (option);
  snprintf (value, size, "%.*s", (int) strcspn (start, " '"), start);
  return true;
}

/* VERSION, or VERSION-TARGET of a compiler that runs on another machine than its code.  Without
   --host it runs on the machine that it was built on. */
static const char *
key (const plugin_gcc_version *version)
{
  static char name[256];
  char host[100], target[100];
  const char *configuration = version->configuration_arguments;
  bool crosses = (configured (configuration, "--host=", host, sizeof host)
                  || configured (configuration, "--build=", host, sizeof host))
                 && configured (configuration, "--target=", target, sizeof target)
                 && strcmp (host, target);
  snprintf (name, sizeof name, "%s%s%s", version->basever, crosses ? "-" : "",
            crosses ? target : "");
  return name;
}

int
plugin_init (plugin_name_args *args, plugin_gcc_version *version)
{
  /* When the loader's search path was used, the compiler does not know the file's folder. */
  Dl_info here;
  char *folder = dladdr ((void *) plugin_init, &here) ? realpath (here.dli_fname, NULL) : NULL;
  char *slash = folder ? strrchr (folder, '/') : NULL;
  if (!slash)
    {
      error ("%s: cannot find its own folder; name the plugin by its full path", args->base_name);
      return 1;
    }
  *slash = '\0';
  char path[4096];
  snprintf (path, sizeof path, "%s/%s%s%s", folder, prefix, key (version), suffix);
  if (access (path, R_OK))
    {
      error ("%s: built for GCC %s, but this is GCC %s: build the plugin with this compiler",
             args->base_name, versions (folder), key (version));
      return 1;
    }
  void *plugin = dlopen (path, RTLD_NOW);
  auto start = plugin ? (int (*) (plugin_name_args *)) dlsym (plugin, "bbprof_start") : NULL;
  if (!start)
    {
      error ("%s: cannot load %s: %s", args->base_name, path, dlerror ());
      return 1;
    }
  free (folder);
  return start (args);
}

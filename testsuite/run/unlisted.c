/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads ./library.so, uses it, and ends by a signal (kill, kill9), or by _exit; or loads it into a
   namespace of its own (namespace), burns time there, and ends as usual. */
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int
main (int argc, char **argv)
{
  const char *how = argc > 1 ? argv[1] : "";
  int own = strcmp (how, "namespace") == 0;
  void *library = own ? dlmopen (LM_ID_NEWLM, "./library.so", RTLD_NOW)
                      : dlopen ("./library.so", RTLD_NOW);
  int (*take_steps) (int) = library ? (int (*) (int)) dlsym (library, "take_steps") : NULL;
  if (!take_steps)
    return 1;
  take_steps (own ? 300000000 : 17);
  if (strcmp (how, "kill") == 0)
    raise (SIGTERM);
  if (strcmp (how, "kill9") == 0)
    raise (SIGKILL);
  if (strcmp (how, "_exit") == 0)
    _exit (0);
  return 0;
}

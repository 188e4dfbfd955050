/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plugin works with the compiler's version that it was built for, and with no other. */
#include "version.h"

#include <stdio.h>

static int failures;

static void
check (const char *built_for, const char *running, bool fits)
{
  if (bbp_version_fits (built_for, running) == fits)
    return;
  printf ("built for %s, run by %s: %s\n", built_for ? built_for : "(null)", running ? running : "(null)",
          fits ? "refused" : "accepted");
  failures++;
}

int
main (void)
{
  check ("12.2.0", "12.2.0", true);
  check ("12.2.0", "12.3.0", false);
  check ("12.2.0", "13.2.0", false);
  check ("12.2.0", "12.2.1", false);
  check ("12.2.0", "12.2", false);
  check ("12.2", "12.2.0", false);
  check ("12.2.0", "", false);
  check ("12.2.0", NULL, false);
  check (NULL, "12.2.0", false);
  return failures != 0;
}

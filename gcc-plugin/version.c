/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "version.h"

#include <string.h>

bool
bbp_version_fits (const char *built_for, const char *running)
{
  return built_for && running && !strcmp (built_for, running);
}

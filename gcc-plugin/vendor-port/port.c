/* SPDX-License-Identifier: MIT */
/* The port's macros as an object for -fplugin-arg-bbprof-macros=. */
#include "port.h"

#include <bbprof-macros.h>

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options SOURCE_PLACES_OPTIONS, which say where source files are. */
#ifndef BBPROF_SOURCE_OPTION_H
#define BBPROF_SOURCE_OPTION_H

#include <stdbool.h>

#include "tools/arguments/command_options.h"
#include "tools/view/source.h"

/* Adds the option found last, 'I' or OPTION_PATH_MAP, to the places; its value has to live as long
   as these.  False: a line on stderr says what is wrong. */
bool source_option (struct source_places *, const struct options *);

#endif

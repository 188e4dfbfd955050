/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the objects that the addresses of a prof.out belong to. */
#ifndef BBPROF_RAW_OBJECTS_H
#define BBPROF_RAW_OBJECTS_H

#include <stdbool.h>

#include "model/model.h"
#include "tools/raw/prof_out.h"

/* From FILE.map, a copy of /proc/PID/maps, if it exists: adds the libraries to the objects, of
   which the program is one already, and turns its addresses into link-time ones. *FOUND: the
   file exists. */
bool raw_objects_by_map (struct objects *, struct prof_out *, const char *file, bool *found,
                         struct error *);

/* From the sidecar gmon.out.bbx beside FILE, if it is of the same program: adds the libraries. */
bool raw_objects_by_sidecar (struct objects *, const char *file, struct error *);

/* For a position-independent program without code at any of the addresses: finds its load
   address by trial, and reports it as a warning.  After symtab_load. */
bool raw_objects_by_trial (struct model *, struct prof_out *, const char *file, struct error *);

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whose the addresses of a prof.out are. */
#ifndef BBPROF_RAW_OBJECTS_H
#define BBPROF_RAW_OBJECTS_H

#include <stdbool.h>

#include "model/model.h"
#include "tools/raw/prof_out.h"

/* By FILE.map, a copy of /proc/PID/maps, if there is one: adds the libraries to the objects,
   which have the program, and makes its addresses those of link time.  *FOUND: there is one. */
bool raw_objects_by_map (struct objects *, struct prof_out *, const char *file, bool *found,
                         struct error *);

/* By the sidecar gmon.out.bbx beside FILE, if that is of the same program: adds the libraries. */
bool raw_objects_by_sidecar (struct objects *, const char *file, struct error *);

/* Of a position-independent program none of whose code is at any of the addresses: tries where
   it was loaded, and says so among the warnings.  After symtab_load. */
bool raw_objects_by_trial (struct model *, struct prof_out *, const char *file, struct error *);

#endif

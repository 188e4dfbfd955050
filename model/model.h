/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Program and profiles, read once; then only read by all reports. */
#ifndef BBPROF_MODEL_H
#define BBPROF_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"
#include "model/files/bbx_read.h"
#include "model/files/block_names.h"
#include "model/files/edges.h"
#include "model/files/profile.h"
#include "model/symbols/objects.h"
#include "model/symbols/stacks.h"
#include "model/symbols/symtab.h"

/* A profile that was read. */
struct run {
  const char *profile; /* its name; borrowed */
  uint64_t number;     /* run id; 0: unknown */
  uint32_t moment;     /* number of the dump; 0: unknown */
  bool other_build;    /* it is of another build of the program, accepted by --force */
  bool is_read;        /* all of it is in the model, ... */
  unsigned version;    /* ... in this version of the format */
  struct gmon_counts records;
  struct bbx sidecar; /* see its state */
};

struct model {
  struct objects objects;
  struct symtab symtab;
  struct profile profile;
  struct edges edges;
  /* By how much counts of killed threads may be wrong (include/bbprof-file.h). */
  struct edges open[BBX_OPEN_LISTS];
  /* From the block executed before, across functions; 0: outside of the recorded code. */
  struct edges jumps;
  /* Bit 1 << BBX_JUMPS_... of the counted jumps; 0: none. */
  unsigned jumps_variants;
  struct run *runs;
  size_t nruns;
  struct block_names block_names;
  bool has_stacks; /* stacks were requested, and each profile has some: */
  struct stacks stacks;
  bool estimated; /* some profile's calls are estimated from its stacks */
  /* Nothing was read, because a profile is of another build of the program. */
  bool refused;
  struct warnings warnings;
};

/* Reads PROGRAM, the N profiles of the list (gmon.out files; names of sidecars are skipped), and
   their sidecars.  Calls are counted ones.  In both cases call model_free, and the warnings are
   valid. */
bool model_read (struct model *, const char *program, char **profiles, int n,
                 const struct symtab_choice *, struct error *);
/* The same, with stacks if each profile has some. */
bool model_read_stacks (struct model *, const char *program, char **profiles, int n,
                        const struct symtab_choice *, struct error *);
/* The same for gprof: with the requested format of the profiles, and calls even if they are
   estimates. */
bool model_read_format (struct model *, const char *program, char **profiles, int n,
                        enum gmon_format, const struct symtab_choice *, struct error *);
void model_free (struct model *);

/* The stacks of a model that has some, by function, in the empty TREE (model/symbols/stacks.h).
   False: out of memory. */
bool model_stack_tree (const struct model *, struct contexts *tree);

/* The language with this index, from 0, of those of all runs, run after run; null: there are not
   so many. */
const struct bbx_language *model_language (const struct model *, size_t index);

/* The program's file: for demangling. */
static inline const struct image *
model_program (const struct model *m)
{
  return &m->objects.all[0].image;
}

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the sidecar of a profile, gmon.out.bbx (include/bbprof-file.h), chunk by chunk into plain
   structs. Everything up to the first damage is used.  Memory is allocated for what is really in
   the file. */
#ifndef BBPROF_BBX_READ_H
#define BBPROF_BBX_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/build_id.h"
#include "common/error.h"
#include "include/bbprof-file.h"
#include "model/files/bbx_ranks.h"
#include "model/files/bbx_stacks.h"
#include "model/files/edges.h"

enum bbx_state {
  BBX_NONE,    /* there is none */
  BBX_REFUSED, /* it cannot be used: not a sidecar, another version, of another run */
  BBX_TORN,    /* its end is missing or damaged */
  BBX_WHOLE,
};

/* A process; a sum of profiles has several. */
struct bbx_process {
  struct bbx_run fixed; /* as in the file */
  char *program;        /* null or its path */
};

struct bbx_run_object {
  struct bbx_object fixed; /* as in the file */
  struct build_id build_id;
  char *path;
  unsigned char *image; /* its ELF image, if it is in no file; or null */
  size_t image_bytes;
};

struct bbx_run_block {
  uint64_t address, line; /* as in struct bbx_block */
  char *function, *file;  /* file is in the same memory; "": unknown */
};

/* A word that selected functions. */
struct bbx_run_word {
  uint32_t flags; /* as in struct bbx_select */
  size_t nfunctions;
  uint64_t *functions; /* virtual addresses of their first blocks */
  char *name, *file;   /* file is in the same memory; "": any */
};

/* A unit, as in struct bbx_unit. */
struct bbx_run_unit {
  uint64_t counters, ncounters;
  struct bbx_unit_block *blocks; /* of historic tables */
  size_t nblocks;
  char *name;
};

struct bbx {
  char *name; /* of the file */
  enum bbx_state state;
  struct error why;              /* the damage, if the file is not whole */
  struct bbx_process *processes; /* none: the sidecar is torn before */
  size_t nprocesses, room_processes;
  struct bbx_run_object *objects;
  size_t nobjects, room_objects;
  struct edge *edges; /* as in the file */
  size_t nedges, room_edges;
  struct bbx_edge_list {
    struct edge *list; /* as in the file */
    size_t count, room;
  } open[BBX_OPEN_LISTS]; /* of all threads */
  /* Bit 1 << BBX_JUMPS_...: these were counted; most runs have one, or none. */
  unsigned jumps_variants;
  struct bbx_edge_list jumps[BBX_JUMPS_VARIANTS];
  struct bbx_run_word *words; /* in the user's order */
  size_t nwords, room_words;
  struct bbx_run_block *blocks;
  size_t nblocks, room_blocks;
  struct bbx_run_unit *units; /* the newest first */
  size_t nunits, room_units;
  bool has_losses;
  struct bbx_loss *losses; /* each cause is terminated */
  size_t nlosses;
  struct bbx_machine *machines; /* each text is terminated */
  size_t nmachines, room_machines;
  struct bbx_time time; /* zeros: unknown */
  struct bbx_stacks stacks;
  struct bbx_ranks ranks; /* none: no program of MPI */
};

/* Reads the sidecar of the file PROFILE, of run RUN and dump MOMENT (0: any).  Never fails: see
   state. */
void bbx_read (struct bbx *, const char *profile, uint64_t run, uint32_t moment);
void bbx_free (struct bbx *);

/* Does NAME end like a sidecar or a trace, files beside a profile that are not profiles? */
bool bbx_is_name (const char *name);

#endif

/* SPDX-License-Identifier: MIT */
/* The dump: gathers what has been counted, merges it and writes the profile.  Recovery uses this
   room as a library. */
#ifndef BBP_DUMP_H
#define BBP_DUMP_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/state.h"
#include "runtime/base/base.h"

#pragma GCC visibility push(hidden)

/* modules.c */
#define BBP_IS_EXTENDED(unit) \
  ((unit)->nwords >= (int64_t) sizeof (struct bb) && (unit)->magic == BBP_ABI_MAGIC)
/* All with the lock held. */
void bbp_unit_link (struct bb *); /* enters it in the list of all units, as the newest */
void bbp_unit_unlink (const struct bb *);
/* Enters the module that UNIT belongs to, without any unit; null: no memory. */
struct bbp_module *bbp_module_make (const struct bb *unit);
/* Removes it, and its units, from the lists. */
void bbp_module_unlink (struct bbp_module *);
void bbp_module_free (struct bbp_module *);     /* it is in no list, and nothing counts in it */
struct bbp_module *bbp_module_of (struct bb *); /* null: not entered yet */
/* Null: there is no further unit. */
struct bb *bbp_module_next_unit (const struct bbp_module *, const struct bb *);
static inline size_t
bbp_module_ncounts (const struct bbp_module *module)
{
  return module->counts_stop - module->counts_start;
}

/* Null: no unit of the object is registered. */
struct bbp_module *bbp_module_in (const struct bbp_object *);

/* counts.c: cold.  0 or -errno. */
int bbp_counts_make (struct bbp_counts *, size_t room);
void bbp_counts_free (struct bbp_counts *);
/* Unsorted; ignored if there is no room. */
void bbp_counts_append (struct bbp_counts *, uintptr_t from, uintptr_t self, uint64_t count);
/* Likewise; makes room; false: no memory. */
bool bbp_counts_put (struct bbp_counts *, uintptr_t from, uintptr_t self, uint64_t count);
void bbp_counts_unite (struct bbp_counts *); /* sorts, and adds up items with equal addresses */
/* LIST is sorted; 0: no such item. */
uint64_t bbp_counts_of (const struct bbp_counts *, uintptr_t from, uintptr_t self);
/* Items that become 0 are removed; null is an empty list. */
void bbp_counts_subtract (struct bbp_counts *, const struct bbp_counts *);
int bbp_counts_add (struct bbp_counts *, const struct bbp_counts *); /* null is an empty list */
/* Add to a permanent list; null is an empty one. */
int bbp_counts_keep (struct bbp_counts **, const struct bbp_counts *);
/* Free a permanent list, replacing it by INSTEAD. */
void bbp_counts_drop (struct bbp_counts **, struct bbp_counts *instead);
uint64_t bbp_counts_sum (const struct bbp_counts *);
/* The sum of calls of, or samples in, LOW to HIGH; a null list is empty. */
uint64_t bbp_counts_within (const struct bbp_counts *, uintptr_t low, uintptr_t high);

/* Facts about sampling since the last reset. */
struct bbp_sampling_facts {
  uint64_t taken;     /* ticks, including those left out or lost */
  uint64_t due;       /* ticks that the CPU clock and the rate imply; 0: not known */
  uint64_t missed;    /* ticks of threads that the sampler could not reach */
  uint64_t wall, cpu; /* nanoseconds while sampling was enabled */
};

/* Calls from the dump to higher rooms; all cold, lock held. */
struct bbp_dump_above {
  /* Pause the other threads (pause_threads.c); there are none in recovery. */
  void (*pause_begin) (void);
  bool (*pause_more) (void);
  bool (*pause_is_complete) (void);
  void (*totals_taken) (void); /* the totals are read; the threads still pause */
  void (*pause_end) (void);
  bool (*hides) (uintptr_t block); /* whether the user excludes the blocks of its function */
  void (*write_selection) (struct bbp_out *); /* write chunks about the selected functions */
  void (*describe_run) (struct bbx_run *);    /* fills in the current facts about the run */
  /* The machine of the run; false: not known. */
  bool (*describe_machine) (struct bbx_machine *);
  int (*rate) (void); /* of samples, ticks a second */
  void (*describe_sampling) (struct bbp_sampling_facts *);
  /* Describes thread NUMBER, from 1, ended or not; number 1 first updates the descriptions of all.
     False: there is no such thread. */
  bool (*describe_thread) (uint32_t number, struct bbx_thread *);
  void (*reset_samples) (void); /* samples taken so far are ignored from now on */
  /* Samples that wait for frames of a language are counted without. */
  void (*settle_samples) (void);
  uint64_t (*language_address) (uintptr_t key); /* of a language's frame, for the sidecar */
  void (*write_languages) (struct bbp_out *);   /* write chunks about languages */
  void (*write_rank) (struct bbp_out *);        /* writes a chunk, if this is a rank of MPI */
  void (*changed) (void);                       /* the meaning of the counts has changed */
  /* Memory at run-time addresses: N readable bytes of code, null: none; a slot that the loader has
     filled in. */
  const unsigned char *(*code_at) (uintptr_t address, size_t *n);
  const struct bbp_decoder *(*decoder) (void); /* of that code; null: this processor's */
  bool (*code_slot) (uintptr_t address, uintptr_t *content);
  /* From call frame information: the start of the code that contains ADDRESS, 0: not known;
     whether both are code of one function, or of one part of it. */
  uintptr_t (*function_begin) (uintptr_t address);
  bool (*is_one_function) (uintptr_t a, uintptr_t b);
};
extern const struct bbp_dump_above bbp_dump_above;

/* totals.c: cold, lock held */
/* Read the totals of one moment, and all arcs of it if ARCS is not null; 0 or -errno. */
int bbp_totals_take (struct bbp_counts *arcs);
void bbp_totals_drop (void);
/* The module's counts since the last reset: as read by take, or current ones; null: no memory. */
int64_t *bbp_totals_make (struct bbp_module *);
/* WEIGHT threads were at PC when the totals were read, and had not continued. */
struct bbp_in_flight {
  uintptr_t pc;
  int64_t weight;
};
size_t bbp_totals_in_flight (const struct bbp_in_flight **);
int bbp_totals_find_in_flight (void); /* finds the threads that are in flight now; 0 or -errno */
/* Forget threads in flight in the object; likewise. */
int bbp_totals_settle (const struct bbp_object *);
void bbp_totals_free (int64_t *, const struct bbp_module *);
/* The sum of the counters INDEX, N of them, since the last reset.  No thread pauses.  Each
   counter is read once, after those before it. */
uint64_t bbp_totals_sum (const struct bbp_module *, const uint32_t *index, size_t n);
/* The sum of all counters of all modules and threads, since they exist.  No thread pauses. */
uint64_t bbp_totals_sum_all (void);
int bbp_totals_reset (void); /* what was read is the baseline from now on; 0 or -errno */
/* From now on counts are ignored, or count again. */
void bbp_totals_stop (bool stop);
void bbp_totals_add_module (struct bbp_module *); /* a new one */

/* tree.c: the tree of calling contexts at one moment. */
struct bbp_tree_node;
struct bbp_tree {
  struct bbp_tree_node *node; /* number I is at I - 1 */
  size_t n;
};

/* Bounds of counts that are uncertain because it is not known where THREAD was killed
   (bbprof-file.h). */
struct bbp_open {
  const struct bbp_open *next;
  uint32_t thread;
  struct bbp_counts list[BBX_OPEN_LISTS]; /* virtual addresses */
};

/* gather.c, retire.c, flow_lists.c, merge_counts.c: cold, lock held.  0 or -errno. */
struct bbp_profile {
  struct bbp_counts arcs, samples; /* virtual addresses */
  struct bbp_tree tree;            /* the tree of the sampled stacks; empty: there are none */
  bool estimated;                  /* no calls were counted; the arcs are computed from the tree */
  struct bbp_counts jumps;         /* as counted, with flags */
  struct bbp_flow flow;
  const struct bbp_open *open;         /* recovery only, or null; not owned */
  uint64_t calls, executions, sampled; /* the total of each */
  uint64_t sum;                        /* the sum of these; it grows whenever anything is counted */
  uint64_t lost_unloaded, lost_nowhere; /* calls and samples in no known object */
};
/* Collects the counts that are not settled, by run-time addresses: all, or those in the object or
   of calls from it. */
int bbp_gather (struct bbp_counts *, enum bbp_kind, const struct bbp_object *);
/* All counts in the threads' tables, including settled ones. */
int bbp_gather_raw (struct bbp_counts *, enum bbp_kind, const struct bbp_object *);
void bbp_gather_finish (struct bbp_counts *, enum bbp_kind);
/* Adds to each of N ranges of run-time addresses the calls of it, or the samples in it, that are
   not settled.  Calls of functions with calls counted as arcs are not among them. */
struct bbp_range {
  uintptr_t low, high;
  uint64_t count;
};
/* The sum of all counters, calls and samples since the start. */
uint64_t bbp_gather_sum (void);
void bbp_gather_ranges (enum bbp_kind, struct bbp_range *, size_t n);
/* Calls EACH with both addresses of each arc, and with the address of each sample. */
void bbp_gather_addresses (void (*each) (void *data, uintptr_t address), void *data);
/* Appends, for each address, the number of interruptions minus the number of resumptions; FROM is
   0. */
int bbp_gather_interrupts (struct bbp_counts *);
/* Convert run-time to virtual addresses; unknown callers become 0.  Returns the sum of the counts
   that were dropped because they are in no object. */
uint64_t bbp_counts_resolve (struct bbp_counts *);
/* Settle, and retire if KNOWN: the counts are the object's own. */
void bbp_retire (const struct bbp_object *, bool known);
void bbp_blocks_retire (struct bbp_object *);
int bbp_blocks_merge (struct bbp_flow *, const struct bbp_counts *entries);
int bbp_blocks_reset (void);
void bbp_flow_free (struct bbp_flow *);

/* historic.c: units with tables in the historic layout.  Cold, lock held. */
struct bbp_block_name {        /* a block's description in its unit's tables */
  uintptr_t address;           /* virtual */
  const char *function, *file; /* "": not in the tables */
  uint64_t line;               /* 0: not in the tables */
};
/* The unit itself if it is historic, or the next such one on the list; or null. */
struct bb *bbp_historic_next (struct bb *);
#define FOR_EACH_HISTORIC(unit) \
  for (struct bb *unit = bbp_historic_next (__bb_head); unit; unit = bbp_historic_next (unit->next))
int bbp_historic_put (struct bbp_flow *); /* adds their blocks; 0 or -errno */
int bbp_historic_reset (void);            /* likewise */
void bbp_historic_retire (struct bb *);   /* the unit will be unmapped */
/* describes all blocks of the unit */
void bbp_historic_describe (const struct bb *, struct bbx_unit_block *);
const char *bbp_historic_function (const struct bb *, int64_t i); /* "": not in the tables */
const char *bbp_historic_file (const struct bb *, int64_t i);     /* likewise */
/* False: the tables do not name the block. */
bool bbp_historic_name (const struct bb *, int64_t i, struct bbp_block_name *);

/* The ticks add up to those that are due (struct bbp_sampling_facts), in which samples left out
   have their share; as they are if that is not known. */
void bbp_samples_scale (struct bbp_counts *);
int bbp_merge (struct bbp_profile *);
void bbp_merge_free (struct bbp_profile *);
int bbp_merge_reset (void);         /* counts so far are ignored from now on */
int bbp_merge_reset_samples (void); /* likewise, of samples only */

/* calls.c: cold, lock held.  ENTRIES: addresses of functions with calls counted as arcs; run-time
   addresses, unless stated otherwise. */
int bbp_calls_entries (struct bbp_counts *entries);
bool bbp_calls_direct (const struct bbp_counts *entries, uintptr_t point, bool tail,
                       uintptr_t *from, uintptr_t *self);
/* True if the direct call that returns to POINT leads to FUNCTION, also by stubs. */
bool bbp_calls_lead_to (uintptr_t point, uintptr_t function);
const struct bbp_decoder *bbp_decoder (void); /* of the program's code (decoder.h) */
/* Drop indirect calls of other functions. */
void bbp_calls_follow (struct bbp_counts *arcs, const struct bbp_counts *entries);
/* In virtual addresses. */
int bbp_calls_complete (struct bbp_counts *arcs, const struct bbp_counts *entries, uint64_t *lost);

/* As in bbprof-file.h. */
void bbp_gmon_write (struct bbp_out *, const struct bbp_profile *, uint64_t run, uint32_t moment);

/* edge_chunk.c: cold */
#define BBP_NUMBER_BYTES 10 /* of a 64-bit number, 7 bits a byte */
/* As unsigned LEB128; returns the address behind it. */
unsigned char *bbp_number_put (unsigned char *next, uint64_t value);
uint64_t bbp_number_fold (uint64_t value); /* zigzag: small if VALUE is near 0 on either side */
size_t bbp_edges_room (const struct bbp_counts *); /* maximum number of bytes for all edges */
/* returns the number of bytes */
size_t bbp_edges_encode (unsigned char *bytes, const struct bbp_counts *);

/* run_description.c, bbx_chunks.c, bbx.c, losses.c, write.c: cold, lock held */
enum { BBP_LOSSES = 20 };
uint64_t bbp_lost_calls (void);                            /* since the last reset */
uint32_t bbp_bbx_crc (uint32_t crc, const void *, size_t); /* the initial CRC is 0 */
struct bbp_part {
  const void *bytes;
  size_t n;
};
enum { BBP_PARTS = 3 };
/* The content is in several parts; the last ones may be empty. */
void bbp_bbx_chunk (struct bbp_out *, uint32_t type, const struct bbp_part *);
void bbp_bbx_header (struct bbp_out *);
uint32_t bbp_bbx_run (struct bbp_out *); /* returns the moment of the dump, for gmon.out */
void bbp_bbx_machine (struct bbp_out *); /* nothing, if it is not known */
void bbp_bbx_object (struct bbp_out *, const struct bbp_object *, uint32_t flags);
void bbp_bbx_time (struct bbp_out *); /* nothing, if it is not known */
/* tree_write.c: writes all chunks about stacks. */
void bbp_tree_write (struct bbp_out *, const struct bbp_profile *);
/* VARIANT: BBX_JUMPS_...; 0 or -errno. */
int bbp_jumps_make (struct bbp_counts *, const struct bbp_profile *, uint32_t variant);
/* Returns the moment of the dump, for gmon.out. */
uint32_t bbp_bbx_write (struct bbp_out *, const struct bbp_profile *);
void bbp_losses_gather (struct bbx_loss *, const struct bbp_profile *);
void bbp_losses_report (const char *subject); /* on stderr, if the user needs to know */
void bbp_losses_reset (void);
/* writes PATH and PATH.bbx; 0 or -errno */
int bbp_write (const char *path, const struct bbp_profile *);

/* collector.c: facts about the samples.  In the live file if there is one. */
struct bbp_collected {
  struct bbx_sampling how; /* what is known before the dump */
  /* Since the last reset.  Writers: the handlers, atomically. */
  uint64_t samples, cut; /* as in HOW */
  uint64_t lost_memory;  /* stacks cut for lack of memory */
  uint64_t lost_busy;    /* ticks that arrived while another sample was taken */
  uint64_t lost_thread;  /* samples without stack, of threads that are not entered */
};
extern struct bbp_collected *bbp_collected; /* null: no stacks are sampled */

/* context_nodes.c: the tree of calling contexts.  A node is a frame, its parent the frame that
   called it.  Handlers add nodes, lock-free; a node keeps its number, which is greater than its
   parent's. */
struct bbp_context {
  uintptr_t address;
  uint32_t mark; /* frame kind + 1; 0: under construction; atomic */
  uint32_t mapping;
  uint32_t parent; /* 0: none */
  uint32_t unused;
  uint64_t ticks;   /* ticks with a stack that ends here; writers: the handlers, atomically */
  uint64_t settled; /* those before the last reset, or of the parent process; lock */
};
extern struct bbp_segments bbp_contexts;

/* tree.c, tree_arcs.c and tree_write.c: the tree at one moment.  Cold, lock held. */
struct bbp_tree_node {
  uintptr_t address; /* as in the chunk CTX */
  uint32_t kind, parent;
  uint32_t by_pointer;   /* BBX_FRAME_BY_POINTER, or 0 */
  uint64_t ticks, below; /* ticks with a stack that ends in it; the same, or in a descendant */
  uintptr_t self;        /* virtual address of its function, or in it; 0: not known */
  uintptr_t from;        /* virtual address of the call that led there, as in arcs */
};
int bbp_tree_take (struct bbp_tree *); /* since the last reset; 0 or -errno */
void bbp_tree_free (struct bbp_tree *);
void bbp_tree_reset (void);
/* 0 or -errno; arcs in virtual addresses, sorted and united. */
int bbp_tree_arcs (struct bbp_counts *, const struct bbp_tree *);

#pragma GCC visibility pop

#endif

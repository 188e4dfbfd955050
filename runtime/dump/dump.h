/* SPDX-License-Identifier: MIT */
/* The profile: what has been counted is gathered, put together and written.  Recovery uses this
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

/* module.c */
extern BBP_PUBLIC struct bb *__bb_head;
#define BBP_IS_EXTENDED(unit) \
  ((unit)->nwords >= (long) sizeof (struct bb) && (unit)->magic == BBP_ABI_MAGIC)
struct bbp_module *bbp_module_of (struct bb *); /* lock held; null: none yet */
/* Lock held; null: that was the last. */
struct bb *bbp_module_next_unit (const struct bbp_module *, const struct bb *);
static inline size_t
bbp_module_ncounts (const struct bbp_module *module)
{
  return module->counts_stop - module->counts_start;
}

/* Lock held; null: none of its units is registered. */
struct bbp_module *bbp_module_in (const struct bbp_object *);

/* counts.c: cold.  0 or -errno. */
int bbp_counts_make (struct bbp_counts *, size_t room);
void bbp_counts_free (struct bbp_counts *);
/* unsorted; if there is room. */
void bbp_counts_append (struct bbp_counts *, uintptr_t from, uintptr_t self, uint64_t count);
/* The same; makes room; false: none. */
bool bbp_counts_put (struct bbp_counts *, uintptr_t from, uintptr_t self, uint64_t count);
void bbp_counts_unite (struct bbp_counts *); /* sorts, adds up equal ones */
/* sorted; 0: none. */
uint64_t bbp_counts_of (const struct bbp_counts *, uintptr_t from, uintptr_t self);
/* Leaves out what becomes 0; null: nothing. */
void bbp_counts_subtract (struct bbp_counts *, const struct bbp_counts *);
int bbp_counts_add (struct bbp_counts *, const struct bbp_counts *); /* null: nothing */
/* Add to a list that lasts; null: empty. */
int bbp_counts_keep (struct bbp_counts **, const struct bbp_counts *);
/* Free a list that lasts. */
void bbp_counts_drop (struct bbp_counts **, struct bbp_counts *instead);
uint64_t bbp_counts_sum (const struct bbp_counts *);

/* What is known of the sampling of time, since the last reset. */
struct bbp_sampling_facts {
  uint64_t taken;     /* ticks, those left out and lost included */
  uint64_t due;       /* by the CPU clock and the rate; 0: not known */
  uint64_t missed;    /* of threads that the sampler could not reach */
  uint64_t wall, cpu; /* nanoseconds while enabled */
};

/* What the dump asks of those above it, or tells them; all cold, lock held. */
struct bbp_dump_above {
  /* The other threads wait (pause_threads.c); in recovery there are none. */
  void (*pause_begin) (void);
  bool (*pause_more) (void);
  bool (*pause_is_complete) (void);
  void (*totals_taken) (void); /* and they still do */
  void (*pause_end) (void);
  bool (*hides) (uintptr_t block);            /* the user does not want its function's blocks */
  void (*write_selection) (struct bbp_out *); /* chunks on the functions that the user selects */
  void (*describe_run) (struct bbx_run *);    /* at this moment */
  int (*rate) (void);                         /* of samples: ticks a second */
  void (*describe_sampling) (struct bbp_sampling_facts *);
  /* The thread NUMBER, from 1, ended or not; with number 1 all are written down anew before;
     false: there was none so far. */
  bool (*describe_thread) (uint32_t number, struct bbx_thread *);
  void (*reset_samples) (void); /* what has been sampled so far counts no more */
  void (*changed) (void);       /* what the counts mean */
  /* What lies, or lay, at run-time addresses: N bytes of code; null: none that can be read.  A
     slot that the loader has filled in. */
  const unsigned char *(*code_at) (uintptr_t address, size_t *n);
  bool (*code_slot) (uintptr_t address, uintptr_t *content);
  /* By the tables for unwinding: where the code begins that holds ADDRESS, 0: not known; whether
     both are code of one function, or of one part of it. */
  uintptr_t (*function_begin) (uintptr_t address);
  bool (*is_one_function) (uintptr_t a, uintptr_t b);
};
extern const struct bbp_dump_above bbp_dump_above;

/* totals.c: cold, lock held */
/* At one moment, and all arcs if ARCS is not null; 0 or -errno. */
int bbp_totals_take (struct bbp_counts *arcs);
void bbp_totals_drop (void);
/* Of what was taken, or now; since the last reset; null: no memory. */
long *bbp_totals_make (struct bbp_module *);
/* Control was at PC, and had not gone on from there, WEIGHT times, when the totals were taken. */
struct bbp_in_flight {
  uintptr_t pc;
  long weight;
};
size_t bbp_totals_in_flight (const struct bbp_in_flight **);
int bbp_totals_look (void); /* who is in flight now; 0 or -errno */
/* Who was in flight in it then is so no more; the same. */
int bbp_totals_settle (const struct bbp_object *);
void bbp_totals_free (long *, const struct bbp_module *);
int bbp_totals_reset (void); /* what was taken is the baseline from now on; 0 or -errno */
/* What is counted from here on counts for nothing, or does again. */
void bbp_totals_stop (bool stop);
void bbp_totals_add_module (struct bbp_module *); /* a new one */

/* What the tree of calling contexts is at one moment: tree.c. */
struct bbp_tree_node;
struct bbp_tree {
  struct bbp_tree_node *node; /* number i at i - 1 */
  size_t n;
};

/* How many more, or fewer, there may have been because it is not known where a THREAD was killed
   (bbprof-file.h). */
struct bbp_open {
  const struct bbp_open *next;
  uint32_t thread;
  struct bbp_counts list[BBX_OPEN_LISTS]; /* virtual addresses */
};

/* gather.c, retire.c, flow_lists.c, merge_counts.c: cold, lock held.  0 or -errno. */
struct bbp_profile {
  struct bbp_counts arcs, samples; /* virtual addresses */
  struct bbp_tree tree;            /* of the stacks that were sampled; empty if none were */
  bool estimated;                  /* nothing counted calls: the arcs follow from the tree */
  struct bbp_counts jumps;         /* as counted: with marks */
  struct bbp_flow flow;
  const struct bbp_open *open;          /* recovery only, or null; borrowed */
  uint64_t calls, executions, sampled;  /* how many of each in all */
  uint64_t sum;                         /* of these: grows whenever anything was counted */
  uint64_t lost_unloaded, lost_nowhere; /* calls and samples in no known object */
};
/* What was counted and is not settled, by run-time addresses: all, or what is in, or called
   from, one object. */
int bbp_gather (struct bbp_counts *, enum bbp_kind, const struct bbp_object *);
/* All that ever was, as it lies there. */
int bbp_gather_raw (struct bbp_counts *, enum bbp_kind, const struct bbp_object *);
void bbp_gather_finish (struct bbp_counts *, enum bbp_kind);
/* All addresses of what was gathered: of both ends of arcs, and of samples. */
void bbp_gather_addresses (void (*each) (void *data, uintptr_t address), void *data);
/* Append how often more each place was interrupted than resumed: from 0. */
int bbp_gather_interrupts (struct bbp_counts *);
/* From run-time to virtual addresses; unknown callers become 0.  Returns how much was left out,
   being in no object. */
uint64_t bbp_counts_resolve (struct bbp_counts *);
/* settle, and keep unless it is not known whose counts they are. */
void bbp_retire (const struct bbp_object *, bool known);
void bbp_blocks_retire (struct bbp_object *);
int bbp_blocks_merge (struct bbp_flow *, const struct bbp_counts *entries);
int bbp_blocks_reset (void);
void bbp_flow_free (struct bbp_flow *);

/* historic.c: units with tables of the historic layout.  Cold, lock held. */
struct bbp_block_name {        /* what a unit's own tables say of a block */
  uintptr_t address;           /* virtual */
  const char *function, *file; /* "": they do not say */
  uint64_t line;               /* 0: they do not say */
};
/* The unit itself, if it is such a one, or the next on the list; or null. */
struct bb *bbp_historic_next (struct bb *);
#define FOR_EACH_HISTORIC(unit) \
  for (struct bb *unit = bbp_historic_next (__bb_head); unit; unit = bbp_historic_next (unit->next))
int bbp_historic_put (struct bbp_flow *); /* their blocks; 0 or -errno */
int bbp_historic_reset (void);            /* the same */
void bbp_historic_retire (struct bb *);   /* it is unmapped soon */
void bbp_historic_describe (const struct bb *, struct bbx_unit_block *); /* all its blocks */
const char *bbp_historic_function (const struct bb *, long i); /* name; "": they do not say */
const char *bbp_historic_file (const struct bb *, long i);     /* the same */
/* false: they say nothing. */
bool bbp_historic_name (const struct bb *, long i, struct bbp_block_name *);

int bbp_merge (struct bbp_profile *);
void bbp_merge_free (struct bbp_profile *);
int bbp_merge_reset (void);         /* what has been counted so far counts no more */
int bbp_merge_reset_samples (void); /* the same of samples alone */

/* calls.c: cold, lock held.  ENTRIES: where functions begin whose calls are arcs, run-time
   addresses, but as said. */
int bbp_calls_entries (struct bbp_counts *entries);
bool bbp_calls_direct (const struct bbp_counts *entries, uintptr_t point, bool tail,
                       uintptr_t *from, uintptr_t *self);
/* Those of indirect calls. */
void bbp_calls_follow (struct bbp_counts *arcs, const struct bbp_counts *entries);
/* Virtual addresses. */
int bbp_calls_complete (struct bbp_counts *arcs, const struct bbp_counts *entries, uint64_t *lost);

/* As in bbprof-file.h. */
void bbp_gmon_write (struct bbp_out *, const struct bbp_profile *, uint64_t run, uint32_t moment);

/* edge_chunk.c: cold */
#define BBP_NUMBER_BYTES 10 /* of 64 bits, 7 at a time */
/* Unsigned LEB128; behind it. */
unsigned char *bbp_number_put (unsigned char *next, uint64_t value);
uint64_t bbp_number_fold (uint64_t value); /* small if VALUE is close to 0 from either side */
size_t bbp_edges_room (const struct bbp_counts *); /* most bytes that they need */
size_t bbp_edges_encode (unsigned char *bytes, const struct bbp_counts *); /* how many they are */

/* run.c, bbx.c, losses.c, write.c: cold, lock held */
enum { BBP_LOSSES = 20 };
uint64_t bbp_lost_calls (void);                            /* since the last reset */
uint32_t bbp_bbx_crc (uint32_t crc, const void *, size_t); /* begins with 0 */
struct bbp_part {
  const void *bytes;
  size_t n;
};
enum { BBP_PARTS = 3 };
/* Content in so many parts; those at the end may be empty. */
void bbp_bbx_chunk (struct bbp_out *, uint32_t type, const struct bbp_part *);
/* All chunks about stacks; tree_write.c. */
void bbp_tree_write (struct bbp_out *, const struct bbp_profile *);
/* BBX_JUMPS_...; 0 or -errno. */
int bbp_jumps_make (struct bbp_counts *, const struct bbp_profile *, uint32_t variant);
/* The moment, for gmon.out. */
uint32_t bbp_bbx_write (struct bbp_out *, const struct bbp_profile *);
void bbp_losses_gather (struct bbx_loss *, const struct bbp_profile *);
void bbp_losses_say (const char *subject); /* on stderr, if the user has to know */
void bbp_losses_reset (void);
int bbp_write (const char *path, const struct bbp_profile *); /* PATH and PATH.bbx; 0 or -errno */

/* collector.c: what samples are, besides what they hold.  In the live file if there is one. */
struct bbp_collected {
  struct bbx_sampling how; /* what is known of it before the dump */
  /* Writers: the handlers, atomically.  Since the last reset. */
  uint64_t samples, cut; /* as in HOW */
  uint64_t lost_memory;  /* stacks of which the innermost frames found no memory */
  uint64_t lost_busy;    /* ticks that came while another one was collected */
  uint64_t lost_thread;  /* samples without stack, of threads that nobody has told of */
};
extern struct bbp_collected *bbp_collected; /* null: no stacks are collected */

/* context_nodes.c: the tree of calling contexts: a node is a frame, its parent the frame that has
   called it.  Nodes are added by handlers, without locks, and stay for ever at the same number:
   a parent has a smaller one than its children. */
struct bbp_context {
  uintptr_t address;
  uint32_t mark; /* its kind + 1; 0: it is being made; atomic */
  uint32_t mapping;
  uint32_t parent; /* 0: none */
  uint32_t unused;
  uint64_t ticks;   /* that ended here; writers: the handlers, atomically */
  uint64_t settled; /* of these: before the last reset, or in the parent process; lock */
};
extern struct bbp_segments bbp_contexts;

/* tree.c, tree_arcs.c (and tree_write.c): what the tree says at one moment.  Cold, lock held. */
struct bbp_tree_node {
  uintptr_t address; /* as in CTX */
  uint32_t kind, parent;
  uint64_t ticks, below; /* that ended in it; the same, or in its descendants */
  uintptr_t self; /* virtual address of its function, or in it; 0: it is none that is known */
  uintptr_t from; /* and of the call that has led there, as in arcs */
};
int bbp_tree_take (struct bbp_tree *); /* since the last reset; 0 or -errno */
void bbp_tree_free (struct bbp_tree *);
void bbp_tree_reset (void);
/* 0 or -errno; arcs in virtual addresses, united. */
int bbp_tree_arcs (struct bbp_counts *, const struct bbp_tree *);

#pragma GCC visibility pop

#endif

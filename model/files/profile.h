/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sum of all profiles, in addresses; nothing here knows a symbol.  gmon_read.c fills it in,
   all other code only reads it.  Its size depends on the number of different things in the files,
   not of files. */
#ifndef BBPROF_PROFILE_H
#define BBPROF_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

/* A counter of a histogram that is not zero. */
struct bin {
  uint32_t index;
  uint64_t count;
};

/* The samples of a range of code. */
struct histogram {
  uint64_t low, high; /* addresses, high exclusive */
  uint32_t nbins;     /* as in the file; each covers profile.scale units of two bytes */
  struct bin *bins;   /* the non-zero ones, by index */
  size_t nfilled;
};

/* Calls from one call site to one function. */
struct call {
  uint64_t from; /* address in the caller */
  uint64_t self; /* address in the callee */
  uint64_t count;
  uint64_t first; /* order of first appearance, which reports keep */
};

/* Executions of a basic block. */
struct execution {
  uint64_t address;
  uint64_t count;
  uint64_t first; /* as of calls */
};

struct profile {
  struct histogram *histograms; /* in the order of the files; without overlap */
  size_t nhistograms;
  /* The units of all histograms, from the first record. */
  uint32_t rate;      /* samples per unit of the dimension */
  char dimension[16]; /* "seconds" */
  char letter;        /* 's' */
  double scale;       /* of one bin, in units of two bytes */

  struct call *calls; /* after profile_finish: by (from, self), each pair once */
  size_t ncalls;
  struct execution *executions; /* after profile_finish: by address, each once */
  size_t nexecutions;
  bool has_calls; /* a record of this kind was found, even if empty */
  bool has_executions;
  /* Callers are the return addresses.  libc rounds them down, often to the beginning of the
     function, and gprof -s writes that beginning. */
  bool exact_callers;

  /* Private to profile.c. */
  size_t *by_low, room_by_low; /* the histograms by address */
  size_t room_histograms, room_calls, room_executions;
  size_t sorted_calls, sorted_executions; /* the number that are sorted and unique */
  uint64_t calls_seen, executions_seen;
};

void profile_free (struct profile *);

/* Adds a histogram record.  Takes over BINS (NFILLED non-zero counters by index) and frees it,
   also on errors. False: it does not match earlier ones, see ERR. */
struct histogram_record {
  uint64_t low, high;
  uint32_t nbins, rate;
  char dimension[16];
  char letter;
};
bool profile_add_histogram (struct profile *, const struct histogram_record *, struct bin *bins,
                            size_t nfilled, struct error *err);

/* Add calls, executions.  False: out of memory. */
bool profile_add_call (struct profile *, uint64_t from, uint64_t self, uint64_t count);
bool profile_add_execution (struct profile *, uint64_t address, uint64_t count);

/* Can OTHER be added?  Not if its histograms do not match earlier ones, or have another rate. */
bool profile_fits (const struct profile *, const struct profile *other, struct error *err);
/* Adds it, and takes over its histograms.  False: out of memory. */
bool profile_add_profile (struct profile *, struct profile *other);

/* After the last file: sorts everything, and unites equal items. */
bool profile_finish (struct profile *);

/* Call after changing addresses: nothing is sorted, but each item is still there once.  Then call
   profile_finish. */
void profile_disorder (struct profile *);

#endif

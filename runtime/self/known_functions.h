/* SPDX-License-Identifier: MIT */
/* The functions that the program asks about. */
#ifndef BBP_KNOWN_FUNCTIONS_H
#define BBP_KNOWN_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bbp_object;
struct bbp_module;

#pragma GCC visibility push(hidden)

/* An object keeps its virtual addresses, and its counters their order, wherever it is loaded; so
   this stays valid when the object is unloaded, and loaded again.  Lock, like all fields. */
struct bbp_known_function {
  const struct bbp_object *object;
  uintptr_t start, end; /* virtual addresses; equal: the end is not known */
  const char *name;     /* permanent; "": not known */
  bool is_mapped;       /* it is in its module's map, and its entries are counted */
  bool counts_arcs;     /* its calls are its entries */
  bool calls_hook;      /* it counts its calls by mcount, or __fentry__ */
  uintptr_t entry;      /* virtual; in the map; 0: it is not there */
  uintptr_t first_block;
  /* Its entries: the sum of the first NPLUS of these counters of its module, less the other
     NMINUS. */
  const uint32_t *counters;
  size_t nplus, nminus;
  uint64_t rebased; /* bbp.rebased, when IN_FLIGHT was found */
  long in_flight;   /* entries that no counter has counted, as of the baseline */
  uint64_t told;    /* entries, as last read; since then they have not decreased */
};

/* Null: there is no such number. */
struct bbp_known_function *bbp_known_function (int number);
/* Finds IN_FLIGHT again, where it can differ from 0.  Cold, lock held. */
void bbp_known_function_rebase (struct bbp_known_function *, const struct bbp_module *);

#pragma GCC visibility pop

#endif

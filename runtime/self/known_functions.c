/* SPDX-License-Identifier: MIT */
/* bbprof_function_find and bbprof_function_at: functions are found once, by their names or
   addresses, and then known by a number.  Context: cold, the program's. */
#include <errno.h>

#include "arch.h"
#include "include/bbprof.h"
#include "runtime/base/base.h"
#include "runtime/dump/dump.h"
#include "runtime/dump/flow.h"
#include "runtime/objects/objects.h"
#include "runtime/self/known_functions.h"
#include "runtime/self/loaded_symbols.h"
#include "runtime/unwind/unwind.h"

BBP_PUBLIC int bbprof_function_find (const char *name);
BBP_PUBLIC int bbprof_function_at (const void *address);

extern void mcount (void);
extern void __fentry__ (void);

/* Lock. */
static struct {
  struct bbp_known_function *item;
  size_t n, room;
} known;

struct bbp_known_function *
bbp_known_function (int number)
{
  return number > 0 && (size_t) number <= known.n ? &known.item[number - 1] : NULL;
}

/* Memory that is never freed; null: none. */
static void *
keep (const void *bytes, size_t n)
{
  static char *next;
  static size_t left;
  n = (n + sizeof (void *) - 1) & -sizeof (void *);
  if (n > left)
    {
      left = bbp_whole_pages (n);
      next = bbp_pages_map (left);
      left = next ? left : 0;
    }
  if (n > left)
    return NULL;
  char *kept = next;
  next += n;
  left -= n;
  bbp_copy_bytes (kept, bytes, n);
  return kept;
}

/* The number of the function of OBJECT that begins at the virtual address; 0: it is not known. */
static int
number_of (const struct bbp_object *object, uintptr_t start)
{
  for (size_t i = 0; i < known.n; i++)
    if (known.item[i].object == object && known.item[i].start == start)
      return (int) i + 1;
  return 0;
}

static bool
make_room (void)
{
  enum { FIRST = 32 };
  size_t room = known.room ? 2 * known.room : FIRST;
  if (known.n < known.room)
    return true;
  struct bbp_known_function *item = bbp_pages_map (room * sizeof *item);
  if (!item)
    return false;
  bbp_copy_bytes (item, known.item, known.n * sizeof *item);
  bbp_pages_unmap (known.item, known.room * sizeof *item);
  known.item = item;
  known.room = room;
  return true;
}

static uintptr_t
run_time (const struct bbp_object *object, uintptr_t virtual)
{
  return virtual - object->base + object->bias;
}

/* Its record in the map of MODULE; null: none. */
static const struct bbp_map_function *
record_of (const struct bbp_known_function *f, const struct bbp_module *module)
{
  uintptr_t start = run_time (f->object, f->start), bytes = f->end - f->start;
  const struct bbp_map_function *record = NULL;
  while ((record = bbp_map_next (module, record)))
    if (bbp_map_entry (module, record) - start < (bytes ? bytes : 1))
      break;
  return record;
}

/* Keeps the counters of GRAPH by SIGNS: those that add first.  False: no memory. */
static bool
keep_counters (struct bbp_known_function *f, const struct bbp_module *module,
               const struct bbp_graph *graph, const signed char *signs)
{
  uint32_t first = (uint32_t) (graph->counters - module->counts_start);
  size_t bytes = graph->ncounters * sizeof (uint32_t);
  uint32_t *list = bbp_pages_map (bytes + 1);
  size_t n = 0;
  if (!list)
    return false;
  for (uint32_t i = 0; i < graph->ncounters; i++)
    if (signs[i] > 0)
      list[n++] = first + i;
  f->nplus = n;
  for (uint32_t i = 0; i < graph->ncounters; i++)
    if (signs[i] < 0)
      list[n++] = first + i;
  f->nminus = n - f->nplus;
  f->counters = keep (list, n * sizeof *list);
  bbp_pages_unmap (list, bytes + 1);
  return f->counters;
}

/* Reads RECORD, with the threads that were in flight at the baseline.  USE gets the signs; its
   result is returned; false: the function's entries are not counted. */
static bool
read_record (struct bbp_known_function *f, const struct bbp_module *module,
             const struct bbp_map_function *record,
             bool (*use) (struct bbp_known_function *, const struct bbp_module *,
                          const struct bbp_graph *, const signed char *signs))
{
  struct bbp_graph graph;
  const struct bbp_in_flight *in_flight;
  if (bbp_graph_make (&graph, module))
    return false;
  bool good = bbp_graph_read (&graph, module, record);
  for (size_t n = good ? bbp_totals_in_flight (&in_flight) : 0; n--;)
    bbp_flow_interrupt (&graph, in_flight[n]);
  signed char *signs = good ? bbp_pages_map (graph.ncounters + 1) : NULL;
  good = signs && bbp_flow_entry_signs (&graph, signs, &f->in_flight)
         && use (f, module, &graph, signs);
  f->rebased = bbp.rebased;
  bbp_pages_unmap (signs, graph.ncounters + 1);
  bbp_graph_free (&graph);
  return good;
}

static bool
use_record (struct bbp_known_function *f, const struct bbp_module *module,
            const struct bbp_graph *graph, const signed char *signs)
{
  f->entry = bbp_object_virtual (f->object, graph->entry);
  f->first_block = bbp_object_virtual (f->object, graph->blocks->address);
  f->counts_arcs = graph->flags & BBP_FUNCTION_ARCS;
  return keep_counters (f, module, graph, signs);
}

static bool
use_nothing (struct bbp_known_function *f, const struct bbp_module *module,
             const struct bbp_graph *graph, const signed char *signs)
{
  (void) f, (void) module, (void) graph, (void) signs;
  return true;
}

void
bbp_known_function_rebase (struct bbp_known_function *f, const struct bbp_module *module)
{
  const struct bbp_map_function *record
      = bbp.in_flight_before || bbp.in_flight_at_stop ? record_of (f, module) : NULL;
  f->told = 0;
  f->in_flight = 0;
  f->rebased = bbp.rebased;
  if (record)
    read_record (f, module, record, use_nothing);
}

/* True if the code at START calls a hook that counts its calls; behind its prologue, if it has
   one. */
static bool
calls_hook (uintptr_t start, uintptr_t end)
{
  enum { PROLOGUE = 128 };
  size_t n;
  if (!bbp_code_at (start, &n))
    return false;
  n = end - start < n ? end - start : n;
  for (uintptr_t point = start + 5; point <= start + n && point < start + PROLOGUE; point++)
    if (bbp_calls_lead_to (point, (uintptr_t) mcount)
        || bbp_calls_lead_to (point, (uintptr_t) __fentry__))
      return true;
  return false;
}

/* Finds out how the function is counted. */
static void
learn (struct bbp_known_function *f)
{
  const struct bbp_module *module = bbp_module_in (f->object);
  const struct bbp_map_function *record = module ? record_of (f, module) : NULL;
  f->is_mapped = record && read_record (f, module, record, use_record);
  f->calls_hook = !f->counts_arcs
                  && calls_hook (run_time (f->object, f->start), run_time (f->object, f->end));
}

/* SYMBOL has link-time addresses.  Lock held. */
static int
enter (const struct bbp_object *object, struct bbp_symbol *symbol)
{
  uintptr_t low, high, start = symbol->start + object->base;
  int number = number_of (object, start);
  if (number)
    return number;
  if (symbol->start == symbol->end && bbp_extent_of (symbol->start + object->bias, &low, &high))
    symbol->end = high - object->bias;
  const char *name = make_room () ? keep (symbol->name, bbp_string_bytes (symbol->name)) : NULL;
  if (!name)
    return -ENOMEM;
  struct bbp_known_function *f = &known.item[known.n++];
  *f = (struct bbp_known_function) {
    .object = object, .start = start, .end = symbol->end + object->base, .name = name
  };
  learn (f);
  return (int) known.n;
}

static int
enter_locked (const struct bbp_object *object, struct bbp_symbol *symbol)
{
  bbp_sigset old = bbp_lock ();
  int number = object->presence == BBP_LOADED ? enter (object, symbol) : -ENOENT;
  bbp_unlock (old);
  return number;
}

/* Its missing symbols are worth an error: it may have counted functions. */
static bool
is_counted (const struct bbp_object *object)
{
  bbp_sigset old = bbp_lock ();
  bool counted = object == bbp_object_executable () || bbp_module_in (object);
  bbp_unlock (old);
  return counted;
}

/* The executable is searched first, then libraries in the order in which they were loaded.  The
   list of objects only grows, so no lock is needed. */
int
bbprof_function_find (const char *name)
{
  struct bbp_symbol symbol;
  int result = -ENOENT;
  if (!bbp.started)
    return -EINVAL;
  bbp_objects_refresh (false);
  for (const struct bbp_object *object = bbp_object_executable (); object; object = object->next)
    {
      int error = object->presence == BBP_LOADED ? bbp_symbol_find (object, name, &symbol)
                                                 : -ENOENT;
      if (error == 0)
        return enter_locked (object, &symbol);
      if (error == -ENOTUNIQ)
        return error;
      if (error == -ENODATA && is_counted (object))
        result = error;
    }
  return result;
}

/* From call frame information, where there is no symbol.  Lock held. */
static int
enter_extent (const struct bbp_object *object, uintptr_t address)
{
  struct bbp_symbol symbol = { 0 };
  uintptr_t start, end;
  if (!bbp_extent_of (address, &start, &end))
    return -ENOENT;
  symbol.start = start - object->bias;
  symbol.end = end - object->bias;
  return enter (object, &symbol);
}

int
bbprof_function_at (const void *address)
{
  struct bbp_symbol symbol;
  if (!bbp.started)
    return -EINVAL;
  bbp_objects_refresh (false);
  bbp_sigset old = bbp_lock ();
  const struct bbp_object *object = bbp_object_at ((uintptr_t) address);
  bbp_unlock (old);
  if (!object)
    return -ENOENT;
  if (bbp_symbol_at (object, (uintptr_t) address - object->bias, &symbol) == 0)
    return enter_locked (object, &symbol);
  old = bbp_lock ();
  int number = enter_extent (object, (uintptr_t) address);
  bbp_unlock (old);
  return number;
}

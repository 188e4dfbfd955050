/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile of the Firefox Profiler, "processed", version 49: for each thread tables as columns,
   numbered from 0.  Samples are sums, so their times are only their order: a thread's samples
   follow each other, and each ends as much later as its weight says. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "common/array.h"
#include "tools/export/export_emit.h"
#include "tools/view/json.h"
#include "tools/page/web_names.h"

enum { FORMAT_VERSION = 49, GECKO_VERSION = 29 };

#define NONE UINT32_MAX

/* Indexes of the page's categories. */
enum category { PROGRAM, LIBRARY, KERNEL, OTHER };

struct stack {
  uint32_t prefix; /* index of its caller's, or NONE */
  uint32_t frame;
};

struct frame {
  uint32_t place; /* of the frames' list, or NONE: unknown code */
  uint32_t line;  /* index in the frames' list of lines */
  enum category category;
};

struct firefox {
  FILE *out;
  const struct export_view *view;
  uint32_t *libraries; /* of each object: its number, or NONE */
  /* Of the current thread; the two maps are all NONE between threads. */
  uint32_t *stack_of; /* of each node of the tree: its innermost stack */
  uint32_t *frame_of; /* of each line of the frames' list; of unknown code: the last one */
  uint32_t *function_of;
  struct stack *stacks;
  struct frame *frames;
  uint32_t *functions;
  size_t nstacks, room_stacks, nframes, room_frames, nfunctions, room_functions;
  struct web_names names;
  bool ok; /* false: out of memory */
};

/* The head. */

/* The id of breakpad: that of a build as a GUID, whose first fields are little-endian, and an age
   of 0. */
static void
put_breakpad_id (FILE *out, const struct build_id *id)
{
  static const unsigned char order[] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 };
  fputc ('"', out);
  for (size_t i = 0; i < sizeof order; i++)
    fprintf (out, "%02X", order[i] < id->size ? id->bytes[order[i]] : 0);
  fputs ("0\"", out);
}

static void
put_library (struct firefox *f, size_t object)
{
  const struct object *o = &f->view->model->objects.all[object];
  struct utsname machine = { 0 };
  uname (&machine);
  fputs ("{\"arch\":", f->out);
  json_string (f->out, machine.machine);
  fputs (",\"name\":", f->out);
  json_string (f->out, object_name (o));
  fputs (",\"path\":", f->out);
  json_string (f->out, o->path);
  fputs (",\"debugName\":", f->out);
  json_string (f->out, object_name (o));
  fputs (",\"debugPath\":", f->out);
  json_string (f->out, o->path);
  fputs (",\"breakpadId\":", f->out);
  put_breakpad_id (f->out, &o->build_id);
  fprintf (f->out, ",\"codeId\":\"%s\"}", f->view->build_ids[object]);
}

static void
put_libraries (struct firefox *f)
{
  const struct objects *all = &f->view->model->objects;
  uint32_t n = 0;
  fputs ("\"libs\":[", f->out);
  for (size_t i = 0; i < all->count; i++)
    {
      f->libraries[i] = NONE;
      if (!all->all[i].has_data)
        continue;
      fputs (n ? ",\n" : "\n", f->out);
      put_library (f, i);
      f->libraries[i] = n++;
    }
  fputs ("],\n", f->out);
}

static void
put_head (struct firefox *f)
{
  const struct export_view *v = f->view;
  fputs ("{\"meta\":{\"product\":", f->out);
  json_string (f->out, object_name (&v->model->objects.all[0]));
  fprintf (f->out,
           ",\"interval\":%.6f,\"startTime\":%.3f,\"processType\":0,\"stackwalk\":1,"
           "\"version\":%d,\"preprocessedProfileVersion\":%d,\"symbolicated\":true,",
           v->tick > 0 ? v->tick / 1e6 : 1, (double) v->summary.started / 1e6, GECKO_VERSION,
           FORMAT_VERSION);
  fputs ("\"importedFrom\":\"" PACKAGE_STRING "\",\"usesOnlyOneStackType\":true,"
         "\"doesNotUseFrameImplementation\":true,\"sourceCodeIsNotOnSearchfox\":true,"
         "\"keepProfileThreadOrder\":true,\"markerSchema\":[],"
         "\"sampleUnits\":{\"time\":\"ms\",\"eventDelay\":\"ms\",\"threadCPUDelta\":\"ns\"},\n"
         "\"categories\":["
         "{\"name\":\"Program\",\"color\":\"blue\",\"subcategories\":[\"Other\"]},"
         "{\"name\":\"Library\",\"color\":\"green\",\"subcategories\":[\"Other\"]},"
         "{\"name\":\"Kernel\",\"color\":\"orange\",\"subcategories\":[\"Other\"]},"
         "{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]}]},\n",
         f->out);
}

/* The tables of a thread. */

static uint32_t
number_function (struct firefox *f, uint32_t function)
{
  uint32_t *number = &f->function_of[function];
  if (*number == NONE)
    {
      f->ok
          = f->ok
            && array_grow (&f->functions, f->nfunctions, &f->room_functions, sizeof *f->functions);
      if (!f->ok)
        return 0;
      f->functions[f->nfunctions] = function;
      *number = (uint32_t) f->nfunctions++;
    }
  return *number;
}

static const struct object *
object_of_frame (const struct firefox *f, const struct frame *frame)
{
  const struct model *m = f->view->model;
  return frame->place == NONE
             ? NULL
             : m->symtab.symbols[f->view->frames.places[frame->place].symbol].object;
}

static enum category
category_of_frame (const struct firefox *f, const struct frame *frame)
{
  const struct object *o = object_of_frame (f, frame);
  if (!o)
    return OTHER;
  if (strcmp (o->path, "[kernel]") == 0)
    return KERNEL;
  return object_is_executable (o) ? PROGRAM : LIBRARY;
}

static uint32_t
number_frame (struct firefox *f, uint32_t place, uint32_t line)
{
  const struct frames *all = &f->view->frames;
  uint32_t *number = &f->frame_of[line];
  if (*number == NONE)
    {
      f->ok = f->ok && array_grow (&f->frames, f->nframes, &f->room_frames, sizeof *f->frames);
      if (!f->ok)
        return 0;
      f->frames[f->nframes] = (struct frame) { place, line, OTHER };
      f->frames[f->nframes].category = category_of_frame (f, &f->frames[f->nframes]);
      *number = (uint32_t) f->nframes++;
      number_function (f, place == NONE ? (uint32_t) all->nfunctions : all->lines[line].function);
    }
  return *number;
}

static uint32_t
add_stack (struct firefox *f, uint32_t prefix, uint32_t frame)
{
  f->ok = f->ok && array_grow (&f->stacks, f->nstacks, &f->room_stacks, sizeof *f->stacks);
  if (!f->ok)
    return 0;
  f->stacks[f->nstacks] = (struct stack) { prefix, frame };
  return (uint32_t) f->nstacks++;
}

static void
make_stack (struct firefox *f, uint32_t node)
{
  const struct frames *all = &f->view->frames;
  const struct context *c = &all->tree.nodes[node];
  uint32_t stack = f->stack_of[c->parent];
  if (c->kind == BBX_FRAME_CODE)
    {
      const struct frames_place *p = &all->places[c->address];
      for (uint32_t i = p->nlines; i-- > 0;)
        stack = add_stack (f, stack, number_frame (f, (uint32_t) c->address, p->first + i));
    }
  else
    stack = add_stack (f, stack, number_frame (f, NONE, (uint32_t) all->nlines));
  f->stack_of[node] = stack;
}

static void
make_tables (struct firefox *f, uint32_t root)
{
  const struct contexts *t = &f->view->frames.tree;
  f->nstacks = f->nframes = f->nfunctions = 0;
  f->stack_of[root] = NONE;
  for (uint32_t i = contexts_next_below (t, root, root); i != 0;
       i = contexts_next_below (t, root, i))
    make_stack (f, i);
}

static void
forget_tables (struct firefox *f)
{
  for (size_t i = 0; i < f->nframes; i++)
    f->frame_of[f->frames[i].line] = NONE;
  for (size_t i = 0; i < f->nfunctions; i++)
    f->function_of[f->functions[i]] = NONE;
  web_names_free (&f->names);
  f->names = (struct web_names) { 0 };
}

/* Columns. */

/* Begins the column NAME of a table. */
static void
begin (struct firefox *f, const char *name)
{
  fprintf (f->out, "\"%s\":[", name);
}

static void
end (struct firefox *f)
{
  fputs ("],\n", f->out);
}

/* The value N of row I; NONE: null. */
static void
put_cell (struct firefox *f, size_t i, uint64_t n)
{
  fputs (i > 0 ? "," : "", f->out);
  if (n == NONE)
    fputs ("null", f->out);
  else
    json_number (f->out, n);
}

/* The same value in all of N rows. */
static void
put_constant (struct firefox *f, const char *name, const char *value, size_t n)
{
  begin (f, name);
  for (size_t i = 0; i < n; i++)
    fprintf (f->out, "%s%s", i > 0 ? "," : "", value);
  end (f);
}

static void
put_length (struct firefox *f, size_t n, const char *behind)
{
  fprintf (f->out, "\"length\":%zu}%s\n", n, behind);
}

static uint64_t
text (struct firefox *f, const char *name)
{
  size_t number = 0;
  f->ok = f->ok && web_names_number (&f->names, name, &number);
  return number;
}

static void
put_stack_table (struct firefox *f)
{
  fputs ("\"stackTable\":{", f->out);
  begin (f, "prefix");
  for (size_t i = 0; i < f->nstacks; i++)
    put_cell (f, i, f->stacks[i].prefix);
  end (f);
  begin (f, "frame");
  for (size_t i = 0; i < f->nstacks; i++)
    put_cell (f, i, f->stacks[i].frame);
  end (f);
  begin (f, "category");
  for (size_t i = 0; i < f->nstacks; i++)
    put_cell (f, i, f->frames[f->stacks[i].frame].category);
  end (f);
  put_constant (f, "subcategory", "0", f->nstacks);
  put_length (f, f->nstacks, ",");
}

static void
put_frame_table (struct firefox *f)
{
  const struct frames *all = &f->view->frames;
  const size_t n = f->nframes;
  fputs ("\"frameTable\":{", f->out);
  begin (f, "address");
  for (size_t i = 0; i < n; i++)
    if (f->frames[i].place == NONE)
      fputs (i > 0 ? ",-1" : "-1", f->out);
    else
      put_cell (f, i,
                all->places[f->frames[i].place].address - object_of_frame (f, &f->frames[i])->base);
  end (f);
  begin (f, "inlineDepth");
  for (size_t i = 0; i < n; i++)
    {
      const struct frame *frame = &f->frames[i];
      const struct frames_place *p = frame->place == NONE ? NULL : &all->places[frame->place];
      put_cell (f, i, p ? p->first + p->nlines - 1 - frame->line : 0);
    }
  end (f);
  begin (f, "category");
  for (size_t i = 0; i < n; i++)
    put_cell (f, i, f->frames[i].category);
  end (f);
  begin (f, "func");
  for (size_t i = 0; i < n; i++)
    put_cell (f, i,
              f->function_of[f->frames[i].place == NONE ? all->nfunctions
                                                        : all->lines[f->frames[i].line].function]);
  end (f);
  begin (f, "line");
  for (size_t i = 0; i < n; i++)
    {
      unsigned line = f->frames[i].place == NONE ? 0 : all->lines[f->frames[i].line].line;
      put_cell (f, i, line ? line : NONE);
    }
  end (f);
  put_constant (f, "subcategory", "0", n);
  put_constant (f, "nativeSymbol", "null", n);
  put_constant (f, "innerWindowID", "0", n);
  put_constant (f, "implementation", "null", n);
  put_constant (f, "column", "null", n);
  put_length (f, n, ",");
}

static void
put_function_table (struct firefox *f)
{
  const struct frames *all = &f->view->frames;
  const size_t n = f->nfunctions;
  fputs ("\"funcTable\":{", f->out);
  begin (f, "name");
  for (size_t i = 0; i < n; i++)
    put_cell (f, i,
              text (f, f->functions[i] < all->nfunctions ? f->view->names[f->functions[i]]
                                                         : "[unknown]"));
  end (f);
  begin (f, "resource");
  for (size_t i = 0; i < n; i++)
    {
      uint32_t library
          = f->functions[i] < all->nfunctions
                ? f->libraries[all->functions[f->functions[i]].object - f->view->model->objects.all]
                : NONE;
      fprintf (f->out, "%s%" PRId64, i > 0 ? "," : "",
               library == NONE ? INT64_C (-1) : (int64_t) library);
    }
  end (f);
  begin (f, "fileName");
  for (size_t i = 0; i < n; i++)
    {
      const char *file = f->functions[i] < all->nfunctions ? all->functions[f->functions[i]].file
                                                           : NULL;
      put_cell (f, i, file ? text (f, file) : NONE);
    }
  end (f);
  begin (f, "lineNumber");
  for (size_t i = 0; i < n; i++)
    {
      unsigned line = f->functions[i] < all->nfunctions ? all->functions[f->functions[i]].line : 0;
      put_cell (f, i, line ? line : NONE);
    }
  end (f);
  put_constant (f, "isJS", "false", n);
  put_constant (f, "relevantForJS", "false", n);
  put_constant (f, "columnNumber", "null", n);
  put_length (f, n, ",");
}

static void
put_resources (struct firefox *f)
{
  const struct objects *all = &f->view->model->objects;
  size_t n = 0;
  fputs ("\"resourceTable\":{", f->out);
  begin (f, "name");
  for (size_t i = 0; i < all->count; i++)
    if (f->libraries[i] != NONE)
      put_cell (f, n++, text (f, object_name (&all->all[i])));
  end (f);
  begin (f, "lib");
  for (size_t i = 0; i < n; i++)
    put_cell (f, i, i);
  end (f);
  put_constant (f, "host", "null", n);
  put_constant (f, "type", "1", n);
  put_length (f, n, ",");
}

/* Samples. */

static double
milliseconds (const struct firefox *f, uint64_t ticks)
{
  return (double) ticks * (f->view->tick > 0 ? f->view->tick / 1e6 : 1);
}

/* The CPU time between the sample before and this one. */
static void
put_cpu_times (struct firefox *f, uint32_t root)
{
  const struct contexts *t = &f->view->frames.tree;
  size_t n = 0;
  begin (f, "threadCPUDelta");
  for (uint32_t i = root; i != 0; i = contexts_next_below (t, root, i))
    if (t->nodes[i].ticks > 0)
      put_cell (f, n++, (uint64_t) ((double) t->nodes[i].ticks * f->view->tick));
  end (f);
}

static void
put_samples (struct firefox *f, uint32_t root)
{
  const struct contexts *t = &f->view->frames.tree;
  uint64_t before = 0;
  size_t n = 0;
  fputs ("\"samples\":{\"weightType\":\"samples\",", f->out);
  begin (f, "stack");
  for (uint32_t i = root; i != 0; i = contexts_next_below (t, root, i))
    if (t->nodes[i].ticks > 0)
      put_cell (f, n++, f->stack_of[i]);
  end (f);
  begin (f, "weight");
  n = 0;
  for (uint32_t i = root; i != 0; i = contexts_next_below (t, root, i))
    if (t->nodes[i].ticks > 0)
      put_cell (f, n++, t->nodes[i].ticks);
  end (f);
  begin (f, "time");
  n = 0;
  for (uint32_t i = root; i != 0; i = contexts_next_below (t, root, i))
    if (t->nodes[i].ticks > 0)
      {
        before += t->nodes[i].ticks;
        fprintf (f->out, "%s%.6f", n++ > 0 ? "," : "", milliseconds (f, before));
      }
  end (f);
  if (!f->view->wall && f->view->tick > 0)
    put_cpu_times (f, root);
  put_length (f, n, ",");
}

static void
put_thread (struct firefox *f, uint32_t root, bool first)
{
  const struct context *c = &f->view->frames.tree.nodes[root];
  const struct stacks_thread *thread
      = c->address == FRAMES_NO_THREAD ? NULL : &f->view->model->stacks.threads[c->address];
  make_tables (f, root);
  fputs ("{\"processType\":\"default\",\"processStartupTime\":0,\"processShutdownTime\":null,"
         "\"registerTime\":0,\"unregisterTime\":null,\"pausedRanges\":[],\"pid\":\"0\",",
         f->out);
  fprintf (f->out,
           "\"isMainThread\":%s,\"tid\":%" PRIu32 ",\"processName\":", first ? "true" : "false",
           thread ? thread->fixed.tid : 0);
  json_string (f->out, object_name (&f->view->model->objects.all[0]));
  fputs (",\"name\":", f->out);
  json_string (f->out, export_thread_name (f->view, c));
  fputs (",\n\"markers\":{\"data\":[],\"name\":[],\"startTime\":[],\"endTime\":[],\"phase\":[],"
         "\"category\":[],\"length\":0},\n"
         "\"nativeSymbols\":{\"libIndex\":[],\"address\":[],\"name\":[],\"functionSize\":[],"
         "\"length\":0},\n",
         f->out);
  put_samples (f, root);
  put_stack_table (f);
  put_frame_table (f);
  put_function_table (f);
  put_resources (f);
  fputs ("\"stringArray\":", f->out);
  web_names_print (f->out, &f->names);
  fputc ('}', f->out);
  forget_tables (f);
}

/* N numbers NONE; null: out of memory. */
static uint32_t *
new_map (size_t n)
{
  uint32_t *map = malloc ((n + 1) * sizeof *map);
  for (size_t i = 0; map && i <= n; i++)
    map[i] = NONE;
  return map;
}

bool
export_firefox (FILE *out, const struct export_view *v, struct error *err)
{
  const struct contexts *t = &v->frames.tree;
  struct firefox f = { .out = out,
                       .view = v,
                       .libraries = new_map (v->model->objects.count),
                       .stack_of = new_map (t->count),
                       .frame_of = new_map (v->frames.nlines),
                       .function_of = new_map (v->frames.nfunctions) };
  f.ok = f.libraries && f.stack_of && f.frame_of && f.function_of;
  if (f.ok)
    {
      put_head (&f);
      put_libraries (&f);
      fputs ("\"pages\":[],\"threads\":[", out);
    }
  uint32_t first = t->count > 0 ? t->nodes[0].first : 0;
  for (uint32_t root = first; f.ok && root != 0; root = t->nodes[root].next)
    {
      fputs (root == first ? "\n" : ",\n", out);
      put_thread (&f, root, root == first);
    }
  fputs ("]}\n", out);
  free (f.libraries);
  free (f.stack_of);
  free (f.frame_of);
  free (f.function_of);
  free (f.stacks);
  free (f.frames);
  free (f.functions);
  return f.ok ? error_if_unwritten (out, err) : error_no_memory (err);
}

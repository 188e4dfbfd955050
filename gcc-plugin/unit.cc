/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The compilation unit: selects the macro set, numbers its blocks, keeps the map of its
   functions, and has the tables written at its end.  With LTO a unit is what one run of lto1
   compiles.  The first run (-c -flto) makes no code, numbers nothing and writes nothing. */
#include "gcc-plugin/plan.h"
#include "gcc-plugin/graph.h"
#include "gcc-plugin/historic.h"
#include "gcc-plugin/lists/lists.h"
#include "gcc-plugin/state.h"
#include "gcc-plugin/target/cpu.h"
#include "gcc-plugin/unit.h"

/* The records of the functions so far, as text. */
static FILE *map;
static char *map_text;
static size_t map_size;

/* By number: does the function's entry get a label? */
static auto_vec<bool> labelled;
static void (*former_function_prologue) (FILE *);

/* Labels the entry, as callers know it.  Instructions of -fpatchable-function-entry may be between
   it and this place. */
static void
write_entry_label (FILE *file)
{
  const int number = current_function_funcdef_no;
  if (crtl->patch_area_size == crtl->patch_area_entry)
    {
      fprintf (file, ".LPF%d:\n", number);
      return;
    }
  fprintf (file, "\t.set\t.LPF%d, ", number);
  assemble_name (file, IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (current_function_decl)));
  putc ('\n', file);
}

/* Called when the compiler writes a function's first instruction. */
static void
write_function_label (FILE *file)
{
  if ((unsigned) current_function_funcdef_no < labelled.length ()
      && labelled[current_function_funcdef_no])
    write_entry_label (file);
  if (former_function_prologue)
    former_function_prologue (file);
}

/* An option that MACROS, which only count, do not have; null: none is given. */
static const char *
lacking_option (const struct bbp_macros *macros)
{
  if (!macros || !macros->only_counts)
    return NULL;
  return bbp_options.macros                             ? "macros"
         : bbp_options.a                                ? "a"
         : bbp_options.ax != BBP_AX_NONE                ? "ax"
         : bbp_options.init_entry                       ? "init=entry"
         : bbp_options.placement == BBP_PLACEMENT_AFTER ? "placement=after"
                                                        : NULL;
}

/* Chooses the user's macro set, or that of the target.  False, with an error, if there is none. */
static bool
choose_macros (void)
{
  const struct bbp_macros *macros
      = bbp_macros_for (bbp_target_pointer_bits (), bbp_target_word_bits ());
  if (const char *option = lacking_option (macros))
    {
      error ("bbprof: %<-fplugin-arg-bbprof-%s%> is not there for %s", option, bbp_macros_targets);
      return false;
    }
  if (bbp_options.macros)
    return bbp_unit_state.templates = bbp_template_start (bbp_options.macros);
  bbp_unit_state.macros = macros;
  if (!bbp_unit_state.macros)
    error ("bbprof: this target (%s) is not supported; only %s", bbp_target_variant (),
           bbp_macros_targets);
  else if (macros->only_counts && bbp_target_large ())
    {
      error ("bbprof: no counters in code for %<-mcmodel=large%> on %s", bbp_macros_targets);
      bbp_unit_state.macros = NULL;
    }
  else if (bbp_options.ax != BBP_AX_NONE && bbp_target_large ())
    {
      error ("bbprof: no trace points (%<-fplugin-arg-bbprof-ax%>) in code for %<-mcmodel=large%>");
      bbp_unit_state.macros = NULL;
    }
  return bbp_unit_state.macros;
}

static int
profile_block_flag (void)
{
  if (!bbp_options.blocks)
    return 0;
  if (bbp_options.ax == BBP_AX_CALLS)
    return 2;
  return bbp_options.a || bbp_options.macros;
}

/* Both sets of tables begin with .LPBX0.  False, with an error, if the unit would have both. */
static bool
check_labels (void)
{
  if (!bbp_unit_state.profile_block_flag || !profile_arc_flag)
    return true;
  error ("bbprof: %<-fprofile-arcs%> (%<--coverage%>) defines the same symbols as the historic "
         "code of %qs: "
         "use only one of them",
         bbp_options.macros ? "macros="
         : bbp_options.a    ? "a"
                            : "ax=calls");
  return false;
}

static bool
before_prologue (void)
{
  return bbp_unit_state.templates ? bbp_template_before_prologue ()
                                  : bbp_unit_state.macros->profile_before_prologue;
}

/* Called when the options of the command line are known and no function has been compiled.  This
   replaces GCC's own profiling: if the call goes before the prologue, or nowhere, -pg is reset so
   early that it forces no frame pointer.  A call after the prologue needs the frame pointer, so -pg
   stays, and bbp_instrument () resets it for each function. */
void
bbp_unit_start (void)
{
  bbp_unit_state.profile_block_flag = profile_block_flag ();
  if (!check_labels () || !choose_macros ())
    return;
  bbp_unit_state.arcs = profile_flag && !bbp_options.map_only ? bbp_options.arcs : BBP_ARCS_NONE;
  if ((!bbp_options.blocks || bbp_unit_state.profile_block_flag)
      && bbp_unit_state.arcs == BBP_ARCS_STATIC)
    bbp_unit_state.arcs = BBP_ARCS_CALL;
  if (bbp_options.placement == BBP_PLACEMENT_DEFAULT)
    bbp_unit_state.before = before_prologue () || bbp_target_fentry ();
  else
    bbp_unit_state.before = bbp_options.placement == BBP_PLACEMENT_BEFORE || bbp_target_fentry ();
  if (bbp_unit_state.before || bbp_unit_state.arcs != BBP_ARCS_CALL)
    profile_flag = 0;
  if (!map)
    {
      map = open_memstream (&map_text, &map_size);
      former_function_prologue = targetm.asm_out.function_prologue;
      targetm.asm_out.function_prologue = write_function_label;
    }
  if (!map)
    fatal_error (UNKNOWN_LOCATION, "bbprof: out of memory for the map");
}

static unsigned
kind_of (const struct bbp_call_site *call)
{
  return (call->counted ? BBP_CALL_COUNTED : 0) | (call->final ? BBP_CALL_FINAL : 0)
         | (call->tail ? BBP_CALL_TAIL : 0)
         | (CALL_P (call->insn) && call->direct ? BBP_CALL_DIRECT : 0);
}

static unsigned
shape_of (const struct bbp_graph_block *block)
{
  return (block->counted ? BBP_BLOCK_COUNTED : 0) | (block->in ? BBP_BLOCK_IN : 0)
         | (block->out ? BBP_BLOCK_OUT : 0) | (block->leaves ? BBP_BLOCK_LEAVES : 0);
}

static void
add_names (const function *fn, const struct bbp_function *function)
{
  struct bbp_names names;
  bbp_names_find (fn->decl, &names);
  const char *file = names.file ? remap_debug_filename (names.file) : "<unknown>";
  struct bbp_function_names all = { names.functions[0], names.shown, file };
  bbp_write_names (map, function, &all);
  bbp_names_free (&names);
  bbp_unit_state.names = true;
}

void
bbp_unit_add_function (function *fn, const struct bbp_graph *graph)
{
  auto_vec<struct bbp_call> calls;
  auto_vec<struct bbp_successor> successors;
  auto_vec<struct bbp_block> blocks;
  for (const auto &call : graph->calls)
    calls.safe_push ({ call.label, kind_of (&call) });
  for (const auto &edge : graph->edges)
    successors.safe_push ({ edge.target, edge.counted });
  int ncold = 0;
  for (const auto &block : graph->blocks)
    {
      blocks.safe_push ({ block.label, shape_of (&block), calls.address () + block.first_call,
                          block.ncalls, successors.address () + block.first_edge, block.nedges });
      ncold += crtl->has_bb_partition && BB_PARTITION (block.bb) == BB_COLD_PARTITION;
    }
  struct bbp_function function;
  function.label = fn->funcdef_no;
  function.first_counter = graph->first_counter;
  function.flags = (bbp_unit_state.arcs == BBP_ARCS_STATIC ? BBP_FUNCTION_ARCS : 0)
                   | (graph->traced ? BBP_FUNCTION_TRACED : 0)
                   | (bbp_options.map_only ? BBP_FUNCTION_BARE : 0)
                   | (bbp_has_zones () ? BBP_FUNCTION_ZONES : 0)
                   | (bbp_unit_state.macros->wide_distances ? BBP_FUNCTION_WIDE : 0);
  tree group = DECL_COMDAT_GROUP (fn->decl);
  function.group = group ? IDENTIFIER_POINTER (group) : NULL;
  function.blocks = blocks.address ();
  function.nblocks = blocks.length ();
  function.ncold = ncold < function.nblocks ? ncold : 0;
  bbp_write_function (map, &function);
  if (graph->traced)
    add_names (fn, &function);
  if (fn->funcdef_no >= (int) labelled.length ())
    labelled.safe_grow_cleared (fn->funcdef_no + 1);
  labelled[fn->funcdef_no] = true;
}

/* Working directory and source, as the user shows them (-ffile-prefix-map).  lto1 reads temporary
   files with different names each time, so there it is the base name of the output. */
static char *
unit_name (void)
{
  const char *source = in_lto_p ? dump_base_name : main_input_filename;
  if (!source)
    source = "<unknown>";
  if (source[0] == '.' && IS_DIR_SEPARATOR (source[1]))
    source += 2;
  if (IS_ABSOLUTE_PATH (source))
    return xstrdup (remap_debug_filename (source));
  return concat (remap_debug_filename (get_src_pwd ()), "/", remap_debug_filename (source), NULL);
}

static void
write_tables (const char *name)
{
  fflush (map);
  struct bbp_unit unit;
  bbp_unit_describe (&unit, name);
  fputs (bbp_target_syntax_begin (), asm_out_file);
  if (bbp_options.map_only)
    bbp_write_no_counters (asm_out_file);
  else
    bbp_write_tables (asm_out_file, bbp_unit_state.macros, &unit);
  fwrite (map_text, 1, map_size, asm_out_file);
  fputs (bbp_target_syntax_end (), asm_out_file);
}

void
bbp_unit_finish (void)
{
  if (seen_error ())
    return;
  char *name = unit_name ();
  if (bbp_unit_state.profile_block_flag || bbp_unit_state.templates)
    bbp_historic_finish (name);
  else if (bbp_unit_state.nblocks)
    write_tables (name);
  free (name);
}

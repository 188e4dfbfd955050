/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decides which functions are instrumented, and how.  A function is one of the machine code: an
   inlined function belongs to the function that it is inlined into.

   Not instrumented at all:
   - functions that the user excludes: by exclude=, which wins; by not being in include=, if
     given; by min-size=;
   - naked functions and interrupt handlers: the state that our code relies on is not set up;
   - functions with no_instrument_function, as with -pg and -finstrument-functions;
   - resolvers of indirect functions (attribute ifunc, target_clones) and their callees: the
     dynamic linker runs them before the program has thread-local storage.  Callees are found
     through direct calls inside the unit; calls through a pointer or into another unit are not
     seen.

   Instrumented in part:
   - functions with no_profile_instrument_function: no counters; the call to mcount stays, as with
     -fprofile-arcs and -pg together;
   - functions that must preserve every register (no_caller_saved_registers): counters only,
     because a hook changes one register. */
#include "gcc-plugin/plan.h"
#include "gcc-plugin/lists/lists.h"
#include "gcc-plugin/state.h"
#include "gcc-plugin/target/cpu.h"

/* By DECL_UID. */
static bitmap resolvers;

static void
add_with_callees (cgraph_node *node)
{
  if (!bitmap_set_bit (resolvers, DECL_UID (node->decl)))
    return;
  for (cgraph_edge *e = node->callees; e; e = e->next_callee)
    add_with_callees (e->callee->ultimate_alias_target ());
}

static void
find_resolvers (void)
{
  cgraph_node *node;
  FOR_EACH_FUNCTION (node)
  {
    tree attr = lookup_attribute ("ifunc", DECL_ATTRIBUTES (node->decl));
    if (!attr)
      continue;
    symtab_node *resolver = symtab_node::get_for_asmname (
        get_identifier (TREE_STRING_POINTER (TREE_VALUE (TREE_VALUE (attr)))));
    if (resolver && is_a<cgraph_node *> (resolver))
      add_with_callees (dyn_cast<cgraph_node *> (resolver)->ultimate_alias_target ());
  }
}

/* Not DECL_NO_INSTRUMENT_FUNCTION_ENTRY_EXIT: without -pg, GCC 12 sets it for every function. */
static bool
has_attribute (function *fn, const char *name)
{
  return lookup_attribute (name, DECL_ATTRIBUTES (fn->decl)) != NULL_TREE;
}

/* It has no loop, and fewer instructions that make code than min-size=. */
static bool
is_too_small (function *fn)
{
  if (!bbp_options.min_size)
    return false;
  int size = 0;
  basic_block bb;
  rtx_insn *insn;
  FOR_EACH_BB_FN (bb, fn)
  FOR_BB_INSNS (bb, insn)
  if (active_insn_p (insn) && get_attr_length (insn) > 0)
    size++;
  return size < bbp_options.min_size && !mark_dfs_back_edges ();
}

/* The reason why the user's lists exclude the function DECL, as text in new memory; null: they do
   not. */
static char *
why_not_listed (tree decl)
{
  if (!bbp_patterns_given (BBP_LIST_INCLUDE) && !bbp_patterns_given (BBP_LIST_EXCLUDE))
    return NULL;
  struct bbp_names names;
  bbp_names_find (decl, &names);
  const char *include = bbp_patterns_match (BBP_LIST_INCLUDE, &names);
  const char *exclude = bbp_patterns_match (BBP_LIST_EXCLUDE, &names);
  bbp_names_free (&names);
  if (exclude)
    return concat ("exclude=", exclude, NULL);
  if (bbp_patterns_given (BBP_LIST_INCLUDE) && !include)
    return xstrdup ("not in include=");
  return NULL;
}

/* Why FN is not instrumented at all, in new memory; null: it is. */
static char *
why_left_out (function *fn)
{
  if (char *why = why_not_listed (fn->decl))
    return why;
  if (bbp_target_untouchable (fn))
    return xstrdup ("naked, or an interrupt handler");
  if (has_attribute (fn, "no_instrument_function"))
    return xstrdup ("attribute no_instrument_function");
  if (resolvers && bitmap_bit_p (resolvers, DECL_UID (fn->decl)))
    return xstrdup ("runs before the program has thread-local storage");
  if (is_too_small (fn))
    return xstrdup ("min-size=");
  return NULL;
}

/* Might NODE's code run in a thread without making the thread known?  At this time the functions
   that are too small are not known. */
static bool
may_skip_attach (cgraph_node *node)
{
  static const char *const attributes[] = { "no_instrument_function",
                                            "no_profile_instrument_function", "naked", "interrupt",
                                            "no_caller_saved_registers" };
  for (const char *name : attributes)
    if (lookup_attribute (name, DECL_ATTRIBUTES (node->decl))
        || lookup_attribute (name, TYPE_ATTRIBUTES (TREE_TYPE (node->decl))))
      return true;
  char *why = why_not_listed (node->decl);
  bool left_out = why;
  free (why);
  return left_out || node->thunk || bbp_options.min_size > 0;
}

/* By DECL_UID: functions with a caller that may not have made the thread known. */
static bitmap exposed;

static void
find_exposed (void)
{
  cgraph_node *node;
  FOR_EACH_FUNCTION (node)
  if (may_skip_attach (node->inlined_to ? node->inlined_to : node))
    for (cgraph_edge *e = node->callees; e; e = e->next_callee)
      bitmap_set_bit (exposed, DECL_UID (e->callee->ultimate_alias_target ()->decl));
}

/* Can NODE be called, by this name of its function, from code that is not seen here? */
static bool
is_open (cgraph_node *node, void *)
{
  return TREE_PUBLIC (node->decl) || node->address_taken || node->force_output
         || node->used_from_other_partition;
}

/* Could FN be the first instrumented function that a thread runs?  A function that only its own
   unit can call, by name, has callers that were checked in the same way, unless one of them is
   not instrumented. */
static bool
may_be_first (function *fn)
{
  cgraph_node *node = cgraph_node::get (fn->decl);
  return (exposed && bitmap_bit_p (exposed, DECL_UID (fn->decl))) || !node
         || node->call_for_symbol_and_aliases (is_open, NULL, true)
         || DECL_STATIC_CONSTRUCTOR (fn->decl) || DECL_STATIC_DESTRUCTOR (fn->decl);
}

/* The bitmaps are on an obstack of their own, because GCC empties the default one between
   passes. */
void
bbp_filter_note_calls (void)
{
  static bitmap_obstack obstack;
  if (!resolvers)
    {
      bitmap_obstack_initialize (&obstack);
      resolvers = BITMAP_ALLOC (&obstack);
      exposed = BITMAP_ALLOC (&obstack);
    }
  find_resolvers ();
  find_exposed ();
}

static bool any_function;

struct bbp_plan
bbp_filter_function (function *fn)
{
  struct bbp_plan plan = {};
  any_function = true;
  if (char *why = why_left_out (fn))
    {
      if (dump_file)
        fprintf (dump_file, "not instrumented: %s\n", why);
      if (bbp_options.verbose)
        inform (DECL_SOURCE_LOCATION (fn->decl), "bbprof: %qD is not instrumented: %s", fn->decl,
                why);
      free (why);
      return plan;
    }
  plan.hooks = !bbp_options.map_only && !bbp_target_keeps_all_registers (fn);
  plan.blocks = bbp_options.blocks && !has_attribute (fn, "no_profile_instrument_function");
  plan.trace = plan.hooks && plan.blocks && bbp_options.ax == BBP_AX_LEAN;
  plan.trace_calls = plan.hooks && plan.blocks && bbp_options.ax == BBP_AX_CALLS;
  plan.call_mcount = plan.hooks
                     && (bbp_unit_state.arcs == BBP_ARCS_CALL
                         || (bbp_unit_state.arcs == BBP_ARCS_STATIC && !plan.blocks));
  plan.init = plan.hooks && plan.blocks && bbp_options.init_entry
              && !bbp_unit_state.profile_block_flag;
  /* Does it count or record by thread? */
  bool of_threads = bbp_options.update == BBP_UPDATE_THREAD || plan.trace;
  plan.attach = plan.hooks && plan.blocks && !plan.call_mcount && !bbp_unit_state.profile_block_flag
                && of_threads && may_be_first (fn);
  return plan;
}

/* With LTO the unit of -c has no code, so no pattern can match. */
void
bbp_filter_finish (void)
{
  if (bbp_options.verbose && any_function && !seen_error ())
    bbp_patterns_note_unused ();
}

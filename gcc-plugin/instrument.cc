/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What happens to a function.  In the order of the code that results:

   - With arcs=call, call mcount once per call of the function.  Placement `before': as the
     function's first instruction, behind endbr64, through __fentry__.  Placement `after': behind
     the prologue, where the frame pointer points to the caller's; take GCC's own call back.
   - With ax, between these: trace points (trace.cc).
   - With init=entry, register the unit, at the same place and before that.
   - If the function counts for each thread, and somebody could call it who does not, make the
     thread known at the entry: before the prologue, or behind one that sets up a frame pointer.
   - Do both on the entry edge: never again when the first block is the head of a loop.
   - With arcs=static, tell the run-time library before each indirect call whom it calls.
   - Number every block, in the order of the code, also the empty ones, and put label .LPB<n> at
     its head: behind the code label, and behind the hooks, or such a prologue, in a block that
     has them.  Put a label .LPC<n> behind every call, before a tail call.
   - Count what the graph (graph.cc) and the spanning tree (tree.cc) say: at the heads of blocks,
     behind calls, on edges (split.cc); each at the point and with the registers that liveness.cc
     chooses.
   - Change nothing that anybody looks at: flags, registers, stack, red zone.  Tell the compiler
     of each register that does change: callers compiled with -fipa-ra rely on it. */
#include "gcc-plugin/graph.h"
#include "gcc-plugin/bbprof-plugin.h"

/* The line that the code behind INSN in its block has, or OTHERWISE. */
static location_t
location_behind (rtx_insn *insn, location_t otherwise)
{
  while (insn != BB_END (BLOCK_FOR_INSN (insn)))
    {
      insn = NEXT_INSN (insn);
      if (NONDEBUG_INSN_P (insn) && INSN_HAS_LOCATION (insn))
        return INSN_LOCATION (insn);
    }
  return otherwise;
}

/* Without a line of its own the counter would belong to the line before, which may be in any
   other block. */
location_t
bbp_block_location (basic_block bb, rtx_insn *start)
{
  if (INSN_P (start) && INSN_HAS_LOCATION (start))
    return INSN_LOCATION (start);
  return location_behind (start, single_succ_p (bb) ? single_succ_edge (bb)->goto_locus
                                                    : UNKNOWN_LOCATION);
}

/* The last of the notes and marks behind INSN, or INSN: a debugger that stops where a statement
   begins stops before what we put there. */
static rtx_insn *
behind_marks (rtx_insn *insn)
{
  while (insn != BB_END (BLOCK_FOR_INSN (insn))
         && (NOTE_P (NEXT_INSN (insn)) || DEBUG_INSN_P (NEXT_INSN (insn))))
    insn = NEXT_INSN (insn);
  return insn;
}

/* The block that only the entry leads to. */
static basic_block
entry_block (function *fn)
{
  edge e = single_succ_edge (ENTRY_BLOCK_PTR_FOR_FN (fn));
  return single_pred_p (e->dest) ? e->dest : split_edge (e);
}

/* The note behind the prologue of FN, if that sets up a frame pointer, all of it in the first
   block and nothing else before it.  A debugger knows such a function by its first instructions
   and stops behind them, so nothing of ours may stand there: it would show wrong arguments. */
static rtx_insn *
frame_end (function *fn)
{
  edge e = single_succ_edge (ENTRY_BLOCK_PTR_FOR_FN (fn));
  if (!frame_pointer_needed || !single_pred_p (e->dest))
    return NULL;
  rtx_insn *insn;
  FOR_BB_INSNS (e->dest, insn)
  if (NOTE_P (insn) && NOTE_KIND (insn) == NOTE_INSN_PROLOGUE_END)
    return insn;
  else if (NONDEBUG_INSN_P (insn) && (CALL_P (insn) || !prologue_contains (insn)))
    return NULL;
  return NULL;
}

rtx_insn *
bbp_hook_place (function *fn, bool before)
{
  if (!before)
    for (rtx_insn *insn = get_insns (); insn; insn = NEXT_INSN (insn))
      if (NOTE_P (insn) && NOTE_KIND (insn) == NOTE_INSN_PROLOGUE_END)
        return insn;
  return behind_marks (bb_note (entry_block (fn)));
}

rtx_insn *
bbp_insert_hook (function *fn, struct bbp_wish wish)
{
  if (!wish.init && !wish.call_mcount && !wish.attach && !wish.trace)
    return NULL;
  const struct bbp_macros *macros = bbp_unit_state.macros;
  bool before = bbp_unit_state.before || !wish.call_mcount;
  rtx_insn *place = wish.call_mcount || wish.init || wish.trace ? NULL : frame_end (fn);
  struct bbp_site site = {};
  bbp_unit_fill_site (&site);
  site.chain_live = DECL_STATIC_CHAIN (fn->decl);
  site.vector_bytes = bbp_target_vector_bytes ();
  FILE *file = bbp_text_begin ();
  fputs (bbp_target_syntax_begin (), file);
  if (wish.init)
    macros->function_init_profiler (file, bbp_unit_state.nblocks, &site);
  if (wish.call_mcount)
    {
      site.mcount = bbp_target_mcount (fn, before);
      site.profile_counter = bbp_unit_state.profile_block_flag && !site.large;
      if (site.profile_counter)
        bbp_historic_add_counter (current_function_funcdef_no);
      macros->function_profiler (file, current_function_funcdef_no, &site);
    }
  else if (wish.attach)
    {
      site.red_zone = place != NULL;
      macros->function_block_profiler (file, bbp_unit_state.nblocks, &site);
    }
  if (wish.trace)
    macros->trace_enter (file, fn->funcdef_no, bbp_unit_state.nblocks, &site);
  fputs (bbp_target_syntax_end (), file);

  struct bbp_effects effects = {};
  bbp_clobber_flags (&effects);
  for (const char *const *name = macros->profiler_clobbers; *name; name++)
    bbp_clobber (&effects, word_mode, decode_reg_name (*name));
  if (!place)
    place = bbp_hook_place (fn, before);
  return bbp_emit_text (&effects, place, bbp_block_location (BLOCK_FOR_INSN (place), place));
}

/* Describe the place POINT to the macro set; STACK is set if values are parked on the stack. */
static void
fill_site (struct bbp_site *site, const struct bbp_point *point, bool *stack)
{
  static const char *const slots[BBP_MAX_REGISTERS] = { "0(%rsp)", "8(%rsp)" };
  bbp_unit_fill_site (site);
  site->flags_live = point->flags_live;
  site->frame_by_stack = dwarf2out_do_cfi_asm () && !frame_pointer_needed;
  *stack = false;
  for (int i = 0; i < point->nregs; i++)
    {
      site->scratch[i] = reg_names[point->scratch[i]];
      if (point->keep[i] == BBP_KEEP_VECTOR)
        site->keep[i] = bbp_target_vector_name (point->vector[i]);
      else if (point->keep[i] == BBP_KEEP_STACK)
        {
          site->keep[i] = slots[i];
          *stack = true;
        }
    }
}

static struct bbp_effects
effects_at (const struct bbp_point *point)
{
  struct bbp_effects effects = {};
  if (!point->flags_live)
    bbp_clobber_flags (&effects);
  for (int i = 0; i < point->nregs; i++)
    if (point->keep[i] == BBP_KEEP_NOTHING)
      bbp_clobber (&effects, word_mode, point->scratch[i]);
    else if (point->keep[i] == BBP_KEEP_VECTOR)
      bbp_clobber (&effects, word_mode, point->vector[i]);
  return effects;
}

static void
write_text (bbp_writer *write, const void *what, const struct bbp_site *site)
{
  FILE *file = bbp_text_begin ();
  fputs (bbp_target_syntax_begin (), file);
  write (file, what, site);
  fputs (bbp_target_syntax_end (), file);
}

rtx_insn *
bbp_emit_stack_move (HOST_WIDE_INT offset, rtx_insn *after, location_t location)
{
  rtx_insn *insn
      = emit_insn_after_noloc (bbp_target_move_stack (offset), after, BLOCK_FOR_INSN (after));
  INSN_LOCATION (insn) = location;
  RTX_FRAME_RELATED_P (insn) = 1;
  return insn;
}

struct bbp_need
bbp_counter_need (void)
{
  const struct bbp_macros *macros = bbp_unit_state.macros;
  struct bbp_need need;
  struct bbp_site site = {};
  bbp_unit_fill_site (&site);
  for (int flags_live = 0; flags_live < 2; flags_live++)
    {
      site.flags_live = flags_live;
      need.registers[flags_live] = macros->block_registers (&site);
    }
  need.flags_register = decode_reg_name (macros->flags_register);
  need.here = false;
  return need;
}

static void
dump_place (rtx_insn *start, const struct bbp_point *point)
{
  static const char *const keeps[]
      = { "free", "parked in a vector register", "parked on the stack" };
  fprintf (dump_file, "basic block %d:%s%s", BLOCK_FOR_INSN (start)->index,
           point->after == start ? " at the head" : " further down",
           point->flags_live ? ", flags live" : "");
  for (int i = 0; i < point->nregs; i++)
    fprintf (dump_file, ", %s %s", reg_names[point->scratch[i]], keeps[point->keep[i]]);
  putc ('\n', dump_file);
}

rtx_insn *
bbp_insert (rtx_insn *start, const struct bbp_need *need, location_t location, bbp_writer *write,
            const void *what)
{
  struct bbp_point point = bbp_liveness_find_point (BLOCK_FOR_INSN (start), start, need);
  if (dump_file)
    dump_place (start, &point);
  struct bbp_site site = {};
  bool stack;
  fill_site (&site, &point, &stack);
  HOST_WIDE_INT room = BBP_TARGET_RED_ZONE + BBP_MAX_REGISTERS * UNITS_PER_WORD;
  if (stack)
    point.after = bbp_emit_stack_move (-room, point.after, location);
  write_text (write, what, &site);
  struct bbp_effects effects = effects_at (&point);
  rtx_insn *insn = bbp_emit_text (&effects, point.after, location);
  return stack ? bbp_emit_stack_move (room, insn, location) : insn;
}

rtx_insn *
bbp_emit_by (bbp_writer *write, const void *what, rtx_insn *after, location_t location)
{
  struct bbp_effects nothing = {};
  struct bbp_site site = {};
  write_text (write, what, &site);
  return bbp_emit_text (&nothing, after, location);
}

rtx_insn *
bbp_insert_branch (rtx_insn *start, const struct bbp_need *need, basic_block target,
                   bbp_writer *write, const void *what)
{
  struct bbp_point point = bbp_liveness_find_point (BLOCK_FOR_INSN (start), start, need);
  struct bbp_site site = {};
  bool stack;
  fill_site (&site, &point, &stack);
  gcc_assert (point.after == start && !stack && !point.flags_live);
  write_text (write, what, &site);
  struct bbp_effects effects = effects_at (&point);
  return bbp_emit_branch (&effects, start, target);
}

static void
write_counter (FILE *file, const void *what, const struct bbp_site *site)
{
  bbp_unit_state.macros->block_profiler (file, *(const int *) what, site);
}

rtx_insn *
bbp_insert_counter (int counter, rtx_insn *start, const struct bbp_need *need, location_t location)
{
  if (dump_file)
    fprintf (dump_file, "counter %d: ", counter);
  return bbp_insert (start, need, location, write_counter, &counter);
}

/* The same for one of GRAPH's; what the copies count needs to know where that is over. */
static void
insert_counter (const struct bbp_graph *graph, int counter, rtx_insn *start,
                const struct bbp_need *need, location_t location)
{
  rtx_insn *insn = bbp_insert_counter (counter, start, need, location);
  if (graph->traced)
    bbp_emit_label ("LPBQ", counter, insn, location);
}

/* Number what the map numbers, in its order. */
static void
number (struct bbp_graph *graph)
{
  int *counter = &bbp_unit_state.ncounters;
  for (auto &block : graph->blocks)
    {
      block.label = bbp_unit_state.nblocks++;
      if (block.counted)
        block.counter = (*counter)++;
      for (int i = 0; i < block.ncalls; i++)
        {
          struct bbp_call_site *call = &graph->calls[block.first_call + i];
          call->label = bbp_unit_state.ncalls++;
          if (call->counted)
            call->counter = (*counter)++;
        }
      for (int i = 0; i < block.nedges; i++)
        if (graph->edges[block.first_edge + i].counted)
          graph->edges[block.first_edge + i].counter = (*counter)++;
    }
}

static void
instrument_call (const struct bbp_graph *graph, const struct bbp_call_site *call,
                 const struct bbp_need *need)
{
  rtx_insn *place = call->tail ? PREV_INSN (call->insn) : call->insn;
  location_t location = location_behind (place, INSN_LOCATION (call->insn));
  rtx_insn *label = bbp_emit_label ("LPC", call->label, place, location);
  if (call->traced)
    label = bbp_trace_call (graph, call, label, location);
  if (call->counted)
    insert_counter (graph, call->counter, label, need, location);
}

rtx_insn *
bbp_block_start (basic_block bb, rtx_insn *hook)
{
  if (hook && BLOCK_FOR_INSN (hook) == bb)
    return hook;
  rtx_insn *frame = hook ? NULL : frame_end (cfun);
  return behind_marks (frame && BLOCK_FOR_INSN (frame) == bb ? frame : bb_note (bb));
}

static void
instrument_block (const struct bbp_graph *graph, const struct bbp_graph_block *block,
                  rtx_insn *hook, const struct bbp_need *need)
{
  rtx_insn *start = bbp_block_start (block->bb, hook);
  location_t location = bbp_block_location (block->bb, start);
  rtx_insn *label = bbp_emit_label ("LPB", block->label, start, location);
  if (graph->traced)
    label = bbp_trace_block (block, label, location);
  if (block->counted)
    insert_counter (graph, block->counter, label, need, location);
}

/* Find a place for each edge that is counted; before anything else is inserted. */
static void
split_edges (struct bbp_graph *graph)
{
  for (auto &block : graph->blocks)
    for (int i = 0; i < block.nedges; i++)
      {
        struct bbp_graph_edge *edge = &graph->edges[block.first_edge + i];
        if (edge->counted)
          edge->after = bbp_split_edge (edge->e, block.nedges == 1);
      }
}

static void
insert_code (struct bbp_graph *graph, rtx_insn *hook)
{
  struct bbp_need need = bbp_counter_need ();
  if (graph->traced)
    bbp_trace_edges (graph);
  for (auto &edge : graph->edges)
    if (edge.counted)
      insert_counter (graph, edge.counter, edge.after, &need,
                      bbp_block_location (BLOCK_FOR_INSN (edge.after), edge.after));
  for (auto &call : graph->calls)
    instrument_call (graph, &call, &need);
  for (auto &block : graph->blocks)
    instrument_block (graph, &block, hook, &need);
  if (graph->traced)
    bbp_trace_copies (graph, &need);
  if (bbp_unit_state.arcs == BBP_ARCS_STATIC)
    for (auto &call : graph->calls)
      if (CALL_P (call.insn) && !call.direct)
        bbp_call_insert_hook (&call);
}

/* The entry must be the only one who comes into the first block from outside, because its count
   is the function's. */
static void
separate_entry (function *fn)
{
  edge e, entry = single_succ_edge (ENTRY_BLOCK_PTR_FOR_FN (fn));
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, entry->dest->preds)
  if (e->flags & BBP_EDGE_STRAY)
    {
      split_edge (entry);
      return;
    }
}

void
bbp_instrument (function *fn)
{
  if (!bbp_unit_state.macros && !bbp_unit_state.templates)
    return;
  crtl->profile = 0; /* bbp_unit_start () has left it on only where our own call takes its place */
  struct bbp_wish wish = bbp_filter_function (fn);
  if (bbp_unit_state.templates)
    {
      bbp_template_instrument (fn, wish);
      return;
    }
  rtx_insn *hook = bbp_insert_hook (fn, wish);
  if (!wish.blocks)
    return;
  separate_entry (fn);
  if (wish.trace || wish.trace_calls)
    bbp_trace_split_blocks (fn);
  if (bbp_unit_state.profile_block_flag == 1)
    {
      bbp_words_instrument (fn, hook, wish.hooks);
      return;
    }
  if (bbp_unit_state.profile_block_flag == 2)
    {
      bbp_trace_calls_instrument (fn, hook, wish.trace_calls);
      return;
    }
  struct bbp_graph graph;
  graph.traced = wish.trace;
  bbp_graph_make (&graph, fn, hook);
  bbp_tree_choose (&graph);
  int first_counter = bbp_unit_state.ncounters;
  number (&graph);
  split_edges (&graph);
  df_analyze ();
  if (graph.traced)
    {
      bbp_trace_prepare (&graph);
      df_analyze ();
    }
  insert_code (&graph, hook);
  bbp_unit_add_function (fn, &graph, first_counter);
}

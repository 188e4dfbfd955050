/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What happens to a function.  In the order of the code that results:

   - Call mcount (with -pg) once per call of the function.  Placement `before': as the function's first instruction,
     behind endbr64, through __fentry__.  Placement `after': behind the prologue, where the frame pointer points to the
     caller's; take GCC's own call back.
   - If the function has counters and no call to mcount, make the thread known at the entry, before the prologue.
   - Do both on the entry edge: never again when the first block is the head of a loop.
   - Number every block, in the order of the code, also the empty ones, and put label .LPB<n> at its head: behind the
     code label, and behind the hooks in a block that has them.
   - Leave the first block without a counter if it begins where the call to mcount returns to: the calls count it.
   - Let every other block add 1 to its counter, at the point and with the registers that liveness.cc chooses; the pointer to
     the counters stays in one register where that can be (hold.cc).
   - Change nothing that anybody looks at: flags, registers, stack, red zone.  Tell the compiler of each register that
     does change: callers compiled with -fipa-ra rely on it.

   The text that the macro set writes goes into the insn stream as the template of a volatile asm. */
#include "bbprof-plugin.h"

/* The macro set's text.  One stream for the whole compilation, rewound for each use. */
static FILE *stream;
static char *stream_text;
static size_t stream_size;

static FILE *
text_begin (void)
{
  if (!stream)
    stream = open_memstream (&stream_text, &stream_size);
  if (!stream)
    fatal_error (UNKNOWN_LOCATION, "bbprof: no memory for assembler text");
  rewind (stream);
  return stream;
}

/* The text since text_begin () as an asm template: what means something in a template is escaped.  In garbage-collected
   memory. */
static const char *
text_end (void)
{
  putc ('\0', stream);
  fflush (stream);
  auto_vec<char, 256> escaped;
  const char *p = stream_text;
  if (*p == '\t')
    p++; /* `final' writes one */
  for (; *p; p++)
    {
      if (strchr ("%{|}", *p))
        escaped.safe_push ('%');
      escaped.safe_push (*p);
    }
  while (!escaped.is_empty () && escaped.last () == '\n')
    escaped.pop ();
  return ggc_alloc_string (escaped.address (), escaped.length ());
}

/* What an asm changes, and the one register that it may read. */
struct clobbers {
  rtx reg[BBP_MAX_REGISTERS * 2 + 4];
  int n;
  rtx input; /* or null */
};

static void
clobber (struct clobbers *list, machine_mode mode, unsigned regno)
{
  list->reg[list->n++] = gen_rtx_CLOBBER (VOIDmode, gen_rtx_REG (mode, regno));
}

static void
clobber_flags (struct clobbers *list)
{
  if (targetm.flags_regnum != INVALID_REGNUM)
    clobber (list, CCmode, targetm.flags_regnum);
}

/* Put the asm TEXT behind AFTER.  LOCATION is the line that the debug information shows for it; an asm of its own must
   have a location whose file has a name, or `final' crashes, and with a line number `final' would print that. */
static rtx_insn *
emit_asm (const char *text, const struct clobbers *list, rtx_insn *after, location_t location)
{
  rtvec inputs = rtvec_alloc (list->input ? 1 : 0), constraints = rtvec_alloc (list->input ? 1 : 0);
  if (list->input)
    {
      RTVEC_ELT (inputs, 0) = list->input;
      RTVEC_ELT (constraints, 0) = gen_rtx_ASM_INPUT_loc (word_mode, "r", BUILTINS_LOCATION);
    }
  rtx body = gen_rtx_ASM_OPERANDS (VOIDmode, text, "", 0, inputs, constraints, rtvec_alloc (0), BUILTINS_LOCATION);
  MEM_VOLATILE_P (body) = 1;
  rtvec parts = rtvec_alloc (1 + list->n);
  RTVEC_ELT (parts, 0) = body;
  for (int i = 0; i < list->n; i++)
    RTVEC_ELT (parts, 1 + i) = list->reg[i];
  rtx pattern = list->n ? gen_rtx_PARALLEL (VOIDmode, parts) : body;
  rtx_insn *insn = emit_insn_after_noloc (pattern, after, BLOCK_FOR_INSN (after));
  INSN_LOCATION (insn) = location;
  if (cfun->can_throw_non_call_exceptions)
    make_reg_eh_region_note_nothrow_nononlocal (insn);
  return insn;
}

/* Move the stack pointer by OFFSET in an insn of its own: then the compiler itself describes the new frame in the CFI. */
static rtx_insn *
emit_stack_move (HOST_WIDE_INT offset, rtx_insn *after, location_t location)
{
  rtx_insn *insn = emit_insn_after_noloc (bbp_target_move_stack (offset), after, BLOCK_FOR_INSN (after));
  INSN_LOCATION (insn) = location;
  RTX_FRAME_RELATED_P (insn) = 1;
  return insn;
}

/* The line that a block begins with: without it the counter would belong to the line before, which may be in any other
   block. */
static location_t
block_location (basic_block bb, rtx_insn *start)
{
  for (rtx_insn *insn = start; insn != NEXT_INSN (BB_END (bb)); insn = NEXT_INSN (insn))
    if (NONDEBUG_INSN_P (insn) && INSN_HAS_LOCATION (insn))
      return INSN_LOCATION (insn);
  return single_succ_p (bb) ? single_succ_edge (bb)->goto_locus : UNKNOWN_LOCATION;
}

/* The block that only the entry leads to. */
static basic_block
entry_block (function *fn)
{
  edge e = single_succ_edge (ENTRY_BLOCK_PTR_FOR_FN (fn));
  return single_pred_p (e->dest) ? e->dest : split_edge (e);
}

/* The insn behind which the hook of FN goes. */
static rtx_insn *
hook_place (function *fn, bool before)
{
  if (!before)
    for (rtx_insn *insn = get_insns (); insn; insn = NEXT_INSN (insn))
      if (NOTE_P (insn) && NOTE_KIND (insn) == NOTE_INSN_PROLOGUE_END)
        return insn;
  return bb_note (entry_block (fn));
}

/* Put the call to mcount, or what stands for it, into FN; the insn, or null if there is none. */
static rtx_insn *
insert_hook (function *fn, struct bbp_wish wish)
{
  if (!wish.call_mcount && !wish.attach)
    return NULL;
  const struct bbp_macros *macros = bbp_unit_state.macros;
  bool before = bbp_unit_state.before || !wish.call_mcount;
  struct bbp_site site = {};
  bbp_unit_fill_site (&site);
  site.chain_live = DECL_STATIC_CHAIN (fn->decl);
  FILE *file = text_begin ();
  fputs (bbp_target_syntax_begin (), file);
  if (wish.call_mcount)
    {
      site.mcount = bbp_target_mcount (fn, before);
      macros->function_profiler (file, current_function_funcdef_no, &site);
    }
  else
    macros->function_block_profiler (file, bbp_unit_state.nblocks, &site);
  fputs (bbp_target_syntax_end (), file);

  struct clobbers list = {};
  clobber_flags (&list);
  for (const char *const *name = macros->profiler_clobbers; *name; name++)
    clobber (&list, word_mode, decode_reg_name (*name));
  return emit_asm (text_end (), &list, hook_place (fn, before), UNKNOWN_LOCATION);
}

/* Describe the place POINT to the macro set; STACK is set if values are parked on the stack. */
static void
fill_site (struct bbp_site *site, const struct bbp_point *point, bool *stack)
{
  static const char *const slots[BBP_MAX_REGISTERS] = { "0(%rsp)", "8(%rsp)" };
  bbp_unit_fill_site (site);
  site->flags_live = point->flags_live;
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

static struct clobbers
counter_clobbers (const struct bbp_point *point, bool held)
{
  struct clobbers list = {};
  if (!point->flags_live)
    clobber_flags (&list);
  for (int i = 0; i < point->nregs; i++)
    if (held && i == 0)
      list.input = gen_rtx_REG (word_mode, point->scratch[i]);
    else if (point->keep[i] == BBP_KEEP_NOTHING)
      clobber (&list, word_mode, point->scratch[i]);
    else if (point->keep[i] == BBP_KEEP_VECTOR)
      clobber (&list, word_mode, point->vector[i]);
  return list;
}

static void
dump_point (basic_block bb, int n, rtx_insn *start, const struct bbp_point *point)
{
  static const char *const keeps[] = { "free", "parked in a vector register", "parked on the stack" };
  fprintf (dump_file, "basic block %d: .LPB%d, counter %s%s", bb->index, n,
           point->after == start ? "at the head" : "further down", point->flags_live ? ", flags live" : "");
  for (int i = 0; i < point->nregs; i++)
    fprintf (dump_file, ", %s %s", reg_names[point->scratch[i]], keeps[point->keep[i]]);
  putc ('\n', dump_file);
}

/* Ask the macro set. */
static struct bbp_need
find_need (void)
{
  const struct bbp_macros *macros = bbp_unit_state.macros;
  struct bbp_need need;
  struct bbp_site site = {};
  bbp_unit_fill_site (&site);
  for (int flags_live = 0; flags_live < 2; flags_live++)
    {
      site.flags_live = flags_live;
      need.registers[flags_live] = macros->block_registers (&site);
      need.holds[flags_live] = macros->block_holds (&site);
    }
  return need;
}

rtx_insn *
bbp_block_start (basic_block bb, rtx_insn *hook)
{
  return hook && BLOCK_FOR_INSN (hook) == bb ? hook : bb_note (bb);
}

/* Put label N alone behind START. */
static rtx_insn *
insert_label (basic_block bb, int n, rtx_insn *start)
{
  struct clobbers nothing = {};
  fprintf (text_begin (), ".LPB%d:\n", n);
  return emit_asm (text_end (), &nothing, start, block_location (bb, start));
}

/* Put label N and its counter into BB, at POINT; START is the last insn of the block's head.  HELD: the first scratch
   register holds the pointer to the counters. */
static void
insert_counter (basic_block bb, int n, rtx_insn *start, struct bbp_point point, bool held)
{
  const struct bbp_macros *macros = bbp_unit_state.macros;
  if (dump_file)
    dump_point (bb, n, start, &point);
  struct bbp_site site = {};
  site.held = held;
  bool stack;
  fill_site (&site, &point, &stack);
  location_t location = block_location (bb, start);
  bool together = point.after == start && !stack;
  if (!together)
    {
      rtx_insn *label = insert_label (bb, n, start);
      if (point.after == start)
        point.after = label;
    }
  FILE *file = text_begin ();
  if (together)
    fprintf (file, ".LPB%d:\n", n);
  fputs (bbp_target_syntax_begin (), file);
  macros->block_profiler (file, n, &site);
  fputs (bbp_target_syntax_end (), file);

  HOST_WIDE_INT room = BBP_TARGET_RED_ZONE + BBP_MAX_REGISTERS * UNITS_PER_WORD;
  if (stack)
    point.after = emit_stack_move (-room, point.after, location);
  struct clobbers list = counter_clobbers (&point, held);
  rtx_insn *insn = emit_asm (text_end (), &list, point.after, location);
  if (stack)
    emit_stack_move (room, insn, location);
}

/* The block that begins where HOOK, FN's call to mcount, returns to: it is the first one, or has a counter. */
static basic_block
counted_by_calls (function *fn, rtx_insn *hook)
{
  basic_block first = ENTRY_BLOCK_PTR_FOR_FN (fn)->next_bb;
  return hook && BLOCK_FOR_INSN (hook) == first ? first : NULL;
}

void
bbp_instrument (function *fn)
{
  if (!bbp_unit_state.macros)
    return;
  crtl->profile = 0; /* bbp_unit_start () has left it on only where our own call takes its place */
  struct bbp_wish wish = bbp_filter_function (fn);
  rtx_insn *hook = insert_hook (fn, wish);
  if (!wish.blocks)
    return;
  df_analyze ();
  struct bbp_need need = find_need ();
  auto_bitmap held;
  basic_block by_calls = wish.call_mcount ? counted_by_calls (fn, hook) : NULL;
  unsigned holder = bbp_hold_choose (fn, hook, by_calls, &need, held);
  basic_block bb;
  FOR_EACH_BB_FN (bb, fn)
    {
      int n = bbp_unit_add_block (fn, bb, bb == by_calls);
      rtx_insn *start = bbp_block_start (bb, hook);
      if (bb == by_calls)
        {
          insert_label (bb, n, start);
          continue;
        }
      struct bbp_point point = bbp_liveness_find_point (bb, start, &need, holder);
      insert_counter (bb, n, start, point, bitmap_bit_p (held, bb->index));
    }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The trace points of a function compiled with ax, as runtime/bbprof-abi.h describes them: what is recorded where.  Each of them costs a
   test while nothing is recorded; the text comes from the macro set.  The point at the entry is one of the hooks (instrument.cc).

   Which way a conditional jump goes is not asked for on both ways, which would need new blocks on most of them, and detours.  The block
   asks once, before it compares; who records goes on in a copy of comparison and jump at the end of the section:

       ...                                       .LPBT<n>:  cmp
       testb  $1, mode ; jne .LPBT<n>                       jcc   2f
     .LPBR<n>:                                              push 0 ; jmp  other
       cmp                                             2:   push 1 ; jmp  target
       jcc    target
     other:

   Where that cannot be (the flags come from the block before; there are more ways than two) each way has its point.  So that the
   run-time library knows where control is that is found in such code, the end of its source is marked: .LPBR<n>.  */
#include "graph.h"
#include "bbprof-plugin.h"

/* Most instructions, besides the jump, that are copied. */
#define MOST_COPIES 3

/* A call that returns twice ends its block, and nobody knows that control goes on from there: it may at any time. */
void
bbp_trace_split_blocks (function *fn)
{
  basic_block bb;
  rtx_insn *insn;
  FOR_EACH_BB_FN (bb, fn)
    FOR_BB_INSNS (bb, insn)
      if (CALL_P (insn) && find_reg_note (insn, REG_SETJMP, NULL_RTX))
        {
          edge e = insn == BB_END (bb) ? find_fallthru_edge (bb->succs) : split_block (bb, insn);
          if (e)
            e->flags |= EDGE_ABNORMAL;
          break;
        }
}

/* Does a call in BLOCK return? */
static bool
has_return (const struct bbp_graph *graph, const struct bbp_graph_block *block)
{
  for (int i = 0; i < block->ncalls; i++)
    if (!graph->calls[block->first_call + i].final)
      return true;
  return false;
}

/* The ways out of BLOCK, one after the other. */
static void
choose_ways (struct bbp_graph *graph, struct bbp_graph_block *block)
{
  int n = block->nedges + (block->nedges && block->out);
  bool returns = has_return (graph, block);
  block->source = block->ncalls || !block->nedges;
  for (int i = 0; i < block->nedges; i++)
    {
      struct bbp_graph_edge *edge = &graph->edges[block->first_edge + i];
      bool lands = graph->blocks[edge->target].land;
      edge->way = n == 1 ? edge->BBP_WAY_ONLY : n == 2 ? edge->BBP_WAY_BIT : edge->BBP_WAY_TOKEN;
      edge->bit = i;
      edge->jump = returns && !lands;
      block->source |= lands;
    }
}

/* Where BLOCK's calls return; the last one can record the jump that follows as well, if only one way leads on. */
static void
choose_returns (struct bbp_graph *graph, struct bbp_graph_block *block)
{
  struct bbp_call_site *last = NULL;
  for (int i = 0; i < block->ncalls; i++)
    {
      struct bbp_call_site *call = &graph->calls[block->first_call + i];
      call->traced = !call->final;
      if (call->traced)
        last = call;
    }
  const struct bbp_graph_edge *edge = block->nedges ? &graph->edges[block->first_edge] : NULL;
  if (last && edge && edge->way == edge->BBP_WAY_ONLY && edge->jump)
    last->onward = edge;
}

/* What the points ask of a place. */
static struct bbp_need
find_need (int (*registers) (const struct bbp_site *))
{
  struct bbp_site site = {};
  struct bbp_need need;
  bbp_unit_fill_site (&site);
  for (int flags_live = 0; flags_live < 2; flags_live++)
    {
      site.flags_live = flags_live;
      need.registers[flags_live] = registers (&site);
    }
  need.flags_register = decode_reg_name (bbp_unit_state.macros->flags_register);
  need.here = true;
  return need;
}

static struct bbp_need
point_need (void)
{
  return find_need (bbp_unit_state.macros->trace_registers);
}

static struct bbp_need
source_need (void)
{
  struct bbp_need need = find_need (bbp_unit_state.macros->source_registers);
  need.flags_register = INVALID_REGNUM;
  return need;
}

/* What is to be done on EDGE. */
static void
add_actions (struct bbp_trace_point *point, const struct bbp_graph *graph, const struct bbp_graph_edge *edge)
{
  int target = graph->blocks[edge->target].label;
  if (edge->way == edge->BBP_WAY_BIT)
    point->actions[point->nactions++] = { BBP_TRACE_BIT, edge->bit };
  if (edge->way == edge->BBP_WAY_TOKEN)
    point->actions[point->nactions++] = { BBP_TRACE_TOKEN, target };
  if (edge->jump)
    point->actions[point->nactions++] = { BBP_TRACE_JUMP, target };
}

/* An insn that can be copied without anybody being told. */
static bool
may_be_copied (rtx_insn *insn)
{
  return NONJUMP_INSN_P (insn) && asm_noperands (PATTERN (insn)) < 0 && !volatile_insn_p (PATTERN (insn))
         && !RTX_FRAME_RELATED_P (insn) && !prologue_contains (insn) && !epilogue_contains (insn)
         && !find_reg_note (insn, REG_EH_REGION, NULL_RTX);
}

/* The insn in BB from behind which on it can be copied, with a test before that; or null. */
static rtx_insn *
start_of_copy (basic_block bb, const struct bbp_need *need)
{
  rtx_insn *jump = BB_END (bb);
  if (!JUMP_P (jump) || EDGE_COUNT (bb->succs) != 2 || !any_condjump_p (jump) || !onlyjump_p (jump))
    return NULL;
  int copies = 0;
  for (rtx_insn *insn = PREV_INSN (jump); !LABEL_P (insn); insn = PREV_INSN (insn))
    {
      if (bbp_liveness_is_easy (insn, need))
        return insn;
      if (NOTE_INSN_BASIC_BLOCK_P (insn) || (NONDEBUG_INSN_P (insn) && (!may_be_copied (insn) || copies++ == MOST_COPIES)))
        break;
    }
  return NULL;
}

/* The copy of what is behind START in BB, up to its jump, as a new block, behind which nothing has been put yet. */
static basic_block
copy_end (basic_block bb, rtx_insn *start)
{
  basic_block copy = bbp_new_block (bbp_last_of_part (bb), bb);
  for (rtx_insn *insn = start; insn != BB_END (bb);)
    {
      insn = NEXT_INSN (insn);
      if (NONDEBUG_INSN_P (insn))
        emit_copy_of_insn_after (insn, BB_END (copy));
    }
  return copy;
}

/* Who records something of POINT goes on at .LPBT<number>. */
struct branch {
  struct bbp_trace_point point;
  int number;
};

static void
write_branch_test (FILE *file, const void *what, const struct bbp_site *site)
{
  const struct branch *branch = (const struct branch *) what;
  bbp_unit_state.macros->trace_test (file, &branch->point, branch->number, site);
}

static void
write_mark (FILE *file, const void *what, const struct bbp_site *)
{
  bbp_unit_state.macros->trace_mark (file, *(const int *) what);
}

/* The edge of GRAPH that is E; it begins in BLOCK. */
static struct bbp_graph_edge *
edge_of (struct bbp_graph *graph, const struct bbp_graph_block *block, edge e)
{
  struct bbp_graph_edge *edge = &graph->edges[block->first_edge];
  while (edge->e != e)
    edge++;
  return edge;
}

/* The block behind LAST where WAY is recorded, and from which control goes on that way. */
static basic_block
add_way (struct bbp_graph_edge *way, basic_block last, int mark)
{
  basic_block bb = bbp_new_block (last, last);
  bbp_end_with_jump (bb, way->e->dest);
  way->point = bb_note (bb);
  way->outside = true;
  way->mark = mark;
  return bb;
}

/* Let who records go on in a copy of BLOCK's end behind START. */
static void
add_copy (struct bbp_graph *graph, struct bbp_graph_block *block, rtx_insn *start, const struct bbp_need *need)
{
  basic_block bb = block->bb;
  edge taken = BRANCH_EDGE (bb), other = FALLTHRU_EDGE (bb);
  location_t location = INSN_LOCATION (BB_END (bb));
  int n = bbp_unit_state.nbranches++;
  basic_block copy = copy_end (bb, start);
  bbp_emit_by (write_mark, &n, bb_note (copy), location);
  basic_block behind = add_way (edge_of (graph, block, other), copy, n);
  basic_block aside = add_way (edge_of (graph, block, taken), behind, n);
  bbp_emit_label ("LPBU", n, PREV_INSN (BB_END (aside)), location);
  make_edge (copy, behind, EDGE_FALLTHRU);
  edge redirected = redirect_edge_and_branch (make_edge (copy, taken->dest, 0), aside);
  gcc_assert (redirected);
  CROSSING_JUMP_P (BB_END (copy)) = 0;

  struct branch branch = { {}, n };
  add_actions (&branch.point, graph, edge_of (graph, block, taken));
  rtx_insn *test = bbp_insert_branch (start, need, copy, write_branch_test, &branch);
  INSN_LOCATION (test) = location;
  split_block (bb, test);
  make_edge (bb, copy, 0);
}

/* Give EDGE, a way out of BLOCK, a point of its own. */
static void
add_point (struct bbp_graph_block *block, struct bbp_graph_edge *edge, int mark)
{
  if (!edge->counted)
    edge->after = bbp_split_edge (edge->e, block->nedges == 1);
  edge->point = edge->after;
  edge->mark = mark;
}

/* All of BLOCK's; the place where it ends gets a mark, unless the point is there. */
static void
add_points (struct bbp_graph *graph, struct bbp_graph_block *block)
{
  int mark = block->nedges == 1 ? -1 : bbp_unit_state.nbranches++;
  rtx_insn *end = BB_END (block->bb);
  if (mark >= 0)
    bbp_emit_label ("LPBR", mark, PREV_INSN (end), INSN_LOCATION (end));
  for (int i = 0; i < block->nedges; i++)
    add_point (block, &graph->edges[block->first_edge + i], mark);
}

void
bbp_trace_prepare (struct bbp_graph *graph)
{
  struct bbp_need need = point_need ();
  for (unsigned i = 1; i < graph->blocks.length (); i++)
    graph->blocks[i].land = graph->blocks[i].in;
  for (auto &block : graph->blocks)
    {
      choose_ways (graph, &block);
      choose_returns (graph, &block);
    }
  for (auto &block : graph->blocks)
    if (block.nedges && graph->edges[block.first_edge].way != bbp_graph_edge::BBP_WAY_ONLY)
      {
        rtx_insn *start = block.nedges == 2 && !block.out ? start_of_copy (block.bb, &need) : NULL;
        if (start)
          add_copy (graph, &block, start, &need);
        else
          add_points (graph, &block);
      }
}

static void
write_point (FILE *file, const void *what, const struct bbp_site *site)
{
  bbp_unit_state.macros->trace_point (file, (const struct bbp_trace_point *) what, site);
}

static void
write_source (FILE *file, const void *what, const struct bbp_site *site)
{
  bbp_unit_state.macros->trace_source (file, *(const int *) what, site);
}

static rtx_insn *
insert_point (const struct bbp_trace_point *point, rtx_insn *after, location_t location)
{
  struct bbp_need need = point_need ();
  return bbp_insert (after, &need, location, write_point, point);
}

rtx_insn *
bbp_trace_block (const struct bbp_graph_block *block, rtx_insn *after, location_t location)
{
  struct bbp_trace_point land = { { { BBP_TRACE_LAND, block->label } }, 1, false, -1 };
  struct bbp_need need = source_need ();
  if (block->land)
    after = insert_point (&land, after, location);
  return block->source ? bbp_insert (after, &need, location, write_source, &block->label) : after;
}

rtx_insn *
bbp_trace_call (const struct bbp_graph *graph, const struct bbp_call_site *call, rtx_insn *after, location_t location)
{
  struct bbp_trace_point point = { { { BBP_TRACE_RETURN, call->label } }, 1, false, -1 };
  if (call->onward)
    add_actions (&point, graph, call->onward);
  return insert_point (&point, after, location);
}

void
bbp_trace_edges (struct bbp_graph *graph)
{
  for (auto &edge : graph->edges)
    if (edge.point)
      {
        struct bbp_trace_point point = {};
        add_actions (&point, graph, &edge);
        point.outside = edge.outside;
        point.place = edge.mark;
        rtx_insn *insn = insert_point (&point, edge.point, bbp_block_location (BLOCK_FOR_INSN (edge.point), edge.point));
        if (edge.point == edge.after)
          edge.after = insn;
      }
}

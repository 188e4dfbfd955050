/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inserts the trace points of a function compiled with ax, as include/bbprof-abi.h describes
   them.  Each costs a test while nothing is recorded.  The macro set writes the text.  The point
   at the entry is one of the hooks (hook.cc).

   A conditional jump is not recorded on both of its edges, which would need new blocks on most of
   them, and detours.  The block tests once, before its comparison.  A recording thread continues
   in a copy of comparison and jump at the end of the section.  From there it continues in copies
   of the blocks that follow (trace_copies.cc), so these need no test:

         ...                                       .LPBT<n>:  cmp
         testb  $1, mode ; jne .LPBT<n>                       jcc   2f
       .LPBR<n>:                                              push 0 ; jmp  other
         cmp                                             2:   push 1 ; jmp  target
         jcc    target
       other:

   Where that is impossible (the flags come from the block before; there are more than two edges)
   each edge has its own point.  The end of its source is marked, .LPBR<n>, so that the run-time
   library knows the place of a thread that it finds in such code. */
#include "gcc-plugin/emit.h"
#include "gcc-plugin/graph.h"
#include "gcc-plugin/state.h"
#include "gcc-plugin/trace.h"

/* A call that returns twice ends its block, because control may continue behind it again at any
   time. */
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

/* Chooses how each edge out of BLOCK is recorded. */
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

/* Chooses the points where BLOCK's calls return.  The last one can also record the jump that
   follows, if there is only one edge. */
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

/* The registers that trace points need, with dead and with live flags. */
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
outside_need (void)
{
  return find_need (bbp_unit_state.macros->outside_registers);
}

static struct bbp_need
source_need (void)
{
  struct bbp_need need = find_need (bbp_unit_state.macros->source_registers);
  need.flags_register = INVALID_REGNUM;
  return need;
}

/* Adds the actions for EDGE. */
static void
add_actions (struct bbp_trace_point *point, const struct bbp_graph *graph,
             const struct bbp_graph_edge *edge)
{
  int target = graph->blocks[edge->target].label;
  if (edge->way == edge->BBP_WAY_BIT)
    point->actions[point->nactions++] = { BBP_TRACE_BIT, edge->bit };
  if (edge->way == edge->BBP_WAY_TOKEN)
    point->actions[point->nactions++] = { BBP_TRACE_TOKEN, target };
  if (edge->jump)
    point->actions[point->nactions++] = { BBP_TRACE_JUMP, target };
}

static bool
is_cold (basic_block bb)
{
  return BB_PARTITION (bb) == BB_COLD_PARTITION;
}

/* A place that control has reached, by the map: .<PREFIX><NUMBER>, in BB. */
struct place {
  const char *prefix;
  int number;
  basic_block bb;
};

struct zone {
  struct place place;
  bool cold;
};

static void
write_zone_begin (FILE *file, const void *what, const struct bbp_site *)
{
  const struct zone *zone = (const struct zone *) what;
  char label[BBP_PLACE_BYTES];
  snprintf (label, sizeof label, ".%s%d", zone->place.prefix, zone->place.number);
  bbp_zone_begin (file, label,
                  (zone->cold ? BBP_ZONE_COLD : 0)
                      | (is_cold (zone->place.bb) ? BBP_ZONE_COLD_PLACE : 0));
}

/* Begins code behind AFTER that only recording threads use.  PLACE: where control is there. */
static rtx_insn *
begin_zone (struct place place, rtx_insn *after, location_t location)
{
  struct zone zone = { place, is_cold (BLOCK_FOR_INSN (after)) };
  return bbp_emit_by (write_zone_begin, &zone, after, location);
}

static void
write_zone_end (FILE *file, const void *what, const struct bbp_site *)
{
  bbp_zone_end (file, *(const bool *) what);
}

/* Ends the last zone at the end of BB. */
static void
end_zone (basic_block bb)
{
  bool jumps = JUMP_P (BB_END (bb));
  bbp_emit_by (write_zone_end, &jumps, jumps ? PREV_INSN (BB_END (bb)) : BB_END (bb),
               bbp_block_location (bb, bb_note (bb)));
}

/* A thread that records an action of POINT continues at .LPBT<number>. */
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

/* The edge of GRAPH that is E, which begins in BLOCK. */
static const struct bbp_graph_edge *
edge_of (const struct bbp_graph *graph, const struct bbp_graph_block *block, edge e)
{
  const struct bbp_graph_edge *edge = &graph->edges[block->first_edge];
  while (edge->e != e)
    edge++;
  return edge;
}

/* Adds the block behind LAST where edge E out of BLOCK is recorded, and from which control
   continues along it. */
static basic_block
add_way (struct bbp_graph *graph, const struct bbp_graph_block *block, edge e, basic_block last,
         int mark)
{
  const struct bbp_graph_edge *edge = edge_of (graph, block, e);
  basic_block copy = graph->blocks[edge->target].copy, bb = bbp_new_block (last, last);
  bbp_end_with_jump (bb, copy ? copy : e->dest);
  graph->ways.safe_push ({ block, edge, bb, mark });
  return bb;
}

/* Adds the edges out of COPY, a copy of BLOCK's end.  TAKEN and OTHER: the block's own edges;
   TAKEN is null if there is only one. */
static void
add_ways (struct bbp_graph *graph, const struct bbp_graph_block *block, basic_block copy,
          edge taken, edge other, int mark)
{
  basic_block behind = add_way (graph, block, other, copy, mark);
  make_edge (copy, behind, EDGE_FALLTHRU);
  if (!taken)
    return;
  basic_block aside = add_way (graph, block, taken, behind, mark);
  edge redirected = redirect_edge_and_branch (make_edge (copy, taken->dest, 0), aside);
  gcc_assert (redirected);
  CROSSING_JUMP_P (BB_END (copy)) = 0;
}

static void
add_ways_of_copy (struct bbp_graph *graph, const struct bbp_graph_block *block)
{
  basic_block bb = block->bb;
  if (block->nedges == 1)
    add_ways (graph, block, block->copy, NULL, single_succ_edge (bb), -1);
  else
    add_ways (graph, block, block->copy, BRANCH_EDGE (bb), FALLTHRU_EDGE (bb), -1);
}

/* Sends recording threads to a copy of BLOCK's end. */
static void
add_test (struct bbp_graph *graph, struct bbp_graph_block *block, const struct bbp_need *need)
{
  basic_block bb = block->bb;
  edge taken = BRANCH_EDGE (bb);
  location_t location = INSN_LOCATION (BB_END (bb));
  int n = bbp_unit_state.nbranches++;
  basic_block copy = bbp_copy_end (bb, block->test);
  rtx_insn *mark = begin_zone ({ "LPBR", n, bb }, bb_note (copy), location);
  bbp_emit_label ("LPBT", n, mark, location);
  add_ways (graph, block, copy, taken, FALLTHRU_EDGE (bb), n);
  end_zone (copy);

  struct branch branch = { {}, n };
  add_actions (&branch.point, graph, edge_of (graph, block, taken));
  rtx_insn *test = bbp_insert_branch (block->test, need, copy, write_branch_test, &branch);
  INSN_LOCATION (test) = location;
  split_block (bb, test);
  make_edge (bb, copy, 0);
}

/* Gives EDGE out of BLOCK a point of its own. */
static void
add_point (struct bbp_graph_block *block, struct bbp_graph_edge *edge, int mark)
{
  if (!edge->counted)
    edge->after = bbp_split_edge (edge->e, block->nedges == 1);
  edge->point = edge->after;
  edge->mark = mark;
}

/* All points of BLOCK.  Its end gets a mark, unless the point is there. */
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
  bbp_copies_choose (graph, &need);
  for (auto &block : graph->blocks)
    if (block.copied)
      block.copy = bbp_copy_end (block.bb, bb_note (block.bb));
  for (auto &block : graph->blocks)
    if (block.copied)
      add_ways_of_copy (graph, &block);
  for (auto &block : graph->blocks)
    if (block.unsure && block.nedges
        && graph->edges[block.first_edge].way != bbp_graph_edge::BBP_WAY_ONLY)
      {
        if (block.test)
          add_test (graph, &block, &need);
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
  struct bbp_need need = point->outside && !point->hot ? outside_need () : point_need ();
  return bbp_insert (after, &need, location, write_point, point);
}

rtx_insn *
bbp_trace_block (const struct bbp_graph_block *block, rtx_insn *after, location_t location)
{
  struct bbp_trace_point land
      = { { { BBP_TRACE_LAND, block->label } }, 1, false, false, -1, false };
  struct bbp_need need = source_need ();
  if (block->land)
    after = insert_point (&land, after, location);
  return block->source ? bbp_insert (after, &need, location, write_source, &block->label) : after;
}

rtx_insn *
bbp_trace_call (const struct bbp_graph *graph, const struct bbp_call_site *call, rtx_insn *after,
                location_t location)
{
  struct bbp_trace_point point
      = { { { BBP_TRACE_RETURN, call->label } }, 1, false, false, -1, false };
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
        point.place = edge.mark;
        point.cold_place = is_cold (edge.e->src);
        rtx_insn *insn = insert_point (
            &point, edge.point, bbp_block_location (BLOCK_FOR_INSN (edge.point), edge.point));
        if (edge.point == edge.after)
          edge.after = insn;
      }
}

/* Counts with COUNTER, which is in BB, behind AFTER in the copy; then a new zone begins. */
static rtx_insn *
count_in_copy (int counter, basic_block bb, rtx_insn *after, const struct bbp_need *need,
               location_t location)
{
  struct bbp_counter one = { counter, 0, INVALID_REGNUM };
  after = bbp_insert_counter (&one, after, need, location);
  return begin_zone ({ "LPBQ", counter, bb }, after, location);
}

static void
fill_copy (const struct bbp_graph_block *block, const struct bbp_need *need)
{
  rtx_insn *start = bb_note (block->copy);
  location_t location = bbp_block_location (block->copy, start);
  start = begin_zone ({ "LPB", block->label, block->bb }, start, location);
  if (block->counted)
    count_in_copy (block->counter, block->bb, start, need, location);
  end_zone (block->copy);
}

/* The place at the end of WAY's source. */
static struct place
place_of_way (const struct bbp_graph_way *way)
{
  const struct bbp_graph_block *block = way->block;
  if (way->mark >= 0)
    return { "LPBR", way->mark, block->bb };
  if (block->counted)
    return { "LPBQ", block->counter, block->bb };
  return { "LPB", block->label, block->bb };
}

/* Is BB executed as often as its function is called, or more often, as far as the compiler knows?
   Then its bit is pushed in line, which takes more code. */
static bool
is_hot (basic_block bb)
{
  return bb->count >= ENTRY_BLOCK_PTR_FOR_FN (cfun)->count && maybe_hot_bb_p (cfun, bb);
}

static void
fill_way (const struct bbp_graph *graph, const struct bbp_graph_way *way,
          const struct bbp_need *need)
{
  rtx_insn *insn = bb_note (way->bb);
  location_t location = bbp_block_location (way->bb, insn);
  struct bbp_trace_point point = {};
  add_actions (&point, graph, way->edge);
  point.outside = true;
  point.hot = is_hot (way->block->bb);
  insn = begin_zone (place_of_way (way), insn, location);
  if (point.nactions)
    insn = insert_point (&point, insn, location);
  if (way->edge->counted && (graph->blocks[way->edge->target].copy || way->block->nedges == 1))
    count_in_copy (way->edge->counter, BLOCK_FOR_INSN (way->edge->after), insn, need, location);
  end_zone (way->bb);
}

void
bbp_trace_copies (const struct bbp_graph *graph, const struct bbp_need *need)
{
  for (auto &block : graph->blocks)
    if (block.copy)
      fill_copy (&block, need);
  for (auto &way : graph->ways)
    fill_way (graph, &way, need);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chooses the loops in which a register points to the function's counters.  An increment by a
   register is shorter than one by the instruction pointer.  And processors pass a stored value to
   the next load of the same address without delay, but only if both use a register that has not
   changed; otherwise the increments of a counter that runs in each round of a short loop wait for
   each other.

   The register must not be used in the loop, nor at the places where it is loaded: at the end of
   each block that leads into the loop.  So no block is added, and loading changes no flag.  Blocks
   with calls do not belong to the loop, because calls change the register; it is loaded again
   behind them. */
#include "gcc-plugin/emit.h"
#include "gcc-plugin/graph.h"
#include "gcc-plugin/state.h"

/* A loop is worth a pointer if that is loaded at most once for so many increments, and if the loop
   has at most so many instructions: a round of a longer one takes more time than an increment. */
#define INCREMENTS_PER_LOAD 2
#define MOST_INSNS 100

/* The blocks of a loop in which the register would hold the pointer, and those that lead there. */
struct region {
  auto_vec<basic_block> blocks, before;
  auto_bitmap inside;          /* the numbers of BLOCKS */
  gcov_type increments, loads; /* executions, as the compiler estimates them */
  int insns;                   /* of BLOCKS */
};

struct search {
  struct bbp_graph *graph;
  const struct bbp_need *need;
  auto_bitmap others;     /* blocks with calls, or reached in other ways than by plain edges */
  auto_vec<int> counters; /* number of them, by number of block */
};

static gcov_type
executions (basic_block bb)
{
  return bb->count.initialized_p () ? bb->count.to_gcov_type () : 1;
}

static void
prepare (struct search *search)
{
  search->counters.safe_grow_cleared (last_basic_block_for_fn (cfun), true);
  for (auto &edge : search->graph->edges)
    if (edge.counted)
      search->counters[BLOCK_FOR_INSN (edge.after)->index]++;
  for (auto &block : search->graph->blocks)
    {
      search->counters[block.bb->index] += block.counted;
      if (block.in || block.ncalls)
        bitmap_set_bit (search->others, block.bb->index);
    }
}

/* Finds the blocks outside of REGION that lead into it. */
static void
find_before (struct region *region)
{
  auto_bitmap seen;
  for (basic_block bb : region->blocks)
    {
      edge e;
      edge_iterator ei;
      FOR_EACH_EDGE (e, ei, bb->preds)
      if (!bitmap_bit_p (region->inside, e->src->index) && bitmap_set_bit (seen, e->src->index))
        {
          region->before.safe_push (e->src);
          region->loads += executions (e->src);
        }
    }
}

static void
find_region (struct region *region, const class loop *loop, struct search *search)
{
  region->increments = region->loads = 0;
  region->insns = 0;
  basic_block *body = get_loop_body (loop);
  for (unsigned i = 0; i < loop->num_nodes; i++)
    if (!bitmap_bit_p (search->others, body[i]->index))
      {
        region->blocks.safe_push (body[i]);
        bitmap_set_bit (region->inside, body[i]->index);
        region->increments += executions (body[i]) * search->counters[body[i]->index];
        rtx_insn *insn;
        FOR_BB_INSNS (body[i], insn)
        region->insns += active_insn_p (insn) != 0;
      }
  free (body);
  find_before (region);
}

/* The insn behind which the pointer is loaded at the end of BB. */
static rtx_insn *
place_in (basic_block bb)
{
  return JUMP_P (BB_END (bb)) ? PREV_INSN (BB_END (bb)) : BB_END (bb);
}

/* A register that is used nowhere in REGION, nor where it would be loaded; or INVALID_REGNUM. */
static unsigned
find_register (const struct region *region, const struct bbp_need *need)
{
  auto_bitmap used, live;
  for (basic_block bb : region->blocks)
    {
      bitmap_ior_into (used, DF_LR_IN (bb));
      bitmap_ior_into (used, DF_LR_OUT (bb));
      bitmap_ior_into (used, &DF_LR_BB_INFO (bb)->def);
      bitmap_ior_into (used, &DF_LR_BB_INFO (bb)->use);
    }
  for (basic_block bb : region->before)
    {
      bbp_liveness_behind (place_in (bb), live);
      bitmap_ior_into (used, live);
    }
  return bbp_liveness_unused (used, need);
}

/* Gives LOOP a pointer; or else those loops in it that can have one. */
static void
visit (struct search *search, const class loop *loop)
{
  struct region region;
  find_region (&region, loop, search);
  if (!region.increments)
    return;
  unsigned regno = INVALID_REGNUM;
  if (region.insns <= MOST_INSNS && region.increments / INCREMENTS_PER_LOAD >= region.loads)
    regno = find_register (&region, search->need);
  if (regno == INVALID_REGNUM)
    for (const class loop *inner = loop->inner; inner; inner = inner->next)
      visit (search, inner);
  else
    {
      for (basic_block bb : region.blocks)
        search->graph->pointers[bb->index] = regno;
      for (basic_block bb : region.before)
        bbp_insert_pointer (search->graph->first_counter, regno, place_in (bb));
    }
}

void
bbp_pointers_choose (struct bbp_graph *graph, const struct bbp_need *need)
{
  for (int i = 0; i < last_basic_block_for_fn (cfun); i++)
    graph->pointers.safe_push (INVALID_REGNUM);
  struct search search;
  search.graph = graph;
  search.need = need;
  prepare (&search);
  loop_optimizer_init (AVOID_CFG_MODIFICATIONS);
  for (const class loop *loop = current_loops->tree_root->inner; loop; loop = loop->next)
    visit (&search, loop);
  loop_optimizer_finalize ();
  free_dominance_info (CDI_DOMINATORS);
}

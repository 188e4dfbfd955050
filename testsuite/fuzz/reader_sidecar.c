/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the reader of sidecars, and the code that uses their objects, edges and names.  It
   usually corrects the checksums first: otherwise nothing behind them would be read. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "include/bbprof-file.h"
#include "model/files/block_names.h"
#include "model/files/edges.h"
#include "model/sums/sum_stacks.h"
#include "model/symbols/objects.h"
#include "model/symbols/stacks.h"
#include "model/symbols/symtab.h"
#include "testsuite/fuzz/reader.h"

#define PROFILE "input"

size_t LLVMFuzzerMutate (uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t most, unsigned seed);

/* The checksum of each chunk, as far as the sizes lead. */
static void
seal (uint8_t *data, size_t size)
{
  struct bbx_chunk chunk;
  for (size_t at = sizeof (struct bbx_header); at <= size && size - at >= sizeof chunk;)
    {
      memcpy (&chunk, data + at, sizeof chunk);
      if (chunk.length > size - at - sizeof chunk)
        return;
      uLong crc = crc32_z (0, (const unsigned char *) &chunk.type, sizeof chunk.type);
      crc = crc32_z (crc, (const unsigned char *) &chunk.length, sizeof chunk.length);
      chunk.crc = (uint32_t) crc32_z (crc, data + at + sizeof chunk, chunk.length);
      memcpy (data + at, &chunk, sizeof chunk);
      at += sizeof chunk + ((chunk.length + 7) & -8UL);
    }
}

size_t
LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t most, unsigned seed)
{
  size = LLVMFuzzerMutate (data, size, most);
  if (seed % 8 != 0)
    seal (data, size);
  return size;
}

/* The stacks, in a sum and in the model, of which every object is one function.  STACKS is
   changed. */
static void
use_stacks (struct bbx_stacks *stacks, struct objects *all, const struct gmon_moves *moves)
{
  const struct bbx_stacks *const list[] = { stacks };
  struct sum_stacks sum;
  struct stacks s = { .nthreads = 0 };
  struct symtab symtab = { .count = 0 };
  sum_stacks_init (&sum);
  if (sum_stacks_fits (&sum, stacks)
      && !(sum_stacks_add (&sum, stacks, moves) && sum_stacks_finish (&sum, moves)))
    abort ();
  sum_stacks_free (&sum);
  stacks_move (stacks, moves);
  bool ok = stacks_find_objects (&s, list, 1, all) && stacks_add_symbols (&s, all, &symtab);
  for (size_t i = 0; ok && i < symtab.count; i++)
    symtab.symbols[i].end = i + 1 < symtab.count ? symtab.symbols[i + 1].address - 1 : UINT64_MAX;
  struct contexts tree = { 0 };
  if (!ok || !stacks_add_threads (&s, list, 1) || !stacks_tree (&tree, list, 1, &symtab))
    abort ();
  contexts_free (&tree);
  symtab_free (&symtab);
  stacks_free (&s);
}

/* A program whose build nobody knows, so that each sidecar can be its own. */
static void
use (struct bbx *x)
{
  struct object program = { .path = "program", .has_data = true, .end = 0x3000 };
  struct objects all = { .count = 1 };
  struct gmon_moves moves = { .count = 0 };
  struct block_names names = { .count = 0 };
  struct edges edges = { .count = 0 };
  struct error err;
  all.all = malloc (sizeof program);
  program.path = strdup (program.path);
  if (!all.all || !program.path)
    abort ();
  all.all[0] = program;
  all.room = 1;
  if (!objects_add_run (&all, x, &moves, &err))
    reader_check_error (&err);
  else if (!block_names_add_run (&names, x, &moves) || !block_names_finish (&names))
    abort ();
  for (size_t i = 0; i < x->nedges; i++)
    edges_add (&edges, (struct edge) { gmon_moved (&moves, x->edges[i].from),
                                       gmon_moved (&moves, x->edges[i].to), x->edges[i].count });
  edges_finish (&edges);
  edges_free (&edges);
  use_stacks (&x->stacks, &all, &moves);
  block_names_free (&names);
  free (moves.moves);
  objects_free (&all);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  struct bbx x;
  uint64_t run = 0;
  if (size >= sizeof (struct bbx_header))
    memcpy (&run, data + offsetof (struct bbx_header, run), sizeof run);
  reader_put (PROFILE ".bbx", data, size);
  bbx_read (&x, PROFILE, run, 0);
  if (x.state == BBX_REFUSED || x.state == BBX_TORN)
    reader_check_error (&x.why);
  if (x.state == BBX_WHOLE || x.state == BBX_TORN)
    use (&x);
  bbx_free (&x);
  return 0;
}

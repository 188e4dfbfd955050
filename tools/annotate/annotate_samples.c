/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distributes samples over instructions.  A sample's program counter is always at the beginning
   of an instruction, so all instructions that begin in one bin of the histogram share its
   samples equally.  Of a bin that is only partly shown, only that part counts. */
#include "config.h"

#include "common/array.h"
#include "tools/annotate/annotate.h"

/* Number of instructions that begin before ADDRESS. */
static size_t
instructions_before (const struct annotation *a, uint64_t address)
{
  return ARRAY_BEFORE (i, a->ninstructions, a->instructions[i].code.address < address);
}

/* Number of bytes from LOW to HIGH that are in the piece. */
static uint64_t
overlap (const struct annotated_piece *p, uint64_t low, uint64_t high)
{
  uint64_t from = low > p->symbol->address ? low : p->symbol->address,
           to = high < p->end ? high : p->end;
  return from < to ? to - from : 0;
}

/* The block of the piece that contains ADDRESS, or is in front of it. */
static struct annotated_block *
block_around (struct annotation *a, const struct annotated_piece *p, uint64_t address)
{
  size_t b = p->first_block + p->nblocks - 1;
  while (b > p->first_block && a->blocks[b].start > address)
    b--;
  return &a->blocks[b];
}

/* Distributes SAMPLES of the bytes from LOW to HIGH, as far as these are in the piece. */
static void
share (struct annotation *a, struct annotated_piece *p, uint64_t low, uint64_t high, double samples)
{
  size_t first = instructions_before (a, low > p->symbol->address ? low : p->symbol->address);
  size_t end = instructions_before (a, high < p->end ? high : p->end);
  if (first == end)
    {
      struct annotated_block *block = block_around (a, p, low);
      if (block->kind == ANNOTATED_OUTLINE || first == block->first)
        {
          block->samples += samples;
          return;
        }
      first--; /* the instruction spans the whole bin */
    }
  for (size_t i = first; i < end; i++)
    a->instructions[i].samples += samples / (double) (end - first);
}

/* The addresses are computed as in samples.c. */
static void
share_histogram (struct annotation *a, const struct histogram *h)
{
  double scale = a->model->profile.scale;
  for (size_t b = 0; b < h->nfilled; b++)
    {
      uint64_t low = (h->low / 2 + (uint64_t) (scale * h->bins[b].index)) * 2;
      uint64_t high = (h->low / 2 + (uint64_t) (scale * ((double) h->bins[b].index + 1))) * 2;
      for (size_t p = 0; p < a->npieces; p++)
        {
          uint64_t bytes = overlap (&a->pieces[p], low, high);
          if (bytes > 0)
            share (a, &a->pieces[p], low, high,
                   (double) h->bins[b].count * (double) bytes / (double) (high - low));
        }
    }
}

/* While a thread records, a function with trace points may run in copies of its blocks. */
static void
mark_copied (struct annotation *a, const struct annotated_piece *p)
{
  const struct annotated_block *last = &a->blocks[p->first_block + p->nblocks - 1];
  bool ran = last->kind == ANNOTATED_OUTLINE && last->samples > 0;
  for (size_t b = p->first_block; b < p->first_block + p->nblocks; b++)
    a->blocks[b].copied = ran && a->blocks[b].block && a->blocks[b].block->map
                          && a->blocks[b].block->map->traced;
}

void
annotate_samples (struct annotation *a)
{
  for (size_t k = 0; k < a->model->profile.nhistograms; k++)
    share_histogram (a, &a->model->profile.histograms[k]);
  for (size_t i = 0; i < a->ninstructions; i++)
    {
      const struct annotated_instruction *is = &a->instructions[i];
      size_t line = a->origins[is->origin].line;
      a->blocks[is->block].samples += is->samples;
      if (line != ANNOTATE_NONE)
        a->lines[line].samples += is->samples;
    }
  for (size_t p = 0; p < a->npieces; p++)
    {
      struct annotated_piece *piece = &a->pieces[p];
      for (size_t b = piece->first_block; b < piece->first_block + piece->nblocks; b++)
        piece->samples += a->blocks[b].samples;
      mark_copied (a, piece);
      a->samples += piece->samples;
    }
}

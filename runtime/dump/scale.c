/* SPDX-License-Identifier: MIT */
/* Scales samples to the time that passed.  Rounding errors are carried to the next address, so the
   sum of any range is right to less than one.  Context: cold, lock held. */
#include "runtime/dump/dump.h"

void
bbp_samples_scale (struct bbp_counts *samples)
{
  struct bbp_sampling_facts facts;
  bbp_dump_above.describe_sampling (&facts);
  uint64_t due = facts.due, taken = facts.taken;
  while ((due | taken) >> 32) /* so that products fit 64 bits */
    due >>= 1, taken >>= 1;
  uint64_t carried = taken / 2;
  for (size_t i = 0; due && taken && i < samples->n; i++)
    {
      struct bbp_count *sample = &samples->item[i];
      carried += sample->count % taken * due;
      sample->count = sample->count / taken * due + carried / taken;
      carried %= taken;
    }
}

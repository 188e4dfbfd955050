/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the hooks in assembler with hard cases for the arc tables: all arcs in the same slot
   of every table, and a million arcs.  The callers' addresses are made up, in a frame made by
   hand; the callee is the place where the hook is called. */
#include <pthread.h>
#include <stdlib.h>

#include "runtime/base/state.h"
#include "testsuite/unit/unit.h"

/* The factor of the hooks' hash, and the number of bits that they then drop
   (runtime/arch/x86_64/mcount.S). */
#define FACTOR ((uint64_t) -0x61c8864fL)
enum { SHIFT = 15 };

/* A call of mcount by a function whose caller's return address is FROM. */
__attribute__ ((noipa)) static void
call_from (uintptr_t from)
{
  uintptr_t frame[2] = { 0, from };
  __asm__ volatile("subq $128, %%rsp\n\t"
                   "pushq %%rbp\n\t"
                   "movq %0, %%rbp\n\t"
                   "call mcount\n\t"
                   "popq %%rbp\n\t"
                   "addq $128, %%rsp"
                   :
                   : "r"(frame)
                   : "r11", "cc", "memory");
}

/* Find the callee's address: the first arc that is counted has it. */
static uintptr_t
find_self (void)
{
  call_from (1);
  const struct bbp_arc_table *table = bbp.threads->newest;
  for (const struct bbp_arc *arc = table->slots;; arc++)
    if (arc->from == 1)
      return arc->self;
}

/* FACTOR's inverse modulo 2^64: each step of Newton's doubles the number of right bits. */
static uint64_t
inverse_factor (void)
{
  uint64_t inverse = 1;
  for (int i = 0; i < 6; i++)
    inverse *= 2 - FACTOR * inverse;
  return inverse;
}

/* Add to CALLS[from - FIRST] what all tables of all threads have counted for the N callers from
   FIRST on. */
static void
add_up (uint64_t *calls, uintptr_t first, size_t n)
{
  for (const struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    for (const struct bbp_arc_table *table = thread->newest; table; table = table->older)
      for (size_t i = 0; i <= table->mask / sizeof (struct bbp_arc); i++)
        if (table->slots[i].from - first < n)
          calls[table->slots[i].from - first] += table->slots[i].count;
}

/* Every table that they come to has the slot HOME for all of them, or its last one if it has no
   such slot. */
static void
call_from_one_slot (uint64_t home)
{
  enum { ARCS = 2000, CALLS = 5 };
  static uintptr_t from[ARCS];
  static uint64_t counted[ARCS];
  uintptr_t self = find_self ();
  uint64_t inverse = inverse_factor ();
  for (uint64_t i = 0; i < ARCS; i++)
    from[i] = ((i << (SHIFT + 32)) | home << (SHIFT + 5)) * inverse - 8 * self;
  for (int call = 0; call < CALLS; call++)
    for (int i = 0; i < ARCS; i++)
      call_from (from[call & 1 ? i : ARCS - 1 - i]);
  for (const struct bbp_arc_table *table = bbp.threads->newest; table; table = table->older)
    for (size_t slot = 0; slot <= table->mask / sizeof (struct bbp_arc); slot++)
      for (int i = 0; i < ARCS; i++)
        if (table->slots[slot].from == from[i])
          counted[i] += table->slots[slot].count;
  for (int i = 0; i < ARCS; i++)
    ck_assert_uint_eq (counted[i], CALLS);
  ck_assert_uint_eq (bbp.threads->lost_arcs, 0);
}

START_TEST (collisions_cost_no_count)
{
  call_from_one_slot (77);
}
END_TEST

/* The hooks read the spare slots behind it; the arcs are in the first ones. */
START_TEST (collisions_in_the_last_slot_cost_no_count)
{
  call_from_one_slot (UINT16_MAX);
}
END_TEST

enum { THREADS = 4, MILLION = 1000000, FIRST = 0x100000, ROUNDS = 2 };

static void *
call_a_quarter (void *argument)
{
  uintptr_t first = FIRST + (uintptr_t) argument * (MILLION / THREADS);
  for (int round = 0; round < ROUNDS; round++)
    for (uintptr_t i = 0; i < MILLION / THREADS; i++)
      call_from (first + i);
  call_from (FIRST); /* one arc that all have */
  return NULL;
}

START_TEST (a_million_arcs)
{
  static uint64_t calls[MILLION];
  pthread_t threads[THREADS];
  for (uintptr_t i = 0; i < THREADS; i++)
    ck_assert_int_eq (pthread_create (&threads[i], NULL, call_a_quarter, (void *) i), 0);
  for (int i = 0; i < THREADS; i++)
    pthread_join (threads[i], NULL);
  add_up (calls, FIRST, MILLION);
  ck_assert_uint_eq (calls[0], ROUNDS + THREADS);
  for (int i = 1; i < MILLION; i++)
    ck_assert_uint_eq (calls[i], ROUNDS);
  for (const struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    ck_assert_uint_eq (thread->lost_arcs, 0);
}
END_TEST

int
main (void)
{
  const struct unit_test tests[] = { { collisions_cost_no_count },
                                     { collisions_in_the_last_slot_cost_no_count },
                                     { a_million_arcs } };
  return unit_run (UNIT_SUITE ("arcs", UNIT_CASE (tests)));
}

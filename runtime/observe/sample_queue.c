/* SPDX-License-Identifier: MIT */
/* Queues of single samples: address, thread, kernel or program, flags register.  Handlers of all
   threads put samples into them.  A sample without room is counted with the next one that gets
   room.  There are two queues: one for the program (bbprof_samples), one for the file of raw
   addresses (raw.c).  Context: signal, unless a function says otherwise. */
#include <errno.h>

#include "arch.h"
#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/dump/dump.h"
#include "runtime/objects/objects.h"
#include "runtime/observe/sample_queue.h"
#include "runtime/sample/sample.h"
#include "runtime/signals/signals.h"

BBP_PUBLIC int bbprof_samples (struct bbprof_sample *, int);

/* The program's queue; null: not requested.  Atomic. */
static struct bbp_queue *program_queue;

/* Slot I belongs to sample N with I = N modulo the size of the queue.  Its turn is N - I while
   it waits for that sample, and N - I + 1 when the sample is there.  So zeros are an empty
   queue. */
static uint64_t
turn_of (uint64_t number)
{
  return number - number % BBP_QUEUE;
}

struct bbp_queue *
bbp_queue_make (void)
{
  return bbp_pages_map (sizeof (struct bbp_queue));
}

/* Claims for the caller the first sample that *END has not passed and that has a slot in state
   READY (1: filled; 0: free); false: there is none. */
static bool
claim (struct bbp_queue *queue, uint64_t *end, unsigned ready, uint64_t *number)
{
  *number = __atomic_load_n (end, __ATOMIC_RELAXED);
  for (;;)
    {
      uint64_t turn = __atomic_load_n (&queue->slots[*number % BBP_QUEUE].turn, __ATOMIC_ACQUIRE),
               wanted = turn_of (*number) + ready;
      if ((int64_t) (turn - wanted) < 0)
        return false;
      if (turn != wanted)
        *number = __atomic_load_n (end, __ATOMIC_RELAXED);
      else if (__atomic_compare_exchange_n (end, number, *number + 1, false, __ATOMIC_RELAXED,
                                            __ATOMIC_RELAXED))
        return true;
    }
}

bool
bbp_queue_take (struct bbp_queue *queue, struct bbp_observed *observed)
{
  uint64_t number;
  if (!claim (queue, &queue->head, 1, &number))
    return false;
  struct bbp_queue_slot *slot = &queue->slots[number % BBP_QUEUE];
  *observed = slot->content;
  __atomic_store_n (&slot->turn, turn_of (number) + BBP_QUEUE, __ATOMIC_RELEASE);
  return true;
}

static void
put (struct bbp_queue *queue, const struct bbp_observed *observed)
{
  uint64_t number;
  if (!claim (queue, &queue->tail, 0, &number))
    {
      __atomic_fetch_add (&queue->lost, 1, __ATOMIC_RELAXED);
      return;
    }
  struct bbp_queue_slot *slot = &queue->slots[number % BBP_QUEUE];
  slot->content = *observed;
  slot->content.sample.lost = (unsigned) __atomic_exchange_n (&queue->lost, 0, __ATOMIC_RELAXED);
  __atomic_store_n (&slot->turn, turn_of (number) + 1, __ATOMIC_RELEASE);
}

static void
put_into_all (struct bbp_observed *observed, unsigned ticks, bool in_kernel)
{
  struct bbp_queue *programs = __atomic_load_n (&program_queue, __ATOMIC_ACQUIRE),
                   *raw = __atomic_load_n (&bbp_raw_queue, __ATOMIC_ACQUIRE);
  observed->sample.ticks = ticks;
  observed->sample.in_kernel = in_kernel;
  if (ticks && programs)
    put (programs, observed);
  if (ticks && raw)
    put (raw, observed);
}

static bool
is_wanted (void)
{
  return __atomic_load_n (&program_queue, __ATOMIC_RELAXED)
         || __atomic_load_n (&bbp_raw_queue, __ATOMIC_RELAXED);
}

/* Some ticks may have passed in the kernel, where the sampler could not sample. */
void
bbp_observe (const void *context, unsigned ticks)
{
  if (!is_wanted ())
    return;
  const struct bbp_sampled *thread = bbp_sampled;
  const uintptr_t pc = bbp_arch_pc (context);
  struct bbp_observed observed = {
    .sample = { .time = bbp_clock_now (),
                .address = pc,
                .tid = thread ? thread->tid : bbp_sys_gettid (),
                .flags = bbp_arch_flags (context) },
    .mapping = bbp_mapping_of (pc),
  };
  const bool in_kernel = bbp_kernel_call (context) != BBP_SYSCALL_NONE;
  const unsigned unseen = in_kernel || !thread     ? 0
                          : thread->unseen < ticks ? thread->unseen
                                                   : ticks;
  put_into_all (&observed, ticks - unseen, in_kernel);
  put_into_all (&observed, unseen, true);
}

/* The thread's last sample was taken in this same sleep. */
void
bbp_observe_asleep (const struct bbp_sampled *thread, const struct bbp_context *code,
                    unsigned ticks)
{
  if (!is_wanted () || !code)
    return;
  struct bbp_observed observed = {
    .sample = { .time = bbp_clock_now (),
                .address = code->address,
                .tid = thread->tid,
                .flags = thread->flags },
    .mapping = code->mapping,
  };
  put_into_all (&observed, ticks, true);
}

/* fork may have interrupted the use of the parent's queue, which is therefore left as it is. */
void
bbp_observed_forked (void)
{
  if (program_queue)
    __atomic_store_n (&program_queue, bbp_queue_make (), __ATOMIC_RELEASE);
}

/* Null: no memory. */
static struct bbp_queue *
queue_of_program (void)
{
  struct bbp_queue *queue = __atomic_load_n (&program_queue, __ATOMIC_ACQUIRE), *others = NULL;
  if (queue || !(queue = bbp_queue_make ())
      || __atomic_compare_exchange_n (&program_queue, &others, queue, false, __ATOMIC_ACQ_REL,
                                      __ATOMIC_ACQUIRE))
    return queue;
  bbp_pages_unmap (queue, sizeof *queue);
  return others;
}

/* Any. */
int
bbprof_samples (struct bbprof_sample *samples, int n)
{
  struct bbp_observed observed;
  if (!bbp.started || !bbp_own_process ())
    return -EINVAL;
  struct bbp_queue *queue = queue_of_program ();
  int taken = 0;
  if (!queue)
    return -ENOMEM;
  while (taken < n && bbp_queue_take (queue, &observed))
    samples[taken++] = observed.sample;
  return taken;
}

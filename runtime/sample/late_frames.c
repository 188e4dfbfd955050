/* SPDX-License-Identifier: MIT */
/* Samples whose frames of a language come later, at the interpreter's next safe point.  They wait
   in a queue of their thread's, with the node of their native stack, and are counted when the
   frames are known: beneath the node LATE the frames, beneath these what was beneath that node.
   Samples that need no frames queue up behind them, so that times stay in order.  Where the queue
   is full, ticks of a stack that waits already are added to it; else the oldest one is counted
   without such frames, but with the collection, if it was in one.  Context: signal, unless a
   function says otherwise. */
#include "arch.h"
#include "runtime/base/base.h"
#include "runtime/sample/sample.h"

BBP_PUBLIC void bbprof_language_late (const struct bbprof_language *, const struct bbprof_frame *,
                                      int);

struct waiting {
  struct bbp_moment moment;
  uint64_t since; /* CLOCK_MONOTONIC, nanoseconds */
  struct bbp_language *language;
  uint32_t node, late; /* late 0: it needs no frames */
  unsigned ticks;
  bool sleeps, collects;
};

enum { WAITING = 512 };
struct bbp_late {
  struct bbp_language_frames frames;
  struct waiting waiting[WAITING]; /* sample I is at I % WAITING */
  unsigned first, end;
  uint32_t below[BBP_NODES]; /* nodes beneath LATE, the innermost first */
};

struct bbp_language_frames *
bbp_late_room (struct bbp_sampled *thread)
{
  if (!bbp_languages_number ())
    return NULL;
  if (!thread->late)
    thread->late = bbp_pages_map (sizeof *thread->late);
  return thread->late ? &thread->late->frames : NULL;
}

static void
count (struct bbp_sampled *thread, uint32_t node, const struct waiting *sample)
{
  bbp_context_count (node, sample->ticks);
  bbp_sample_above.put (thread, node, sample->ticks, sample->moment);
}

/* The frames of a language, as they are told. */
struct told {
  struct bbp_language *language;
  const struct bbprof_frame *frames;
  size_t n;
  bool cut;
  uint32_t late, node; /* the node of the innermost frame beneath the node LATE; 0: not yet known */
};

static uint32_t
enter (uint32_t parent, uintptr_t address, uint32_t kind)
{
  return bbp_context_enter (parent, &(struct bbp_frame) { .address = address, .kind = kind });
}

/* The node of the frames beneath LATE; the last one that there is memory for. */
static uint32_t
enter_told (struct told *told, uint32_t late)
{
  if (told->node && told->late == late)
    return told->node;
  uint32_t node = late, next = told->cut ? enter (node, 0, BBX_FRAME_CUT) : node;
  for (size_t i = told->n; i-- > 0 && next;)
    {
      const struct bbprof_frame *frame = &told->frames[i];
      unsigned long function = frame->function == BBP_FUNCTION_COLLECTS ? BBP_FUNCTION_NONE
                                                                        : frame->function;
      node = next;
      next = enter (node, bbp_function_key (told->language, function, frame->position),
                    BBX_FRAME_LANGUAGE);
    }
  told->late = late;
  return told->node = next ? next : node;
}

/* The node of the sample's stack with the frames in it. */
static uint32_t
join (struct bbp_late *late, const struct waiting *sample, struct told *told)
{
  uint32_t n = 0, node = enter_told (told, sample->late);
  if (sample->collects)
    node = enter (node, bbp_function_key (told->language, BBP_FUNCTION_COLLECTS, 0),
                  BBX_FRAME_LANGUAGE);
  for (uint32_t below = sample->node; below && below != sample->late && n < BBP_NODES;)
    {
      late->below[n++] = below;
      below = ((const struct bbp_context *) bbp_segments_at (&bbp_contexts, below))->parent;
    }
  while (n-- > 0 && node)
    {
      const struct bbp_context *context = bbp_segments_at (&bbp_contexts, late->below[n]);
      node = bbp_context_enter (node, &(struct bbp_frame) { .address = context->address,
                                                            .kind = context->mark - 1,
                                                            .mapping = context->mapping });
    }
  return node ? node : sample->node;
}

/* Counts the oldest one without frames.  A collection is a frame by itself; what is around it is
   cut off. */
static void
miss (struct bbp_sampled *thread)
{
  struct bbp_late *late = thread->late;
  const struct waiting *sample = &late->waiting[late->first++ % WAITING];
  struct told nothing = { .language = sample->language, .cut = true };
  if (sample->late && sample->collects)
    {
      count (thread, join (late, sample, &nothing), sample);
      bbp_language_count_alone (sample->language, sample->ticks);
      return;
    }
  count (thread, sample->node, sample);
  if (sample->late)
    __atomic_fetch_add (&sample->language->facts.missed, sample->ticks, __ATOMIC_RELAXED);
}

/* A long sleep is one sample, so that it finds room. */
static bool
continues (const struct bbp_late *late, const struct waiting *sample)
{
  const struct waiting *last = &late->waiting[(late->end - 1) % WAITING];
  return sample->sleeps && last->sleeps && last->node == sample->node;
}

/* Adds the ticks to a sample of the same stack that waits; false: there is none.  The time is that
   of the earlier one. */
static bool
add_to_equal (struct bbp_late *late, const struct waiting *sample)
{
  for (unsigned i = late->first; i != late->end; i++)
    {
      struct waiting *earlier = &late->waiting[i % WAITING];
      if (earlier->node == sample->node && earlier->late == sample->late
          && earlier->collects == sample->collects && earlier->language == sample->language)
        {
          earlier->ticks += sample->ticks;
          return true;
        }
    }
  return false;
}

static void
wait (struct bbp_sampled *thread, struct waiting *sample)
{
  struct bbp_late *late = thread->late;
  sample->since = bbp_clock_now ();
  sample->language = late->frames.late;
  sample->collects = late->frames.late_collects;
  if (late->end != late->first && continues (late, sample))
    {
      late->waiting[(late->end - 1) % WAITING].ticks += sample->ticks;
      return;
    }
  const bool full = late->end - late->first == WAITING;
  if (full && add_to_equal (late, sample))
    return;
  if (full)
    miss (thread);
  late->waiting[late->end++ % WAITING] = *sample;
}

void
bbp_late_count (struct bbp_sampled *thread, uint32_t node, uint32_t late, unsigned ticks,
                bool sleeps)
{
  struct waiting sample = { .moment = bbp_sample_above.now (thread, sleeps),
                            .node = node,
                            .late = late,
                            .ticks = ticks,
                            .sleeps = sleeps };
  if (late || (thread->late && thread->late->end != thread->late->first))
    wait (thread, &sample);
  else
    count (thread, node, &sample);
}

uint32_t
bbp_late_of (const struct bbp_sampled *thread, uint32_t node)
{
  const struct bbp_late *late = thread->late;
  if (!late || late->end == late->first)
    return 0;
  const struct waiting *last = &late->waiting[(late->end - 1) % WAITING];
  return last->node == node ? last->late : 0;
}

/* While an interpreter collects, no frame changes: then the delay is none. */
static void
note_delay (struct bbx_language *facts, uint64_t delay)
{
  __atomic_fetch_add (&facts->late, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add (&facts->delays, delay, __ATOMIC_RELAXED);
  uint64_t most = __atomic_load_n (&facts->delay_most, __ATOMIC_RELAXED);
  while (delay > most
         && !__atomic_compare_exchange_n (&facts->delay_most, &most, delay, false, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED))
    ;
}

static void
tell (struct bbp_sampled *thread, struct told *told)
{
  struct bbp_late *late = thread->late;
  uint64_t now = bbp_clock_now ();
  while (late->first != late->end)
    {
      const struct waiting *sample = &late->waiting[late->first % WAITING];
      if (!sample->late || sample->language != told->language)
        {
          miss (thread);
          continue;
        }
      late->first++;
      count (thread, join (late, sample, told), sample);
      if (told->n || sample->collects)
        bbp_language_count (told->language, sample->ticks, told->cut, sample->collects);
      note_delay (&told->language->facts, sample->collects ? 0 : now - sample->since);
    }
}

/* Context: any. */
void
bbprof_language_late (const struct bbprof_language *provider, const struct bbprof_frame *frames,
                      int n)
{
  struct bbp_sampled *thread = bbp_sampled;
  if (!thread || !thread->late || thread->late->end == thread->late->first || n < 0)
    return;
  struct told told = { .language = bbp_language_of (provider), .frames = frames };
  told.cut = n > BBP_LANGUAGE_DEPTH;
  told.n = told.cut ? BBP_LANGUAGE_DEPTH : (size_t) n;
  if (!told.language)
    return;
  bbp_sigset old = bbp_signals_block ();
  while (!bbp_sampled_claim (thread)) /* another thread counts, or settles */
    bbp_arch_pause ();
  tell (thread, &told);
  bbp_sampled_release (thread);
  bbp_signals_restore (old);
}

/* Context: cold, lock held. */
void
bbp_late_settle (struct bbp_sampled *thread)
{
  if (!thread->late || !bbp_sampled_claim (thread)) /* its handler runs: it stays in the queue */
    return;
  while (thread->late->first != thread->late->end)
    miss (thread);
  bbp_sampled_release (thread);
}

/* Context: cold, lock held. */
void
bbp_late_settle_all (void)
{
  for (struct bbp_sampled *thread = bbp_sampled_all; thread; thread = thread->next)
    bbp_late_settle (thread);
}

/* Context: cold, lock held. */
void
bbp_late_forget (struct bbp_sampled *thread)
{
  if (thread->late)
    thread->late->first = thread->late->end;
}

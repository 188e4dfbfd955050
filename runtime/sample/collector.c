/* SPDX-License-Identifier: MIT */
/* Records a sample.  The stack of the interrupted thread, with its system call, goes into the
   tree of calling contexts; the program counter into the histogram; the time into the thread's
   ring.  Context: signal, unless a function says otherwise. */
#include "arch.h"
#include "include/bbprof-live.h"
#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/base/sys.h"
#include "runtime/dump/dump.h"
#include "runtime/objects/objects.h"
#include "runtime/sample/sample.h"
#include "runtime/signals/signals.h"
#include "runtime/unwind/unwind.h"

/* Memory for threads that are not entered: the first ones that need it get it. */
enum { SPARES = 4 };
static struct bbp_sampled spares[SPARES];

static void
add (uint64_t *counter, uint64_t n)
{
  __atomic_fetch_add (counter, n, __ATOMIC_RELAXED);
}

/* The path from a root into the tree.  Most of a stack is usually the same as in the thread's
   last sample, of which the thread keeps the first nodes. */
struct way {
  struct bbp_sampled *thread;
  uint32_t depth, node; /* reached so far */
  uint32_t late;        /* node beneath which a language's frames belong, which come later */
  bool same;            /* so far the same as the last path */
  bool ends;            /* no memory to continue */
};

static void
go (struct way *way, const struct bbp_frame *frame)
{
  struct bbp_sampled *thread = way->thread;
  uint32_t node = way->same && way->depth < thread->nnodes ? thread->nodes[way->depth] : 0;
  if (way->ends)
    return;
  if (!node || !bbp_context_is (node, way->node, frame))
    {
      way->same = false;
      node = bbp_context_enter (way->node, frame);
    }
  way->ends = !node;
  if (!node)
    return;
  way->node = node;
  if (way->depth < BBP_NODES)
    thread->nodes[way->depth++] = node;
}

static const struct bbp_frame cut = { .kind = BBX_FRAME_CUT };

static void
go_language (struct way *way, const struct bbp_spoken *spoken, const struct bbprof_frame *frame)
{
  const struct bbp_frame own
      = { .address = bbp_function_key (spoken->language, frame->function, frame->position),
          .kind = BBX_FRAME_LANGUAGE };
  go (way, &own);
}

/* The frames of languages that the native frame at STACK executes: those that are not below it, and
   not yet entered. */
static void
go_languages (struct way *way, struct bbp_language_frames *all, uintptr_t stack)
{
  for (size_t i = 0; i < all->nspoken; i++)
    for (struct bbp_spoken *s = &all->spoken[i];
         s->left && (uintptr_t) s->frames[s->left - 1].stack >= stack; s->left--)
      {
        if (s->cut && s->left == s->n)
          go (way, &cut);
        go_language (way, s, &s->frames[s->left - 1]);
      }
  if (all->late && all->late_stack == stack)
    way->late = way->node;
}

/* Frames of the library's own code are the profiler's, not the program's, and left out. */
static struct way
go_stack (struct bbp_sampled *thread, struct bbp_unwound stack, struct bbp_language_frames *spoken)
{
  const struct bbp_frame root = { .address = thread->number, .kind = BBX_FRAME_THREAD };
  struct way way = { .thread = thread, .same = true };
  go (&way, &root);
  thread->context = way.node;
  if (!stack.whole)
    go (&way, &cut);
  for (size_t i = stack.n; i-- > 0;)
    {
      if (!bbp_is_own (thread->frames[i].address))
        go (&way, &thread->frames[i]);
      if (spoken)
        go_languages (&way, spoken, spoken->native[i].stack);
    }
  if (spoken)
    go_languages (&way, spoken, 0);
  return way;
}

/* Counts TICKS at the end of WAY.  Some of them may have passed in the kernel, where the sampler
   could not sample.  They count in the system call if the thread is in one, else in an unknown
   one. */
static void
count (struct way way, unsigned ticks, long call)
{
  struct bbp_sampled *thread = way.thread;
  const struct bbp_frame kernel = { .kind = BBX_FRAME_KERNEL };
  const struct bbp_frame known = { .address = (uintptr_t) call, .kind = BBX_FRAME_SYSCALL };
  unsigned unseen = call != BBP_SYSCALL_NONE ? 0 : thread->unseen < ticks ? thread->unseen : ticks;
  struct way inner = way;
  if (call != BBP_SYSCALL_NONE)
    go (&inner, call == BBP_SYSCALL_UNKNOWN ? &kernel : &known);
  thread->unseen = 0;
  thread->last = inner.node;
  thread->nnodes = inner.depth;
  if (ticks > unseen)
    bbp_late_count (thread, inner.node, way.late, ticks - unseen, false);
  if (unseen)
    {
      go (&way, &kernel);
      thread->nnodes = 0;
      bbp_late_count (thread, way.node, way.late, unseen, false);
    }
  if (inner.ends || way.ends)
    add (&bbp_collected->lost_memory, ticks);
}

/* The end of the stack of THREAD, the calling one, if CONTEXT is on it; else 0. */
static uintptr_t
end_of_stack (const struct bbp_sampled *thread, const void *context)
{
  return (uintptr_t) context - thread->stack_low < thread->stack_high - thread->stack_low
             ? thread->stack_high
             : 0;
}

/* TICKS have the frames of the thread's last sample. */
static void
count_languages (const struct bbp_language_frames *all, unsigned ticks)
{
  for (size_t i = 0; i < all->nspoken; i++)
    bbp_language_count (all->spoken[i].language, ticks, all->spoken[i].cut,
                        all->spoken[i].collects);
}

static void
collect (struct bbp_sampled *thread, const void *context, unsigned ticks)
{
  struct bbp_language_frames *spoken = bbp_late_room (thread);
  struct bbp_unwound stack = bbp_unwind (context, end_of_stack (thread, context), thread->frames,
                                         spoken ? spoken->native : NULL, BBP_DEPTH);
  if (spoken)
    bbp_languages_ask (spoken, context, stack.n);
  thread->flags = bbp_arch_flags (context);
  const struct way way = go_stack (thread, stack, spoken);
  if (spoken)
    {
      if (way.ends)
        spoken->nspoken = 0;
      count_languages (spoken, ticks);
    }
  count (way, ticks, bbp_kernel_call (context));
  add (&bbp_collected->samples, 1);
  if (!stack.whole)
    add (&bbp_collected->cut, 1);
  if (bbp_stack_is_of_user_thread (thread, context, &stack))
    __atomic_fetch_or (&bbp_collected->how.flags, BBX_SAMPLING_SWITCHED, __ATOMIC_RELAXED);
}

/* True if the calling thread is in a list of tids, names and patterns, each ended by a zero. */
static bool
is_chosen (const char *list)
{
  char number[24], name[16] = "";
  struct bbp_text text = { .buffer = number, .size = sizeof number };
  bbp_text_number (&text, (unsigned) bbp_sys_gettid ());
  bbp_sys_thread_name (name);
  for (const char *end = list + BBP_OPTION_TEXT - 1; list < end && *list;
       list += bbp_string_bytes (list))
    if (bbp_pattern_matches (list, number) || bbp_pattern_matches (list, name))
      return true;
  return false;
}

/* The calling thread's memory, claimed; null: none is free. */
static struct bbp_sampled *
take_own (void)
{
  struct bbp_sampled *thread = bbp_sampled;
  if (thread)
    return bbp_sampled_claim (thread) ? thread : NULL;
  for (int i = 0; i < SPARES; i++)
    if (bbp_sampled_claim (&spares[i]))
      {
        spares[i].number = BBX_THREAD_OTHERS;
        return &spares[i];
      }
  return NULL;
}

void
bbp_collect (void *context, unsigned ticks)
{
  if (*bbp_options.threads && !is_chosen (bbp_options.threads))
    {
      bbp_samples_leave_out (ticks);
      return;
    }
  if (!bbp_samples_count (bbp_arch_pc (context), ticks))
    return;
  bbp_sample_above.observe (context, ticks);
  if (!bbp_collected || !ticks)
    return;
  struct bbp_sampled *thread = take_own ();
  if (thread)
    {
      collect (thread, context, ticks);
      bbp_sampled_release (thread);
    }
  else
    add (bbp_sampled ? &bbp_collected->lost_busy : &bbp_collected->lost_thread, ticks);
}

/* The innermost node of NODE's stack that is outside of the kernel; null: none. */
static const struct bbp_context *
code_of (uint32_t node)
{
  const struct bbp_context *context = bbp_segments_at (&bbp_contexts, node);
  while (context
         && (context->mark == BBX_FRAME_SYSCALL + 1 || context->mark == BBX_FRAME_KERNEL + 1))
    context = bbp_segments_at (&bbp_contexts, context->parent);
  return context;
}

void
bbp_collect_again (struct bbp_sampled *thread, uint32_t node, unsigned ticks)
{
  const struct bbp_context *code = code_of (node);
  if (!bbp_collected || !bbp_samples_count_asleep (code ? code->address : 0, ticks))
    return;
  bbp_sample_above.observe_asleep (thread, code, ticks);
  if (!bbp_sampled_claim (thread))
    {
      add (&bbp_collected->lost_busy, ticks);
      return;
    }
  bbp_late_count (thread, node, bbp_late_of (thread, node), ticks, true);
  if (thread->late)
    count_languages (bbp_late_room (thread), ticks);
  add (&bbp_collected->samples, 1);
  bbp_sampled_release (thread);
}

/* Parses the list of threads, once. */
void
bbp_collector_start (void)
{
  for (char *p = bbp_options.threads; p < bbp_options.threads + BBP_OPTION_TEXT; p++)
    if (*p == ',')
      *p = '\0';
  if (bbp_collected || !bbp_options.stacks)
    return;
  struct bbp_collected *collected = bbp_slice_map (BBL_COLLECTED, 0, 0, sizeof *collected);
  if (!collected)
    return;
  bbp_slice_ready (collected);
  bbp_mappings_start ();
  bbp_unwind_start ();
  bbp_collected = collected;
}

void
bbp_collector_describe (void)
{
  struct bbx_sampling *how = bbp_collected ? &bbp_collected->how : NULL;
  if (!how)
    return;
  struct bbp_text name = { .buffer = how->sampler, .size = sizeof how->sampler };
  bbp_text_string (&name, bbp_sampling.sampler ? bbp_sampling.sampler->name : "itimer");
  how->clock = bbp_sampling.clock;
  how->rate = (uint32_t) bbp_sampler_rate ();
  how->asked = bbp_sampling.asked ? bbp_sampling.asked : how->rate;
  how->depth = BBP_DEPTH;
  how->flags = (how->flags & BBX_SAMPLING_SWITCHED)
               | (*bbp_options.threads ? BBX_SAMPLING_CHOSEN : 0);
}

void
bbp_collector_reset (void)
{
  if (!bbp_collected)
    return;
  bbp_collected->samples = bbp_collected->cut = 0;
  bbp_collected->how.flags &= ~BBX_SAMPLING_SWITCHED;
  bbp_collected->lost_memory = bbp_collected->lost_busy = bbp_collected->lost_thread = 0;
  bbp_tree_reset ();
}

/* SPDX-License-Identifier: MIT */
/* Chooses where a thread counts blocks: in a module's own counters, in a copy of them, or, while it
   has stopped itself, in scraps, which are never read.  Compiled code adds the thread's
   displacement for the module to the address of the module's own counters (bbprof-abi.h).  For the
   executable the displacement is GS's base, which only the thread itself can set.  For other
   modules it is a thread-local word, which other threads can write.  Context: cold, lock held. */
#include "arch.h"
#include "include/bbprof-live.h"
#include "runtime/base/base.h"
#include "runtime/count/count.h"
#include "runtime/dump/dump.h"
#include "runtime/objects/objects.h"

struct wanted {
  uint32_t kind, number, of;
  size_t bytes;
  void *content;
};

static void
map_wanted (void *data)
{
  struct wanted *w = data;
  w->content = bbp_slice_map_above (w->kind, w->number, w->of, w->bytes);
}

/* On the library's stack, because the search takes more than the smallest signal stack has. */
static __attribute__ ((noinline)) void *
map_above (uint32_t kind, const struct bbp_thread *thread, const struct bbp_module *module,
           size_t bytes)
{
  struct wanted wanted
      = { .kind = kind, .number = thread->number, .of = module->number, .bytes = bytes };
  bbp_on_own_stack (map_wanted, &wanted);
  return wanted.content;
}

/* THREAD's copy of MODULE's counters, or its scraps of them; made if there is none.  Null: no
   memory. */
static struct bbp_copy *
copy_of (struct bbp_thread *thread, bool scraps, struct bbp_module *module)
{
  struct bbp_copy **list = scraps ? &thread->scraps : &thread->copies;
  for (struct bbp_copy *copy = *list; copy; copy = copy->next)
    if (copy->module == module)
      return copy;
  size_t bytes = sizeof (struct bbp_copy) + bbp_module_ncounts (module) * sizeof (int64_t);
  enum bbl_kind kind = scraps ? BBL_SCRAPS : BBL_COUNTS;
  struct bbp_copy *copy = module->above
                              ? map_above (kind, thread, module, bytes)
                              : bbp_slice_map (kind, thread->number, module->number, bytes);
  if (!copy)
    return NULL;
  copy->module = module;
  bbp_slice_ready (copy);
  copy->next = *list;
  __atomic_store_n (list, copy, __ATOMIC_RELEASE);
  return copy;
}

/* Without memory the thread shares the module's own counters, where increments of two threads
   can collide; the dump's message says so. */
static uintptr_t
displacement_of (struct bbp_thread *thread, bool apart, struct bbp_module *module)
{
  if (thread->in_place && !apart)
    return 0;
  struct bbp_copy *copy = copy_of (thread, apart, module);
  if (copy)
    return (uintptr_t) copy->counts - (uintptr_t) module->counts_start;
  bbp.inexact = true;
  return 0;
}

/* Threads that THREAD creates begin with its base of GS (gs_base.c).  Its call sites have words of
   their own where its counters are; those in scraps stay 0. */
static void
note_base (struct bbp_thread *thread, bool apart, uintptr_t displacement)
{
  if (displacement)
    __atomic_store_n (&thread->gs_bases[apart], displacement, __ATOMIC_RELAXED);
  if (!apart)
    thread->newest->sites = displacement || thread->in_place ? displacement + 1 : 0;
}

/* Sets the displacement of THREAD, with thread pointer TP, for MODULE. */
static void
point (struct bbp_thread *thread, uintptr_t tp, struct bbp_module *module)
{
  if (!module->by_base && !module->word_offset)
    return;
  uintptr_t displacement = displacement_of (thread, bbp_thread_is_apart (thread), module);
  if (module->word_offset)
    __atomic_store_n ((uintptr_t *) (tp + module->word_offset), displacement, __ATOMIC_RELEASE);
  if (!module->by_base)
    return;
  note_base (thread, bbp_thread_is_apart (thread), displacement);
  if (!bbp_gs_base_set (thread, displacement))
    bbp.inexact = true;
}

void
bbp_copies_use (struct bbp_thread *thread)
{
  for (struct bbp_module *module = bbp.modules; module; module = module->next)
    point (thread, bbp_arch_thread_pointer (), module);
}

/* Number of changes to the list of modules of which threads have copies. */
static unsigned changes;

/* Records THREAD's displacements inside and outside of windows, so that it can switch between
   them without the lock.  Nothing is recorded if there is no room for all modules. */
static void
write_turns (struct bbp_thread *thread)
{
  struct bbp_turns *turns = &thread->turns;
  turns->n = 0;
  for (struct bbp_module *module = bbp.modules; module; module = module->next)
    if (module->by_base || module->word_offset)
      {
        if (turns->n == BBP_TURNS)
          return;
        turns->turn[turns->n++] = (struct bbp_turn) {
          .word_offset = module->word_offset,
          .by_base = module->by_base,
          .inside = displacement_of (thread, false, module),
          .outside = displacement_of (thread, true, module),
        };
        if (module->by_base)
          {
            note_base (thread, false, turns->turn[turns->n - 1].inside);
            note_base (thread, true, turns->turn[turns->n - 1].outside);
          }
      }
  turns->changes = changes;
}

/* False: the displacements are not recorded.  If a module is loaded meanwhile, it finds the new
   state of the thread, or it has increased the number of changes before the thread reads it. */
static bool
turn (struct bbp_thread *thread)
{
  const struct bbp_turns *turns = &thread->turns;
  unsigned known = __atomic_load_n (&changes, __ATOMIC_SEQ_CST);
  if (turns->changes != known || bbp_thread_is_apart (thread) != thread->closed)
    return false;
  uintptr_t tp = bbp_arch_thread_pointer ();
  for (unsigned i = 0; i < turns->n; i++)
    {
      const struct bbp_turn *turn = &turns->turn[i];
      uintptr_t displacement = thread->closed ? turn->outside : turn->inside;
      if (turn->word_offset)
        __atomic_store_n ((uintptr_t *) (tp + turn->word_offset), displacement, __ATOMIC_RELEASE);
      if (turn->by_base)
        bbp_gs_base_set (thread, displacement);
    }
  return __atomic_load_n (&changes, __ATOMIC_SEQ_CST) == known;
}

void
bbp_copies_use_anew (struct bbp_thread *thread)
{
  __atomic_add_fetch (&changes, 1, __ATOMIC_SEQ_CST);
  bbp_copies_use (thread);
}

/* The word of a module that was just unloaded is free, and may soon belong to another thread,
   which counts in place at first. */
static void
clear_turns (const struct bbp_turns *turns)
{
  for (unsigned i = 0; i < turns->n; i++)
    if (turns->turn[i].word_offset)
      *(uintptr_t *) (bbp_arch_thread_pointer () + turns->turn[i].word_offset) = 0;
}

/* THREAD, the calling one, switches displacements according to its field closed.  Context: hot;
   takes the lock only at first, and after modules were loaded or unloaded. */
void
bbp_copies_switch (struct bbp_thread *thread)
{
  if (turn (thread))
    return;
  bbp_sigset old = bbp_lock ();
  clear_turns (&thread->turns);
  write_turns (thread);
  bbp_copies_use (thread);
  bbp_unlock (old);
}

static void
set_word (struct bbp_thread *thread, int64_t word_offset, uintptr_t displacement)
{
  uintptr_t tp = thread == __bb_thread ? bbp_arch_thread_pointer () : thread->thread_pointer;
  if (tp && word_offset)
    __atomic_store_n ((uintptr_t *) (tp + word_offset), displacement, __ATOMIC_RELEASE);
}

/* Gives existing threads their displacements for MODULE, when its first unit that counts by a
   thread-local word is registered. */
static void
count_by_word (struct bbp_module *module, int64_t word_offset)
{
  module->word_offset = word_offset;
  for (struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    {
      bool apart;
      do
        {
          apart = bbp_thread_is_apart (thread);
          set_word (thread, word_offset, displacement_of (thread, apart, module));
      } while (apart != bbp_thread_is_apart (thread));
    }
}

/* Returns why no code can count by GS: only one module can, and only if the program does not use GS
   itself.  Null: it can. */
static const char *
reason_against_gs (const struct bbp_module *module)
{
  if (!bbp_object_holds (bbp_object_executable (), (uintptr_t) module->counts_start))
    return "a shared object has code that was not compiled with -fPIC";
  return bbp_gs_base_is_free () ? NULL : "the program uses the register GS itself";
}

/* Sets the base of the calling thread, when the first unit of MODULE that counts by GS is
   registered.  Other existing threads set theirs when they attach again. */
static void
count_by_gs (struct bbp_module *module)
{
  static const char *trouble;
  if (!trouble && (trouble = reason_against_gs (module)))
    bbp_message_once ("block counts of threads may be too low", trouble);
  bbp.no_base = trouble;
  if (trouble)
    return;
  module->by_base = true;
  bbp_gs_base_count_for (module);
  bbp_threads_recall ();
  if (__bb_thread)
    point (__bb_thread, bbp_arch_thread_pointer (), module);
}

/* Without the instruction for it the kernel refuses a negative base.  Memory lies above the
   executable, unless that is a static-pie. */
static void
map_copies_above (struct bbp_module *module)
{
  const struct bbp_object *executable = bbp_object_executable ();
  uintptr_t end = executable->bias + executable->end;
  if (!bbp_gs_base_is_positive () || executable->bias == 0
      || !bbp_object_holds (executable, (uintptr_t) module->counts_start))
    return;
  void *page = bbp_pages_map (BBP_PAGE_BYTES);
  module->above = (uintptr_t) page < end;
  bbp_pages_unmap (page, BBP_PAGE_BYTES);
  if (module->above)
    bbp_pages_choose_above (end);
}

void
bbp_copies_add_unit (struct bbp_module *module, const struct bb *unit)
{
  if (unit->update != BBP_UPDATE_THREAD)
    return;
  __atomic_add_fetch (&changes, 1, __ATOMIC_SEQ_CST);
  if (!module->word_offset && !module->by_base) /* its first unit */
    map_copies_above (module);
  if (unit->word_offset && !module->word_offset)
    count_by_word (module, unit->word_offset);
  else if (!unit->word_offset && !module->by_base)
    count_by_gs (module);
}

static void
remove_copy (struct bbp_copy **list, const struct bbp_module *module)
{
  for (struct bbp_copy **link = list; *link; link = &(*link)->next)
    if ((*link)->module == module)
      {
        struct bbp_copy *copy = *link;
        *link = copy->next;
        bbp_slice_unmap (copy);
        break;
      }
}

/* Removes all copies of MODULE, which is unmapped afterwards.  Code of it that still runs counts in
   the module's own counters. */
void
bbp_copies_remove (const struct bbp_module *module)
{
  __atomic_add_fetch (&changes, 1, __ATOMIC_SEQ_CST);
  for (struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    {
      set_word (thread, module->word_offset, 0);
      remove_copy (&thread->copies, module);
      remove_copy (&thread->scraps, module);
    }
}

/* SPDX-License-Identifier: MIT */
/* Where a thread counts blocks: in a module's own counters, in a copy of them, or, while it has stopped itself, in scraps that
   nobody reads.  Compiled code goes by the distance from the first, the thread's displacement for the module
   (bbprof-abi.h): GS's base for the executable's, which the thread itself must set, and a thread-local word for any other
   one, which can be written from outside.  Context: cold, lock held. */
#include "arch.h"
#include "bbprof-live.h"
#include "internal.h"

/* The THREAD's copy of MODULE's counters, or its scraps of them; made if there is none.  Null: no memory. */
static struct bbp_copy *
copy_of (struct bbp_thread *thread, bool scraps, struct bbp_module *module)
{
  struct bbp_copy **list = scraps ? &thread->scraps : &thread->copies;
  for (struct bbp_copy *copy = *list; copy; copy = copy->next)
    if (copy->module == module)
      return copy;
  size_t bytes = sizeof (struct bbp_copy) + bbp_module_ncounts (module) * sizeof (long);
  struct bbp_copy *copy = bbp_slice_map (scraps ? BBL_SCRAPS : BBL_COUNTS, thread->number, module->number, bytes);
  if (!copy)
    return NULL;
  copy->module = module;
  bbp_slice_ready (copy);
  copy->next = *list;
  __atomic_store_n (list, copy, __ATOMIC_RELEASE);
  return copy;
}

/* Without memory the thread shares the module's own counters, where increments of two threads can collide: said in the
   dump's message. */
static uintptr_t
displacement_of (struct bbp_thread *thread, struct bbp_module *module)
{
  if (thread->in_place && !thread->stopped)
    return 0;
  struct bbp_copy *copy = copy_of (thread, thread->stopped, module);
  if (copy)
    return (uintptr_t) copy->counts - (uintptr_t) module->counts_start;
  bbp.inexact = true;
  return 0;
}

/* Let THREAD, whose thread pointer is TP, count in MODULE where it is to. */
static void
point (struct bbp_thread *thread, uintptr_t tp, struct bbp_module *module)
{
  if (!module->by_base && !module->word_offset)
    return;
  uintptr_t displacement = displacement_of (thread, module);
  if (module->word_offset)
    __atomic_store_n ((uintptr_t *) (tp + module->word_offset), displacement, __ATOMIC_RELEASE);
  if (module->by_base && !bbp_base_set (displacement))
    bbp.inexact = true;
}

void
bbp_copies_use (struct bbp_thread *thread)
{
  for (struct bbp_module *module = bbp.modules; module; module = module->next)
    point (thread, bbp_arch_thread_pointer (), module);
}

static void
set_word (struct bbp_thread *thread, long word_offset, uintptr_t displacement)
{
  uintptr_t tp = thread == __bb_thread ? bbp_arch_thread_pointer () : thread->thread_pointer;
  if (tp && word_offset)
    __atomic_store_n ((uintptr_t *) (tp + word_offset), displacement, __ATOMIC_RELEASE);
}

/* The first unit of MODULE that goes by a word: threads that are there get theirs. */
static void
go_by_word (struct bbp_module *module, long word_offset)
{
  module->word_offset = word_offset;
  for (struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    set_word (thread, word_offset, displacement_of (thread, module));
}

/* Why nobody can go by GS: only one module can, and only if the program does not use it itself.  Null: all is well. */
static const char *
trouble_with_base (const struct bbp_module *module)
{
  if (!bbp_object_holds (bbp_object_executable (), (uintptr_t) module->counts_start))
    return "a shared object has code that was not compiled with -fPIC";
  return bbp_base_is_free () ? NULL : "the program uses the register GS itself";
}

/* A unit of MODULE goes by GS, the first one.  Other threads that are there set their base when they attach anew. */
static void
go_by_base (struct bbp_module *module)
{
  static const char *trouble;
  if (!trouble && (trouble = trouble_with_base (module)))
    bbp_complain ("block counts of threads may be too low", trouble);
  bbp.no_base = trouble;
  if (trouble)
    return;
  module->by_base = true;
  bbp_threads_recall ();
  if (__bb_thread)
    point (__bb_thread, bbp_arch_thread_pointer (), module);
}

void
bbp_copies_add_unit (struct bbp_module *module, const struct bb *unit)
{
  if (unit->update != BBP_UPDATE_THREAD)
    return;
  if (unit->word_offset && !module->word_offset)
    go_by_word (module, unit->word_offset);
  else if (!unit->word_offset && !module->by_base)
    go_by_base (module);
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

/* MODULE is unmapped after this; what still runs of it counts in place. */
void
bbp_copies_remove (const struct bbp_module *module)
{
  for (struct bbp_thread *thread = bbp.threads; thread; thread = thread->next)
    {
      set_word (thread, module->word_offset, 0);
      remove_copy (&thread->copies, module);
      remove_copy (&thread->scraps, module);
    }
}

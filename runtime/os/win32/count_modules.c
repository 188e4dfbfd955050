/* SPDX-License-Identifier: MIT */
/* The modules that count: executable and DLLs, and their units. */
#include "runtime/os/win32/counting.h"

void __fentry__ (void);
void __bb_indirect_func (void);
void __bb_thread_func (void);

static void
complain_of_module (const void *address)
{
  MEMORY_BASIC_INFORMATION about;
  char path[MAX_PATH] = "";
  if (VirtualQuery (address, &about, sizeof about))
    GetModuleFileNameA ((HMODULE) about.AllocationBase, path, sizeof path);
  bbp_message (path, "not counted: none of the first 64 slots of TlsAlloc is free");
}

void
bbp_module_attach (struct bbp_links *links)
{
  bbp_count_lock ();
  const uint64_t slot = bbp_slot_take ();
  bbp_count_unlock ();
  if (!slot)
    complain_of_module (links);
  *links = (struct bbp_links) { .slot = slot ? slot : BBP_ZERO_WORD,
                                .thread = __bb_thread_func,
                                .indirect = __bb_indirect_func,
                                .arc = __fentry__ };
}

void
bbp_module_add_unit (struct bb *unit, const struct bbp_links *links)
{
  if (unit->zero_word || links->slot == BBP_ZERO_WORD)
    return;
  bbp_count_lock ();
  struct bbp_module *module = bbp_module_of (unit);
  if (!module)
    module = bbp_module_make (unit);
  if (module)
    {
      module->word_offset = (int64_t) links->slot;
      unit->zero_word = 1;
      bbp_unit_link (unit);
      module->units = unit;
      bbp_thread_use_modules ();
    }
  else
    bbp.inexact = true;
  bbp_count_unlock ();
}

/* The objects of the modules, and of the addresses that arcs lead from and to. */

static void
find_object (void *unused, uintptr_t address)
{
  (void) unused;
  bbp_image_at (address, 0);
}

void
bbp_objects_find_counted (void)
{
  for (const struct bbp_module *module = bbp.modules; module; module = module->next)
    bbp_image_at ((uintptr_t) module->counts_start, 0);
  bbp_gather_addresses (find_object, NULL);
}

/* Its counts are kept by virtual addresses. */
static void
retire (struct bbp_module *module)
{
  struct bbp_image *image = bbp_image_at ((uintptr_t) module->counts_start, 0);
  if (!image)
    return;
  bbp_objects_find_counted ();
  bbp_blocks_retire (image->object);
  bbp_retire (image->object, true);
  bbp_image_unload (image);
}

static struct bbp_module *
module_by (uint64_t slot)
{
  struct bbp_module *module = bbp.modules;
  while (module && module->word_offset != (int64_t) slot)
    module = module->next;
  return module;
}

static void
remove_module (struct bbp_module *module)
{
  retire (module);
  bbp_module_unlink (module);
  bbp_threads_drop (module);
  bbp_module_free (module);
}

/* The sampler's lock first, because it owns the list of images.  A module without units had none
   that could be entered. */
void
bbp_module_detach (uint64_t slot)
{
  if (slot == BBP_ZERO_WORD)
    return;
  bbp_sampler_lock ();
  bbp_count_lock ();
  struct bbp_module *module = module_by (slot);
  if (module)
    remove_module (module);
  bbp_slot_leave (slot);
  bbp_count_unlock ();
  bbp_sampler_unlock ();
}

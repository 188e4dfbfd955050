/* SPDX-License-Identifier: MIT */
/* Registered units, and the program that they form.  Context: that of the program's code. */
#include "runtime/count/count.h"
#include "runtime/dump/dump.h"
#include "runtime/freestanding/freestanding.h"

/* All units, newest first: the historic name. */
BBP_PUBLIC_WEAK struct bb *__bb_head;

/* The other files' facts about the process. */
struct bbp_runtime bbp;

BBP_PUBLIC void __bb_init_func (struct bb *);
BBP_PUBLIC void __bb_fini_func (struct bb *);
BBP_PUBLIC void __bb_indirect_func (void);

/* Two processors may call it at the same moment. */
void
__bb_init_func (struct bb *unit)
{
  if (__atomic_exchange_n (&unit->zero_word, 1, __ATOMIC_ACQ_REL))
    return;
  unit->next = __atomic_load_n (&__bb_head, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n (&__bb_head, &unit->next, unit, false, __ATOMIC_RELEASE,
                                       __ATOMIC_RELAXED))
    ;
}

/* The program's counts stay valid to its end. */
void
__bb_fini_func (struct bb *unit)
{
  (void) unit;
}

/* Calls through pointers are not counted here: the callee counts as called from outside. */
void
__bb_indirect_func (void)
{
}

bool
bbp_program (struct bbp_module *module)
{
  const struct bb *unit = __bb_head;
  while (unit && !BBP_IS_EXTENDED (unit))
    unit = unit->next;
  *module = (struct bbp_module) { .next = NULL };
  bbp.modules = unit ? module : NULL;
  if (!unit)
    return false;
  module->counts_start = unit->counts_start;
  module->counts_stop = unit->counts_stop;
  module->map_start = unit->map_start;
  module->map_stop = unit->map_stop;
  return true;
}

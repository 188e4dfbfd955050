/* SPDX-License-Identifier: MIT */
/* The base of GS in the calling thread: the distance from the executable's own counters to the
   thread's.  Only the thread itself can set it.

   If the program sets GS itself after the start, GS is the program's from then on.  The
   addresses of the thread's counters are then wrong, and nearly always unmapped.  The handler of
   the resulting signal does what the instruction should have done, and the thread continues
   behind it.  Context: any, unless a function says otherwise. */
#include <sys/auxv.h>

#include "arch.h"
#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/count/count.h"
#include "runtime/signals/signals.h"

/* False: use a system call.  The kernel does not offer the instruction before Linux 5.9, nor in
   valgrind. */
static bool by_instruction;

static long
ask_base (uintptr_t *base)
{
  return BBP_SYSCALL (SYS_arch_prctl, ARCH_GET_GS, base, 0, 0, 0, 0);
}

static long
ask_for_base (uintptr_t base)
{
  return BBP_SYSCALL (SYS_arch_prctl, ARCH_SET_GS, base, 0, 0, 0, 0);
}

/* Cold, before there is a module. */
void
bbp_gs_base_start (void)
{
  by_instruction = getauxval (AT_HWCAP2) & BBP_ARCH_HWCAP2_GS;
}

/* A base that cannot be read is taken for the program's. */
static uintptr_t
base_now (void)
{
  uintptr_t base = 1;
  if (by_instruction)
    base = bbp_arch_get_gs ();
  else
    ask_base (&base);
  return base;
}

/* True if the library set BASE, in this thread or in its creator: a new thread inherits GS, and
   its creator may have opened or closed a window since. */
static bool
is_ours (const struct bbp_thread *thread, uintptr_t base)
{
  if (base == 0 || base == thread->gs_base)
    return true;
  for (const struct bbp_thread *other = __atomic_load_n (&bbp.threads, __ATOMIC_ACQUIRE); other;
       other = other->next)
    if (base == __atomic_load_n (&other->gs_bases[0], __ATOMIC_RELAXED)
        || base == __atomic_load_n (&other->gs_bases[1], __ATOMIC_RELAXED))
      return true;
  return false;
}

bool
bbp_gs_base_set (struct bbp_thread *thread, uintptr_t base)
{
  bool ours = is_ours (thread, base_now ());
  thread->gs_base = base;
  if (!ours)
    return true;
  if (!by_instruction)
    return ask_for_base (base) == 0;
  bbp_arch_set_gs (base);
  return true;
}

bool
bbp_gs_base_is_free (void)
{
  return base_now () == 0;
}

bool
bbp_gs_base_is_positive (void)
{
  return !by_instruction;
}

/* The module with code that counts by GS; null: none. */
static const struct bbp_module *counted;

void
bbp_gs_base_count_for (const struct bbp_module *module)
{
  __atomic_store_n (&counted, module, __ATOMIC_RELEASE);
}

bool
bbp_gs_base_count_fault (void *context)
{
  const struct bbp_module *module = __atomic_load_n (&counted, __ATOMIC_ACQUIRE);
  uintptr_t pc = bbp_arch_pc (context), base = base_now (),
            displacement = __bb_thread ? __bb_thread->gs_base : 0;
  if (!module || base == displacement || !bbp_has_map (pc)) /* so the code at PC can be read */
    return false;
  size_t bytes = 0;
  uintptr_t site = bbp_arch_site_by_base (context),
            counter = site ? site : bbp_arch_counter_by_base (context, &bytes);
  if (counter < (uintptr_t) module->counts_start || counter >= (uintptr_t) module->counts_stop
      || !bbp_arch_is_fault_at (context, base + counter))
    return false;
  if (site)
    {
      bbp_arch_pass_site (context, *(uintptr_t *) (site + displacement));
      return true;
    }
  bbp_arch_increment ((uint64_t *) (counter + displacement));
  bbp_arch_set_pc (context, pc + bytes);
  __atomic_fetch_add (&bbp.by_signals, 1, __ATOMIC_RELAXED);
  return true;
}

/* Ends the program, because the counters' addresses would be in the program's memory.  Counting
   would write there, and nobody would notice. */
static void __attribute__ ((noreturn)) end_program (void)
{
  bbp_message (
      "program terminated",
      "it set the register GS so that counting would overwrite its memory; compile it with "
      "-fplugin-arg-bbprof-update=atomic");
  bbp_count_above.end ();
  for (;;)
    bbp_arch_syscall (SYS_exit_group, 127, 0, 0, 0, 0, 0);
}

static void
check (uintptr_t base)
{
  const struct bbp_module *module = __atomic_load_n (&counted, __ATOMIC_ACQUIRE);
  struct bbp_thread *thread = __bb_thread;
  if (!module || !bbp_own_process () || base == 0 || (thread && is_ours (thread, base)))
    return;
  uintptr_t stop = base + (uintptr_t) module->counts_stop;
  for (uintptr_t page = (base + (uintptr_t) module->counts_start) & -(uintptr_t) BBP_PAGE_BYTES;
       page < stop; page += BBP_PAGE_BYTES)
    if (bbp_sys_is_mapped (page))
      end_program ();
}

void
bbp_gs_base_check (long number, long option, uintptr_t base)
{
  if (number == SYS_arch_prctl && option == ARCH_SET_GS)
    check (base);
}

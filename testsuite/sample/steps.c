/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Executes subject () instruction by instruction (the processor's trap flag) and unwinds before
   each one.  The truth is kept here, by what instructions do to the stack: a call puts its return
   address there, and that is gone when the stack pointer is above it.  Each LIBGCC-th stack is
   compared with libgcc's as well, if it begins in the program, and taken again from another
   handler, through the frame of this one's signal.  Prints "COMPARED WRONG CUT REWRITTEN"; writes
   each stack into a file, the argument; without one, just calls subject ().  With a second argument
   it has been called before: what blocks signals for its first time, as our own library does, would
   die. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

#include "arch.h"
#include "steps.h"
#include "runtime/sample/sample.h"
#include "runtime/unwind/unwind.h"

enum { MOST = 4096, LIBGCC = 16, TRAP = 0x100, MOST_COMPLAINTS = 10 };

/* Calls that have not returned; from LEVEL on: of the innermost handler. */
static struct {
  uintptr_t slot, back;
} shadow[MOST];
static size_t depth, level;
static uintptr_t last_pc, last_sp;
static volatile uintptr_t begin_sp; /* what is below is the beginning itself; 0: that is over */
static volatile bool stepping, suspended, returning;
static unsigned long compared, wrong, cut, rewritten;
static struct bbp_frame frames[BBP_DEPTH];
static FILE *log_file;

static void
complain (const char *what, struct bbp_unwound unwound)
{
  if (wrong + cut > MOST_COMPLAINTS)
    return;
  fprintf (stderr, "%s: %zu frames%s\n", what, unwound.n, unwound.whole ? "" : ", cut");
  for (size_t i = 0; i < unwound.n && i < 8; i++)
    {
      Dl_info info = { 0 };
      dladdr ((void *) frames[i].address, &info);
      fprintf (stderr, "  %lx kind %u %s (%s+%lx)\n", frames[i].address, frames[i].kind,
               info.dli_sname ? info.dli_sname : "?", info.dli_fname,
               frames[i].address - (uintptr_t) info.dli_fbase);
    }
  for (size_t i = depth; i-- > 0 && i + 8 > depth;)
    fprintf (stderr, "  should be %lx\n", shadow[i].back);
}

static bool
is_call (uintptr_t pc)
{
  const unsigned char *code = (const unsigned char *) pc;
  while (*code == 0x66 || *code == 0x67 || *code == 0xf2 || *code == 0x3e || (*code & 0xf0) == 0x40)
    code++;
  return *code == 0xe8 || (*code == 0xff && (code[1] >> 3 & 7) == 2);
}

static void
follow (uintptr_t sp)
{
  while (depth > level && shadow[depth - 1].slot < sp)
    depth--;
  if (last_pc && sp == last_sp - sizeof (uintptr_t) && is_call (last_pc))
    {
      shadow[depth].slot = sp;
      shadow[depth++].back = *(uintptr_t *) sp;
    }
}

/* Whether FRAMES, from the first on, are what the shadow says, down to main and beyond. */
static bool
is_right (size_t first, struct bbp_unwound unwound, uintptr_t pc)
{
  if (unwound.n < first + depth + 2 || frames[first].address != pc)
    return false;
  for (size_t i = 0; i < depth; i++)
    if (frames[first + 1 + i].address != shadow[depth - 1 - i].back)
      return false;
  return true;
}

struct trace {
  size_t n;
  uintptr_t address[BBP_DEPTH];
};

static _Unwind_Reason_Code
note (struct _Unwind_Context *context, void *data)
{
  struct trace *trace = data;
  uintptr_t address = _Unwind_GetIP (context);
  if (address && trace->n < BBP_DEPTH)
    trace->address[trace->n++] = address;
  return _URC_NO_REASON;
}

extern const char __executable_start[], etext[];

static bool
is_own (uintptr_t pc)
{
  return pc - (uintptr_t) __executable_start < (uintptr_t) (etext - __executable_start);
}

/* libgcc begins with its own caller, and goes through the frame of the signal.  It is not asked in
   libraries, because it dies in assembler of libc's that does not tell that it pushes. */
static bool
is_as_libgcc (struct bbp_unwound unwound)
{
  static struct trace trace;
  size_t first = 0;
  trace.n = 0;
  _Unwind_Backtrace (note, &trace);
  while (first < trace.n && trace.address[first] != frames[0].address)
    first++;
  for (size_t i = 0; i < unwound.n; i++)
    if (first + i >= trace.n || trace.address[first + i] != frames[i].address)
      return false;
  return trace.n - first == unwound.n;
}

static struct bbp_unwound nested;

static void
on_second (int number, siginfo_t *info, void *context)
{
  (void) number, (void) info;
  nested = bbp_unwind (context, 0, frames, NULL, BBP_DEPTH);
}

/* The same stack, through the frame of SIGTRAP. */
static bool
is_right_from_outside (uintptr_t pc)
{
  size_t first = 0;
  raise (SIGUSR2);
  while (first < nested.n && frames[first].kind != BBX_FRAME_INTERRUPTED)
    first++;
  return is_right (first, nested, pc) && nested.whole;
}

static void
write_down (struct bbp_unwound unwound)
{
  for (size_t i = 0; i < unwound.n; i++)
    fprintf (log_file, "%lx%c", frames[i].address, i + 1 < unwound.n ? ' ' : '\n');
}

/* Before libgcc lands where an exception is caught, it puts registers and return addresses of that
   into its own frames. */
static bool
is_libgccs (uintptr_t pc)
{
  Dl_info info;
  return dladdr ((void *) pc, &info) && strstr (info.dli_fname, "libgcc_s");
}

static void
compare (const void *context, uintptr_t pc)
{
  struct bbp_unwound unwound = bbp_unwind (context, 0, frames, NULL, BBP_DEPTH);
  compared++;
  write_down (unwound);
  if (!is_right (0, unwound, pc) && is_libgccs (pc))
    rewritten++;
  else if (!is_right (0, unwound, pc))
    wrong++, complain ("wrong", unwound);
  else if (!unwound.whole)
    cut++, complain ("cut", unwound);
  else if (compared % LIBGCC == 0 && is_own (pc) && level == 0 && !is_as_libgcc (unwound))
    wrong++, complain ("not as libgcc", unwound);
  else if (compared % LIBGCC == 0 && !is_right_from_outside (pc))
    wrong++, complain ("wrong from outside", nested);
}

static void
on_trap (int number, siginfo_t *info, void *context)
{
  greg_t *registers = ((ucontext_t *) context)->uc_mcontext.gregs;
  uintptr_t pc = (uintptr_t) registers[REG_RIP], sp = (uintptr_t) registers[REG_RSP];
  (void) number, (void) info;
  if (!stepping || returning)
    {
      registers[REG_EFL] &= ~TRAP;
      returning = false;
      last_pc = 0;
      return;
    }
  follow (sp);
  if (sp > begin_sp)
    begin_sp = 0;
  if (!suspended && !begin_sp)
    compare (context, pc);
  last_pc = pc;
  last_sp = sp;
}

static void
on_begin (int number, siginfo_t *info, void *context)
{
  (void) number, (void) info;
  ((ucontext_t *) context)->uc_mcontext.gregs[REG_EFL] |= TRAP;
}

void
steps_suspend (bool suspend)
{
  suspended = suspend;
}

/* CONTEXT: of the handler that begins; null: of none.  The interrupted code is its caller, and no
   return address says so. */
void __attribute__ ((noinline))
steps_begin (const void *context)
{
  if (!log_file)
    return;
  if (context)
    {
      shadow[depth].slot = UINTPTR_MAX;
      shadow[depth++].back = bbp_arch_pc (context);
    }
  level = depth;
  last_pc = 0;
  /* where the return address is */
  begin_sp = (uintptr_t) __builtin_frame_address (0) + sizeof (uintptr_t);
  stepping = true;
  raise (SIGUSR1);
}

/* CONTEXT: of the handler, which runs on at full speed, and so to the code that is stepped again;
   else it is the end. */
void
steps_end (const void *context)
{
  if (!log_file)
    return;
  returning = context;
  __asm__ volatile ("" : : : "memory");
  stepping = context;
  if (context)
    {
      depth = level - 1;
      for (level = depth; level > 0 && shadow[level - 1].slot != UINTPTR_MAX; level--)
        ;
    }
}

static void
handle (int number, void (*function) (int, siginfo_t *, void *))
{
  struct sigaction action = { .sa_sigaction = function, .sa_flags = SA_SIGINFO };
  sigaction (number, &action, NULL);
}

static void
prepare (const char *name)
{
  log_file = fopen (name, "w");
  bbp_unwind_start ();
  handle (SIGTRAP, on_trap);
  handle (SIGUSR1, on_begin);
  handle (SIGUSR2, on_second);
  steps_begin (NULL);
}

int
main (int argc, char **argv)
{
  if (argc > 2)
    subject ();
  if (argc > 1)
    prepare (argv[1]);
  subject ();
  steps_end (NULL);
  printf ("%lu %lu %lu %lu\n", compared, wrong, cut, rewritten);
  return log_file && fclose (log_file) != 0;
}

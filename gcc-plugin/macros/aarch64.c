/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The macro set of aarch64 (LP64, ELF).  The macros have the names and contracts of GCC 2.95, as
   those of x86_64.c, which explains what is common.

   Counter n:

     executables    mrs A, tpidr_el0                the distance of the thread's counters from
                    add A, A, tprel_hi              the unit's is in a thread-local word of the
                    ldr A, [A, tprel_lo]            module's, __bb_displacement (bbprof-abi.h)
                    adrp B, .LPBX.2+8n
                    add A, A, B
                    ldr B, [A, :lo12:.LPBX.2+8n]
                    add B, B, #1
                    str B, [A, :lo12:.LPBX.2+8n]
     -fPIC          the word's place is read from the global offset table
     update=single  adrp, add, ldr, add, str        the unit's own counters
     update=atomic  the same with ldxr and stxr, in a loop

   A signal handler may count between the last three instructions: the run-time library then puts
   the interrupted thread back to the ldr (bbp_arch_roll_back).  Where the compiler may use LSE
   (-march=armv8.1-a and later), the increment is one instruction, stadd.  The flags never change.
   The register of an adrp is never the base of the ldr, so linkers that work around Cortex-A53's
   erratum 843419 leave the code as it is.

   Hooks are called with the return address in x9, which they preserve (runtime/arch/aarch64), and
   through the global offset table, because a linker's veneer might change x16. */
#include "gcc-plugin/macros/aarch64.h"

#include <stddef.h>

/* Labels of the unit's table and counters. */
#define TABLE(SITE) ((SITE)->historic ? ".LPBX0" : ".LPBX.0")
#define COUNTERS(SITE) ((SITE)->historic ? ".LPBX2" : ".LPBX.2")

/* Once per function: the call that counts the arc.  The caller's return address is in x9. */
#define FUNCTION_PROFILER(FILE, LABELNO)         \
  do                                             \
    {                                            \
      (void) (LABELNO);                          \
      aarch64_call ((FILE), site->mcount, site); \
  } while (0)

/* FUNCTION_PROFILER goes before the prologue, where x30 holds the return address as the caller has
   put it there. */
#define PROFILE_BEFORE_PROLOGUE

/* Once per function that may be the first one that a thread runs: is the thread known to the
   run-time library?  In -fPIC code, where all references are weak: is the library present? */
#define FUNCTION_BLOCK_PROFILER(FILE, LABELNO)                    \
  do                                                              \
    {                                                             \
      static int num_func;                                        \
      char skip[32];                                              \
      (void) (LABELNO);                                           \
      snprintf (skip, sizeof skip, ".LPBZ%d", num_func++);        \
      if (site->pic == BBP_PIC_FULL)                              \
        {                                                         \
          aarch64_from_table ((FILE), "x17", "__bb_thread_func"); \
          fprintf ((FILE), "\tcbz\tx17, %s\n", skip);             \
        }                                                         \
      fprintf ((FILE),                                            \
               "\tmrs\tx17, tpidr_el0\n"                          \
               "\tadrp\tx16, :gottprel:__bb_thread\n"             \
               "\tldr\tx16, [x16, #:gottprel_lo12:__bb_thread]\n" \
               "\tldr\tx17, [x17, x16]\n"                         \
               "\tcbnz\tx17, %s\n",                               \
               skip);                                             \
      aarch64_call ((FILE), "__bb_thread_func", site);            \
      fprintf ((FILE), "%s:\n", skip);                            \
  } while (0)

/* The historic form, once per function with init=entry: is the unit registered?  The call itself is
   written once per unit (entry_code), because it saves many registers. */
#define FUNCTION_INIT_PROFILER(FILE, LABELNO)                                           \
  do                                                                                    \
    {                                                                                   \
      static int num_func;                                                              \
      char skip[32];                                                                    \
      (void) (LABELNO);                                                                 \
      snprintf (skip, sizeof skip, ".LPBZ%s%d", site->historic ? "" : "E", num_func++); \
      aarch64_address ((FILE), "x16", TABLE (site), 0, site->large);                    \
      fprintf ((FILE), "\tldr\tx16, [x16]\n\tcbnz\tx16, %s\n", skip);                   \
      aarch64_save_link ((FILE), site);                                                 \
      fputs ("\tbl\tbbprof.entry\n", (FILE));                                           \
      aarch64_restore_link ((FILE), site);                                              \
      fprintf ((FILE), "%s:\n", skip);                                                  \
  } while (0)

/* At each counter. */
#define BLOCK_PROFILER(FILE, BLOCKNO)           \
  do                                            \
    {                                           \
      aarch64_keep ((FILE), site);              \
      increment ((FILE), 8L * (BLOCKNO), site); \
      aarch64_restore ((FILE), site);           \
  } while (0)

/* Adds 1 to the word at register A + OFFSET, an operand's. */
static void
write_increment (FILE *file, const char *offset, const struct bbp_site *site)
{
  fprintf (file, "\tldr\t%s, [%s%s]\n\tadd\t%s, %s, #1\n\tstr\t%s, [%s%s]\n", B, A, offset, B, B, B,
           A, offset);
}

/* The same in one instruction, or so that no other thread comes in between.  The result of stxr is
   in the lower half of C. */
static void
write_atomic_increment (FILE *file, const struct bbp_site *site)
{
  if (site->adds_to_memory)
    fprintf (file, "\tmov\t%s, #1\n\tstadd\t%s, [%s]\n", B, B, A);
  else
    fprintf (file,
             "1:\tldxr\t%s, [%s]\n"
             "\tadd\t%s, %s, #1\n"
             "\tstxr\tw%s, %s, [%s]\n"
             "\tcbnz\tw%s, 1b\n",
             B, A, B, B, C + 1, B, A, C + 1);
}

/* Puts the thread's displacement into register A; B is free. */
static void
write_displacement (FILE *file, const struct bbp_site *site)
{
  if (site->pic == BBP_PIC_FULL)
    fprintf (file,
             "\tadrp\t%s, :gottprel:__bb_displacement\n"
             "\tldr\t%s, [%s, #:gottprel_lo12:__bb_displacement]\n"
             "\tmrs\t%s, tpidr_el0\n"
             "\tldr\t%s, [%s, %s]\n",
             A, A, A, B, A, B, A);
  else
    fprintf (file,
             "\tmrs\t%s, tpidr_el0\n"
             "\tadd\t%s, %s, #:tprel_hi12:__bb_displacement, lsl #12\n"
             "\tldr\t%s, [%s, #:tprel_lo12_nc:__bb_displacement]\n",
             A, A, A, A, A);
}

static void
increment (FILE *file, long offset, const struct bbp_site *site)
{
  char low[64];
  const bool by_word = site->update == BBP_UPDATE_THREAD && !site->historic,
             atomic = site->update == BBP_UPDATE_ATOMIC;
  if (by_word)
    write_displacement (file, site);
  if (by_word && !site->adds_to_memory && !site->large)
    {
      snprintf (low, sizeof low, ", #:lo12:%s+%ld", COUNTERS (site), offset);
      fprintf (file, "\tadrp\t%s, %s+%ld\n\tadd\t%s, %s, %s\n", B, COUNTERS (site), offset, A, A,
               B);
      write_increment (file, low, site);
      return;
    }
  aarch64_address (file, by_word ? B : A, COUNTERS (site), offset, site->large);
  if (by_word)
    fprintf (file, "\tadd\t%s, %s, %s\n", A, A, B);
  if (atomic || site->adds_to_memory)
    write_atomic_increment (file, site);
  else
    write_increment (file, "", site);
}

/* Calls __bb_indirect_func with the callee in x16; in -fPIC code only if it is present. */
static void
call_profiler (FILE *file, const struct bbp_site *site)
{
  static int last;
  int k = last++;
  aarch64_from_table (file, "x17", "__bb_indirect_func");
  if (site->pic == BBP_PIC_FULL)
    fprintf (file, "\tcbz\tx17, .LPBZI%d\n", k);
  aarch64_save_link (file, site);
  fputs ("\tblr\tx17\n", file);
  aarch64_restore_link (file, site);
  if (site->pic == BBP_PIC_FULL)
    fprintf (file, ".LPBZI%d:\n", k);
}

static void
function_init_profiler (FILE *file, int labelno, const struct bbp_site *site)
{
  FUNCTION_INIT_PROFILER (file, labelno);
}

static void
function_profiler (FILE *file, int labelno, const struct bbp_site *site)
{
  FUNCTION_PROFILER (file, labelno);
}

static void
function_block_profiler (FILE *file, int labelno, const struct bbp_site *site)
{
  FUNCTION_BLOCK_PROFILER (file, labelno);
}

static void
block_profiler (FILE *file, int blockno, const struct bbp_site *site)
{
  BLOCK_PROFILER (file, blockno);
}

static int
block_registers (const struct bbp_site *site)
{
  return site->update == BBP_UPDATE_ATOMIC && !site->adds_to_memory ? 3 : 2;
}

static bool
has_word (const struct bbp_unit *unit)
{
  return unit->update == BBP_UPDATE_THREAD && !unit->historic;
}

/* The word through which the module's code finds its counters. */
static void
counter_word (FILE *file, const struct bbp_unit *unit)
{
  if (has_word (unit))
    fputs ("\t.pushsection\t.tbss.__bb_displacement,\"awTG\",%nobits,__bb_displacement,comdat\n"
           "\t.globl\t__bb_displacement\n"
           "\t.hidden\t__bb_displacement\n"
           "\t.balign\t8\n"
           "\t.type\t__bb_displacement, %object\n"
           "\t.size\t__bb_displacement, 8\n"
           "__bb_displacement:\n"
           "\t.zero\t8\n"
           "\t.popsection\n",
           file);
  if (unit->pic == BBP_PIC_FULL)
    fputs ("\t.weak\t__bb_thread\n"
           "\t.weak\t__bb_thread_func\n"
           "\t.weak\t__bb_indirect_func\n"
           "\t.weak\t__bb_init_func\n"
           "\t.weak\t__bb_fini_func\n",
           file);
}

/* The place of the word may be known only when the program is loaded, so the constructor stores
   it. */
static void
write_word_offset (FILE *file, const struct bbp_unit *unit)
{
  if (!has_word (unit))
    return;
  fputs ("\tadrp\tx1, :gottprel:__bb_displacement\n"
         "\tldr\tx1, [x1, #:gottprel_lo12:__bb_displacement]\n",
         file);
  fprintf (file, "\tstr\tx1, [x0, #%zu]\n", offsetof (struct bb, word_offset));
}

/* FUNCTION (&LPBX0) as a tail call; in -fPIC code only if it is present. */
static void
write_tail_call (FILE *file, const char *function, const struct bbp_unit *unit)
{
  aarch64_from_table (file, "x16", function);
  if (unit->pic == BBP_PIC_FULL)
    fputs ("\tcbz\tx16, 1f\n", file);
  fputs ("\tbr\tx16\n", file);
  if (unit->pic == BBP_PIC_FULL)
    fputs ("1:\tret\n", file);
}

/* A local function NAME.  gprof leaves names with a dot out of its reports. */
static void
begin_function (FILE *file, const char *name, const struct bbp_unit *unit)
{
  fprintf (file,
           "\t.pushsection\t.text.startup,\"ax\",%%progbits\n"
           "\t.balign\t4\n"
           "\t.type\t%s, %%function\n"
           "%s:\n"
           "%s"
           "\thint\t#34\n", /* bti c */
           name, name, unit->cfi ? "\t.cfi_startproc\n" : "");
}

static void
end_function (FILE *file, const char *name, const struct bbp_unit *unit)
{
  fprintf (file,
           "%s"
           "\t.size\t%s, .-%s\n"
           "\t.popsection\n",
           unit->cfi ? "\t.cfi_endproc\n" : "", name, name);
}

/* Writes the function NAME, which calls FUNCTION (&LPBX0). */
static void
write_unit_function (FILE *file, const char *name, const char *function, bool first,
                     const struct bbp_unit *unit)
{
  begin_function (file, name, unit);
  aarch64_address (file, "x0", TABLE (unit), 0, unit->large);
  if (first)
    write_word_offset (file, unit);
  write_tail_call (file, function, unit);
  end_function (file, name, unit);
}

/* The same, and its entry in ARRAY. */
static void
write_constructor (FILE *file, const char *name, const char *function, const char *array,
                   bool first, const struct bbp_unit *unit)
{
  write_unit_function (file, name, function, first, unit);
  fprintf (file,
           "\t.pushsection\t.%s_array.00100,\"aw\",%%%s_array\n"
           "\t.balign\t8\n"
           "\t.quad\t%s\n"
           "\t.popsection\n",
           array, array, name);
}

static void
constructors (FILE *file, const struct bbp_unit *unit)
{
  write_constructor (file, "bbprof.init", "__bb_init_func", "init", true, unit);
  write_constructor (file, "bbprof.fini", "__bb_fini_func", "fini", false, unit);
}

/* Saves or restores what may hold arguments at an entry; x9 is the return address of the function
   that calls this one. */
static void
move_arguments (FILE *file, const char *pair)
{
  static const char *const general[]
      = { "x0, x1", "x2, x3", "x4, x5", "x6, x7", "x8, x9", "x18, x9" };
  for (int i = 0; i < 6; i++)
    fprintf (file, "\t%s\t%s, [sp, #%d]\n", pair, general[i], 16 + 16 * i);
  for (int i = 0; i < 8; i += 2)
    fprintf (file, "\t%s\tq%d, q%d, [sp, #%d]\n", pair, i, i + 1, 112 + 16 * i);
}

/* A function that is called at the entry of others, where registers hold arguments. */
static void
entry_code (FILE *file, const struct bbp_unit *unit)
{
  if (unit->pic == BBP_PIC_FULL)
    fputs ("\t.weak\t__bb_init_func\n", file);
  write_unit_function (file, "bbprof.init", "__bb_init_func", true, unit);
  begin_function (file, "bbprof.entry", unit);
  fprintf (file, "\tstp\tx29, x30, [sp, #-240]!\n%s",
           unit->cfi ? "\t.cfi_def_cfa_offset 240\n\t.cfi_offset 29, -240\n\t.cfi_offset 30, -232\n"
                     : "");
  fputs ("\tmov\tx29, sp\n", file);
  move_arguments (file, "stp");
  fputs ("\tbl\tbbprof.init\n", file);
  move_arguments (file, "ldp");
  fprintf (file, "\tldp\tx29, x30, [sp], #240\n%s\tret\n",
           unit->cfi ? "\t.cfi_def_cfa_offset 0\n\t.cfi_restore 29\n\t.cfi_restore 30\n" : "");
  end_function (file, "bbprof.entry", unit);
}

static const char *const profiler_clobbers[] = { "x9", "x10", "x11", "x12", "x16", "x17", NULL };

static const struct bbp_macros aarch64 = {
  .function_profiler = function_profiler,
  .function_init_profiler = function_init_profiler,
  .function_block_profiler = function_block_profiler,
  .block_profiler = block_profiler,
  .block_registers = block_registers,
  .call_profiler = call_profiler,
  .call_target = "x16",
  .trace_enter = aarch64_trace_enter,
  .trace_source = aarch64_trace_source,
  .source_registers = aarch64_source_registers,
  .trace_point = aarch64_trace_point,
  .trace_test = aarch64_trace_test,
  .trace_registers = aarch64_trace_registers,
  .outside_registers = aarch64_trace_registers,
  .calls_init = aarch64_calls_init,
  .calls_block = aarch64_calls_block,
  .calls_exit = aarch64_calls_exit,
  .calls_link = "x9",
#ifdef PROFILE_BEFORE_PROLOGUE
  .profile_before_prologue = true,
#endif
  .profiler_clobbers = profiler_clobbers,
  .counter_word = counter_word,
  .constructors = constructors,
  .entry_code = entry_code,
};

const char bbp_macros_targets[] = "aarch64 with -mabi=lp64";

const struct bbp_macros *
bbp_macros_for (int pointer_bits, int word_bits)
{
  return pointer_bits == 64 && word_bits == 64 ? &aarch64 : NULL;
}

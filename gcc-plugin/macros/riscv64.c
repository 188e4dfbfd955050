/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The macro set of riscv64 (LP64, ELF).  The macros have the names and contracts of GCC 2.95, as
   those of x86_64.c, which explains what is common.

   Counter n:

     executables    lui A, tprel_hi                 the distance of the thread's counters from
                    add A, A, tp                    the unit's is in a thread-local word of the
                    ld A, tprel_lo(A)               module's, __bb_displacement (bbprof-abi.h)
                    auipc B; addi B, B              .LPBX.2+8n
                    add A, A, B
                    li B, 1
                    amoadd.d zero, B, (A)
     -fPIC          the word's place is read from the global offset table
     others         auipc, addi, li, amoadd.d       the unit's own counters

   The increment is one instruction, so what a signal handler counts in between is not lost; it is
   right for update=atomic, too.  The linker may shorten the first three instructions to one.  It
   leaves auipc and addi, by which the run-time library recognises a counter.

   Hooks are called with the return address in t0, which they preserve (runtime/arch/riscv64), and
   through the global offset table, because the linkage table's code changes t0. */
#include "gcc-plugin/macros/riscv64.h"

#include <stddef.h>

/* Labels of the unit's table and counters. */
#define TABLE(SITE) ((SITE)->historic ? ".LPBX0" : ".LPBX.0")
#define COUNTERS(SITE) ((SITE)->historic ? ".LPBX2" : ".LPBX.2")

/* Once per function: the call that counts the arc.  The caller's return address is in t0. */
#define FUNCTION_PROFILER(FILE, LABELNO)         \
  do                                             \
    {                                            \
      (void) (LABELNO);                          \
      riscv64_call ((FILE), site->mcount, site); \
  } while (0)

/* FUNCTION_PROFILER goes before the prologue, where ra holds the return address as the caller has
   put it there. */
#define PROFILE_BEFORE_PROLOGUE

/* Once per function that may be the first one that a thread runs: is the thread known to the
   run-time library?  In -fPIC code, where all references are weak: is the library present? */
#define FUNCTION_BLOCK_PROFILER(FILE, LABELNO)                   \
  do                                                             \
    {                                                            \
      static int num_func;                                       \
      char skip[32];                                             \
      (void) (LABELNO);                                          \
      snprintf (skip, sizeof skip, ".LPBZ%d", num_func++);       \
      if (site->pic == BBP_PIC_FULL)                             \
        {                                                        \
          riscv64_from_table ((FILE), "t3", "__bb_thread_func"); \
          fprintf ((FILE), "\tbeqz\tt3, %s\n", skip);            \
        }                                                        \
      fprintf ((FILE),                                           \
               "\tla.tls.ie\tt3, __bb_thread\n"                  \
               "\tadd\tt3, t3, tp\n"                             \
               "\tld\tt3, 0(t3)\n"                               \
               "\tbnez\tt3, %s\n",                               \
               skip);                                            \
      riscv64_call ((FILE), "__bb_thread_func", site);           \
      fprintf ((FILE), "%s:\n", skip);                           \
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
      riscv64_address ((FILE), "t3", TABLE (site), 0);                                  \
      fprintf ((FILE), "\tld\tt3, 0(t3)\n\tbnez\tt3, %s\n", skip);                      \
      riscv64_save_link ((FILE), site);                                                 \
      fputs ("\tcall\tbbprof.entry\n", (FILE));                                         \
      riscv64_restore_link ((FILE), site);                                              \
      fprintf ((FILE), "%s:\n", skip);                                                  \
  } while (0)

/* At each counter. */
#define BLOCK_PROFILER(FILE, BLOCKNO)           \
  do                                            \
    {                                           \
      riscv64_keep ((FILE), site);              \
      increment ((FILE), 8L * (BLOCKNO), site); \
      riscv64_restore ((FILE), site);           \
  } while (0)

/* Puts the thread's displacement into register A. */
static void
write_displacement (FILE *file, const struct bbp_site *site)
{
  if (site->pic == BBP_PIC_FULL)
    fprintf (file,
             "\tla.tls.ie\t%s, __bb_displacement\n"
             "\tadd\t%s, %s, tp\n"
             "\tld\t%s, 0(%s)\n",
             A, A, A, A, A);
  else
    fprintf (file,
             "\tlui\t%s, %%tprel_hi(__bb_displacement)\n"
             "\tadd\t%s, %s, tp, %%tprel_add(__bb_displacement)\n"
             "\tld\t%s, %%tprel_lo(__bb_displacement)(%s)\n",
             A, A, A, A, A);
}

static void
increment (FILE *file, long offset, const struct bbp_site *site)
{
  const bool by_word = site->update == BBP_UPDATE_THREAD && !site->historic;
  if (by_word)
    write_displacement (file, site);
  riscv64_address (file, by_word ? B : A, COUNTERS (site), offset);
  if (by_word)
    fprintf (file, "\tadd\t%s, %s, %s\n", A, A, B);
  fprintf (file, "\tli\t%s, 1\n\tamoadd.d\tzero, %s, (%s)\n", B, B, A);
}

/* Calls __bb_indirect_func with the callee in t1; in -fPIC code only if it is present. */
static void
call_profiler (FILE *file, const struct bbp_site *site)
{
  static int last;
  int k = last++;
  riscv64_from_table (file, "t3", "__bb_indirect_func");
  if (site->pic == BBP_PIC_FULL)
    fprintf (file, "\tbeqz\tt3, .LPBZI%d\n", k);
  riscv64_save_link (file, site);
  fputs ("\tjalr\tt3\n", file);
  riscv64_restore_link (file, site);
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
  (void) site;
  return 2;
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
  if (has_word (unit))
    fprintf (file, "\tla.tls.ie\ta1, __bb_displacement\n\tsd\ta1, %zu(a0)\n",
             offsetof (struct bb, word_offset));
}

/* FUNCTION (&LPBX0) as a tail call; in -fPIC code only if it is present. */
static void
write_tail_call (FILE *file, const char *function, const struct bbp_unit *unit)
{
  riscv64_from_table (file, "t1", function);
  if (unit->pic == BBP_PIC_FULL)
    fputs ("\tbeqz\tt1, 1f\n", file);
  fputs ("\tjr\tt1\n", file);
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
           "%s",
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
  riscv64_address (file, "a0", TABLE (unit), 0);
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

/* Saves or restores what may hold arguments at an entry; t0 is the return address of the function
   that calls this one. */
static void
move_arguments (FILE *file, const char *move, const char *move_float)
{
  static const char *const general[]
      = { "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "t0", "t2" };
  for (int i = 0; i < 10; i++)
    fprintf (file, "\t%s\t%s, %d(sp)\n", move, general[i], 8 * i);
  for (int i = 0; i < 8; i++)
    fprintf (file, "\t%s\tfa%d, %d(sp)\n", move_float, i, 80 + 8 * i);
}

/* A function that is called at the entry of others, where registers hold arguments. */
static void
entry_code (FILE *file, const struct bbp_unit *unit)
{
  if (unit->pic == BBP_PIC_FULL)
    fputs ("\t.weak\t__bb_init_func\n", file);
  write_unit_function (file, "bbprof.init", "__bb_init_func", true, unit);
  begin_function (file, "bbprof.entry", unit);
  fprintf (file, "\taddi\tsp, sp, -160\n\tsd\tra, 152(sp)\n%s",
           unit->cfi ? "\t.cfi_def_cfa_offset 160\n\t.cfi_offset ra, -8\n" : "");
  move_arguments (file, "sd", "fsd");
  fputs ("\tcall\tbbprof.init\n", file);
  move_arguments (file, "ld", "fld");
  fprintf (file, "\tld\tra, 152(sp)\n\taddi\tsp, sp, 160\n%s\tret\n",
           unit->cfi ? "\t.cfi_def_cfa_offset 0\n\t.cfi_restore ra\n" : "");
  end_function (file, "bbprof.entry", unit);
}

static const char *const profiler_clobbers[] = { "t0", "t3", "t4", "t5", "t6", NULL };

static const struct bbp_macros riscv64 = {
  .function_profiler = function_profiler,
  .function_init_profiler = function_init_profiler,
  .function_block_profiler = function_block_profiler,
  .block_profiler = block_profiler,
  .block_registers = block_registers,
  .call_profiler = call_profiler,
  .call_target = "t1",
  .trace_enter = riscv64_trace_enter,
  .trace_source = riscv64_trace_source,
  .source_registers = riscv64_trace_registers,
  .trace_point = riscv64_trace_point,
  .trace_test = riscv64_trace_test,
  .trace_registers = riscv64_trace_registers,
  .outside_registers = riscv64_trace_registers,
  .calls_init = riscv64_calls_init,
  .calls_block = riscv64_calls_block,
  .calls_exit = riscv64_calls_exit,
  .calls_link = "t0",
#ifdef PROFILE_BEFORE_PROLOGUE
  .profile_before_prologue = true,
#endif
  .profiler_clobbers = profiler_clobbers,
  .wide_distances = true,
  .counter_word = counter_word,
  .constructors = constructors,
  .entry_code = entry_code,
};

const char bbp_macros_targets[] = "riscv64 with -mabi=lp64 and the extension a";

const struct bbp_macros *
bbp_macros_for (int pointer_bits, int word_bits)
{
  return pointer_bits == 64 && word_bits == 64 ? &riscv64 : NULL;
}

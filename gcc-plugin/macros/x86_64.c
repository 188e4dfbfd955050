/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The macro set of x86-64 (LP64, ELF).  The macros have the names and contracts of GCC 2.95:
   statements that write assembler text to FILE.  Those of GCC 2.95 used the compiler's state;
   here it is in a variable SITE (struct bbp_site) where the macro is used.

   Counter n:

     executables    incq %gs:.LPBX.2+8n(%rip)       the segment's base is the distance of the
                                                    thread's counters from the unit's
                                                    (include/bbprof-abi.h)
     in loops       leaq .LPBX.2+8first+128(%rip), %P      before the loop: a pointer to the
                    incq %gs:8(n-first)-128(%P)            counters of the function
     -fPIC          movq __bb_displacement@gottpoff(%rip), %A
                    movq %fs:(%A), %A               the same distance, in a thread-local word of
                                                    the module's
                    leaq .LPBX.2+8n(%rip), %B
                    incq (%A,%B)
     update=atomic  lock incq .LPBX.2+8n(%rip)      the unit's own counters, for all threads
     update=single  incq .LPBX.2+8n(%rip)

   Where the flags are live, %rax holds them meanwhile.  A counter is always incremented by one
   instruction; otherwise the count of a signal handler that runs in between could be lost.  -a:
   as update=single or atomic, with the historic labels (.LPBX0 for .LPBX.0).  -mcmodel=large uses
   64-bit addresses.

   .LPBX.S: the words of call sites, behind the counters.  Internal labels: .LPBZ<k> and .LPBZE<k>
   skip labels, .LPBA<k> and .LPBG<k> anchors of 64-bit addresses. */
#include "gcc-plugin/macros/x86_64.h"

#include <stddef.h>

/* Labels of the unit's table and counters.  None is like one of -fprofile-arcs, unless the
   contract names it. */
#define TABLE(SITE) ((SITE)->historic ? ".LPBX0" : ".LPBX.0")
#define COUNTERS(SITE) ((SITE)->historic ? ".LPBX2" : ".LPBX.2")

/* Puts the address of LPBX2 + OFFSET into register TO; large model: uses register HELP, which
   loses its value.  Does not change the flags. */
static void
write_counter_address (FILE *file, long offset, const char *to, const char *help,
                       const struct bbp_site *site)
{
  if (!site->large)
    {
      fprintf (file, "\tleaq\t%s+%ld(%%rip), %s\n", COUNTERS (site), offset, to);
      return;
    }
  int k = x86_64_label ();
  fprintf (file,
           "\tleaq\t.LPBA%d(%%rip), %s\n"
           "\tmovabsq\t$%s+%ld-.LPBA%d, %s\n"
           ".LPBA%d:\tleaq\t(%s,%s), %s\n",
           k, to, COUNTERS (site), offset, k, help, k, to, help, to);
}

/* Once per function: the call that counts the arc.  The historic counter's address is in the
   register of GCC's own macro for x86-64; neither libc's mcount nor ours reads it. */
#define FUNCTION_PROFILER(FILE, LABELNO)                              \
  do                                                                  \
    {                                                                 \
      if (site->profile_counter)                                      \
        fprintf ((FILE), "\tleaq\t.LP%d(%%rip), %%r11\n", (LABELNO)); \
      x86_64_call ((FILE), site->mcount, site);                       \
  } while (0)

/* FUNCTION_PROFILER goes before the prologue, which needs no frame pointer.  The block macros do
   not move. */
#define PROFILE_BEFORE_PROLOGUE

/* Once per function that may be the first one that a thread runs.  The unit registers itself in a
   constructor, so this tests whether the run-time library knows the thread.  Executables contain
   the library, so the place of its word is known when they are linked.  In -fPIC code, where all
   references are weak, it first tests whether the library is present.  (That cannot be tested with
   __bb_thread: the linker gives an undefined thread-local symbol any address.) */
#define FUNCTION_BLOCK_PROFILER(FILE, LABELNO)                                          \
  do                                                                                    \
    {                                                                                   \
      static int num_func;                                                              \
      (void) (LABELNO);                                                                 \
      if (site->pic == BBP_PIC_FULL)                                                    \
        fprintf ((FILE),                                                                \
                 "\tmovq\t__bb_thread_func@GOTPCREL(%%rip), %%r11\n"                    \
                 "\ttestq\t%%r11, %%r11\n"                                              \
                 "\tje\t.LPBZ%d\n",                                                     \
                 num_func);                                                             \
      fprintf ((FILE), "%s\tjne\t.LPBZ%d\n",                                            \
               site->pic == BBP_PIC_FULL ? "\tmovq\t__bb_thread@gottpoff(%rip), %r11\n" \
                                           "\tcmpq\t$0, %fs:(%r11)\n"                   \
                                         : "\tcmpq\t$0, %fs:__bb_thread@tpoff\n",       \
               num_func);                                                               \
      if (site->red_zone)                                                               \
        fputs ("\tleaq\t-128(%rsp), %rsp\n", (FILE));                                   \
      x86_64_call ((FILE), "__bb_thread_func", site);                                   \
      if (site->red_zone)                                                               \
        fputs ("\tleaq\t128(%rsp), %rsp\n", (FILE));                                    \
      fprintf ((FILE), ".LPBZ%d:\n", num_func++);                                       \
  } while (0)

/* The historic form, once per function with init=entry: is the unit registered?  The call itself
   is written once per unit (entry_code), because it saves many registers. */
#define FUNCTION_INIT_PROFILER(FILE, LABELNO)                                                   \
  do                                                                                            \
    {                                                                                           \
      static int num_func;                                                                      \
      (void) (LABELNO);                                                                         \
      if (site->large)                                                                          \
        write_large_address ((FILE), TABLE (site));                                             \
      fprintf ((FILE), "\tcmpq\t$0, %s%s\n\tjne\t.LPBZ%s%d\n", site->large ? "" : TABLE (site), \
               site->large ? "(%r11)" : "(%rip)", site->historic ? "" : "E", num_func);         \
      write_entry_call ((FILE), site);                                                          \
      fprintf ((FILE), ".LPBZ%s%d:\n", site->historic ? "" : "E", num_func++);                  \
  } while (0)

/* At each counter. */
#define BLOCK_PROFILER(FILE, BLOCKNO)                     \
  do                                                      \
    {                                                     \
      x86_64_keep ((FILE), site);                         \
      if (counts_by_word (site))                          \
        increment_by_word ((FILE), 8L * (BLOCKNO), site); \
      else                                                \
        increment ((FILE), 8L * (BLOCKNO), site);         \
      x86_64_restore ((FILE), site);                      \
  } while (0)

/* Does the code count through the module's thread-local word? */
static bool
counts_by_word (const struct bbp_site *site)
{
  return site->update == BBP_UPDATE_THREAD && site->pic == BBP_PIC_FULL;
}

/* Distance of the place that a register points to from the function's first counter: so the first
   32 counters have displacements of one byte. */
#define POINTER_OFFSET(SITE) (8L * (SITE)->first_counter + BBP_POINTER_BIAS)

static void
increment (FILE *file, long offset, const struct bbp_site *site)
{
  char operand[64];
  const char *segment = site->update == BBP_UPDATE_THREAD ? "%gs:" : "";
  if (site->pointer)
    snprintf (operand, sizeof operand, "%s%ld(%s)", segment, offset - POINTER_OFFSET (site),
              x86_64_register (site->pointer));
  else if (site->large)
    {
      write_counter_address (file, offset, B, A, site);
      snprintf (operand, sizeof operand, "%s(%s)", segment, B);
    }
  else
    snprintf (operand, sizeof operand, "%s%s+%ld(%%rip)", segment, COUNTERS (site), offset);
  x86_64_increment (file, operand, site);
}

static void
increment_by_word (FILE *file, long offset, const struct bbp_site *site)
{
  char operand[64];
  write_counter_address (file, offset, B, A, site);
  fprintf (file,
           "\tmovq\t__bb_displacement@gottpoff(%%rip), %s\n"
           "\tmovq\t%%fs:(%s), %s\n",
           A, A, A);
  if (site->flags_live)
    fprintf (file, "\tleaq\t(%s,%s), %s\n", A, B, B);
  snprintf (operand, sizeof operand, site->flags_live ? "(%s)" : "(%s,%s)", B, A);
  x86_64_increment (file, operand, site);
}

/* The same call, at any distance of the library.  Its address goes through the stack, because r11
   is in use and no other register is free. */
static void
write_large_indirect (FILE *file, int k, const struct bbp_site *site)
{
  fprintf (file, "\tpushq\t%%rax\n%s", site->frame_by_stack ? "\t.cfi_adjust_cfa_offset 8\n" : "");
  if (site->pic)
    fprintf (file,
             "\tleaq\t.LPBG%d(%%rip), %%rax\n"
             "\taddq\t.LPBG%d(%%rip), %%rax\n"
             "\tjmp\t.LPBA%d\n"
             ".LPBG%d:\t.quad\t__bb_indirect_func@GOTPCREL\n"
             ".LPBA%d:\tmovq\t(%%rax), %%rax\n",
             k, k, k, k, k);
  else
    fputs ("\tmovabsq\t$__bb_indirect_func, %rax\n", file);
  fprintf (file,
           "\ttestq\t%%rax, %%rax\n"
           "\tje\t.LPBZI%d\n"
           "\tcall\t*%%rax\n"
           ".LPBZI%d:\tpopq\t%%rax\n"
           "%s",
           k, k, site->frame_by_stack ? "\t.cfi_adjust_cfa_offset -8\n" : "");
}

/* Counts the call in the slot to which the site's word leads, if that is the callee's. */
static void
write_call_in_line (FILE *file, int k, const struct bbp_site *site)
{
  fprintf (file,
           "\tmovl\t%%r11d, %%r10d\n"
           "\tshrl\t$1, %%r10d\n"
           "\tandl\t$0x38, %%r10d\n"
           "\tleaq\t.LPBX.S+%zu(%%rip), %%rax\n"
           "\tmovq\t%%gs:%zu(%%rax,%%r10), %%r10\n"
           "\tcmpq\t%%r11, %zu(%%rax,%%r10)\n"
           "\tje\t.LPBZI%d\n",
           site->call_site * sizeof (struct bbp_site_words),
           offsetof (struct bbp_site_words, distance), offsetof (struct bbp_site_words, callee), k);
  fprintf (file, site->pic ? "\tcall\t*%s@GOTPCREL(%%rip)\n" : "\tcall\t%s\n", "__bb_site_func");
  fprintf (file,
           ".LPBZI%d:\n"
           "\tincq\t%zu(%%rax,%%r10)\n",
           k, offsetof (struct bbp_site_words, count));
}

/* Calls __bb_indirect_func; in -fPIC code only if it is present. */
static void
call_profiler (FILE *file, const struct bbp_site *site)
{
  int k = x86_64_label ();
  if (site->call_site >= 0)
    write_call_in_line (file, k, site);
  else if (site->large)
    write_large_indirect (file, k, site);
  else if (site->pic == BBP_PIC_FULL)
    fprintf (file,
             "\tcmpq\t$0, __bb_indirect_func@GOTPCREL(%%rip)\n"
             "\tje\t.LPBZI%d\n"
             "\tcall\t*__bb_indirect_func@GOTPCREL(%%rip)\n"
             ".LPBZI%d:\n",
             k, k);
  else if (site->pic)
    fputs ("\tcall\t*__bb_indirect_func@GOTPCREL(%rip)\n", file);
  else
    fputs ("\tcall\t__bb_indirect_func\n", file);
}

/* Puts the address of LABEL, one of the unit's own, into %r11, however far it is. */
static void
write_large_address (FILE *file, const char *label)
{
  int k = x86_64_label ();
  fprintf (file,
           "\tleaq\t.LPBG%d(%%rip), %%r11\n"
           "\taddq\t.LPBG%d(%%rip), %%r11\n"
           "\tjmp\t.LPBA%d\n"
           ".LPBG%d:\t.quad\t%s-.LPBG%d\n"
           ".LPBA%d:\n",
           k, k, k, k, label, k, k);
}

/* For each width of vector registers, as a power of two: does the unit's code call the entry code
   that saves these? */
static bool entry_codes[8];
#define ENTRY_CODE "bbprof.entry%d"

static void
write_entry_call (FILE *file, const struct bbp_site *site)
{
  int power = 0;
  char label[32];
  while (1 << power < site->vector_bytes)
    power++;
  entry_codes[power] = true;
  snprintf (label, sizeof label, ENTRY_CODE, power);
  if (site->large)
    write_large_address (file, label);
  fprintf (file, "\tcall\t%s%s\n", site->large ? "*" : "", site->large ? "%r11" : label);
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

static void
counter_pointer (FILE *file, const struct bbp_site *site)
{
  write_counter_address (file, POINTER_OFFSET (site), x86_64_register (site->pointer), NULL, site);
}

/* Does the code count by GS?  Increments of counters by a register are known by that prefix. */
static bool
counts_by_base (const struct bbp_site *site)
{
  return site->update == BBP_UPDATE_THREAD && site->pic != BBP_PIC_FULL && !site->large;
}

static int
block_registers (const struct bbp_site *site)
{
  if (counts_by_word (site) || site->large)
    return 2;
  return site->flags_live;
}

static bool
has_word (const struct bbp_unit *unit)
{
  return unit->pic == BBP_PIC_FULL && unit->update == BBP_UPDATE_THREAD;
}

/* GS leads to the executable's counters only, so code that was not compiled for a shared object
   must not get into one.  The offset of a thread-local word from the thread pointer is known when
   an executable is linked, and linkers refuse to write it into anything else. */
static void
refuse_shared_object (FILE *file)
{
  fputs ("\t.pushsection\t.tbss.__bb_executable,\"awTG\",@nobits,__bb_executable,comdat\n"
         "\t.globl\t__bb_executable\n"
         "\t.hidden\t__bb_executable\n"
         "\t.type\t__bb_executable, @object\n"
         "\t.size\t__bb_executable, 1\n"
         "__bb_executable:\n"
         "\t.zero\t1\n"
         "\t.popsection\n"
         "\t.pushsection\t.data.bbprof,\"aw\",@progbits\n"
         "\t.long\t__bb_executable@tpoff\n"
         "\t.popsection\n",
         file);
}

/* The word through which the module's -fPIC code finds its counters. */
static void
counter_word (FILE *file, const struct bbp_unit *unit)
{
  if (has_word (unit))
    fputs ("\t.pushsection\t.tbss.__bb_displacement,\"awTG\",@nobits,__bb_displacement,comdat\n"
           "\t.globl\t__bb_displacement\n"
           "\t.hidden\t__bb_displacement\n"
           "\t.balign\t8\n"
           "\t.type\t__bb_displacement, @object\n"
           "\t.size\t__bb_displacement, 8\n"
           "__bb_displacement:\n"
           "\t.zero\t8\n"
           "\t.popsection\n",
           file);
  else if (unit->update == BBP_UPDATE_THREAD)
    refuse_shared_object (file);
  if (unit->pic == BBP_PIC_FULL)
    fputs ("\t.weak\t__bb_thread\n"
           "\t.weak\t__bb_thread_func\n"
           "\t.weak\t__bb_indirect_func\n"
           "\t.weak\t__bb_init_func\n"
           "\t.weak\t__bb_fini_func\n",
           file);
}

/* Only the loader knows the place of the word, so the constructor stores it. */
static void
write_word_offset (FILE *file, const struct bbp_unit *unit)
{
  if (has_word (unit))
    fprintf (file,
             "\tmovq\t__bb_displacement@gottpoff(%%rip), %%rax\n"
             "\tmovq\t%%rax, %zu(%%rdi)\n",
             offsetof (struct bb, word_offset));
}

/* FUNCTION (&LPBX0) as a tail call; in -fPIC code only if it is present. */
static void
write_tail_call (FILE *file, const char *function, const struct bbp_unit *unit)
{
  if (unit->pic == BBP_PIC_NONE)
    {
      if (unit->large)
        fprintf (file, "\tmovabsq\t$%s, %%rax\n\tjmp\t*%%rax\n", function);
      else
        fprintf (file, "\tjmp\t%s\n", function);
      return;
    }
  int k = x86_64_label ();
  if (unit->large)
    fprintf (file,
             "\tleaq\t.LPBG%d(%%rip), %%rax\n"
             "\taddq\t.LPBG%d(%%rip), %%rax\n"
             "\tmovq\t(%%rax), %%rax\n",
             k, k);
  else
    fprintf (file, "\tmovq\t%s@GOTPCREL(%%rip), %%rax\n", function);
  fprintf (file,
           "\ttestq\t%%rax, %%rax\n"
           "\tje\t.LPBA%d\n"
           "\tjmp\t*%%rax\n"
           ".LPBA%d:\tret\n",
           k, k);
  if (unit->large)
    fprintf (file, ".LPBG%d:\t.quad\t%s@GOTPCREL\n", k, function);
}

static void
write_unit_address (FILE *file, const struct bbp_unit *unit)
{
  if (!unit->large)
    fprintf (file, "\tleaq\t%s(%%rip), %%rdi\n", TABLE (unit));
  else if (!unit->pic)
    fprintf (file, "\tmovabsq\t$%s, %%rdi\n", TABLE (unit));
  else
    {
      int k = x86_64_label ();
      fprintf (file,
               "\tleaq\t.LPBA%d(%%rip), %%rdi\n"
               "\tmovabsq\t$%s-.LPBA%d, %%rax\n"
               ".LPBA%d:\taddq\t%%rax, %%rdi\n",
               k, TABLE (unit), k, k);
    }
}

/* A local function NAME.  gprof leaves names with a dot out of its reports. */
static void
begin_function (FILE *file, const char *name, const struct bbp_unit *unit)
{
  fprintf (file,
           "\t.pushsection\t.text.startup,\"ax\",@progbits\n"
           "\t.type\t%s, @function\n"
           "%s:\n"
           "%s"
           "\tendbr64\n",
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
  write_unit_address (file, unit);
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
           "\t.pushsection\t.%s_array.00100,\"aw\",@%s_array\n"
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

/* Saves or restores the vector registers of arguments, 1 << POWER bytes each, at the stack
   pointer. */
static void
move_vectors (FILE *file, int power, bool save)
{
  const char *move = power > 4 ? "vmovups" : "movups";
  char letter = power == 6 ? 'z' : power == 5 ? 'y' : 'x';
  for (int n = 0; power && n < 8; n++)
    if (save)
      fprintf (file, "\t%s\t%%%cmm%d, %d(%%rsp)\n", move, letter, n, n << power);
    else
      fprintf (file, "\t%s\t%d(%%rsp), %%%cmm%d\n", move, n << power, letter, n);
}

/* A function that is called at the entry of others, where registers hold arguments. */
static void
write_entry_code (FILE *file, int power, const struct bbp_unit *unit)
{
  static const char *const registers[] = { "rax", "rdi", "rsi", "rdx", "rcx", "r8", "r9", "r10" };
  const int n = sizeof registers / sizeof *registers;
  char name[32];
  snprintf (name, sizeof name, ENTRY_CODE, power);
  begin_function (file, name, unit);
  fprintf (file, "\tpushq\t%%rbp\n%s",
           unit->cfi ? "\t.cfi_def_cfa_offset 16\n\t.cfi_offset 6, -16\n" : "");
  fprintf (file, "\tmovq\t%%rsp, %%rbp\n%s", unit->cfi ? "\t.cfi_def_cfa_register 6\n" : "");
  for (int i = 0; i < n; i++)
    fprintf (file, "\tpushq\t%%%s\n", registers[i]);
  fprintf (file, "\tandq\t$-16, %%rsp\n\tsubq\t$%d, %%rsp\n", power ? 8 << power : 0);
  move_vectors (file, power, true);
  fputs ("\tcall\tbbprof.init\n", file);
  move_vectors (file, power, false);
  fprintf (file, "\tleaq\t%d(%%rbp), %%rsp\n", -8 * n);
  for (int i = n - 1; i >= 0; i--)
    fprintf (file, "\tpopq\t%%%s\n", registers[i]);
  fprintf (file, "\tpopq\t%%rbp\n%s\tret\n", unit->cfi ? "\t.cfi_def_cfa 7, 8\n" : "");
  end_function (file, name, unit);
}

static void
entry_code (FILE *file, const struct bbp_unit *unit)
{
  if (unit->pic == BBP_PIC_FULL)
    fputs ("\t.weak\t__bb_init_func\n", file);
  write_unit_function (file, "bbprof.init", "__bb_init_func", true, unit);
  for (int power = 0; power < (int) sizeof entry_codes; power++)
    if (entry_codes[power])
      write_entry_code (file, power, unit);
}

static const char *const call_scratch[] = { "ax", "r10", NULL };
static const char *const profiler_clobbers[] = { "r11", NULL };

static const struct bbp_macros x86_64 = {
  .function_profiler = function_profiler,
  .function_init_profiler = function_init_profiler,
  .function_block_profiler = function_block_profiler,
  .block_profiler = block_profiler,
  .block_registers = block_registers,
  .counter_pointer = counter_pointer,
  .takes_pointer = counts_by_base,
  .flags_register = "ax",
  .call_profiler = call_profiler,
  .call_target = "r11",
  .calls_in_line = counts_by_base,
  .call_scratch = call_scratch,
  .trace_enter = x86_64_trace_enter,
  .trace_source = x86_64_trace_source,
  .source_registers = x86_64_source_registers,
  .trace_point = x86_64_trace_point,
  .trace_test = x86_64_trace_test,
  .trace_registers = x86_64_trace_registers,
  .outside_registers = x86_64_outside_registers,
  .calls_init = x86_64_calls_init,
  .calls_block = x86_64_calls_block,
  .calls_exit = x86_64_calls_exit,
#ifdef PROFILE_BEFORE_PROLOGUE
  .profile_before_prologue = true,
#endif
  .profiler_clobbers = profiler_clobbers,
  .counter_word = counter_word,
  .constructors = constructors,
  .entry_code = entry_code,
};

const char bbp_macros_targets[] = "x86-64";

const struct bbp_macros *
bbp_macros_for (int pointer_bits, int word_bits)
{
  return pointer_bits == 64 && word_bits == 64 ? &x86_64 : NULL;
}

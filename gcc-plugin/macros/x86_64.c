/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The macro set of x86-64 (LP64, ELF).  The macros have the names and contracts of GCC 2.95: statements that write
   assembler text to FILE.  Like their ancestors they look at the compiler's state; here it is in a variable SITE
   (struct bbp_site) at the place of use.

   Counter n:

     executables    incq %gs:.LPBX.2+8n(%rip)             the segment's base is the distance of the thread's counters
                                                          from the unit's (runtime/bbprof-abi.h)
     -fPIC          movq __bb_displacement@gottpoff(%rip), %A
                    movq %fs:(%A), %A                     the same distance, in a thread-local word of the module's
                    leaq .LPBX.2+8n(%rip), %B
                    incq (%A,%B)
     update=atomic  lock incq .LPBX.2+8n(%rip)            the unit's own counters, for all threads
     update=single  incq .LPBX.2+8n(%rip)

   Where the flags are live, they wait in %rax: a counter is always counted by one instruction, or a signal handler
   that comes in between and counts the same could be lost.  -mcmodel=large spells addresses with 64 bits.
   Internal labels: .LPBZ<k> and .LPBZE<k> skip labels, .LPBA<k> and .LPBG<k> anchors of 64-bit addresses; of trace points
   .LPBO<k> and .LPBE<k> begin and end of their code out of line, .LPBL<k> behind what they jump over. */
#include "macros.h"
#include "../../runtime/bbprof-abi.h"

#include <stddef.h>
#include <string.h>

/* Numbers for the internal labels, unique in the unit; nothing but their being different matters. */
static int last_label;

/* GCC's name of a register, and the assembler's. */
static const char *
reg (const char *name)
{
  static const char *const names[][2] = {
    { "ax", "%rax" }, { "bx", "%rbx" }, { "cx", "%rcx" }, { "dx", "%rdx" }, { "si", "%rsi" }, { "di", "%rdi" },
    { "bp", "%rbp" }, { "r8", "%r8" }, { "r9", "%r9" }, { "r10", "%r10" }, { "r11", "%r11" }, { "r12", "%r12" },
    { "r13", "%r13" }, { "r14", "%r14" }, { "r15", "%r15" },
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp (names[i][0], name))
      return names[i][1];
  return "%unknown"; /* the assembler will say so */
}

#define A reg (site->scratch[0])
#define B reg (site->scratch[1])

static void
keep_registers (FILE *file, const struct bbp_site *site)
{
  for (int i = 0; i < BBP_MAX_REGISTERS; i++)
    if (site->keep[i])
      fprintf (file, "\tmovq\t%s, %s\n", reg (site->scratch[i]), site->keep[i]);
}

static void
restore_registers (FILE *file, const struct bbp_site *site)
{
  for (int i = BBP_MAX_REGISTERS - 1; i >= 0; i--)
    if (site->keep[i])
      fprintf (file, "\tmovq\t%s, %s\n", site->keep[i], reg (site->scratch[i]));
}

/* Call FUNCTION (other than through a lazily bound PLT, which would be free to change the static chain register).
   Changes %r11 and the flags besides what FUNCTION changes. */
static void
write_call (FILE *file, const char *function, const struct bbp_site *site)
{
  if (site->large && site->pic)
    {
      int k = last_label++;
      fprintf (file,
               "\tleaq\t.LPBG%d(%%rip), %%r11\n"
               "\taddq\t.LPBG%d(%%rip), %%r11\n"
               "\tjmp\t.LPBA%d\n"
               ".LPBG%d:\t.quad\t%s@GOTPCREL\n"
               ".LPBA%d:\tcall\t*(%%r11)\n",
               k, k, k, k, function, k);
    }
  else if (site->large)
    fprintf (file, "\tmovabsq\t$%s, %%r11\n\tcall\t*%%r11\n", function);
  else if (site->pic || site->chain_live)
    fprintf (file, "\tcall\t*%s@GOTPCREL(%%rip)\n", function);
  else
    fprintf (file, "\tcall\t%s\n", function);
}

/* Put the address of LPBX2 + OFFSET into register TO; large model: by means of register HELP, which loses its value.
   Leaves the flags alone. */
static void
write_counter_address (FILE *file, long offset, const char *to, const char *help, const struct bbp_site *site)
{
  if (!site->large)
    {
      fprintf (file, "\tleaq\t.LPBX.2+%ld(%%rip), %s\n", offset, to);
      return;
    }
  int k = last_label++;
  fprintf (file,
           "\tleaq\t.LPBA%d(%%rip), %s\n"
           "\tmovabsq\t$.LPBX.2+%ld-.LPBA%d, %s\n"
           ".LPBA%d:\tleaq\t(%s,%s), %s\n",
           k, to, offset, k, help, k, to, help, to);
}

/* Once per function: the call that counts the arc.  The historic counter LP<labelno> is not used. */
#define FUNCTION_PROFILER(FILE, LABELNO)                                                                               \
  do                                                                                                                   \
    {                                                                                                                  \
      (void) (LABELNO);                                                                                                \
      write_call ((FILE), site->mcount, site);                                                                         \
    }                                                                                                                  \
  while (0)

/* FUNCTION_PROFILER stands before the prologue, which needs no frame pointer; the block macros do not move. */
#define PROFILE_BEFORE_PROLOGUE

/* Once per function that may be the first one that a thread runs.  The unit registers itself in a constructor, so what is asked here is
   whether the run-time library knows the thread; in -fPIC code, where all references are weak, first whether there is
   such a library.  (__bb_thread itself cannot be asked: the linker lets an undefined thread-local symbol stand for any
   address.) */
#define FUNCTION_BLOCK_PROFILER(FILE, LABELNO)                                                                         \
  do                                                                                                                   \
    {                                                                                                                  \
      static int num_func;                                                                                             \
      (void) (LABELNO);                                                                                                \
      if (site->pic == BBP_PIC_FULL)                                                                                   \
        fprintf ((FILE),                                                                                               \
                 "\tmovq\t__bb_thread_func@GOTPCREL(%%rip), %%r11\n"                                                   \
                 "\ttestq\t%%r11, %%r11\n"                                                                             \
                 "\tje\t.LPBZ%d\n",                                                                                   \
                 num_func);                                                                                            \
      fprintf ((FILE),                                                                                                 \
               "\tmovq\t__bb_thread@gottpoff(%%rip), %%r11\n"                                                          \
               "\tcmpq\t$0, %%fs:(%%r11)\n"                                                                            \
               "\tjne\t.LPBZ%d\n",                                                                                     \
               num_func);                                                                                              \
      if (site->red_zone)                                                                                              \
        fputs ("\tleaq\t-128(%rsp), %rsp\n", (FILE));                                                                  \
      write_call ((FILE), "__bb_thread_func", site);                                                                   \
      if (site->red_zone)                                                                                              \
        fputs ("\tleaq\t128(%rsp), %rsp\n", (FILE));                                                                   \
      fprintf ((FILE), ".LPBZ%d:\n", num_func++);                                                                      \
    }                                                                                                                  \
  while (0)

/* The historic form, once per function with init=entry: is the unit registered?  The call itself stands once per unit
   (entry_code), because it has much to save. */
#define FUNCTION_INIT_PROFILER(FILE, LABELNO)                                                                          \
  do                                                                                                                   \
    {                                                                                                                  \
      static int num_func;                                                                                             \
      (void) (LABELNO);                                                                                                \
      if (site->large)                                                                                                 \
        write_large_address ((FILE), ".LPBX.0");                                                                       \
      fprintf ((FILE), "\tcmpq\t$0, %s\n\tjne\t.LPBZE%d\n", site->large ? "(%r11)" : ".LPBX.0(%rip)", num_func);      \
      write_entry_call ((FILE), site);                                                                                 \
      fprintf ((FILE), ".LPBZE%d:\n", num_func++);                                                                     \
    }                                                                                                                  \
  while (0)

/* Wherever something is counted. */
#define BLOCK_PROFILER(FILE, BLOCKNO)                                                                                  \
  do                                                                                                                   \
    {                                                                                                                  \
      keep_registers ((FILE), site);                                                                                   \
      if (counts_by_word (site))                                                                                       \
        increment_by_word ((FILE), 8L * (BLOCKNO), site);                                                              \
      else                                                                                                             \
        increment ((FILE), 8L * (BLOCKNO), site);                                                                      \
      restore_registers ((FILE), site);                                                                                \
    }                                                                                                                  \
  while (0)

/* Through the module's thread-local word? */
static bool
counts_by_word (const struct bbp_site *site)
{
  return site->update == BBP_UPDATE_THREAD && site->pic == BBP_PIC_FULL;
}

/* Add 1 to the counter that OPERAND leads to, which is not made of %rax if the flags are live. */
static void
write_increment (FILE *file, const char *operand, const struct bbp_site *site)
{
  if (site->flags_live)
    fputs ("\tseto\t%al\n\tlahf\n", file);
  fprintf (file, "\t%sincq\t%s\n", site->update == BBP_UPDATE_ATOMIC ? "lock " : "", operand);
  if (site->flags_live)
    fputs ("\taddb\t$127, %al\n\tsahf\n", file); /* overflows if %al is 1, and only then */
}

static void
increment (FILE *file, long offset, const struct bbp_site *site)
{
  char operand[64];
  const char *segment = site->update == BBP_UPDATE_THREAD ? "%gs:" : "";
  if (site->large)
    {
      write_counter_address (file, offset, B, A, site);
      snprintf (operand, sizeof operand, "%s(%s)", segment, B);
    }
  else
    snprintf (operand, sizeof operand, "%s.LPBX.2+%ld(%%rip)", segment, offset);
  write_increment (file, operand, site);
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
  write_increment (file, operand, site);
}

/* The same, wherever the library is.  Its address goes through the stack, because r11 is taken and nothing else is free. */
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

/* __bb_indirect_func, in -fPIC code only if there is such a function. */
static void
call_profiler (FILE *file, const struct bbp_site *site)
{
  int k = last_label++;
  if (site->large)
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

/* Put the address of LABEL, one of the unit's own, into %r11, however far it is. */
static void
write_large_address (FILE *file, const char *label)
{
  int k = last_label++;
  fprintf (file,
           "\tleaq\t.LPBG%d(%%rip), %%r11\n"
           "\taddq\t.LPBG%d(%%rip), %%r11\n"
           "\tjmp\t.LPBA%d\n"
           ".LPBG%d:\t.quad\t%s-.LPBG%d\n"
           ".LPBA%d:\n",
           k, k, k, k, label, k, k);
}

/* For each width of vector registers, as a power of two: is there a call of the unit's code that saves these? */
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

/* GS leads to the executable's counters only.  What has not been compiled for a shared object may not get into one: the
   offset of a thread-local word from the thread pointer is known when an executable is linked, and linkers refuse to
   write it into anything else. */
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

/* Where the word is, only the loader knows, so the constructor says it. */
static void
write_word_offset (FILE *file, const struct bbp_unit *unit)
{
  if (has_word (unit))
    fprintf (file,
             "\tmovq\t__bb_displacement@gottpoff(%%rip), %%rax\n"
             "\tmovq\t%%rax, %zu(%%rdi)\n",
             offsetof (struct bb, word_offset));
}

/* FUNCTION (&LPBX0) as a tail call, in -fPIC code only if there is such a function. */
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
  int k = last_label++;
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
    fputs ("\tleaq\t.LPBX.0(%rip), %rdi\n", file);
  else if (!unit->pic)
    fputs ("\tmovabsq\t$.LPBX.0, %rdi\n", file);
  else
    {
      int k = last_label++;
      fprintf (file,
               "\tleaq\t.LPBA%d(%%rip), %%rdi\n"
               "\tmovabsq\t$.LPBX.0-.LPBA%d, %%rax\n"
               ".LPBA%d:\taddq\t%%rax, %%rdi\n",
               k, k, k);
    }
}

/* A local function NAME; gprof leaves names with a dot in them out of its reports. */
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

/* The function NAME, which calls FUNCTION (&LPBX0). */
static void
write_unit_function (FILE *file, const char *name, const char *function, bool first, const struct bbp_unit *unit)
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
write_constructor (FILE *file, const char *name, const char *function, const char *array, bool first,
                   const struct bbp_unit *unit)
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

/* Save or restore the vector registers of arguments, 1 << POWER bytes each, at the stack pointer. */
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
  fprintf (file, "\tpushq\t%%rbp\n%s", unit->cfi ? "\t.cfi_def_cfa_offset 16\n\t.cfi_offset 6, -16\n" : "");
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
  write_unit_function (file, "bbprof.init", "__bb_init_func", true, unit);
  for (int power = 0; power < (int) sizeof entry_codes; power++)
    if (entry_codes[power])
      write_entry_code (file, power, unit);
}

/* TRACE POINTS.  The test stands in line, what is done out of line: in the section's subsection 1, which the assembler puts behind all
   functions, so that the section stays what it is (hot, cold, of a COMDAT group).  There is no call frame information there, and
   nobody throws.

   Where it matters for what follows from counters, a *marker* stands before such code, two long nops: 0f 1f 80 and a distance from
   that field, twice; the first one leads to where in the function control is meanwhile, the second one to the jump that the code
   ends with (runtime/arch/x86_64/decode.c). */

#define OUT_OF_LINE "\t.subsection 1\n"
#define IN_LINE "\t.subsection 0\n"

/* The field of __bb at OFFSET; in -fPIC code register WORD leads there (load_word). */
static const char *
here (size_t offset, const char *word, const struct bbp_site *site)
{
  static char operand[64];
  if (site->pic == BBP_PIC_FULL)
    snprintf (operand, sizeof operand, "%%fs:%zu(%s)", offset, word);
  else
    snprintf (operand, sizeof operand, "%%fs:__bb@tpoff+%zu", offset);
  return operand;
}

static void
load_word (FILE *file, const char *word, const struct bbp_site *site)
{
  if (site->pic == BBP_PIC_FULL)
    fprintf (file, "\tmovq\t__bb@gottpoff(%%rip), %s\n", word);
}

/* The scratch register of a point that leads to __bb; the first one holds the flags if they are live. */
static const char *
word_register (const struct bbp_site *site)
{
  return site->pic == BBP_PIC_FULL ? reg (site->scratch[site->flags_live]) : NULL;
}

static int
trace_registers (const struct bbp_site *site)
{
  return site->flags_live + (site->pic == BBP_PIC_FULL);
}

/* The bits of the mode that ask for an action: 0: any. */
static unsigned
mode_of (const struct bbp_trace_action *action)
{
  switch (action->kind)
    {
    case BBP_TRACE_BIT:
    case BBP_TRACE_TOKEN:
      return BBP_MODE_TRACE;
    case BBP_TRACE_JUMP:
      return BBP_MODE_JUMPS;
    default:
      return 0;
    }
}

static unsigned
mode_of_all (const struct bbp_trace_point *point)
{
  unsigned mode = mode_of (&point->actions[0]);
  return mode && point->nactions > 1 ? mode | mode_of (&point->actions[1]) : mode;
}

static void
write_test (FILE *file, unsigned mode, const struct bbp_site *site)
{
  const char *operand = here (offsetof (struct bbp_here, mode), word_register (site), site);
  if (mode)
    fprintf (file, "\ttestb\t$%u, %s\n", mode, operand);
  else
    fprintf (file, "\tcmpb\t$0, %s\n", operand);
}

static void
write_marker (FILE *file, const char *place, const char *end)
{
  fprintf (file,
           "\t.byte\t0x0f, 0x1f, 0x80\n\t.long\t%s-.\n"
           "\t.byte\t0x0f, 0x1f, 0x80\n\t.long\t%s-.\n",
           place, end);
}

/* The call of ACTION's function: over the red zone, %r11 kept. */
static void
write_action_call (FILE *file, const struct bbp_trace_action *action, const struct bbp_site *site)
{
  static const char *const functions[] = {
    [BBP_TRACE_LAND] = "__bb_land_func", [BBP_TRACE_RETURN] = "__bb_return_func", [BBP_TRACE_BIT] = "__bb_bits_func",
    [BBP_TRACE_TOKEN] = "__bb_token_func", [BBP_TRACE_JUMP] = "__bb_jump_func"
  };
  fprintf (file, "\taddq\t$-128, %%rsp\n\tpushq\t%%r11\n%s", site->frame_by_stack ? "\t.cfi_adjust_cfa_offset 136\n" : "");
  if (action->kind != BBP_TRACE_BIT)
    fprintf (file, "\tleaq\t.LP%c%d(%%rip), %%r11\n", action->kind == BBP_TRACE_RETURN ? 'C' : 'B', action->number);
  write_call (file, functions[action->kind], site);
  fprintf (file, "\tpopq\t%%r11\n\tsubq\t$-128, %%rsp\n%s", site->frame_by_stack ? "\t.cfi_adjust_cfa_offset -136\n" : "");
}

/* The carry says that 64 bits are there. */
static void
write_push (FILE *file, int bit, const struct bbp_site *site)
{
  fprintf (file, "%s\t%s\t%s\n", bit ? "\tstc\n" : "", bit ? "rclq" : "shlq",
           here (offsetof (struct bbp_here, bits), word_register (site), site));
}

/* All of POINT's actions, where only comes who records. */
static void
write_actions (FILE *file, const struct bbp_trace_point *point, const struct bbp_site *site)
{
  unsigned all = mode_of_all (point);
  for (int i = 0; i < point->nactions; i++)
    {
      const struct bbp_trace_action *action = &point->actions[i];
      int k = last_label++;
      if (mode_of (action) != all)
        {
          write_test (file, mode_of (action), site);
          fprintf (file, "\tje\t.LPBL%d\n", k);
        }
      if (action->kind == BBP_TRACE_BIT)
        {
          write_push (file, action->number, site);
          fprintf (file, "\tjnc\t.LPBL%d\n", k);
        }
      write_action_call (file, action, site);
      fprintf (file, ".LPBL%d:\n", k);
    }
}

static void
save_flags (FILE *file, const struct bbp_site *site)
{
  if (site->flags_live)
    fputs ("\tseto\t%al\n\tlahf\n", file);
}

static void
restore_flags (FILE *file, const struct bbp_site *site)
{
  if (site->flags_live)
    fputs ("\taddb\t$127, %al\n\tsahf\n", file); /* as write_increment */
}

/* A call that has not returned, and the entry of a function that nobody has entered, are nothing that counts follow from. */
static bool
needs_marker (const struct bbp_trace_point *point)
{
  return point->actions[0].kind != BBP_TRACE_RETURN;
}

/* Test, and do all out of line. */
static void
write_tested_actions (FILE *file, const struct bbp_trace_point *point, const struct bbp_site *site)
{
  int k = last_label++;
  char place[32], end[32];
  struct bbp_site outside = *site;
  outside.frame_by_stack = false;
  snprintf (place, sizeof place, point->place >= 0 ? ".LPBR%d" : ".LPBL%d", point->place >= 0 ? point->place : k);
  snprintf (end, sizeof end, ".LPBE%d", k);
  write_test (file, mode_of_all (point), site);
  fprintf (file, "\tjne\t.LPBO%d\n" OUT_OF_LINE, k);
  if (needs_marker (point))
    write_marker (file, place, end);
  fprintf (file, ".LPBO%d:\n", k);
  write_actions (file, point, &outside);
  fprintf (file, "%s:\tjmp\t.LPBL%d\n" IN_LINE ".LPBL%d:\n", end, k, k);
}

static void
trace_point (FILE *file, const struct bbp_trace_point *point, const struct bbp_site *site)
{
  int k = last_label++;
  char place[32], end[32];
  bool elsewhere = point->place >= 0 && !point->outside;
  snprintf (place, sizeof place, ".LPBR%d", point->place);
  snprintf (end, sizeof end, ".LPBE%d", k);
  if (elsewhere)
    write_marker (file, place, end);
  keep_registers (file, site);
  save_flags (file, site);
  load_word (file, word_register (site), site);
  if (point->outside)
    write_actions (file, point, site);
  else
    write_tested_actions (file, point, site);
  restore_flags (file, site);
  restore_registers (file, site);
  if (elsewhere)
    fprintf (file, "%s:\n", end);
}

static void
trace_test (FILE *file, const struct bbp_trace_point *point, int branch, const struct bbp_site *site)
{
  load_word (file, word_register (site), site);
  write_test (file, mode_of_all (point), site);
  fprintf (file, "\tjne\t.LPBT%d\n.LPBR%d:\n", branch, branch);
}

static void
trace_mark (FILE *file, const struct bbp_trace_mark *mark)
{
  static const char *const labels[] = { [BBP_PLACE_HEAD] = "", [BBP_PLACE_END] = "R", [BBP_PLACE_COUNTED] = "Q" };
  char place[32], end[32];
  snprintf (place, sizeof place, ".LPB%s%d", labels[mark->place], mark->number);
  snprintf (end, sizeof end, ".LPBU%d", mark->zone);
  if (mark->before >= 0)
    fprintf (file, ".LPBU%d = . - 1\n", mark->before);
  write_marker (file, place, end);
}

static int
source_registers (const struct bbp_site *site)
{
  return site->pic == BBP_PIC_FULL ? 2 : site->pic == BBP_PIC_PIE;
}

static void
trace_source (FILE *file, int block, const struct bbp_site *site)
{
  const size_t source = offsetof (struct bbp_here, source);
  keep_registers (file, site);
  if (site->pic == BBP_PIC_NONE)
    fprintf (file, "\tmovq\t$.LPB%d, %s\n", block, here (source, NULL, site));
  else
    {
      const char *word = site->pic == BBP_PIC_FULL ? B : NULL;
      load_word (file, word, site);
      fprintf (file, "\tleaq\t.LPB%d(%%rip), %s\n\tmovq\t%s, %s\n", block, A, A, here (source, word, site));
    }
  restore_registers (file, site);
}

/* Nothing is below the stack pointer, but no register is free besides %r11. */
static void
trace_enter (FILE *file, int function, int block, const struct bbp_site *site)
{
  int k = last_label++;
  load_word (file, "%r11", site);
  fprintf (file,
           "\tmovzbl\t%s, %%r11d\n"
           "\torb\t.LPBS%d(%%rip), %%r11b\n"
           "\tjne\t.LPBO%d\n" OUT_OF_LINE
           ".LPBO%d:\tleaq\t.LPBS%d(%%rip), %%r11\n"
           "\tpushq\t%%r11\n",
           here (offsetof (struct bbp_here, mode), "%r11", site), function, k, k, function);
  load_word (file, "%r11", site);
  fprintf (file, "\tpopq\t%s\n\tleaq\t.LPB%d(%%rip), %%r11\n", here (offsetof (struct bbp_here, blockno), "%r11", site), block);
  write_call (file, "__bb_enter_func", site);
  fprintf (file, "\tjmp\t.LPBL%d\n" IN_LINE ".LPBL%d:\n", k, k);
}

/* The macros of mode 2.  What they call changes no register and no flag; it is not called through a lazily bound PLT, which
   might.

   FUNCTION_BLOCK_PROFILER: __bb_init_trace_func (LPBX0, number of the function's first block), as in C.  At an entry r11 is
   free, and one word on the stack is enough. */
#define FUNCTION_BLOCK_PROFILER_2(FILE, BLOCKNO)                                                                       \
  fprintf ((FILE),                                                                                                     \
           "\tmovq\t%%rdi, %%r11\n"                                                                                    \
           "\tmovq\t%%rsi, (%%rsp)\n"                                                                                  \
           "\tleaq\t.LPBX0(%%rip), %%rdi\n"                                                                            \
           "\tmovl\t$%d, %%esi\n"                                                                                      \
           "\tcall\t*__bb_init_trace_func@GOTPCREL(%%rip)\n"                                                           \
           "\tmovq\t(%%rsp), %%rsi\n"                                                                                  \
           "\tmovq\t%%r11, %%rdi\n",                                                                                   \
           (BLOCKNO))

/* BLOCK_PROFILER: block and unit into the thread's __bb, then __bb_trace_func (). */
#define BLOCK_PROFILER_2(FILE, BLOCKNO)                                                                                \
  fprintf ((FILE),                                                                                                     \
           "\tmovq\t%%r11, (%%rsp)\n"                                                                                  \
           "\tmovq\t%%rax, 8(%%rsp)\n"                                                                                 \
           "\tmovq\t__bb@gottpoff(%%rip), %%r11\n"                                                                     \
           "\tleaq\t.LPBX0(%%rip), %%rax\n"                                                                            \
           "\tmovq\t$%d, %%fs:(%%r11)\n"                                                                               \
           "\tmovq\t%%rax, %%fs:8(%%r11)\n"                                                                            \
           "\tcall\t*__bb_trace_func@GOTPCREL(%%rip)\n"                                                                \
           "\tmovq\t8(%%rsp), %%rax\n"                                                                                 \
           "\tmovq\t(%%rsp), %%r11\n",                                                                                 \
           (BLOCKNO))

/* Where the frame is gone, or nearly so. */
#define FUNCTION_BLOCK_PROFILER_EXIT(FILE) fputs ("\tcall\t*__bb_trace_ret@GOTPCREL(%rip)\n", (FILE))

static void
calls_init (FILE *file, int blockno, const struct bbp_site *site)
{
  (void) site;
  FUNCTION_BLOCK_PROFILER_2 (file, blockno);
}

static void
calls_block (FILE *file, int blockno, const struct bbp_site *site)
{
  (void) site;
  BLOCK_PROFILER_2 (file, blockno);
}

static void
calls_exit (FILE *file, int unused, const struct bbp_site *site)
{
  (void) unused;
  (void) site;
  FUNCTION_BLOCK_PROFILER_EXIT (file);
}

static const char *const profiler_clobbers[] = { "r11", NULL };

static const struct bbp_macros x86_64 = {
  .function_profiler = function_profiler,
  .function_init_profiler = function_init_profiler,
  .function_block_profiler = function_block_profiler,
  .block_profiler = block_profiler,
  .block_registers = block_registers,
  .flags_register = "ax",
  .call_profiler = call_profiler,
  .call_target = "r11",
  .trace_enter = trace_enter,
  .trace_source = trace_source,
  .source_registers = source_registers,
  .trace_point = trace_point,
  .trace_test = trace_test,
  .trace_mark = trace_mark,
  .trace_registers = trace_registers,
  .calls_init = calls_init,
  .calls_block = calls_block,
  .calls_exit = calls_exit,
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

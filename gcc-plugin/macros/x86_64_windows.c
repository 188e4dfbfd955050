/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The macro set of x86-64 for Windows.  GS belongs to the system there: it leads to the thread's
   block, in which the first slots of TlsAlloc are.  Code finds the run-time library by words of its
   module's, __bb_links (struct bbp_links), because an executable and each DLL are linked apart.

   Counter n:

     leaq .LPBX.2+8n(%rip), %B
     movq __bb_links(%rip), %A ; movq %gs:(%A), %A     the thread's displacement for the module
     incq (%B,%A)

   with update=atomic and update=single as in ELF objects.  Where the flags are live, %rax holds
   them meanwhile. */
#include <stddef.h>

#include "gcc-plugin/macros/x86_64.h"

static void
call_link (FILE *file, size_t offset)
{
  fprintf (file, "\tcall\t*__bb_links+%zu(%%rip)\n", offset);
}

/* The offset from GS of the slot with the thread's displacement. */
static void
load_slot (FILE *file, const char *to)
{
  fprintf (file, "\tmovq\t__bb_links+%zu(%%rip), %s\n", offsetof (struct bbp_links, slot), to);
}

static void
function_profiler (FILE *file, int labelno, const struct bbp_site *site)
{
  (void) labelno;
  (void) site;
  call_link (file, offsetof (struct bbp_links, arc));
}

/* The displacement is 0 until the thread is known. */
static void
function_block_profiler (FILE *file, int labelno, const struct bbp_site *site)
{
  const int k = x86_64_label ();
  (void) labelno;
  (void) site;
  load_slot (file, "%r11");
  fprintf (file, "\tcmpq\t$0, %%gs:(%%r11)\n\tjne\t.LPBZ%d\n", k);
  call_link (file, offsetof (struct bbp_links, thread));
  fprintf (file, ".LPBZ%d:\n", k);
}

static int
block_registers (const struct bbp_site *site)
{
  return site->update == BBP_UPDATE_THREAD ? 2 : site->flags_live;
}

static void
block_profiler (FILE *file, int blockno, const struct bbp_site *site)
{
  char operand[64];
  snprintf (operand, sizeof operand, ".LPBX.2+%ld(%%rip)", 8L * blockno);
  x86_64_keep (file, site);
  if (site->update == BBP_UPDATE_THREAD)
    {
      fprintf (file, "\tleaq\t%s, %s\n", operand, B);
      load_slot (file, A);
      fprintf (file, "\tmovq\t%%gs:(%s), %s\n", A, A);
      if (site->flags_live)
        fprintf (file, "\tleaq\t(%s,%s), %s\n", A, B, B);
      snprintf (operand, sizeof operand, site->flags_live ? "(%s)" : "(%s,%s)", B, A);
    }
  x86_64_increment (file, operand, site);
  x86_64_restore (file, site);
}

static void
call_profiler (FILE *file, const struct bbp_site *site)
{
  (void) site;
  call_link (file, offsetof (struct bbp_links, indirect));
}

/* The linker may drop sections to which nothing refers (--gc-sections), so the table refers to the
   unit's map. */
static void
counter_word (FILE *file, const struct bbp_unit *unit)
{
  (void) unit;
  bbp_section_begin (file, BBP_IN_MAP, NULL);
  fputs ("\t.balign\t4\n.LPBX.3:\n", file);
  bbp_section_end (file);
  bbp_section_begin (file, BBP_IN_TABLE, NULL);
  fputs ("\t.quad\t.LPBX.3\n", file);
  bbp_section_end (file);
}

/* __bb_init_func (&LPBX0), as a tail call; before the program's own constructors. */
static void
constructors (FILE *file, const struct bbp_unit *unit)
{
  (void) unit;
  fputs ("\t.section\t.text.startup,\"x\"\n"
         "bbprof.init:\n"
         "\tleaq\t.LPBX.0(%rip), %rcx\n"
         "\tjmp\t__bb_init_func\n"
         "\t.section\t.ctors.65435,\"w\"\n"
         "\t.balign\t8\n"
         "\t.quad\tbbprof.init\n",
         file);
}

static const char *const profiler_clobbers[] = { "r11", NULL };

static const struct bbp_macros windows = {
  .function_profiler = function_profiler,
  .function_block_profiler = function_block_profiler,
  .block_profiler = block_profiler,
  .block_registers = block_registers,
  .flags_register = "ax",
  .call_profiler = call_profiler,
  .call_target = "r11",
  .profile_before_prologue = true,
  .only_counts = true,
  .pads_calls = true,
  .profiler_clobbers = profiler_clobbers,
  .counter_word = counter_word,
  .constructors = constructors,
};

const char bbp_macros_targets[] = "x86-64 Windows";

const struct bbp_macros *
bbp_macros_for (int pointer_bits, int word_bits)
{
  return pointer_bits == 64 && word_bits == 64 ? &windows : NULL;
}

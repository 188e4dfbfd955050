/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts assembler text into the insn stream: the macro set's text becomes the template of a
   volatile asm. */
#include "gcc-plugin/emit.h"

/* The macro set's text.  One stream for the whole compilation, rewound for each use. */
static FILE *stream;
static char *stream_text;
static size_t stream_size;

FILE *
bbp_text_begin (void)
{
  if (!stream)
    stream = open_memstream (&stream_text, &stream_size);
  if (!stream)
    fatal_error (UNKNOWN_LOCATION, "bbprof: out of memory for assembler text");
  rewind (stream);
  return stream;
}

/* The text since bbp_text_begin () as an asm template, with special characters escaped, in
   garbage-collected memory. */
static const char *
text_end (void)
{
  putc ('\0', stream);
  fflush (stream);
  auto_vec<char, 256> escaped;
  const char *p = stream_text;
  if (*p == '\t')
    p++; /* `final' writes one */
  for (; *p; p++)
    {
      if (strchr ("%{|}", *p))
        escaped.safe_push ('%');
      escaped.safe_push (*p);
    }
  while (!escaped.is_empty () && escaped.last () == '\n')
    escaped.pop ();
  return ggc_alloc_string (escaped.address (), escaped.length ());
}

void
bbp_clobber (struct bbp_effects *effects, machine_mode mode, unsigned regno)
{
  effects->clobbers[effects->nclobbers++] = gen_rtx_CLOBBER (VOIDmode, gen_rtx_REG (mode, regno));
}

void
bbp_clobber_flags (struct bbp_effects *effects)
{
  if (targetm.flags_regnum != INVALID_REGNUM)
    bbp_clobber (effects, CCmode, targetm.flags_regnum);
}

/* An asm needs a location in a file that has a name, or `final' crashes; with a line number `final'
   would print it.  LABELS: possible jump targets. */
static rtx
asm_pattern (const struct bbp_effects *effects, rtvec labels)
{
  rtx body = gen_rtx_ASM_OPERANDS (VOIDmode, text_end (), "", 0, rtvec_alloc (0), rtvec_alloc (0),
                                   labels, BUILTINS_LOCATION);
  MEM_VOLATILE_P (body) = 1;
  rtvec parts = rtvec_alloc (1 + effects->nclobbers);
  RTVEC_ELT (parts, 0) = body;
  for (int i = 0; i < effects->nclobbers; i++)
    RTVEC_ELT (parts, 1 + i) = effects->clobbers[i];
  return effects->nclobbers ? gen_rtx_PARALLEL (VOIDmode, parts) : body;
}

rtx_insn *
bbp_emit_text (const struct bbp_effects *effects, rtx_insn *after, location_t location)
{
  rtx_insn *insn = emit_insn_after_noloc (asm_pattern (effects, rtvec_alloc (0)), after,
                                          BLOCK_FOR_INSN (after));
  INSN_LOCATION (insn) = location;
  if (cfun->can_throw_non_call_exceptions)
    make_reg_eh_region_note_nothrow_nononlocal (insn);
  return insn;
}

rtx_insn *
bbp_emit_branch (const struct bbp_effects *effects, rtx_insn *after, basic_block target)
{
  rtx_code_label *label = block_label (target);
  rtvec labels = gen_rtvec (1, gen_rtx_LABEL_REF (Pmode, label));
  rtx_jump_insn *jump = emit_jump_insn_after_noloc (asm_pattern (effects, labels), after);
  JUMP_LABEL (jump) = label;
  LABEL_NUSES (label)++;
  return jump;
}

rtx_insn *
bbp_emit_pad (rtx_insn *after, location_t location)
{
  struct bbp_effects nothing = {};
  fputs ("\tnop\n", bbp_text_begin ());
  return bbp_emit_text (&nothing, after, location);
}

rtx_insn *
bbp_emit_label (const char *prefix, int n, rtx_insn *after, location_t location)
{
  struct bbp_effects nothing = {};
  fprintf (bbp_text_begin (), ".%s%d:\n", prefix, n);
  return bbp_emit_text (&nothing, after, location);
}

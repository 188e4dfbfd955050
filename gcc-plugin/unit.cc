/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The compilation unit: is there a macro set for it, how are its blocks numbered, which stretches of code hold them,
   and, at its end, the tables.  With LTO a unit is what one run of lto1 compiles; the first run (-c -flto) makes no
   code, numbers nothing and writes nothing. */
#include "bbprof-plugin.h"

struct bbp_unit_state bbp_unit_state;

/* The stretches so far.  The last one grows as long as blocks of the same function and part of it come. */
static auto_vec<struct bbp_range> ranges;
static int last_funcdef = -1;
static int last_partition;

static enum bbp_pic
pic (void)
{
  return !flag_pic ? BBP_PIC_NONE : flag_pie ? BBP_PIC_PIE : BBP_PIC_FULL;
}

/* The options of the command line are known, no function has been compiled.  GCC's own idea of profiling is taken over
   here: if the call goes before the prologue, or nowhere, then -pg is forgotten so early that it forces no frame
   pointer.  A call after the prologue needs the frame pointer, so -pg stays, and bbp_instrument () takes it back from
   each function. */
void
bbp_unit_start (void)
{
  bbp_unit_state.macros = bbp_macros_for (bbp_target_pointer_bits (), bbp_target_word_bits ());
  if (!bbp_unit_state.macros)
    {
      error ("bbprof: no macro set for this target (%s); only %s", bbp_target_variant (), bbp_macros_targets);
      return;
    }
  bbp_unit_state.arcs = profile_flag && bbp_options.arcs;
  if (bbp_options.placement == BBP_PLACEMENT_DEFAULT)
    bbp_unit_state.before = bbp_unit_state.macros->profile_before_prologue || bbp_target_fentry ();
  else
    bbp_unit_state.before = bbp_options.placement == BBP_PLACEMENT_BEFORE || bbp_target_fentry ();
  if (bbp_unit_state.before || !bbp_unit_state.arcs)
    profile_flag = 0;
}

void
bbp_unit_fill_site (struct bbp_site *site)
{
  site->pic = pic ();
  site->large = bbp_target_large ();
}

int
bbp_unit_add_block (function *fn, basic_block bb, bool by_calls)
{
  int n = bbp_unit_state.nblocks++;
  int partition = crtl->has_bb_partition ? BB_PARTITION (bb) : 0;
  if (fn->funcdef_no != last_funcdef || partition != last_partition)
    {
      tree group = DECL_COMDAT_GROUP (fn->decl);
      struct bbp_range range = { n, 0, group ? IDENTIFIER_POINTER (group) : NULL, by_calls };
      ranges.safe_push (range);
      last_funcdef = fn->funcdef_no;
      last_partition = partition;
    }
  ranges.last ().nblocks++;
  return n;
}

/* Working directory and source, as the user wants them to be seen (-ffile-prefix-map).  lto1 reads temporary files, whose
   names mean nothing and are never the same, so there it is the base name of the output. */
static char *
unit_name (void)
{
  const char *source = in_lto_p ? dump_base_name : main_input_filename;
  if (!source)
    source = "<unknown>";
  if (source[0] == '.' && IS_DIR_SEPARATOR (source[1]))
    source += 2;
  if (IS_ABSOLUTE_PATH (source))
    return xstrdup (remap_debug_filename (source));
  return concat (remap_debug_filename (get_src_pwd ()), "/", remap_debug_filename (source), NULL);
}

void
bbp_unit_finish (void)
{
  if (!bbp_unit_state.macros || !bbp_unit_state.nblocks || seen_error ())
    return;
  char *name = unit_name ();
  struct bbp_unit unit;
  unit.pic = pic ();
  unit.large = bbp_target_large ();
  unit.cfi = dwarf2out_do_cfi_asm ();
  unit.filename = name;
  unit.nblocks = bbp_unit_state.nblocks;
  unit.ranges = ranges.address ();
  unit.nranges = ranges.length ();
  fputs (bbp_target_syntax_begin (), asm_out_file);
  bbp_write_tables (asm_out_file, bbp_unit_state.macros, &unit);
  fputs (bbp_target_syntax_end (), asm_out_file);
  free (name);
}

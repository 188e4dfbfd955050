/* SPDX-License-Identifier: GPL-3.0-or-later */
/* State that the code and the tables of a unit share. */
#include "gcc-plugin/plan.h"
#include "gcc-plugin/state.h"
#include "gcc-plugin/target/cpu.h"

struct bbp_unit_state bbp_unit_state;

static enum bbp_pic
pic (void)
{
  return !flag_pic ? BBP_PIC_NONE : flag_pie ? BBP_PIC_PIE : BBP_PIC_FULL;
}

void
bbp_unit_fill_site (struct bbp_site *site)
{
  site->pic = pic ();
  site->large = bbp_target_large ();
  site->adds_to_memory = bbp_target_adds_to_memory ();
  site->cfi = dwarf2out_do_cfi_asm ();
  site->historic = bbp_unit_state.profile_block_flag;
  site->update = bbp_options.update;
}

void
bbp_unit_describe (struct bbp_unit *unit, const char *name)
{
  unit->pic = pic ();
  unit->large = bbp_target_large ();
  unit->historic = bbp_unit_state.profile_block_flag;
  unit->cfi = dwarf2out_do_cfi_asm ();
  unit->init_entry = bbp_options.init_entry;
  unit->names = bbp_unit_state.names;
  unit->update = bbp_options.update;
  unit->filename = name;
  unit->ncounters = bbp_unit_state.ncounters;
  unit->ncall_sites = bbp_unit_state.ncall_sites;
}

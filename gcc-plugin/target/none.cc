/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A processor without a macro set: bbp_unit_start () asks for the sizes and the name, gives its error, and nothing else is
   called. */
#include "bbprof-plugin.h"

int
bbp_target_pointer_bits (void)
{
  return POINTER_SIZE;
}

int
bbp_target_word_bits (void)
{
  return BITS_PER_WORD;
}

const char *
bbp_target_variant (void)
{
  return "another processor";
}

bool
bbp_target_large (void)
{
  return false;
}

bool
bbp_target_fentry (void)
{
  return false;
}

const char *
bbp_target_mcount (function *, bool)
{
  return "mcount";
}

bool
bbp_target_untouchable (function *)
{
  return true;
}

bool
bbp_target_keeps_all_registers (function *)
{
  return true;
}

bool
bbp_target_parking_place (unsigned)
{
  return false;
}

int
bbp_target_vector_bytes (void)
{
  return 0;
}

rtx
bbp_target_move_stack (HOST_WIDE_INT)
{
  return const0_rtx;
}

const char *
bbp_target_vector_name (unsigned)
{
  return "";
}

const char *
bbp_target_syntax_begin (void)
{
  return "";
}

const char *
bbp_target_syntax_end (void)
{
  return "";
}

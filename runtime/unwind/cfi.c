/* SPDX-License-Identifier: MIT */
/* Interpreter of call frame information (DWARF CFA instructions): computes the row for one address,
   which says where the caller's registers are.  Context: signal. */
#include "runtime/unwind/unwinding.h"

enum { DEEPEST = 4 }; /* nested DW_CFA_remember_state; compilers need one or two */

struct machine {
  const struct bbp_cfi *cfi;
  uintptr_t location, wanted;
  struct bbp_row row, first, aside[DEEPEST];
  unsigned depth;
};

const uint8_t bbp_rule_register[BBP_RULES] = BBP_ARCH_KEPT_REGISTERS;

/* The index of REGISTER's rule; -1: the unwinder does not need the register. */
static int
rule_of (const struct machine *machine, uint64_t number)
{
  if (number == machine->cfi->result)
    return BBP_RULE_RETURN;
  for (int i = 0; i <= BBP_RULE_SP; i++)
    if (bbp_rule_register[i] == number)
      return i;
  return -1;
}

static bool
set (struct machine *machine, uint64_t number, enum bbp_rule rule, int64_t value)
{
  int i = rule_of (machine, number);
  if (i >= 0)
    {
      machine->row.rule[i] = rule;
      machine->row.value[i] = (int32_t) value;
    }
  return value == (int32_t) value;
}

/* Gives register NUMBER the rule that it had when the code of the function began. */
static bool
restore (struct machine *machine, uint64_t number)
{
  int i = rule_of (machine, number);
  if (i >= 0)
    {
      machine->row.rule[i] = machine->first.rule[i];
      machine->row.value[i] = machine->first.value[i];
    }
  return true;
}

static bool
set_frame (struct machine *machine, uint64_t number, int64_t value)
{
  machine->row.frame_register = (uint8_t) number;
  machine->row.frame_value = (int32_t) value;
  machine->row.frame_expression = false;
  return number < BBP_ARCH_REGISTERS && value == (int32_t) value;
}

/* The offset in the segment at which a block begins; FROM is advanced behind the block. */
static int64_t
take_block (struct machine *machine, struct bbp_bytes *from)
{
  int64_t start = from->next - machine->cfi->low;
  bbp_bytes_block (from);
  return start;
}

static bool
set_frame_expression (struct machine *machine, struct bbp_bytes *from)
{
  bool valid = set_frame (machine, 0, take_block (machine, from));
  machine->row.frame_expression = true;
  return valid;
}

static bool
advance (struct machine *machine, uint64_t units)
{
  machine->location += units * machine->cfi->code_unit;
  return true;
}

static bool
remember (struct machine *machine)
{
  if (machine->depth == DEEPEST)
    return false;
  machine->aside[machine->depth++] = machine->row;
  return true;
}

static bool
take_back (struct machine *machine)
{
  if (machine->depth == 0)
    return false;
  machine->row = machine->aside[--machine->depth];
  return true;
}

/* DW_CFA_..., except the three with an operand in the opcode. */
enum {
  NOP,
  SET_LOC,
  ADVANCE_LOC1,
  ADVANCE_LOC2,
  ADVANCE_LOC4,
  OFFSET_EXTENDED,
  RESTORE_EXTENDED,
  UNDEFINED,
  SAME_VALUE,
  REGISTER,
  REMEMBER_STATE,
  RESTORE_STATE,
  DEF_CFA,
  DEF_CFA_REGISTER,
  DEF_CFA_OFFSET,
  DEF_CFA_EXPRESSION,
  EXPRESSION,
  OFFSET_EXTENDED_SF,
  DEF_CFA_SF,
  DEF_CFA_OFFSET_SF,
  VAL_OFFSET,
  VAL_OFFSET_SF,
  VAL_EXPRESSION,
  NEGATE_RA_STATE = 0x2d, /* aarch64: return addresses are signed, or no longer */
  GNU_ARGS_SIZE,
  GNU_NEGATIVE_OFFSET_EXTENDED
};

/* The operations that set a register's rule. */
static bool
do_register (struct machine *machine, unsigned operation, struct bbp_bytes *from)
{
  int64_t unit = machine->cfi->data_unit;
  uint64_t number = bbp_bytes_uleb (from);
  switch (operation)
    {
    case OFFSET_EXTENDED:
      return set (machine, number, BBP_RULE_AT, (int64_t) bbp_bytes_uleb (from) * unit);
    case OFFSET_EXTENDED_SF:
      return set (machine, number, BBP_RULE_AT, bbp_bytes_sleb (from) * unit);
    case GNU_NEGATIVE_OFFSET_EXTENDED:
      return set (machine, number, BBP_RULE_AT, -(int64_t) bbp_bytes_uleb (from) * unit);
    case VAL_OFFSET:
      return set (machine, number, BBP_RULE_IS, (int64_t) bbp_bytes_uleb (from) * unit);
    case VAL_OFFSET_SF: return set (machine, number, BBP_RULE_IS, bbp_bytes_sleb (from) * unit);
    case RESTORE_EXTENDED: return restore (machine, number);
    case UNDEFINED: return set (machine, number, BBP_RULE_UNDEFINED, 0);
    case SAME_VALUE: return set (machine, number, BBP_RULE_SAME, 0);
    case REGISTER: return set (machine, number, BBP_RULE_REGISTER, (int64_t) bbp_bytes_uleb (from));
    case EXPRESSION:
      return set (machine, number, BBP_RULE_AT_EXPRESSION, take_block (machine, from));
    case VAL_EXPRESSION:
      return set (machine, number, BBP_RULE_IS_EXPRESSION, take_block (machine, from));
    default: return false;
    }
}

/* False: unknown operation. */
static bool
do_extended (struct machine *machine, unsigned operation, struct bbp_bytes *from)
{
  int64_t unit = machine->cfi->data_unit;
  uint64_t number;
  switch (operation)
    {
    case NOP:
    case NEGATE_RA_STATE: return true;
    case SET_LOC:
      machine->location = bbp_bytes_address (from, machine->cfi->encoding) - machine->cfi->shift;
      return true;
    case ADVANCE_LOC1: return advance (machine, bbp_bytes_fixed (from, 1));
    case ADVANCE_LOC2: return advance (machine, bbp_bytes_fixed (from, 2));
    case ADVANCE_LOC4: return advance (machine, bbp_bytes_fixed (from, 4));
    case REMEMBER_STATE: return remember (machine);
    case RESTORE_STATE: return take_back (machine);
    case DEF_CFA:
      number = bbp_bytes_uleb (from);
      return set_frame (machine, number, (int64_t) bbp_bytes_uleb (from));
    case DEF_CFA_SF:
      number = bbp_bytes_uleb (from);
      return set_frame (machine, number, bbp_bytes_sleb (from) * unit);
    case DEF_CFA_REGISTER:
      return set_frame (machine, bbp_bytes_uleb (from), machine->row.frame_value);
    case DEF_CFA_OFFSET:
      return set_frame (machine, machine->row.frame_register, (int64_t) bbp_bytes_uleb (from));
    case DEF_CFA_OFFSET_SF:
      return set_frame (machine, machine->row.frame_register, bbp_bytes_sleb (from) * unit);
    case DEF_CFA_EXPRESSION: return set_frame_expression (machine, from);
    case GNU_ARGS_SIZE: bbp_bytes_uleb (from); return true;
    default: return do_register (machine, operation, from);
    }
}

/* Execute PROGRAM up to the row of the wanted address; false: an instruction or a value is not
   supported. */
static bool
execute (struct machine *machine, const unsigned char *program, const unsigned char *stop)
{
  enum { ADVANCE_LOC = 1, OFFSET, RESTORE };
  struct bbp_bytes from = { program, stop, true };
  bool good = true;
  while (good && from.good && from.next < from.stop && machine->location <= machine->wanted)
    {
      unsigned char byte = *from.next++, operand = byte & 0x3f;
      switch (byte >> 6)
        {
        case ADVANCE_LOC: advance (machine, operand); break;
        case OFFSET:
          good = set (machine, operand, BBP_RULE_AT,
                      (int64_t) bbp_bytes_uleb (&from) * machine->cfi->data_unit);
          break;
        case RESTORE: restore (machine, operand); break;
        default: good = do_extended (machine, operand, &from);
        }
    }
  return good && from.good;
}

bool __attribute__ ((noinline))
bbp_cfi_row (const struct bbp_cfi *cfi, uintptr_t address, struct bbp_row *row)
{
  struct machine machine = { .cfi = cfi, .location = cfi->start, .wanted = address };
  if (!execute (&machine, cfi->first, cfi->first_stop))
    return false;
  machine.first = machine.row;
  bool good = execute (&machine, cfi->program, cfi->program_stop);
  *row = machine.row;
  return good;
}

/* SPDX-License-Identifier: MIT */
/* Evaluates DWARF expressions in call frame information: a stack machine of words.  Context:
   signal. */
#include "runtime/unwind/unwinding.h"

enum { DEEPEST = 16, MOST_STEPS = 256 }; /* words; operations, because there may be loops */

struct machine {
  const struct bbp_registers *registers;
  struct bbp_readable *readable;
  const unsigned char *start;
  uint64_t stack[DEEPEST];
  unsigned depth;
  bool good;
};

/* DW_OP_... */
enum {
  ADDR = 0x03,
  DEREF = 0x06,
  CONST1U = 0x08,
  CONST1S,
  CONST2U,
  CONST2S,
  CONST4U,
  CONST4S,
  CONST8U,
  CONST8S,
  CONSTU,
  CONSTS,
  DUP,
  DROP,
  OVER,
  PICK,
  SWAP,
  ROT,
  ABS = 0x19,
  AND,
  DIV,
  MINUS,
  MOD,
  MUL,
  NEG,
  NOT,
  OR,
  PLUS,
  PLUS_UCONST,
  SHL,
  SHR,
  SHRA,
  XOR,
  BRA,
  EQ,
  GE,
  GT,
  LE,
  LT,
  NE,
  SKIP,
  LIT0,
  LIT31 = LIT0 + 31,
  BREG0 = 0x70,
  BREG31 = BREG0 + 31,
  BREGX = 0x92,
  DEREF_SIZE = 0x94,
  NOP = 0x96
};

static void
push (struct machine *machine, uint64_t value)
{
  if (machine->depth == DEEPEST)
    machine->good = false;
  else
    machine->stack[machine->depth++] = value;
}

static uint64_t
pop (struct machine *machine)
{
  if (machine->depth > 0)
    return machine->stack[--machine->depth];
  machine->good = false;
  return 0;
}

/* The word at depth DEEP; 0: the top. */
static uint64_t
peek (struct machine *machine, uint64_t deep)
{
  if (deep < machine->depth)
    return machine->stack[machine->depth - 1 - deep];
  machine->good = false;
  return 0;
}

static uint64_t
register_plus (struct machine *machine, uint64_t number, int64_t offset)
{
  if (number >= BBP_ARCH_REGISTERS || !(machine->registers->known >> number & 1))
    machine->good = false;
  return machine->good ? machine->registers->value[number] + (uint64_t) offset : 0;
}

static uint64_t
load (struct machine *machine, uint64_t bytes)
{
  uint64_t address = pop (machine), value = 0;
  if (!machine->good || bytes == 0 || bytes > sizeof value
      || !bbp_is_readable (machine->readable, address, bytes))
    {
      machine->good = false;
      return 0;
    }
  for (uint64_t i = 0; i < bytes; i++)
    value |= (uint64_t) bbp_read_byte (machine->readable, address + i) << 8 * i;
  return value;
}

static void
rotate (struct machine *machine)
{
  uint64_t a = pop (machine), b = pop (machine), c = pop (machine);
  push (machine, a);
  push (machine, c);
  push (machine, b);
}

static void
swap (struct machine *machine)
{
  uint64_t a = pop (machine), b = pop (machine);
  push (machine, a);
  push (machine, b);
}

static void
jump (struct machine *machine, struct bbp_bytes *from, bool really)
{
  int16_t distance = (int16_t) bbp_bytes_fixed (from, 2);
  if (!really || !from->good)
    return;
  if (distance < machine->start - from->next || distance > from->stop - from->next)
    machine->good = false;
  else
    from->next += distance;
}

/* True if the processor can divide by B: it is not 0, and there is no overflow. */
static bool
divides (struct machine *machine, int64_t a, int64_t b)
{
  if (b == 0 || (a == INT64_MIN && b == -1))
    machine->good = false;
  return machine->good;
}

static uint64_t
shift_right (int64_t value, uint64_t bits)
{
  return (uint64_t) (value >> (bits < 63 ? bits : 63));
}

static uint64_t
of_two (struct machine *machine, unsigned operation, uint64_t a, uint64_t b)
{
  int64_t x = (int64_t) a, y = (int64_t) b;
  switch (operation)
    {
    case AND: return a & b;
    case DIV: return divides (machine, x, y) ? (uint64_t) (x / y) : 0;
    case MINUS: return a - b;
    case MOD: return divides (machine, 0, y) ? a % b : 0;
    case MUL: return a * b;
    case OR: return a | b;
    case PLUS: return a + b;
    case SHL: return b < 64 ? a << b : 0;
    case SHR: return b < 64 ? a >> b : 0;
    case SHRA: return shift_right (x, b);
    case XOR: return a ^ b;
    case EQ: return x == y;
    case GE: return x >= y;
    case GT: return x > y;
    case LE: return x <= y;
    case LT: return x < y;
    case NE: return x != y;
    default: machine->good = false; return 0;
    }
}

static uint64_t
constant (unsigned operation, struct bbp_bytes *from)
{
  switch (operation)
    {
    case CONST1U: return bbp_bytes_fixed (from, 1);
    case CONST1S: return (uint64_t) (int8_t) bbp_bytes_fixed (from, 1);
    case CONST2U: return bbp_bytes_fixed (from, 2);
    case CONST2S: return (uint64_t) (int16_t) bbp_bytes_fixed (from, 2);
    case CONST4U: return bbp_bytes_fixed (from, 4);
    case CONST4S: return (uint64_t) (int32_t) bbp_bytes_fixed (from, 4);
    case CONSTU: return bbp_bytes_uleb (from);
    case CONSTS: return (uint64_t) bbp_bytes_sleb (from);
    default: return bbp_bytes_fixed (from, 8);
    }
}

static void
do_other (struct machine *machine, unsigned operation, struct bbp_bytes *from)
{
  uint64_t a, b;
  switch (operation)
    {
    case NOP: break;
    case DEREF: push (machine, load (machine, 8)); break;
    case DEREF_SIZE: push (machine, load (machine, bbp_bytes_fixed (from, 1))); break;
    case DUP: push (machine, peek (machine, 0)); break;
    case DROP: pop (machine); break;
    case OVER: push (machine, peek (machine, 1)); break;
    case PICK: push (machine, peek (machine, bbp_bytes_fixed (from, 1))); break;
    case SWAP: swap (machine); break;
    case ROT: rotate (machine); break;
    case ABS:
      a = pop (machine);
      push (machine, (int64_t) a < 0 ? -a : a);
      break;
    case NEG: push (machine, -pop (machine)); break;
    case NOT: push (machine, ~pop (machine)); break;
    case PLUS_UCONST:
      a = pop (machine);
      push (machine, a + bbp_bytes_uleb (from));
      break;
    case BREGX:
      a = bbp_bytes_uleb (from);
      push (machine, register_plus (machine, a, bbp_bytes_sleb (from)));
      break;
    case BRA: jump (machine, from, pop (machine) != 0); break;
    case SKIP: jump (machine, from, true); break;
    default:
      b = pop (machine);
      a = pop (machine);
      push (machine, of_two (machine, operation, a, b));
    }
}

static void
step (struct machine *machine, struct bbp_bytes *from)
{
  unsigned operation = *from->next++;
  if (operation >= LIT0 && operation <= LIT31)
    push (machine, operation - LIT0);
  else if (operation >= BREG0 && operation <= BREG31)
    push (machine, register_plus (machine, operation - BREG0, bbp_bytes_sleb (from)));
  else if (operation == ADDR || (operation >= CONST1U && operation <= CONSTS))
    push (machine, constant (operation, from));
  else
    do_other (machine, operation, from);
}

bool __attribute__ ((noinline))
bbp_cfi_evaluate (struct bbp_bytes expression, const struct bbp_registers *registers,
                  struct bbp_readable *readable, const uint64_t *at, uint64_t *result)
{
  struct machine machine;
  machine.registers = registers;
  machine.readable = readable;
  machine.start = expression.next;
  machine.depth = 0;
  machine.good = true;
  if (at)
    push (&machine, *at);
  for (unsigned steps = 0; expression.next < expression.stop && machine.good && expression.good;
       steps++)
    {
      if (steps == MOST_STEPS)
        return false;
      step (&machine, &expression);
    }
  *result = pop (&machine);
  return machine.good && expression.good;
}

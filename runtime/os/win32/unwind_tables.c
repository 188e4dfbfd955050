/* SPDX-License-Identifier: MIT */
/* Frames by the tables that Windows demands of x64 code: .pdata names the functions with a stack
   frame, .xdata what their prologues do, which is undone here.  All others are leaves, whose
   return address is on top of the stack.  Reads copies only. */
#include "runtime/os/win32/win32.h"

/* Operations of a prologue. */
enum operation {
  PUSH = 0,
  ALLOCATE_LARGE = 1,
  ALLOCATE_SMALL = 2,
  SET_FRAME = 3,
  SAVE = 4,
  SAVE_FAR = 5,
  EPILOGUE = 6,
  SPARE = 7,
  SAVE_VECTOR = 8,
  SAVE_VECTOR_FAR = 9,
  PUSH_MACHINE_FRAME = 10
};
enum { CHAINED = 4 }; /* flag: the description goes on in that of another function */
enum { MOST_VERSION = 2, MOST_CODES = 255, MOST_CHAIN = 32 };

struct description {
  uint8_t version_flags, prologue, ncodes, frame;
  uint16_t codes[MOST_CODES + 1];
};

struct walk {
  struct bbp_registers *r;
  const struct bbp_stack *stack;
  uint32_t round;
  bool machine_frame; /* rip and rsp came from one */
};

static bool
read_word (const struct bbp_stack *stack, uintptr_t address, uint64_t *word)
{
  if (address < stack->low || stack->high < sizeof *word || address > stack->high - sizeof *word)
    return false;
  bbp_copy_bytes (word, stack->bytes + (address - stack->low), sizeof *word);
  return true;
}

static bool
pop (struct walk *w, uint64_t *to)
{
  uint64_t *rsp = &w->r->gpr[BBP_RSP];
  if (!read_word (w->stack, *rsp, to))
    return false;
  *rsp += sizeof *to;
  return true;
}

/* False also where .xdata was cut out of the file: zeros are no version. */
static bool
read_description (struct bbp_image *image, uint32_t rva, struct description *d)
{
  return bbp_image_bytes (image, rva, d, offsetof (struct description, codes))
         && (d->version_flags & 7) - 1U < MOST_VERSION
         && bbp_image_bytes (image, rva + offsetof (struct description, codes), d->codes,
                             (d->ncodes + (d->ncodes & 1)) * sizeof *d->codes);
}

static enum operation
operation_of (uint16_t code)
{
  return code >> 8 & 15;
}

static unsigned
info_of (uint16_t code)
{
  return code >> 12;
}

/* The number of codes that an operation takes. */
static unsigned
length_of (uint16_t code)
{
  switch (operation_of (code))
    {
    case ALLOCATE_LARGE: return info_of (code) ? 3 : 2;
    case SAVE:
    case SPARE:
    case SAVE_VECTOR: return 2;
    case SAVE_FAR:
    case SAVE_VECTOR_FAR: return 3;
    default: return 1;
    }
}

static uint32_t
wide_operand (const uint16_t *codes)
{
  return codes[1] | (uint32_t) codes[2] << 16;
}

static bool
restore (struct walk *w, unsigned number, uintptr_t address)
{
  return read_word (w->stack, address, &w->r->gpr[number]);
}

static bool
leave_machine_frame (struct walk *w, bool has_error)
{
  uintptr_t at = w->r->gpr[BBP_RSP] + 8 * has_error;
  w->machine_frame = true;
  return read_word (w->stack, at, &w->r->rip) && read_word (w->stack, at + 24, &w->r->gpr[BBP_RSP]);
}

/* Undoes one operation; FRAME: what offsets of saved registers are relative to. */
static bool
undo (struct walk *w, const struct description *d, const uint16_t *code, uintptr_t frame)
{
  uint64_t *rsp = &w->r->gpr[BBP_RSP];
  unsigned info = info_of (*code);
  switch (operation_of (*code))
    {
    case PUSH: return pop (w, &w->r->gpr[info]);
    case ALLOCATE_LARGE: *rsp += info ? wide_operand (code) : 8 * (uint32_t) code[1]; return true;
    case ALLOCATE_SMALL: *rsp += 8 * info + 8; return true;
    case SET_FRAME: *rsp = w->r->gpr[d->frame & 15] - 16 * (d->frame >> 4); return true;
    case SAVE: return restore (w, info, frame + 8 * (uintptr_t) code[1]);
    case SAVE_FAR: return restore (w, info, frame + wide_operand (code));
    case PUSH_MACHINE_FRAME: return leave_machine_frame (w, info);
    default: return true; /* vector registers hold no addresses of frames */
    }
}

/* Undoes what the prologue has done up to OFFSET. */
static bool
undo_prologue (struct walk *w, const struct description *d, uint32_t offset)
{
  unsigned has_frame = d->frame & 15;
  uintptr_t frame = w->r->gpr[BBP_RSP];
  for (unsigned i = 0; has_frame && i < d->ncodes; i += length_of (d->codes[i]))
    if (operation_of (d->codes[i]) == SET_FRAME && (d->codes[i] & 255) <= offset)
      frame = w->r->gpr[has_frame] - 16 * (d->frame >> 4);
  for (unsigned i = 0; i < d->ncodes; i += length_of (d->codes[i]))
    {
      bool is_done = operation_of (d->codes[i]) == EPILOGUE || (d->codes[i] & 255) <= offset;
      if (is_done && !undo (w, d, &d->codes[i], frame))
        return false;
    }
  return true;
}

/* The same for the function, and all that its description continues in. */
static bool
undo_function (struct walk *w, struct bbp_image *image, struct bbp_function f, uint32_t rva)
{
  struct description d;
  uint32_t offset = rva - f.begin;
  for (int i = 0; i < MOST_CHAIN; i++)
    {
      if (f.unwind & 1) /* this entry names another entry */
        {
          if (!bbp_image_bytes (image, f.unwind & ~1U, &f, sizeof f))
            return false;
          continue;
        }
      if (!read_description (image, f.unwind, &d) || !undo_prologue (w, &d, offset))
        return false;
      if (!(d.version_flags >> 3 & CHAINED))
        return w->machine_frame || pop (w, &w->r->rip);
      uint32_t next = f.unwind + (uint32_t) offsetof (struct description, codes)
                      + (d.ncodes + (d.ncodes & 1U)) * (uint32_t) sizeof *d.codes;
      if (!bbp_image_bytes (image, next, &f, sizeof f))
        return false;
      offset = UINT32_MAX; /* all of it */
    }
  return false;
}

/* Epilogues, in which the prologue is undone in part.  Windows allows only these instructions in
   them: one that adds to rsp or sets it from the frame register, pops, and a return or a jump. */

enum { EPILOGUE_BYTES = 64 };

/* The bytes that the first instruction takes, if it sets rsp; 0: it does not. */
static size_t
rsp_is_set (const unsigned char *code, struct walk *w)
{
  uint64_t *rsp = &w->r->gpr[BBP_RSP];
  if (code[0] == 0x48 && code[1] == 0x83 && code[2] == 0xc4) /* add imm8, rsp */
    {
      *rsp += (uint64_t) (int8_t) code[3];
      return 4;
    }
  int32_t imm;
  if (code[0] == 0x48 && code[1] == 0x81 && code[2] == 0xc4) /* add imm32, rsp */
    {
      bbp_copy_bytes (&imm, code + 3, sizeof imm);
      *rsp += (uint64_t) imm;
      return 7;
    }
  if ((code[0] & 0xfe) != 0x48 || code[1] != 0x8d || (code[2] >> 3 & 7) != BBP_RSP
      || (code[2] & 7) == BBP_RSP)
    return 0;
  uint64_t base = w->r->gpr[(code[2] & 7) + 8 * (code[0] & 1)];
  if (code[2] >> 6 == 1) /* lea imm8 (%frame), %rsp */
    {
      *rsp = base + (uint64_t) (int8_t) code[3];
      return 4;
    }
  if (code[2] >> 6 != 2) /* lea imm32 (%frame), %rsp */
    return 0;
  bbp_copy_bytes (&imm, code + 3, sizeof imm);
  *rsp = base + (uint64_t) imm;
  return 7;
}

/* A jump out of the function ends it, too. */
static bool
leaves (const unsigned char *code, uint32_t rva, const struct bbp_function *f)
{
  int32_t distance = 0;
  if (code[0] == 0xc3 || code[0] == 0xc2 || (code[0] == 0xf3 && code[1] == 0xc3))
    return true;
  if (code[0] == 0xe9)
    {
      bbp_copy_bytes (&distance, code + 1, sizeof distance);
      distance += 5;
    }
  else if (code[0] == 0xeb)
    distance = (int8_t) code[1] + 2;
  else
    {
      const unsigned char *jump = code + (code[0] == 0x48); /* by memory, or by a register */
      return jump[0] == 0xff && (jump[1] == 0x25 || (jump > code && (jump[1] & 0xf8) == 0xe0));
    }
  uint32_t to = rva + (uint32_t) distance;
  return to < f->begin || to >= f->end;
}

/* Does the rest of an epilogue, if RVA is in one.  *DONE: it was. */
static bool
finish_epilogue (struct walk *w, struct bbp_image *image, const struct bbp_function *f,
                 uint32_t rva, bool *done)
{
  unsigned char code[EPILOGUE_BYTES] = { 0 };
  struct bbp_registers before = *w->r;
  size_t n = f->end - rva < sizeof code - 8 ? f->end - rva : sizeof code - 8;
  *done = false;
  if (!bbp_image_bytes (image, rva, code, n))
    return true;
  for (size_t i = rsp_is_set (code, w); i < n;)
    {
      unsigned wide = code[i] == 0x41;
      if (leaves (code + i, rva + (uint32_t) i, f))
        {
          *done = true;
          return pop (w, &w->r->rip);
        }
      if ((code[i + wide] & 0xf8) != 0x58 || !pop (w, &w->r->gpr[(code[i + wide] & 7) + 8 * wide]))
        break;
      i += 1 + wide;
    }
  *w->r = before;
  return true;
}

enum { LONGEST_CALL = 7 };

/* Whether an instruction of call ends at RVA: one with a distance, or by a register or memory. */
static bool
follows_call (struct bbp_image *image, uint32_t rva)
{
  unsigned char code[LONGEST_CALL];
  if (rva < sizeof code || !bbp_image_bytes (image, rva - sizeof code, code, sizeof code))
    return false;
  if (code[sizeof code - 5] == 0xe8)
    return true;
  for (size_t i = 0; i + 2 <= sizeof code; i++)
    if (code[i] == 0xff && (code[i + 1] >> 3 & 7) == 2)
      return true;
  return false;
}

/* A function without a description passes for a leaf, as does code outside of all images, such as
   that by which Wine enters the system.  Where it lacks one by mistake, data is on top of its
   stack. */
static bool
leave_leaf (struct walk *w)
{
  if (!pop (w, &w->r->rip))
    return false;
  struct bbp_image *image = bbp_image_at (w->r->rip - 1, w->round);
  return image ? follows_call (image, (uint32_t) (w->r->rip - image->low))
               : bbp_subject_is_code (w->r->rip);
}

/* From a frame to its caller's.  INNER: the innermost, so that it may be anywhere in a function.
   IMAGE: null: it is in none. */
static bool
step (struct walk *w, struct bbp_image *image, bool inner)
{
  uint32_t rva = image ? (uint32_t) (w->r->rip - image->low) : 0;
  const struct bbp_function *f = image ? bbp_image_function (image, rva - !inner) : NULL;
  bool done = false;
  w->machine_frame = false;
  if (!f)
    return inner && leave_leaf (w);
  if (inner && !finish_epilogue (w, image, f, rva, &done))
    return false;
  return done || undo_function (w, image, *f, rva);
}

/* A caller is behind its call. */
size_t
bbp_unwind_stack (struct bbp_registers *r, const struct bbp_stack *stack, uint32_t round,
                  struct bbp_frame *frames, size_t most, bool *whole)
{
  struct walk w = { .r = r, .stack = stack, .round = round };
  bool inner = true;
  size_t n = 0;
  *whole = false;
  while (n < most)
    {
      struct bbp_image *image = bbp_image_at (r->rip - !inner, round);
      uintptr_t before = r->gpr[BBP_RSP];
      frames[n++] = (struct bbp_frame) { .address = r->rip,
                                         .kind = !image            ? BBX_FRAME_ANONYMOUS
                                                 : w.machine_frame ? BBX_FRAME_INTERRUPTED
                                                                   : BBX_FRAME_CODE,
                                         .mapping = image ? image->mapping : 0 };
      if (!step (&w, image, inner || w.machine_frame) || r->gpr[BBP_RSP] <= before)
        break;
      inner &= !image; /* Wine enters the system by a call of a leaf */
      if (r->rip == 0)
        {
          *whole = true;
          break;
        }
    }
  *whole |= stack->reaches_end && r->gpr[BBP_RSP] + sizeof (uint64_t) >= stack->high;
  return n;
}

uint32_t
bbp_image_function_begin (struct bbp_image *image, uint32_t rva)
{
  const struct bbp_function *found = bbp_image_function (image, rva);
  struct bbp_function f = found ? *found : (struct bbp_function) { .begin = rva };
  struct description d;
  for (int i = 0; found && i < MOST_CHAIN; i++)
    {
      uint32_t next = f.unwind & ~1U;
      if (!(f.unwind & 1))
        {
          if (!read_description (image, f.unwind, &d) || !(d.version_flags >> 3 & CHAINED))
            break;
          next += (uint32_t) offsetof (struct description, codes)
                  + (d.ncodes + (d.ncodes & 1U)) * (uint32_t) sizeof *d.codes;
        }
      if (!bbp_image_bytes (image, next, &f, sizeof f))
        break;
    }
  return f.begin;
}

/* SPDX-License-Identifier: MIT */
/* Shared by the files of the unwinder: reads of memory that may not be mapped, call frame
   information, and the rules for one instruction.  Context: signal, little stack. */
#ifndef BBPROF_UNWINDING_H
#define BBPROF_UNWINDING_H

#include <link.h>

#include "arch.h"
#include "runtime/base/base.h"
#include "runtime/unwind/unwind.h"

#pragma GCC visibility push(hidden)

/* Addresses that are known to be readable. */
struct bbp_readable {
  uintptr_t low, high;
  /* Where they are read - the addresses: 0 in this process; else this process has a copy. */
  uintptr_t shift;
};

/* The process that is unwound: this one (runtime/parts.c), or another one, of which this process
   reads copies (collect/outside).  Signal. */
struct bbp_cfi;
enum bbp_cfi_found { BBP_CFI_NOBODYS, BBP_CFI_NONE, BBP_CFI_THERE };
struct bbp_unwind_above {
  /* Extends the addresses, or replaces them by others, so that BYTES at ADDRESS are among them;
     false: not readable. */
  bool (*readable_more) (struct bbp_readable *, uintptr_t address, size_t bytes);
  /* The call frame information of ADDRESS.  NOBODYS: there is no object. */
  enum bbp_cfi_found (*cfi_find) (uintptr_t address, struct bbp_cfi *);
  bool (*is_loader) (uintptr_t address);      /* whether ADDRESS is in the dynamic loader */
  uint32_t (*mapping_of) (uintptr_t address); /* as bbp_mapping_of */
};
extern const struct bbp_unwind_above bbp_unwind_above;

/* readable.c: in this process, by asking the kernel. */
bool bbp_readable_more (struct bbp_readable *, uintptr_t address, size_t bytes);
static inline bool
bbp_is_readable (struct bbp_readable *known, uintptr_t address, size_t bytes)
{
  bool inside = address >= known->low && address < known->high && bytes <= known->high - address;
  return __builtin_expect (inside, true) || bbp_unwind_above.readable_more (known, address, bytes);
}

/* A word, aligned or not. */
typedef uint64_t bbp_word __attribute__ ((aligned (1), may_alias));
static inline bool __attribute__ ((no_sanitize ("address", "thread")))
bbp_read_word (struct bbp_readable *known, uintptr_t address, uint64_t *value)
{
  if (!bbp_is_readable (known, address, sizeof *value))
    return false;
  *value = *(const volatile bbp_word *) (address + known->shift);
  return true;
}

/* ADDRESS is known to be readable. */
static inline unsigned char __attribute__ ((no_sanitize ("address", "thread")))
bbp_read_byte (const struct bbp_readable *known, uintptr_t address)
{
  return *(const volatile unsigned char *) (address + known->shift);
}
/* unwind_without_cfi.c: copy BYTES at ADDRESS to TO; false: not all are readable. */
bool bbp_read_bytes (struct bbp_readable *, uintptr_t address, unsigned char *to, size_t bytes);

/* Registers of one frame, by DWARF numbers. */
struct bbp_registers {
  uint64_t value[BBP_ARCH_REGISTERS];
  uint64_t known; /* bit mask of known registers */
};

/* cfi_bytes.c: a cursor in call frame information; GOOD becomes false at the first error. */
struct bbp_bytes {
  const unsigned char *next, *stop;
  bool good;
};
uint64_t bbp_bytes_fixed (struct bbp_bytes *, unsigned bytes);
uint64_t bbp_bytes_uleb (struct bbp_bytes *);
int64_t bbp_bytes_sleb (struct bbp_bytes *);
/* Mask for the format of an encoding, without the base. */
enum { BBP_BYTES_FORMAT = 15 };
uint64_t bbp_bytes_address (struct bbp_bytes *, unsigned encoding); /* DW_EH_PE_... */
struct bbp_bytes bbp_bytes_block (struct bbp_bytes *); /* a block that begins with its length */

/* The call frame information of some code, in memory. */
struct bbp_cfi {
  uintptr_t start, end;            /* of the code */
  uintptr_t shift;                 /* of the pointers below, as in struct bbp_readable */
  const unsigned char *low, *high; /* the segment that contains all of it */
  /* The instructions of the common information entry. */
  const unsigned char *first, *first_stop;
  const unsigned char *program, *program_stop; /* the instructions of this code's description */
  int64_t data_unit;
  uint64_t code_unit;
  unsigned char encoding; /* encoding of addresses */
  unsigned char result;   /* register of the return address */
  bool lettered;          /* descriptions have augmentation data */
  bool interrupted;       /* a signal frame: the code returns from a handler */
};

/* cfi_image.c: an object, by its program headers. */
struct bbp_image {
  const ElfW (Phdr) * segment;
  size_t n; /* 0: there is no object */
  uintptr_t bias;
};
struct bbp_image bbp_image_at (const void *start); /* the object at START */
bool bbp_image_segment (const struct bbp_image *, uintptr_t address, const unsigned char **low,
                        const unsigned char **high);
bool bbp_image_cfi (const struct bbp_image *, uintptr_t address, struct bbp_cfi *);
/* The frame description entry (FDE) at AT; CFI has its segment.  False: it is none. */
bool bbp_cfi_read (struct bbp_cfi *, const unsigned char *at);
/* The linker's index of entries, PT_GNU_EH_FRAME, in the encodings that all linkers use, which are
   verified. */
struct bbp_cfi_index {
  /* 1, any, BBP_CFI_FOUR_BYTES, BBP_CFI_PAIRS: of 4 bytes each, relative to the index */
  uint8_t version, frames, number, table;
  int32_t frames_at;
  uint32_t n;
  struct bbp_cfi_item {
    int32_t start, frame;
  } item[]; /* by START */
};
enum { BBP_CFI_FOUR_BYTES = 0x03, BBP_CFI_PAIRS = 0x3b };
/* OBJECT: where the object begins; false: there is none. */
bool bbp_cfi_find_in (const void *object, uintptr_t address, struct bbp_cfi *);

/* cfi_find.c: for an address in this process. */
void bbp_cfi_start (void); /* cold */
enum bbp_cfi_found bbp_cfi_find (uintptr_t address, struct bbp_cfi *);
bool bbp_cfi_is_loader (uintptr_t address);

/* cfi.c: the rules for finding the caller's registers at one instruction. */
enum bbp_rule {
  BBP_RULE_SAME,
  BBP_RULE_UNDEFINED,
  BBP_RULE_AT,       /* saved at the frame's address + value */
  BBP_RULE_IS,       /* is the frame's address + value */
  BBP_RULE_REGISTER, /* is in the register with that number */
  /* saved at the result of the expression that is VALUE bytes into the segment */
  BBP_RULE_AT_EXPRESSION,
  BBP_RULE_IS_EXPRESSION
};
/* Rules of those registers, then of stack pointer and return address. */
enum { BBP_RULES = BBP_ARCH_KEPT + 2 };
enum { BBP_RULE_SP = BBP_ARCH_KEPT, BBP_RULE_RETURN };
extern const uint8_t bbp_rule_register[BBP_RULES];
struct bbp_row {
  int32_t frame_value; /* the frame's address is a register + this, or an expression as above */
  uint8_t frame_register;
  bool frame_expression;
  uint8_t rule[BBP_RULES]; /* enum bbp_rule */
  int32_t value[BBP_RULES];
};
/* false: not understood. */
bool bbp_cfi_row (const struct bbp_cfi *, uintptr_t address, struct bbp_row *);

/* cfi_expression.c: evaluate EXPRESSION with REGISTERS; AT: the initial top of the stack, or
   null. */
bool bbp_cfi_evaluate (struct bbp_bytes expression, const struct bbp_registers *,
                       struct bbp_readable *, const uint64_t *at, uint64_t *result);

/* A row that fits most code: the return address and other registers are saved near the frame's
   address. */
struct bbp_compact {
  int32_t frame_offset;
  uint8_t frame_register; /* or BBP_COMPACT_OUTERMOST: there is no caller */
  int8_t back;            /* of the return address, in words from the frame's address; 0: in LINK */
  /* In words from the frame's address; 0: unchanged; BBP_COMPACT_UNDEFINED. */
  int8_t saved[BBP_ARCH_KEPT];
};
enum { BBP_COMPACT_UNDEFINED = 127, BBP_COMPACT_OUTERMOST = 255 };

/* unwind_cache.c: compact rows by address and mapping. */
void bbp_unwind_cache_start (void);  /* cold */
void bbp_unwind_cache_forget (void); /* any */
uint32_t bbp_unwind_cache_age (void);
bool bbp_unwind_cache_get (uintptr_t address, uint32_t mapping, struct bbp_compact *);
/* AGE: from before the row was computed. */
void bbp_unwind_cache_put (uintptr_t address, uint32_t mapping, uint32_t age,
                           const struct bbp_compact *);

/* State of unwinding: the current frame.  READABLE has two areas, because stack and code lie
   apart. */
struct bbp_walk {
  struct bbp_registers now;
  struct bbp_readable stack, code;
  bool by_pointer;   /* NOW was found by a frame pointer, for lack of call frame information */
  bool pushed;       /* then: NOW's address need not be behind a call */
  bool exact;        /* NOW has the next instruction's address; else a return address */
  unsigned descents; /* number of changes of the stack */
};
enum bbp_step { BBP_STEP_OUT, BBP_STEP_OUTERMOST, BBP_STEP_UNKNOWN };

/* unwind.c: the call stack that WALK is at, as bbp_unwind. */
struct bbp_unwound bbp_unwind_walk (struct bbp_walk *, struct bbp_frame *frames,
                                    struct bbprof_native *places, size_t most);
#define BBP_WALK_ALL ((1UL << BBP_ARCH_REGISTERS) - 1) /* all registers are known */

/* unwind_without_cfi.c: out of one frame, if that is certain. */
enum bbp_step bbp_unwind_without_cfi (struct bbp_walk *);
bool bbp_unwind_is_behind_call (struct bbp_walk *, uintptr_t address);
/* Likewise, for a frame LEFT by call frame information that led nowhere: some assembler code does
   not describe its pushes. */
struct bbp_left {
  uintptr_t pc, sp;
  bool exact;
};
bool bbp_unwind_behind_pushes (struct bbp_walk *, const struct bbp_left *);

#pragma GCC visibility pop

#endif

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "tools/code/instruction_kind.h"

enum { WORD_SIZE = 24 };

static bool
begins (const char *word, const char *with)
{
  return strncmp (word, with, strlen (with)) == 0;
}

static bool
is_one_of (const char *word, const char *const *words)
{
  for (; *words; words++)
    if (strcmp (word, *words) == 0)
      return true;
  return false;
}

/* Copies the first word of TEXT.  Returns what is behind it and behind spaces. */
static const char *
take_word (const char *text, char word[WORD_SIZE])
{
  text += strspn (text, " ");
  size_t n = strcspn (text, " ");
  snprintf (word, WORD_SIZE, "%.*s", (int) n, text);
  return text + n + strspn (text + n, " ");
}

static enum instruction_kind
kind_on_x86 (const char *text, bool *indirect)
{
  static const char *const prefixes[] = { "addr32", "data16", "bnd",   "notrack", "lock",
                                          "rep",    "repz",   "repnz", "cs",      "ds",
                                          "es",     "ss",     "fs",    "gs",      NULL };
  static const char *const ends[]
      = { "hlt", "ud0", "ud1", "ud2", "sysret", "sysretq", "sysexit", NULL };
  char word[WORD_SIZE];
  const char *operands = take_word (text, word);
  while (*operands && (is_one_of (word, prefixes) || begins (word, "rex")))
    operands = take_word (operands, word);
  *indirect = *operands == '*';
  if (begins (word, "call") || strcmp (word, "lcall") == 0)
    return INSTRUCTION_CALL;
  if (begins (word, "jmp") || strcmp (word, "ljmp") == 0)
    return INSTRUCTION_JUMP;
  if (*word == 'j' || begins (word, "loop"))
    return INSTRUCTION_BRANCH;
  if (begins (word, "ret") || begins (word, "iret") || begins (word, "lret")
      || is_one_of (word, ends))
    return INSTRUCTION_END;
  if (begins (word, "nop") || strcmp (word, "int3") == 0
      || (strcmp (word, "xchg") == 0 && strcmp (operands, "%ax,%ax") == 0))
    return INSTRUCTION_PADDING;
  return INSTRUCTION_PLAIN;
}

/* Addresses are signed by blraa and the like. */
static enum instruction_kind
kind_on_aarch64 (const char *text)
{
  static const char *const branches[] = { "cbz", "cbnz", "tbz", "tbnz", NULL };
  static const char *const ends[] = { "eret", "eretaa", "eretab", "brk", "hlt", "udf", NULL };
  char word[WORD_SIZE];
  take_word (text, word);
  if (strcmp (word, "bl") == 0 || begins (word, "blr"))
    return INSTRUCTION_CALL;
  if (strcmp (word, "b") == 0 || strcmp (word, "br") == 0 || begins (word, "braa")
      || begins (word, "brab"))
    return INSTRUCTION_JUMP;
  if (begins (word, "b.") || begins (word, "bc.") || is_one_of (word, branches))
    return INSTRUCTION_BRANCH;
  if (begins (word, "ret") || is_one_of (word, ends))
    return INSTRUCTION_END;
  return strcmp (word, "nop") == 0 ? INSTRUCTION_PADDING : INSTRUCTION_PLAIN;
}

/* The names of pseudo-instructions tell whether jal and jalr keep a return address. */
static enum instruction_kind
kind_on_riscv (const char *text)
{
  static const char *const branches[] = { "beq",  "bne",  "blt",  "bge",  "bltu", "bgeu",
                                          "beqz", "bnez", "blez", "bgez", "bltz", "bgtz",
                                          "bgt",  "ble",  "bgtu", "bleu", NULL };
  static const char *const ends[] = { "ret", "uret", "sret", "mret", "ebreak", "unimp", NULL };
  char word[WORD_SIZE];
  take_word (text, word);
  const char *name = begins (word, "c.") ? word + 2 : word;
  if (strcmp (name, "jal") == 0 || strcmp (name, "jalr") == 0)
    return INSTRUCTION_CALL;
  if (strcmp (name, "j") == 0 || strcmp (name, "jr") == 0)
    return INSTRUCTION_JUMP;
  if (is_one_of (name, branches))
    return INSTRUCTION_BRANCH;
  if (is_one_of (name, ends))
    return INSTRUCTION_END;
  return strcmp (name, "nop") == 0 ? INSTRUCTION_PADDING : INSTRUCTION_PLAIN;
}

enum instruction_kind
instruction_kind (enum image_machine machine, const char *text, bool *indirect)
{
  *indirect = false;
  switch (machine)
    {
    case IMAGE_X86: return kind_on_x86 (text, indirect);
    case IMAGE_AARCH64: return kind_on_aarch64 (text);
    case IMAGE_RISCV: return kind_on_riscv (text);
    case IMAGE_OTHER: break;
    }
  return INSTRUCTION_PLAIN;
}

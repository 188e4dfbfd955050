/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "collect/waits/code_cfi.h"
#include "runtime/unwind/unwinding.h"

uint64_t
code_cfi_vaddr (const struct code *c)
{
  return (uint64_t) c->copy - bbp_image_at (c->copy).bias;
}

const unsigned char *
code_cfi_function (const struct code *c, const unsigned char *start)
{
  struct bbp_cfi cfi;
  const unsigned char *end = c->copy + c->bytes;
  if (!bbp_cfi_find_in (c->copy, (uintptr_t) start, &cfi) || cfi.start != (uintptr_t) start
      || cfi.end > (uintptr_t) end)
    return NULL;
  return start + (cfi.end - cfi.start);
}

static bool
read_word (const uint64_t *words, size_t n, uint64_t low, uint64_t address, uint64_t *value)
{
  if (address < low || (address - low) % sizeof *words || (address - low) / sizeof *words >= n)
    return false;
  *value = words[(address - low) / sizeof *words];
  return true;
}

enum { FRAME_POINTER = 6 };

/* Index of the frame pointer in the rules. */
static int
rule_of_fp (void)
{
  int i = 0;
  while (bbp_rule_register[i] != FRAME_POINTER)
    i++;
  return i;
}

bool
code_cfi_step (const struct code *c, struct code_frame *f, const uint64_t *words, size_t n,
               uint64_t low)
{
  struct bbp_cfi cfi;
  struct bbp_row row;
  const unsigned char *at = code_at (c, f->exact ? f->pc : f->pc - 1);
  if (!at || !bbp_cfi_find_in (c->copy, (uintptr_t) at, &cfi)
      || !bbp_cfi_row (&cfi, (uintptr_t) at, &row) || row.frame_expression
      || (row.frame_register != BBP_ARCH_STACK_POINTER
          && (row.frame_register != FRAME_POINTER || !f->fp_known))
      || row.rule[BBP_RULE_RETURN] != BBP_RULE_AT)
    return false;
  const uint64_t frame = (row.frame_register == FRAME_POINTER ? f->fp : f->sp)
                         + (uint64_t) (int64_t) row.frame_value;
  const int fp = rule_of_fp ();
  if (!read_word (words, n, low, frame + (uint64_t) (int64_t) row.value[BBP_RULE_RETURN], &f->pc))
    return false;
  if (row.rule[fp] == BBP_RULE_AT)
    f->fp_known = read_word (words, n, low, frame + (uint64_t) (int64_t) row.value[fp], &f->fp);
  else
    f->fp_known = f->fp_known && row.rule[fp] == BBP_RULE_SAME;
  f->sp = frame;
  f->exact = false;
  return true;
}

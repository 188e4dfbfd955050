/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The code of functions of two builds, instruction by instruction. */
#include <ctype.h>
#include <stdlib.h>

#include "tools/builds/build.h"

/* A number begins at P, which is behind BEFORE; a digit in a name or a register begins none. */
static bool
begins_number (char before, const char *p)
{
  return isdigit ((unsigned char) *p) && !isalnum ((unsigned char) before) && before != '_';
}

static const char *
skip_number (const char *p)
{
  while (isalnum ((unsigned char) *p))
    p++;
  return p;
}

/* Are two texts of instructions equal but for their numbers?  A sign belongs to the number. */
static bool
equal_texts (const char *x, const char *y)
{
  for (char before = ' '; *x || *y; before = *x++, y++)
    {
      x += *x == '-' && begins_number ('-', x + 1);
      y += *y == '-' && begins_number ('-', y + 1);
      if (begins_number (before, x) && begins_number (before, y))
        {
          x = skip_number (x);
          y = skip_number (y);
        }
      if (*x != *y)
        return false;
      if (!*x)
        break;
    }
  return true;
}

/* The code of a function from its start on. */
struct reading {
  struct disassembler *code;
  const struct symbol *function;
  struct instruction now; /* size 0: behind the end */
};

static bool
read_next (struct reading *r, struct error *err)
{
  const uint64_t address = r->now.address + r->now.size;
  free (r->now.text);
  r->now = (struct instruction) { .address = address };
  return address > r->function->end || disassembler_read (r->code, address, &r->now, err);
}

static bool
begin (struct reading *r, struct build *b, const struct symbol *function, struct error *err)
{
  if (!b->code)
    b->code = disassembler_open (&b->model, function->object, err);
  *r = (struct reading) { .code = b->code, .function = function };
  r->now.address = function->address;
  return b->code && read_next (r, err);
}

/* Is nothing left but what fills the space up to the next function? */
static bool
ends_here (struct reading *r, bool *ends, struct error *err)
{
  while (r->now.size > 0 && r->now.kind == INSTRUCTION_PADDING)
    if (!read_next (r, err))
      return false;
  *ends = r->now.size == 0;
  return true;
}

static bool
leads_inside (const struct reading *r)
{
  return r->now.target >= r->function->address && r->now.target <= r->function->end;
}

static bool
equal_instructions (const struct reading *x, const struct reading *y)
{
  return x->now.size == y->now.size && leads_inside (x) == leads_inside (y)
         && (!leads_inside (x)
             || x->now.target - x->function->address == y->now.target - y->function->address)
         && equal_texts (x->now.text, y->now.text);
}

static bool
compare (struct reading *x, struct reading *y, bool *same, struct error *err)
{
  while (x->now.size > 0 && y->now.size > 0 && equal_instructions (x, y))
    if (!read_next (x, err) || !read_next (y, err))
      return false;
  bool x_ends, y_ends;
  if (!ends_here (x, &x_ends, err) || !ends_here (y, &y_ends, err))
    return false;
  *same = x_ends && y_ends;
  return true;
}

bool
build_same_code (struct build *a, const struct symbol *x, struct build *b, const struct symbol *y,
                 bool *same, struct error *err)
{
  struct reading first = { .code = NULL }, second = { .code = NULL };
  const bool ok = begin (&first, a, x, err) && begin (&second, b, y, err)
                  && compare (&first, &second, same, err);
  free (first.now.text);
  free (second.now.text);
  return ok;
}

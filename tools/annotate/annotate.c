/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "include/bbprof-abi.h"
#include "model/elf/demangle.h"
#include "tools/annotate/annotate.h"

/* State while one piece is read. */
struct reading {
  struct annotation *annotation;
  struct disassembler *code;
  struct error *err;
  size_t first_block; /* of the piece */
};

static bool
add_block (struct annotation *a, enum annotated_kind kind, uint64_t start, uint64_t end,
           const struct block *block)
{
  if (!array_grow (&a->blocks, a->nblocks, &a->room_blocks, sizeof *a->blocks))
    return false;
  a->blocks[a->nblocks++] = (struct annotated_block) {
    .kind = kind, .start = start, .end = end, .block = block, .first = a->ninstructions
  };
  return true;
}

static bool
is_end (const struct instruction *code)
{
  return code->kind == INSTRUCTION_END || code->kind == INSTRUCTION_JUMP;
}

/* Can CODE, in BLOCK, be a call that does not return?  The map does not tell.  The code behind
   it shows it: padding, or the target of a branch that is not a block, which is a counter out of
   line. */
static bool
may_stay (const struct map *map, const struct block *block, const struct instruction *code)
{
  for (size_t i = 0; i < block->map->ncalls; i++)
    {
      const struct map_call *call = &map->calls[block->map->first_call + i];
      if (call->point == code->address + code->size && (call->kind & BBP_CALL_FINAL)
          && !(call->kind & BBP_CALL_TAIL))
        return block->map->nways == 0;
    }
  return false;
}

/* The block that the branch to TARGET leads to, directly or through a counter out of line (a few
   instructions and a jump).  0: none.  A recording thread runs copies of blocks, which call
   or branch first. */
static bool
follow (struct reading *r, uint64_t target, uint64_t *way)
{
  enum { MOST = 16 };
  *way = 0;
  for (int i = 0; i < MOST && target; i++)
    {
      struct instruction code;
      if (blocks_at (r->annotation->all, target))
        *way = target;
      if (*way)
        return true;
      if (!disassembler_read (r->code, target, &code, r->err))
        return false;
      free (code.text);
      if (code.kind == INSTRUCTION_JUMP)
        target = code.target;
      else if (code.kind == INSTRUCTION_PLAIN && code.size > 0)
        target += code.size;
      else
        break;
    }
  return true;
}

/* Does a branch or jump in the blocks from FIRST on lead to ADDRESS? */
static bool
is_target (const struct annotation *a, size_t first, uint64_t address)
{
  for (size_t i = a->blocks[first].first; i < a->ninstructions; i++)
    if (a->instructions[i].code.target == address
        && a->instructions[i].code.kind != INSTRUCTION_CALL)
      return true;
  return false;
}

/* Does the code from START on return without a jump?  Code out of line never does. */
static bool
read_to_return (struct reading *r, uint64_t start, uint64_t end, bool *returns)
{
  struct instruction code = { .kind = INSTRUCTION_PLAIN, .size = 1 };
  while (start < end && (code.kind == INSTRUCTION_PLAIN || code.kind == INSTRUCTION_PADDING)
         && code.size > 0)
    {
      if (!disassembler_read (r->code, start, &code, r->err))
        return false;
      *returns = code.kind == INSTRUCTION_END && strstr (code.text, "ret");
      start += code.size;
      free (code.text);
    }
  return true;
}

/* Adds the instructions from START on to the last block.  LAST: the block ends where control
   leaves it for good. */
static bool
read_instructions (struct reading *r, uint64_t start, uint64_t end, bool last)
{
  struct annotation *a = r->annotation;
  struct annotated_block *block = &a->blocks[a->nblocks - 1];
  bool gone = false;
  while (start < end)
    {
      struct annotated_instruction *i;
      bool returns = false;
      if (!array_grow (&a->instructions, a->ninstructions, &a->room_instructions,
                       sizeof *a->instructions))
        return error_no_memory (r->err);
      i = &a->instructions[a->ninstructions];
      *i = (struct annotated_instruction) { .block = a->nblocks - 1, .origin = ANNOTATE_NONE };
      if (!disassembler_read (r->code, start, &i->code, r->err))
        return false;
      if (gone && i->code.kind == INSTRUCTION_PADDING && !read_to_return (r, start, end, &returns))
        {
          free (i->code.text);
          return false;
        }
      if (i->code.size == 0
          || (gone && !returns
              && (i->code.kind == INSTRUCTION_PADDING || is_target (a, r->first_block, start))))
        {
          free (i->code.text);
          break;
        }
      a->ninstructions++;
      start += i->code.size;
      if (i->code.kind == INSTRUCTION_BRANCH && !follow (r, i->code.target, &i->way))
        return false;
      if (last && is_end (&i->code))
        break;
      gone = last && may_stay (&a->all->map, block->block, &i->code);
    }
  block->end = start;
  return true;
}

/* Removes padding that is never executed from the end of the last block.  LAST: control cannot
   continue behind the block. */
static void
trim (struct annotation *a, bool last)
{
  struct annotated_block *block = &a->blocks[a->nblocks - 1];
  size_t n = a->ninstructions;
  while (n > block->first + 1 && a->instructions[n - 1].code.kind == INSTRUCTION_PADDING)
    n--;
  if (n > block->first && (last || is_end (&a->instructions[n - 1].code)))
    {
      block->end = a->instructions[n - 1].code.address + a->instructions[n - 1].code.size;
      while (a->ninstructions > n)
        free (a->instructions[--a->ninstructions].code.text);
    }
  block->ninstructions = a->ninstructions - block->first;
}

/* Is there anything but padding?  START is set to where it begins. */
static bool
skip_padding (struct reading *r, uint64_t *start, uint64_t end, bool *found)
{
  *found = false;
  while (*start < end)
    {
      struct instruction code;
      if (!disassembler_read (r->code, *start, &code, r->err))
        return false;
      free (code.text);
      if (code.size == 0)
        break;
      if (code.kind != INSTRUCTION_PADDING)
        {
          *found = true;
          break;
        }
      *start += code.size;
    }
  return true;
}

/* Adds the code behind the last block. */
static bool
add_outline (struct reading *r, uint64_t end)
{
  struct annotation *a = r->annotation;
  uint64_t start = a->blocks[a->nblocks - 1].end;
  bool found;
  if (!skip_padding (r, &start, end, &found))
    return false;
  return !found || add_block (a, ANNOTATED_OUTLINE, start, end, NULL) || error_no_memory (r->err);
}

static bool
read_block (struct reading *r, enum annotated_kind kind, uint64_t start, uint64_t end,
            const struct block *block, bool last)
{
  struct annotation *a = r->annotation;
  if (!add_block (a, kind, start, end, block))
    return error_no_memory (r->err);
  if (!read_instructions (r, start, end, last && block && block->map))
    return false;
  trim (a, last);
  return true;
}

static bool
read_piece (struct reading *r, struct annotated_piece *piece)
{
  struct annotation *a = r->annotation;
  const struct symbol *s = piece->symbol;
  const struct block *first = &a->all->blocks[blocks_before (a->all, s->address)];
  const struct block *end = &a->all->blocks[blocks_before (a->all, piece->end)];
  bool ok = true;
  piece->first_block = r->first_block = a->nblocks;
  if (first == end)
    ok = read_block (r, ANNOTATED_PLAIN, s->address, piece->end, NULL, true);
  else if (first->start > s->address)
    ok = read_block (r, ANNOTATED_ENTRY, s->address, first->start, NULL, false);
  for (const struct block *b = first; ok && b < end; b++)
    {
      bool last = b + 1 == end;
      ok = read_block (r, ANNOTATED_BLOCK, b->start, last ? piece->end : b[1].start, b, last);
      if (ok && last && b->map)
        ok = add_outline (r, piece->end);
    }
  piece->nblocks = a->nblocks - piece->first_block;
  return ok;
}

/* The sampled lines of a function of a language stand for its instructions. */
static bool
read_lines (struct reading *r, struct annotated_piece *piece)
{
  struct annotation *a = r->annotation;
  const struct language_line *lines;
  size_t n = languages_lines (&a->model->stacks.languages, piece->symbol->address, &lines);
  piece->first_block = a->nblocks;
  piece->nblocks = 1;
  if (!add_block (a, ANNOTATED_LINES, piece->symbol->address, piece->end, NULL))
    return error_no_memory (r->err);
  a->blocks[piece->first_block].ninstructions = n;
  for (size_t i = 0; i < n; i++)
    {
      if (!array_grow (&a->instructions, a->ninstructions, &a->room_instructions,
                       sizeof *a->instructions))
        return error_no_memory (r->err);
      a->instructions[a->ninstructions++]
          = (struct annotated_instruction) { .code.address = lines[i].address,
                                             .block = piece->first_block,
                                             .origin = ANNOTATE_NONE,
                                             .samples = (double) lines[i].ticks };
    }
  return true;
}

/* The largest possible end of the symbol's code.  The last symbol of an object has no other one
   behind it. */
static uint64_t
end_of (const struct symbol *s)
{
  const struct object *o = s->object;
  if (s->file)
    return s->address + LANGUAGE_FUNCTION_SIZE;
  uint64_t end = o->base + o->image.code_high;
  return s[1].object == o && s->end + 1 < end ? s->end + 1 : end;
}

/* False: ERR says why there is nothing to show of the function NAME. */
static bool
can_be_read (const struct symbol *s, const char *name, struct error *err)
{
  if (s->file)
    return *s->file
           || error_set (err, NULL, ERROR_NO_OFFSET, "%.100s of %.20s has no source to show", name,
                         s->object->path);
  if (!s->object->image.bfd)
    return error_set (err, NULL, ERROR_NO_OFFSET,
                      "%.200s: its file is missing, so there is no code to show", s->object->path);
  return image_has_instructions (&s->object->image)
         || error_set (err, NULL, ERROR_NO_OFFSET,
                       "%.100s is generated code: the profile has its lines and samples, but no "
                       "instructions to show; try bbprof-gprof -l",
                       name);
}

static bool
read_pieces (struct annotation *a, const struct found *f, struct error *err)
{
  struct reading r = { .annotation = a, .err = err };
  const struct object *object = NULL;
  bool ok = true;
  for (size_t i = 0; ok && i < f->count; i++)
    {
      const struct symbol *s = f->symbols[i];
      struct annotated_piece *piece = &a->pieces[a->npieces++];
      *piece = (struct annotated_piece) { .symbol = s,
                                          .name = demangle_name (model_program (a->model), s->name),
                                          .end = end_of (s) };
      if (!piece->name && !(piece->name = strdup (s->name)))
        ok = error_no_memory (err);
      a->lines_only |= s->file != NULL;
      ok = ok && can_be_read (s, piece->name, err);
      if (ok && !s->file && s->object != object)
        {
          disassembler_close (r.code);
          r.code = disassembler_open (a->model, object = s->object, err);
          ok = r.code != NULL;
        }
      ok = ok && (s->file ? read_lines (&r, piece) : read_piece (&r, piece));
    }
  disassembler_close (r.code);
  return ok;
}

bool
annotate (struct annotation *a, const struct model *m, const struct blocks *b,
          const struct found *f, struct error *err)
{
  *a = (struct annotation) { .model = m,
                             .all = b,
                             .every_line = f->every_line,
                             .pieces = calloc (f->count + 1, sizeof *a->pieces) };
  if (!a->pieces)
    return error_no_memory (err);
  if (!read_pieces (a, f, err))
    return false;
  if (!annotate_origins (a, f))
    return error_no_memory (err);
  annotate_instruction_counts (a);
  annotate_samples (a);
  return (annotate_cleanup (a) && annotate_line_counts (a)) || error_no_memory (err);
}

void
annotate_free (struct annotation *a)
{
  for (size_t i = 0; i < a->npieces; i++)
    free (a->pieces[i].name);
  for (size_t i = 0; i < a->ninstructions; i++)
    free (a->instructions[i].code.text);
  for (size_t i = 0; i < a->norigins; i++)
    {
      free (a->origins[i].frames);
      free (a->origins[i].levels);
    }
  free (a->pieces);
  free (a->blocks);
  free (a->instructions);
  free (a->origins);
  free (a->lines);
  free (a->by_line);
  memset (a, 0, sizeof *a);
}

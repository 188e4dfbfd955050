/* SPDX-License-Identifier: GPL-3.0-or-later */
/* judge-lines PROGRAM [STEP]: asks bbprof and libbfd for the source of the same addresses in the
   same order: the symbols of functions, then each byte, or every STEP-th, of .text.  Prints how
   many answers are equal, and the first that are not; status 1 if there are any.  A stretch of
   which srcline_end says that it has one answer is asked for once only. */
#include "config.h"

#include <bfd.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/symbols/srcline.h"

#define SHOWN 10

struct judge {
  struct objects objects;
  const struct object *object;
  struct image image; /* libbfd's answers come from it */
  uint64_t equal, asked, known;
};

static bool
ask_bfd (const struct judge *j, uint64_t address, struct srcline *found)
{
  const struct image *im = &j->image;
  *found = (struct srcline) { 0 };
  return bfd_find_nearest_line (im->bfd, im->text, im->raw, address - bfd_section_vma (im->text),
                                &found->file, &found->function, &found->line)
         && found->file && found->function && found->line != 0;
}

static void
show (const char *who, bool known, const struct srcline *l)
{
  if (known)
    printf ("  %s %s:%u %s\n", who, l->file, l->line, l->function);
  else
    printf ("  %s nothing\n", who);
}

static void
compare (struct judge *j, uint64_t address, bool known, const struct srcline *ours)
{
  struct srcline its;
  bool is_known = ask_bfd (j, address, &its);
  j->asked++;
  j->known += is_known;
  if (known == is_known
      && (!known
          || (ours->line == its.line && strcmp (ours->file, its.file) == 0
              && strcmp (ours->function, its.function) == 0)))
    j->equal++;
  else if (j->asked - j->equal <= SHOWN)
    {
      printf ("0x%" PRIx64 ":\n", address);
      show ("bbprof", known, ours);
      show ("libbfd", is_known, &its);
    }
}

static void
compare_symbols (struct judge *j)
{
  struct srcline ours;
  for (size_t i = 0; i < j->image.nraw; i++)
    if (j->image.raw[i]->flags & BSF_FUNCTION)
      {
        uint64_t address = bfd_asymbol_value (j->image.raw[i]);
        compare (j, address, srcline_find (j->object, address, &ours), &ours);
      }
}

static void
compare_text (struct judge *j, uint64_t step)
{
  struct srcline ours;
  uint64_t first = bfd_section_vma (j->image.text), end = first + bfd_section_size (j->image.text),
           until = 0;
  bool known = false, is_first, was_first = false;
  for (uint64_t address = first; address < end; address += step)
    {
      is_first = address >= until;
      if (is_first || was_first) /* the first answer of all may be another than the second */
        known = srcline_find (j->object, address, &ours);
      if (is_first)
        until = srcline_end (j->object, address, end);
      was_first = is_first;
      compare (j, address, known, &ours);
    }
}

int
main (int argc, char **argv)
{
  struct judge j = { 0 };
  struct error err;
  if (argc < 2 || !objects_open_program (&j.objects, argv[1], &err)
      || !image_open (&j.image, argv[1], &err) || !image_read_symbols (&j.image, &err))
    {
      fprintf (stderr, "judge-lines: cannot read %s\n", argc < 2 ? "nothing" : argv[1]);
      return 99;
    }
  j.object = &j.objects.all[0];
  compare_symbols (&j);
  compare_text (&j, argc > 2 ? strtoull (argv[2], NULL, 10) : 1);
  printf ("%" PRIu64 " of %" PRIu64 " equal, %" PRIu64 " with a source\n", j.equal, j.asked,
          j.known);
  image_close (&j.image);
  objects_free (&j.objects);
  return j.equal == j.asked ? EXIT_SUCCESS : EXIT_FAILURE;
}

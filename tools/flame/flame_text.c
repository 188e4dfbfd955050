/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/array.h"
#include "common/header.h"
#include "common/visible.h"
#include "tools/arguments/name_pattern.h"
#include "tools/flame/flame_layout.h"
#include "tools/flame/flame_text.h"
#include "tools/view/plural.h"
#include "tools/view/short_name.h"

struct object_row {
  const struct object *object;
  uint64_t self, frames; /* ticks; nodes */
  unsigned colour;
};

struct picture {
  FILE *out;
  const struct flame_tree *tree;
  const struct flame_choice *choice;
  const char *program;
  double rate;
  const struct style *style;
  bool ascii;
  struct flame_layout layout;
  struct object_row *objects; /* on the stacks, most self time first; null: unknown */
  size_t nobjects;
};

/* Colours, of the 256 that terminals have: light backgrounds beneath black text, so that the
   terminal's own colours do not matter. */
enum {
  BLACK = 16,
  OF_PROGRAM = 215, /* orange */
  OF_KERNEL = 174,  /* red */
  OF_OTHERS = 250,  /* grey */
  OF_NARROW = 254,  /* lighter grey */
  OF_MATCHES = 213, /* pink */
};
static const unsigned of_libraries[]
    = { 114 /* green */, 117 /* blue */, 186 /* yellow */, 147 /* violet */, 79 /* turquoise */ };
enum { LIBRARIES = sizeof of_libraries / sizeof *of_libraries };

/* Objects. */

static int
compare_objects (const void *a, const void *b, void *unused)
{
  const struct object_row *x = a, *y = b;
  (void) unused;
  if (x->self != y->self)
    return x->self > y->self ? -1 : 1;
  if (x->frames != y->frames)
    return x->frames > y->frames ? -1 : 1;
  return x->object && y->object ? strcmp (x->object->path, y->object->path) : !x->object;
}

static unsigned
colour_of (const struct picture *p, const struct object *object)
{
  size_t i = 0;
  while (i < p->nobjects && p->objects[i].object != object)
    i++;
  return i < p->nobjects ? p->objects[i].colour : OF_OTHERS;
}

/* The program and the kernel have colours of their own, libraries by their self time. */
static void
choose_colours (struct picture *p)
{
  size_t libraries = 0;
  for (size_t i = 0; i < p->nobjects; i++)
    {
      const struct object *o = p->objects[i].object;
      p->objects[i].colour = !o                                  ? OF_OTHERS
                             : object_is_executable (o)          ? OF_PROGRAM
                             : strcmp (o->path, "[kernel]") == 0 ? OF_KERNEL
                             : !object_is_file (o) || libraries == LIBRARIES
                                 ? OF_OTHERS
                                 : of_libraries[libraries++];
    }
}

/* Lists the objects on the stacks, most self time first, and gives them colours. */
static bool
find_objects (struct picture *p)
{
  const struct objects *all = &p->tree->model->objects;
  const struct contexts *tree = &p->tree->folded.tree;
  size_t n = 0;
  p->objects = calloc (all->count + 1, sizeof *p->objects);
  if (!p->objects)
    return false;
  for (size_t i = 0; i < all->count; i++)
    p->objects[i].object = &all->all[i];
  for (size_t i = 1; i < tree->count; i++)
    {
      const struct object *o = flame_tree_object (p->tree, (uint32_t) i);
      struct object_row *row = &p->objects[o ? (size_t) (o - all->all) : all->count];
      row->self += tree->nodes[i].ticks;
      row->frames++;
    }
  for (size_t i = 0; i <= all->count; i++)
    if (p->objects[i].self > 0 || (p->objects[i].object && p->objects[i].frames > 0))
      p->objects[n++] = p->objects[i];
  p->nobjects = n;
  bool ok = array_sort (p->objects, n, sizeof *p->objects, compare_objects, NULL);
  choose_colours (p);
  return ok;
}

/* Names in cells. */

/* TEXT, in new memory, with '?' for each character that cannot be shown.  Null: no memory. */
static char *
printable (const struct picture *p, const char *text)
{
  char *copy = strdup (text), *to = copy;
  for (const char *from = copy; copy && *from; from++)
    if (!p->ascii || (unsigned char) *from < 0x80)
      *to++ = *from;
    else if (((unsigned char) *from & 0xc0) != 0x80)
      *to++ = '?';
  if (copy)
    *to = '\0';
  return copy;
}

/* The first WIDTH characters of TEXT, in new memory. */
static char *
cut_end (const char *text, size_t width)
{
  const char *end = text;
  for (; *end && (width > 0 || ((unsigned char) *end & 0xc0) == 0x80); end++)
    width -= ((unsigned char) *end & 0xc0) != 0x80;
  return strndup (text, (size_t) (end - text));
}

/* NAME in WIDTH columns: the parameters are left out first, then the scopes, at last the end of the
   function's own name.  "" where not even its beginning has room.  Null: no memory. */
static char *
fit_name (const char *name, size_t width)
{
  enum { LEAST = 3, LEAST_SHORT = 8 };
  if (short_name_columns (name) <= width)
    return strdup (name);
  if (width < LEAST || *name == '[')
    return cut_end (name, width < LEAST ? 0 : width);
  char *bare = pattern_bare_name (name);
  const char *last = bare ? pattern_last_component (bare) : "";
  char *fitting = !bare ? NULL
                  : width < LEAST_SHORT || short_name_columns (last) >= width
                      ? cut_end (last, width)
                      : short_name (bare, width);
  free (bare);
  return fitting;
}

/* NAME, LEVELS and SHARE as far as they fit: the share is left out first, then the levels. */
static char *
fit_label (const char *name, const char *levels, const char *share, size_t width)
{
  char *label = NULL, *fitting = fit_name (name, width);
  size_t both = fitting ? short_name_columns (fitting) + strlen (levels) : 0;
  bool has_levels = both <= width, has_share = both + strlen (share) <= width;
  if (fitting
      && asprintf (&label, "%s%s%s", fitting, has_levels ? levels : "", has_share ? share : "") < 0)
    label = NULL;
  free (fitting);
  return label;
}

/* The text of NODE's cell of WIDTH columns.  Null: no memory. */
static char *
label_of (const struct picture *p, uint32_t node, size_t width)
{
  const struct context *c = &p->tree->folded.tree.nodes[node];
  const double percent = 100 * (double) p->tree->totals[node] / (double) p->layout.all;
  char levels[16] = "", share[80];
  const char *known = "[unknown]";
  if (node == 0)
    {
      const char *base = strrchr (p->program, '/');
      known = visible (base && base[1] ? base + 1 : p->program);
      snprintf (share, sizeof share, ", %" PRIu64 " sample%s, %.3f s", p->layout.all,
                plural (p->layout.all), (double) p->layout.all / p->rate);
      snprintf (levels, sizeof levels, " 100%%");
    }
  else
    {
      if (c->kind == BBX_FRAME_CODE)
        known = p->tree->names[c->address];
      if (p->tree->folded.levels[node] > 1)
        snprintf (levels, sizeof levels, " x%" PRIu32, p->tree->folded.levels[node]);
      snprintf (share, sizeof share, " %.1f%%", percent);
    }
  char *name = printable (p, known), *label = name ? fit_label (name, levels, share, width) : NULL;
  free (name);
  return label;
}

/* Rows. */

static void
repeat (FILE *out, const char *character, size_t n)
{
  while (n-- > 0)
    fputs (character, out);
}

static void
begin_colour (FILE *out, unsigned background)
{
  fprintf (out, "\033[38;5;%d;48;5;%um", BLACK, background);
}

static void
end_colour (FILE *out)
{
  fputs ("\033[0m", out);
}

static void
draw_narrow (const struct picture *p, const struct flame_cell *cell)
{
  const char *dots = p->ascii ? "." : "…";
  if (!p->style->colour)
    {
      repeat (p->out, dots, cell->width);
      return;
    }
  begin_colour (p->out, OF_NARROW);
  fprintf (p->out, "%s%*s", dots, (int) cell->width - 1, "");
  end_colour (p->out);
}

/* With colours these tell the frames apart; else the rest of each cell is filled. */
static void
draw_label (const struct picture *p, const char *label, size_t rest, bool matches)
{
  const bool colour = p->style->colour;
  const char *edge = p->ascii  ? (matches && !colour ? "#" : "|")
                     : colour  ? "▏"
                     : matches ? "█"
                               : "▌",
             *fill = colour     ? " "
                     : p->ascii ? (matches ? "#" : "-")
                     : matches  ? "▓"
                                : "░";
  const bool gap = *label && rest > 1;
  fprintf (p->out, "%s%s%s", edge, label, gap ? " " : "");
  repeat (p->out, fill, rest - gap);
}

static bool
draw_cell (const struct picture *p, const struct flame_cell *cell)
{
  if (cell->node == FLAME_NARROW)
    {
      draw_narrow (p, cell);
      return true;
    }
  const struct context *c = &p->tree->folded.tree.nodes[cell->node];
  bool matches = cell->node != 0 && c->kind == BBX_FRAME_CODE && p->tree->matches[c->address];
  char *label = label_of (p, cell->node, cell->width - 1);
  if (!label)
    return false;
  if (p->style->colour)
    begin_colour (p->out, matches ? OF_MATCHES
                          : cell->node == 0
                              ? OF_OTHERS
                              : colour_of (p, flame_tree_object (p->tree, cell->node)));
  draw_label (p, label, cell->width - 1 - short_name_columns (label), matches);
  if (p->style->colour)
    end_colour (p->out);
  free (label);
  return true;
}

static bool
draw_rows (const struct picture *p)
{
  const struct flame_layout *l = &p->layout;
  bool ok = true;
  for (size_t row = 0; ok && row < l->nrows; row++)
    {
      size_t column = 0;
      for (size_t i = l->rows[row]; ok && i < l->rows[row + 1]; i++)
        {
          repeat (p->out, " ", l->cells[i].column - column);
          ok = draw_cell (p, &l->cells[i]);
          column = l->cells[i].column + l->cells[i].width;
        }
      fputc ('\n', p->out);
    }
  return ok;
}

/* The lines below the picture. */

static double
percent_of (const struct picture *p, uint64_t ticks)
{
  return 100 * (double) ticks / (double) p->layout.all;
}

/* An object's colour, name and self time, in the line that has COLUMN columns, or in the next one.
   Returns the line's columns then; 0: no memory. */
static size_t
print_object (const struct picture *p, const struct object_row *row, size_t column)
{
  enum { INDENT = 9, GAP = 2, SWATCH = 3, MOST = 30 };
  char *name = printable (p, row->object ? visible (object_name (row->object)) : "[unknown]"),
       *shown = name ? short_name (name, MOST) : NULL, share[16];
  free (name);
  if (!shown)
    return 0;
  snprintf (share, sizeof share, " %.2f%%", percent_of (p, row->self));
  size_t width = short_name_columns (shown) + strlen (share) + (p->style->colour ? SWATCH : 0);
  bool first = column == 0, wraps = !first && column + GAP + width > p->layout.columns;
  if (first || wraps)
    fprintf (p->out, "%s%-*s", wraps ? "\n" : "", INDENT, first ? "objects" : "");
  else
    fprintf (p->out, "%*s", GAP, "");
  if (p->style->colour)
    {
      begin_colour (p->out, row->colour);
      fputs ("  ", p->out);
      end_colour (p->out);
      fputc (' ', p->out);
    }
  fprintf (p->out, "%s%s", shown, share);
  free (shown);
  return (first || wraps ? INDENT : column + GAP) + width;
}

static bool
print_objects (const struct picture *p)
{
  size_t column = 0;
  for (size_t i = 0; i < p->nobjects; i++)
    if ((column = print_object (p, &p->objects[i], column)) == 0)
      return false;
  fputc ('\n', p->out);
  return true;
}

static void
print_matches (const struct picture *p)
{
  const struct flame_choice *c = p->choice;
  if (!c->function && !c->object)
    return;
  header_print (p->out, "filter", "%s%s%s: on the stacks of %.2f%% of the samples, %" PRIu64,
                c->function ? visible (c->function) : "all functions", c->object ? " of " : "",
                c->object ? visible (c->object) : "", percent_of (p, p->tree->matched),
                p->tree->matched);
}

static void
print_hidden (const struct picture *p)
{
  const struct flame_layout *l = &p->layout;
  char narrow[80] = "", deep[80] = "";
  if (l->narrow > 0)
    snprintf (narrow, sizeof narrow,
              "frames narrower than a column (%s): %.2f%%, %" PRIu64 " sample%s",
              p->ascii ? "." : "…", percent_of (p, l->narrow), l->narrow, plural (l->narrow));
  if (l->deep > 0)
    snprintf (deep, sizeof deep, "rows beneath these %zu (--depth): %.2f%%, %" PRIu64 " sample%s",
              l->nrows - 1, percent_of (p, l->deep), l->deep, plural (l->deep));
  header_print (p->out, "hidden", "%s%s%s", *narrow || *deep ? narrow : "nothing",
                *narrow && *deep ? "; " : "", deep);
}

static bool
print_picture (struct picture *p)
{
  const struct flame_tree *f = p->tree;
  if (!flame_layout_make (&p->layout, &f->folded.tree, f->totals, p->style->columns,
                          p->choice->depth))
    return false;
  fputc ('\n', p->out);
  if (p->layout.all == 0)
    {
      header_print (p->out, "total", "no samples");
      return true;
    }
  if (!find_objects (p) || !draw_rows (p))
    return false;
  fputc ('\n', p->out);
  if (!print_objects (p))
    return false;
  print_matches (p);
  print_hidden (p);
  return true;
}

bool
flame_text_print (FILE *out, const struct flame_tree *tree, const struct flame_choice *choice,
                  const char *program, double rate, const struct style *style)
{
  struct picture p = { .out = out,
                       .tree = tree,
                       .choice = choice,
                       .program = program,
                       .rate = rate,
                       .style = style,
                       .ascii = choice->ascii || !style->utf8 };
  bool ok = print_picture (&p);
  flame_layout_free (&p.layout);
  free (p.objects);
  return ok;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/array.h"
#include "tools/code/objdump.h"

/* Code is printed in pieces of so many bytes: most functions need one, so jumps do not start the
   command again.  The last bytes of a piece may be those of a part of an instruction. */
enum { PIECE = 1 << 16, LONGEST = 16 };

struct line {
  uint64_t address;
  unsigned size;
  const char *text; /* in the piece's output */
};

struct piece {
  uint64_t start, end;
  char *output;
  struct line *lines; /* ascending addresses */
  size_t nlines, room;
};

struct objdump {
  const struct image *image;
  char command[40];
  struct piece *pieces; /* the last one was read last */
  size_t npieces, room;
};

/* Names of machines in those of GNU tools, and in Debian's packages. */
static const char *
triplet_of (enum image_machine machine)
{
  switch (machine)
    {
    case IMAGE_X86: return "x86_64-linux-gnu";
    case IMAGE_AARCH64: return "aarch64-linux-gnu";
    case IMAGE_RISCV: return "riscv64-linux-gnu";
    case IMAGE_OTHER: break;
    }
  return NULL;
}

struct objdump *
objdump_open (const struct image *image, struct error *err)
{
  const char *triplet = triplet_of (image->machine);
  struct objdump *o = triplet ? calloc (1, sizeof *o) : NULL;
  if (!triplet)
    error_set (err, image->path, ERROR_NO_OFFSET,
               "has code of a machine that bbprof does not know");
  else if (!o)
    error_no_memory (err);
  if (!o)
    return NULL;
  o->image = image;
  snprintf (o->command, sizeof o->command, "%s-objdump", triplet);
  return o;
}

static void
free_piece (struct piece *p)
{
  free (p->output);
  free (p->lines);
}

void
objdump_close (struct objdump *o)
{
  for (size_t i = 0; i < o->npieces; i++)
    free_piece (&o->pieces[i]);
  free (o->pieces);
  free (o);
}

/* Starts the command for the code of P; its output comes from *FROM.  Returns an error number. */
static int
start (struct objdump *o, const struct piece *p, pid_t *child, int *from)
{
  char first[48], end[48], path[] = "--", *file = strdup (o->image->path);
  char disassemble[] = "-dzw", bytes[] = "--show-raw-insn";
  char *argv[] = { o->command, disassemble, bytes, first, end, path, file, NULL };
  snprintf (first, sizeof first, "--start-address=0x%" PRIx64, p->start);
  snprintf (end, sizeof end, "--stop-address=0x%" PRIx64, p->end);
  int ends[2];
  if (!file || pipe2 (ends, O_CLOEXEC) != 0)
    {
      free (file);
      return errno;
    }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_addopen (&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2 (&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen (&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  int error = posix_spawnp (child, o->command, &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy (&actions);
  free (file);
  close (ends[1]);
  if (error)
    close (ends[0]);
  *from = ends[0];
  return error;
}

/* Reads all of FROM into new memory.  Returns an error number. */
static int
read_all (int from, char **output)
{
  size_t n = 0, room = 0;
  ssize_t more = 1;
  *output = NULL;
  while (more > 0)
    {
      if (room - n < 2)
        {
          char *larger = realloc (*output, room = 2 * room + (1 << 16));
          if (!larger)
            return ENOMEM;
          *output = larger;
        }
      more = read (from, *output + n, room - n - 1);
      if (more < 0 && errno == EINTR)
        more = 1;
      else if (more > 0)
        n += (size_t) more;
    }
  (*output)[n] = '\0';
  return more < 0 ? errno : 0;
}

/* "  4f8:<tab>bytes in hexadecimal<tab>text"; other lines are names of functions and sections. */
static bool
parse (char *line, struct line *parsed)
{
  char *at;
  parsed->address = strtoull (line, &at, 16);
  if (at == line || at[0] != ':' || at[1] != '\t')
    return false;
  unsigned digits = 0;
  for (at += 2; *at && *at != '\t'; at++)
    digits += isxdigit ((unsigned char) *at) != 0;
  parsed->size = digits / 2;
  parsed->text = *at ? at + 1 : at;
  return parsed->size != 0;
}

/* False: no memory. */
static bool
parse_all (struct piece *p)
{
  char *rest;
  for (char *line = strtok_r (p->output, "\n", &rest); line; line = strtok_r (NULL, "\n", &rest))
    {
      if (!array_grow (&p->lines, p->nlines, &p->room, sizeof *p->lines))
        return false;
      p->nlines += parse (line, &p->lines[p->nlines]);
    }
  return true;
}

/* Debian names packages without underscores. */
static bool
is_missing (const struct objdump *o, struct error *err)
{
  const char *triplet = triplet_of (o->image->machine);
  char package[32];
  for (size_t i = 0; i <= strlen (triplet); i++)
    package[i] = (char) (triplet[i] == '_' ? '-' : triplet[i]);
  return error_set (err, o->image->path, ERROR_NO_OFFSET,
                    "to show its code takes the command %s, which is missing (Debian: binutils-%s)",
                    o->command, package);
}

static bool
run (struct objdump *o, struct piece *p, struct error *err)
{
  pid_t child;
  int from = -1, status = 0, error = start (o, p, &child, &from);
  if (!error)
    {
      error = read_all (from, &p->output);
      close (from);
      while (waitpid (child, &status, 0) < 0 && errno == EINTR)
        ;
    }
  if (error == ENOENT)
    return is_missing (o, err);
  if (error)
    return error_set (err, o->image->path, ERROR_NO_OFFSET, "%s cannot be run: %s", o->command,
                      strerror (error));
  if (status)
    return error_set (err, o->image->path, ERROR_NO_OFFSET,
                      "%s cannot show its code (it ended with status %d)", o->command,
                      WIFEXITED (status) ? WEXITSTATUS (status) : 128 + WTERMSIG (status));
  return parse_all (p) || error_no_memory (err);
}

/* The piece that shows the whole instruction at ADDRESS; null: none has been read yet. */
static const struct piece *
piece_at (const struct objdump *o, uint64_t address)
{
  for (size_t i = o->npieces; i-- > 0;)
    if (address >= o->pieces[i].start && address + LONGEST <= o->pieces[i].end)
      return &o->pieces[i];
  return NULL;
}

static const struct piece *
read_piece (struct objdump *o, uint64_t address, struct error *err)
{
  struct piece p = { .start = address, .end = address + PIECE };
  if (!array_grow (&o->pieces, o->npieces, &o->room, sizeof p))
    return error_no_memory (err), NULL;
  if (!run (o, &p, err))
    return free_piece (&p), NULL;
  o->pieces[o->npieces++] = p;
  return &o->pieces[o->npieces - 1];
}

static int
compare (const void *key, const void *element)
{
  const uint64_t *address = key;
  const struct line *line = element;
  return *address < line->address ? -1 : *address > line->address;
}

bool
objdump_read (struct objdump *o, uint64_t address, unsigned *size, const char **text,
              struct error *err)
{
  const struct piece *p = piece_at (o, address);
  *size = 0;
  if (!p && !(p = read_piece (o, address, err)))
    return false;
  const struct line *line
      = p->nlines ? bsearch (&address, p->lines, p->nlines, sizeof *line, compare) : NULL;
  if (line)
    *size = line->size, *text = line->text;
  return true;
}

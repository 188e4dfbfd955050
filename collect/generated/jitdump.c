/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of a piece of code stand before it, in a record of their own. */
#include "config.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/generated/jitdump.h"
#include "common/array.h"

enum { MAGIC = 0x4a695444, DUMP_VERSION = 1, OTHER_CLOCK = 1 };
enum { ALIGNMENT = 8 };         /* some writers fill up records */
enum { LINES_MOST = 16 << 20 }; /* bytes of a record with lines; of larger ones nothing is kept */

struct header {
  uint32_t magic, version, bytes, machine, unused, pid;
  uint64_t time, flags;
};

struct record {
  uint32_t id, bytes;
  uint64_t time;
};
enum { LOAD, MOVE, LINES, CLOSE };

struct load {
  uint32_t pid, tid;
  uint64_t unused, start, size, number; /* then the name with its zero, then the code */
};

struct move {
  uint32_t pid, tid;
  uint64_t unused, from, start, size, number;
};

struct lines {
  uint64_t start, n;
};
struct line { /* then the name of the file with its zero; "\xff": that of the line before */
  uint64_t address;
  uint32_t line, column;
};

/* False: the file has no N bytes there. */
static bool
read_at (const struct jitdump *j, void *to, size_t n, uint64_t offset)
{
  for (size_t done = 0; done < n;)
    {
      ssize_t got = pread (j->text.fd, (char *) to + done, n - done, (off_t) (offset + done));
      if (got < 0 && errno == EINTR)
        continue;
      if (got <= 0)
        return false;
      done += (size_t) got;
    }
  return true;
}

static void
forget_lines (struct jitdump *j)
{
  free (j->lines);
  free (j->texts);
  j->lines = NULL;
  j->texts = NULL;
  j->nlines = 0;
}

void
jitdump_free (struct jitdump *j)
{
  forget_lines (j);
}

/* Nothing behind the offset can be understood. */
static void
give_up (struct jitdump *j, const char *why)
{
  code_text_blame (&j->text, j->text.offset, why);
  j->text.ended = true;
}

/* False: there is none, or not yet. */
static bool
read_header (struct jitdump *j, bool last)
{
  struct header h;
  if (!read_at (j, &h, sizeof h, 0))
    {
      if (last)
        give_up (j, "expected the header of a jitdump");
      return false;
    }
  if (h.magic != MAGIC || h.version != DUMP_VERSION || h.bytes < sizeof h)
    give_up (j, "expected a jitdump of version 1, in this machine's byte order");
  else if (h.machine != HOST_ELF)
    give_up (j, "expected code of this machine");
  j->other_clock = h.flags & OTHER_CLOCK;
  j->text.offset = h.bytes;
  return j->has_header = !j->text.ended;
}

/* Null: done; else what was expected. */
static const char *
take_lines (struct jitdump *j, const struct record *r, bool *memory)
{
  static const char wrong[] = "expected a list of source lines";
  struct lines head;
  const size_t size = r->bytes - sizeof *r - sizeof head;
  forget_lines (j);
  if (r->bytes < sizeof *r + sizeof head || size > LINES_MOST
      || !read_at (j, &head, sizeof head, j->text.offset + sizeof *r)
      || head.n > size / (sizeof (struct line) + 1))
    return wrong;
  j->texts = malloc (size + 1);
  j->lines = malloc ((head.n + 1) * sizeof *j->lines);
  if (!j->texts || !j->lines)
    {
      *memory = false;
      return NULL;
    }
  if (!read_at (j, j->texts, size, j->text.offset + sizeof *r + sizeof head))
    return wrong;
  const char *p = j->texts, *end = p + size, *before = "";
  for (uint64_t i = 0; i < head.n; i++)
    {
      struct line line;
      if ((size_t) (end - p) < sizeof line)
        return wrong;
      memcpy (&line, p, sizeof line);
      const char *file = p + sizeof line, *zero = memchr (file, '\0', (size_t) (end - file));
      if (!zero || line.address >= GENERATED_ADDRESS_MOST)
        return wrong;
      before = strcmp (file, "\xff") == 0 ? before : file;
      j->lines[i] = (struct generated_line) { line.address, line.line, before };
      p = zero + 1;
    }
  if (end - p >= ALIGNMENT) /* an entry has another size than it seems to have */
    return wrong;
  j->nlines = head.n;
  j->lines_of = head.start;
  *memory = array_sort_by_number (j->lines, j->nlines, sizeof *j->lines,
                                  offsetof (struct generated_line, address));
  return NULL;
}

static const char *
take_load (struct jitdump *j, const struct record *r, uint64_t time, const struct code_sink *sink,
           bool *room)
{
  static char name[GENERATED_NAME_MOST + 1];
  struct load load;
  const uint64_t at = j->text.offset + sizeof *r + sizeof load;
  if (r->bytes < sizeof *r + sizeof load
      || !read_at (j, &load, sizeof load, j->text.offset + sizeof *r)
      || !generated_is_possible (load.start, load.size))
    return "expected code with its address and size";
  size_t n = r->bytes - sizeof *r - sizeof load;
  n = n < GENERATED_NAME_MOST ? n : GENERATED_NAME_MOST;
  if (!read_at (j, name, n, at))
    return "expected the name of the code";
  name[n] = '\0';
  struct generated_code code = { .start = load.start,
                                 .size = load.size,
                                 .time = j->other_clock ? time : r->time,
                                 .name = name,
                                 .name_bytes = strlen (name),
                                 .lines = j->lines,
                                 .nlines = j->lines_of == load.start ? j->nlines : 0 };
  if (code.name_bytes == 0 || (code.name_bytes == n && n < GENERATED_NAME_MOST))
    return "expected the name of the code";
  if (r->bytes - sizeof *r - sizeof load - code.name_bytes > load.size)
    code.bytes_at = at + code.name_bytes + 1;
  j->text.codes++;
  *room = sink->take (sink->to, &code);
  forget_lines (j);
  return NULL;
}

static const char *
take_move (struct jitdump *j, const struct record *r, uint64_t time, const struct code_sink *sink,
           bool *room)
{
  struct move move;
  if (r->bytes < sizeof *r + sizeof move
      || !read_at (j, &move, sizeof move, j->text.offset + sizeof *r)
      || !generated_is_possible (move.start, move.size)
      || !generated_is_possible (move.from, move.size))
    return "expected moved code with its addresses and size";
  const struct generated_code code = { .start = move.start,
                                       .size = move.size,
                                       .time = j->other_clock ? time : r->time,
                                       .from = move.from,
                                       .name = "" };
  j->text.codes++;
  *room = sink->take (sink->to, &code);
  return NULL;
}

/* A record that is there completely. */
static bool
take_record (struct jitdump *j, const struct record *r, uint64_t time, const struct code_sink *sink)
{
  bool room = true;
  const char *wrong = NULL;
  if (r->id == LOAD)
    wrong = take_load (j, r, time, sink, &room);
  else if (r->id == MOVE)
    wrong = take_move (j, r, time, sink, &room);
  else if (r->id == LINES)
    wrong = take_lines (j, r, &room);
  if (wrong)
    code_text_blame (&j->text, j->text.offset, wrong);
  j->text.offset += r->bytes;
  j->text.ended |= r->id == CLOSE;
  return room;
}

bool
jitdump_read (struct jitdump *j, uint64_t time, bool last, const struct code_sink *sink)
{
  struct record r;
  bool ok = true;
  char byte;
  if (!j->text.ended && !j->has_header && !read_header (j, last))
    return true;
  while (ok && !j->text.ended && read_at (j, &r, sizeof r, j->text.offset))
    {
      if (r.bytes < sizeof r)
        give_up (j, "expected a record with its size");
      else if (!read_at (j, &byte, 1, j->text.offset + r.bytes - 1))
        break;
      else
        ok = take_record (j, &r, time, sink);
    }
  if (ok && last && !j->text.ended && read_at (j, &byte, 1, j->text.offset))
    give_up (j, "expected a whole record");
  return ok;
}

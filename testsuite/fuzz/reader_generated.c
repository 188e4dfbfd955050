/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes the readers of generated code: of the perf map, the jitdump, and the chunk of gmon.out.bbs
   that has it.  The first two read half of the input, as if the process had not written more yet,
   then the rest. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/generated/codes_pack.h"
#include "collect/generated/jitdump.h"
#include "collect/generated/perf_map.h"
#include "include/bbprof-samples.h"
#include "testsuite/fuzz/reader.h"

#define FILE_NAME "input"

static bool
take (void *to, const struct generated_code *c)
{
  uint64_t *codes = to;
  ++*codes;
  if (!generated_is_possible (c->start, c->size) || strlen (c->name) > GENERATED_NAME_MOST
      || strlen (c->name) != c->name_bytes)
    abort ();
  for (size_t i = 0; i < c->nlines; i++)
    if (c->lines[i].address >= GENERATED_ADDRESS_MOST || strlen (c->lines[i].file) > 16 << 20
        || (i > 0 && c->lines[i].address < c->lines[i - 1].address))
      abort ();
  return true;
}

static void
check (const struct code_text *t, uint64_t codes)
{
  if (t->codes != codes || (t->bad > 0) != (t->why != NULL) || t->bad_at > t->offset)
    abort ();
}

static void
read_map (const uint8_t *data, size_t size)
{
  uint64_t codes = 0;
  const struct code_sink sink = { take, &codes };
  struct code_text text = { .fd = open (FILE_NAME, O_RDONLY) };
  reader_put (FILE_NAME, data, size / 2);
  perf_map_read (&text, 1, false, &sink);
  reader_put (FILE_NAME, data, size);
  perf_map_read (&text, 2, true, &sink);
  check (&text, codes);
  close (text.fd);
}

static void
read_jitdump (const uint8_t *data, size_t size)
{
  uint64_t codes = 0;
  const struct code_sink sink = { take, &codes };
  struct jitdump j = { .text = { .fd = open (FILE_NAME, O_RDONLY) } };
  reader_put (FILE_NAME, data, size / 2);
  jitdump_read (&j, 1, false, &sink);
  reader_put (FILE_NAME, data, size);
  if (!jitdump_read (&j, 2, true, &sink))
    abort ();
  check (&j.text, codes);
  close (j.text.fd);
  jitdump_free (&j);
}

/* The input as the lists of the chunk, which are packed first: hardly any other frame is one. */
static void
read_packed (const uint8_t *data, size_t size)
{
  static struct packer packer;
  struct bbs_codes head = { .n = 3 };
  const size_t numbers = size * 3 / 4;
  struct bytes lists[CODES_LISTS] = { { (unsigned char *) data, numbers, numbers },
                                      { (unsigned char *) data + numbers, size - numbers, size } };
  struct bytes packed = { .data = NULL };
  struct codes_reading r;
  struct generated_code code;
  uint64_t codes = 0;
  head.bytes = lists_bytes (lists, CODES_LISTS);
  if ((!packer.zstd && !packer_begin (&packer)) || !bytes_reserve (&packed, sizeof head))
    abort ();
  bytes_put (&packed, &head, sizeof head);
  bool good = pack_lists (&packer, lists, CODES_LISTS, &packed)
              && codes_open (&r, packed.data, packed.size);
  if (!good)
    abort ();
  while (codes_next (&r, &code, &good))
    take (&codes, &code);
  if (codes > head.n || (good && codes < head.n))
    abort ();
  codes_close (&r);
  bytes_free (&packed);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  reader_put (FILE_NAME, data, 0);
  read_map (data, size);
  read_jitdump (data, size);
  read_packed (data, size);
  return 0;
}

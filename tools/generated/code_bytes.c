/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/generated/jitdump.h"
#include "collect/streams/samples_read.h"
#include "tools/generated/code_bytes.h"

enum { BYTES_MOST = 1 << 20 }; /* of a piece of code; larger ones get none */

struct source {
  struct kept_codes *codes;
  int fd;
};

static bool
is_meant (const struct kept_code *c, const struct generated_code *code)
{
  return !c->from && c->start == code->start && c->size == code->size
         && strcmp (c->name, code->name) == 0;
}

static void
drop (struct kept_code *c)
{
  free (c->bytes);
  c->bytes = NULL;
  c->several = true;
}

/* Takes over BYTES. */
static void
give (struct kept_code *c, unsigned char *bytes)
{
  if (!c->bytes && !c->several)
    {
      c->bytes = bytes;
      return;
    }
  if (c->bytes && memcmp (c->bytes, bytes, c->size) != 0)
    drop (c);
  free (bytes);
}

static bool
take (void *to, const struct generated_code *code)
{
  const struct source *r = to;
  for (size_t i = 0; i < r->codes->n; i++)
    {
      struct kept_code *c = &r->codes->codes[i];
      if (code->from || !code->bytes_at || code->size > BYTES_MOST || !is_meant (c, code))
        continue;
      unsigned char *bytes = malloc (code->size);
      if (!bytes)
        return false;
      if (pread (r->fd, bytes, code->size, (off_t) code->bytes_at) == (ssize_t) code->size)
        give (c, bytes);
      else
        free (bytes);
    }
  return true;
}

/* Only a file of the own user, or of root, as when it was read first. */
static bool
read_file (struct kept_codes *k, const char *path)
{
  struct jitdump j = { .text.fd = open (path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) };
  struct source source = { k, j.text.fd };
  const struct code_sink sink = { take, &source };
  struct stat st;
  bool ok = true;
  if (j.text.fd < 0)
    return true;
  if (fstat (j.text.fd, &st) == 0 && S_ISREG (st.st_mode)
      && (st.st_uid == getuid () || st.st_uid == 0))
    ok = jitdump_read (&j, 0, true, &sink);
  jitdump_free (&j);
  close (j.text.fd);
  return ok;
}

static bool
is_jitdump (const char *path)
{
  const char *slash = strrchr (path, '/');
  return slash && strncmp (slash, "/jit-", 5) == 0;
}

/* Moved code has the bytes of its origin. */
static bool
copy_moved (struct kept_codes *k)
{
  for (size_t i = 0; i < k->n; i++)
    {
      struct kept_code *c = &k->codes[i];
      if (!c->origin || !c->origin->bytes || c->origin->size != c->size)
        continue;
      c->bytes = malloc (c->size);
      if (!c->bytes)
        return false;
      memcpy (c->bytes, c->origin->bytes, c->size);
    }
  return true;
}

bool
code_bytes_read (struct kept_codes *k, const char *times_name)
{
  struct chunks c;
  struct bbx_chunk chunk = { .type = 0 };
  struct error ignored;
  bool ok = true, more = samples_chunks_open (&c, times_name, &ignored);
  while (ok && more && chunk.type != BBX_TYPE_END && (more = chunks_next (&c, &chunk, &ignored)))
    if (chunk.type == BBS_TYPE_CODE_FILE && c.content.size > sizeof (struct bbs_code_file))
      {
        const char *path = (const char *) c.content.data + sizeof (struct bbs_code_file);
        const size_t n = c.content.size - sizeof (struct bbs_code_file);
        ok = !memchr (path, '\0', n) || !is_jitdump (path) || read_file (k, path);
      }
  chunks_close (&c);
  return ok && copy_moved (k);
}

bool
code_bytes_are_known (const struct kept_codes *k)
{
  for (size_t i = 0; i < k->n; i++)
    if (!k->codes[i].bytes)
      return false;
  return k->n > 0;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "collect/writer/generated_write.h"
#include "common/clock.h"
#include "include/bbprof-samples.h"

void
generated_begin (struct generated_writer *w, pid_t pid, uint64_t started, struct packer *packer,
                 struct trace_out *out)
{
  *w = (struct generated_writer) { .started = started, .packer = packer, .out = out };
  code_files_begin (&w->files, pid, started);
}

/* False: the file has no room, or there is no memory. */
static bool
write_codes (struct generated_writer *w)
{
  w->content.size = 0;
  if (w->codes.n > 0 && codes_pack (&w->codes, w->packer, &w->content))
    trace_out_chunk (w->out, BBS_TYPE_CODES, w->content.data, w->content.size);
  return w->codes.n == 0 && !w->out->error;
}

static bool
take (void *to, const struct generated_code *code)
{
  struct generated_writer *w = to;
  return codes_add (&w->codes, code, w->started)
         && (!codes_are_full (&w->codes) || write_codes (w));
}

static void
write_file (struct generated_writer *w, const struct code_file *file)
{
  const struct code_text *text = &file->jitdump.text;
  const struct bbs_code_file head
      = { .codes = text->codes, .bad = text->bad, .bad_at = text->bad_at };
  const char *why = file->refused ? file->refused : text->why ? text->why : "";
  const size_t path = strlen (file->path) + 1, bytes = strlen (why) + 1;
  w->content.size = 0;
  if (!bytes_reserve (&w->content, sizeof head + path + bytes))
    return;
  bytes_put (&w->content, &head, sizeof head);
  bytes_put (&w->content, file->path, path);
  bytes_put (&w->content, why, bytes);
  trace_out_chunk (w->out, BBS_TYPE_CODE_FILE, w->content.data, w->content.size);
}

void
generated_take (struct generated_writer *w, bool last)
{
  const struct code_sink sink = { take, w };
  if (code_files_read (&w->files, clock_now (), last, &sink))
    write_codes (w);
  for (int i = 0; last && i < CODE_FORMS; i++)
    if (w->files.files[i].open || w->files.files[i].refused)
      write_file (w, &w->files.files[i]);
  if (last)
    {
      code_files_end (&w->files);
      codes_free (&w->codes);
      bytes_free (&w->content);
    }
}

/* SPDX-License-Identifier: MIT */
/* historic=1: the program itself writes bb.out, where no bbprof is installed.  It is byte for
   byte what `bbprof historic' makes of the same profile, for units with historic tables, which
   name functions, files and lines.  Each dump appends a part, as in GCC 2.95, except
   checkpoints; at exit only the last dump does.  One write appends the part; if it fails, the
   file is restored.  Context: cold, lock held. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "include/bbprof-historic.h"
#include "runtime/base/base.h"
#include "runtime/base/sys.h"
#include "runtime/dump/dump.h"
#include "runtime/historic/historic.h"
#include "runtime/historic/zone.h"
#include "runtime/select/select.h"

static struct bbp_out text; /* the part; too large for a stack */
static char path[BBP_PATH_SIZE];

static void
put (void *context, const void *bytes, size_t n)
{
  bbp_out_bytes (context, bytes, n);
}

static const struct bbh_receiver to_text = { put, &text };

static void
put_words (const char *when)
{
  bool any = false;
  for (size_t i = bbp_selectors.n; i-- > 0;)
    if (bbp_choose_functions (i, NULL) == 0)
      {
        bbh_word (&to_text, !any, when, bbp_selectors.list[i].name, bbp_selectors.list[i].file);
        any = true;
      }
  if (any)
    bbh_words_end (&to_text);
}

/* 0 or -errno. */
static int
put_jumps_of (const struct bbp_profile *profile, const char *when, unsigned variant)
{
  struct bbp_counts counts = { 0 };
  int error = bbp_jumps_make (&counts, profile, variant);
  size_t bytes = counts.n * sizeof (struct bbh_jump);
  struct bbh_jump *jumps = bytes ? bbp_pages_map (bytes) : NULL;
  if (!error && bytes && !jumps)
    error = -ENOMEM;
  for (size_t i = 0; jumps && i < counts.n; i++)
    jumps[i] = (struct bbh_jump) { counts.item[i].from, counts.item[i].self, counts.item[i].count };
  if (jumps)
    bbh_jumps (&to_text, when, variant, jumps, counts.n);
  bbp_pages_unmap (jumps, bytes);
  bbp_counts_free (&counts);
  return error;
}

static void
fill_rows (const struct bb *unit, const struct bbx_unit_block *blocks, struct bbh_row *rows)
{
  for (long i = 0; i < unit->ncounts; i++)
    {
      struct bbp_block_name said;
      rows[i] = (struct bbh_row) { .address = blocks[i].address, .count = blocks[i].count };
      if (!blocks[i].address || !bbp_historic_name (unit, i, &said))
        continue;
      rows[i].line = said.line;
      rows[i].function = *said.function ? said.function : NULL;
      rows[i].file = *said.file ? said.file : NULL;
    }
}

static int
put_unit (const struct bb *unit)
{
  size_t n = (size_t) unit->ncounts, of_blocks = n * sizeof (struct bbx_unit_block),
         of_rows = n * sizeof (struct bbh_row);
  struct bbx_unit_block *blocks = n ? bbp_pages_map (of_blocks) : NULL;
  struct bbh_row *rows = n ? bbp_pages_map (of_rows) : NULL;
  bool there = blocks && rows;
  if (there)
    {
      bbp_historic_describe (unit, blocks);
      fill_rows (unit, blocks, rows);
      bbh_unit (&to_text, unit->filename, rows, n);
    }
  bbp_pages_unmap (blocks, blocks ? of_blocks : 0);
  bbp_pages_unmap (rows, rows ? of_rows : 0);
  return there || !n ? 0 : -ENOMEM;
}

/* *OTHERS: some units have no historic tables. */
static int
put_counts (const char *when, bool *others)
{
  int error = 0;
  bbh_counts (&to_text, when);
  for (const struct bb *unit = __bb_head; unit && !error; unit = unit->next)
    if (BBP_IS_EXTENDED (unit))
      *others = true;
    else
      error = put_unit (unit);
  bbh_counts_end (&to_text);
  return error;
}

static int
put_all (const struct bbp_profile *profile, bool *others)
{
  char when[BBH_TIME];
  int error = 0;
  int64_t now = (int64_t) (bbp.described / 1000000000);
  bbh_time (when, now + bbp_zone_offset (now));
  put_words (when);
  for (unsigned variant = 0; variant <= (BBX_JUMPS_HIDECALL | BBX_JUMPS_SHOWRET) && !error;
       variant++)
    error = put_jumps_of (profile, when, variant);
  return error ? error : put_counts (when, others);
}

/* The file to append to, not a device or FIFO; *MADE: it is new.  A descriptor or -errno. */
static long
open_file (bool *made)
{
  const int flags = O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  struct stat st;
  long fd = bbp_open_high (path, flags);
  *made = fd == -ENOENT;
  if (*made)
    fd = bbp_open_high (path, flags | O_CREAT | O_EXCL);
  if (fd >= 0 && (bbp_sys_fstat ((int) fd, &st) != 0 || !S_ISREG (st.st_mode)))
    {
      bbp_sys_close ((int) fd);
      return -EACCES;
    }
  return fd;
}

/* Removes the last DONE bytes of the file, unless another process has appended something. */
static void
remove_part (int fd, uint64_t done)
{
  struct stat st;
  long end = bbp_sys_skip (fd, 0);
  if (done && bbp_sys_fstat (fd, &st) == 0 && st.st_size == end)
    bbp_sys_truncate (fd, (uint64_t) end - done);
}

/* 0 or -errno. */
static int
write_text (int fd)
{
  uint64_t done;
  int error = bbp_out_append (fd, text.memory, text.written, &done);
  if (error)
    remove_part (fd, done);
  return error;
}

static int
append (void)
{
  bool made = false;
  long fd = bbp_rights_lower () ? open_file (&made) : -EPERM;
  bbp_rights_restore ();
  if (fd < 0)
    return (int) fd;
  int error = write_text ((int) fd);
  if (error && made && bbp_rights_lower ())
    bbp_sys_unlink (path);
  bbp_rights_restore ();
  bbp_sys_close ((int) fd);
  return error;
}

static void
warn_of_others (void)
{
  static bool said;
  if (!said)
    bbp_message (path, "only units with historic tables are in it and in bbtrace.gz; "
                       "bbprof historic writes all units from gmon.out");
  said = true;
}

void
bbp_historic_write (const struct bbp_profile *profile)
{
  bool others = false;
  text.used = text.written = 0;
  text.error = 0;
  bbp_out_open_memory (&text);
  int error = bbp_path_of_start (path, sizeof path, "bb.out") ? put_all (profile, &others)
                                                              : -ENAMETOOLONG;
  if (!bbp_out_close_memory (&text) && !error)
    error = -text.error;
  if (!error)
    error = append ();
  if (error)
    bbp_message_unwritten (path, strerrordesc_np (-error));
  else if (others)
    warn_of_others ();
  bbp_pages_unmap (text.memory, text.memory_bytes);
  text.memory = NULL;
  text.memory_bytes = 0;
}

/* SPDX-License-Identifier: MIT */
/* What the shims for MPI call (bbprof-ranks.h).  Context: cold, the
   program's. */
#include <errno.h>
#include <string.h>

#include "include/bbprof-control.h"
#include "include/bbprof-ranks.h"
#include "include/bbprof.h"
#include "runtime/base/base.h"
#include "runtime/base/options.h"
#include "runtime/observe/observe.h"
#include "runtime/process/process.h"
#include "runtime/ranks/rank.h"

extern const struct bbm_library bbp_ranks_library __attribute__ ((visibility ("hidden")));

#define TEXT(word) TEXT_OF (word)
#define TEXT_OF(word) #word
__asm__(".pushsection .note.bbprof, \"a\", @note\n"
        "\t.balign 4\n"
        "\t.long 2f - 1f, 4, " TEXT (BBM_NOTE_TYPE) "\n"
                                                    "1:\t.asciz \"" BBC_NOTE_NAME "\"\n"
                                                    "2:\t.balign 4\n"
                                                    "\t.long bbp_ranks_library - .\n"
                                                    "\t.popsection");

static int
begin (unsigned rank, unsigned size)
{
  bbp_sigset old = bbp_lock ();
  bool runs = bbp.started && !bbp.finished;
  if (runs)
    bbp_ranks_set (rank, size);
  if (runs && size > 1)
    bbp_path_of_rank (rank);
  bbp_unlock (old);
  if (!runs)
    return -EINVAL;
  return size > 1 && strcmp (bbp_options.sum, "none") != 0;
}

static unsigned
call (enum bbm_call number, const void *site, uint64_t nanoseconds, uint64_t bytes)
{
  bbp_mpi_call_put (number, nanoseconds);
  return bbp_ranks_call (number, site, nanoseconds, bytes);
}

/* Both names are those of the last dump, so the process must not be a forked child. */
static void
name_files (struct bbm_files *files)
{
  struct bbp_text part = { .buffer = files->part, .size = sizeof files->part },
                  command = { .buffer = files->command, .size = sizeof files->command };
  bbp_text_string (&part, bbp_dump_name ());
  bbp_text_string (&command, bbp_options.command);
  if (!bbp_path_of_sum (files->sum, sizeof files->sum))
    files->sum[0] = '\0';
  files->keeps_parts = bbp_options.keep_ranks;
}

static int
end (struct bbm_files *files)
{
  int error = bbp_own_process () ? bbprof_dump () : -EINVAL;
  if (error)
    return error;
  bbp_dump_at_end (false);
  name_files (files);
  return 0;
}

const struct bbm_library bbp_ranks_library = {
  .begin = begin,
  .call = call,
  .judge = bbp_ranks_judge,
  .leave_unjudged = bbp_ranks_leave_unjudged,
  .dump = bbprof_dump,
  .end = end,
  .complain = bbp_message,
};

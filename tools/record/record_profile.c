/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds out what the run left: whether it wrote a profile, and a summary of it in one line. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/outside/output_name.h"
#include "common/header.h"
#include "common/visible.h"
#include "include/bbprof-samples.h"
#include "model/files/bbx_read.h"
#include "recover/recover.h"
#include "tools/record/record.h"
#include "tools/view/plural.h"

/* The run id of PROFILE; 0: no such file, or not a profile. */
static uint64_t
run_of (const char *profile)
{
  char header[GMON_RUN_OFFSET + sizeof (uint64_t)];
  uint64_t number = 0;
  FILE *in = fopen (profile, "re");
  if (in && fread (header, sizeof header, 1, in) == 1 && memcmp (header, "gmon", 4) == 0)
    memcpy (&number, header + GMON_RUN_OFFSET, sizeof number);
  if (in)
    fclose (in);
  return number;
}

/* The files that are named OUTPUT followed by PATTERN. */
static bool
find (glob_t *found, const char *output, const char *pattern)
{
  char *quoted = malloc (2 * strlen (output) + strlen (pattern) + 1), *p = quoted;
  if (!quoted)
    return false;
  for (; *output; *p++ = *output++)
    if (strchr ("*?[\\", *output))
      *p++ = '\\';
  strcpy (p, pattern);
  bool any = glob (quoted, 0, NULL, found) == 0;
  free (quoted);
  return any;
}

/* Recovers profiles of processes that counted in live files and were killed, or that lost their
   system calls unnoticed. */
static void
recover_all (const struct record_run *run)
{
  glob_t found;
  if (!find (&found, run->output, ".*live"))
    return;
  for (size_t i = 0; i < found.gl_pathc; i++)
    {
      struct recovered recovered;
      struct error err;
      if (recover_file (found.gl_pathv[i], NULL, &recovered, &err) == RECOVERY_FAILED)
        error_print ("bbprof record", &err);
    }
  globfree (&found);
}

/* Can a file be created beside NAME?  It is tried, because a file system may refuse what
   permissions allow. */
static bool
can_make_beside (const char *name, struct error *err)
{
  char *trial;
  if (asprintf (&trial, "%s.%ld.tmp", name, (long) getpid ()) < 0)
    return error_no_memory (err);
  int fd = open (trial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600), error = errno;
  if (fd >= 0)
    {
      unlink (trial);
      close (fd);
    }
  free (trial);
  return fd >= 0
         || error_set (err, name, ERROR_NO_OFFSET,
                       "cannot create a file there: %s; nothing was run", strerror (error));
}

/* Can a file be created or replaced as NAME? */
static bool
check_output (const char *name, struct error *err)
{
  struct stat st;
  const char *slash = strrchr (name, '/');
  char *folder = slash ? strndup (name, (size_t) (slash + 1 - name)) : strdup (".");
  if (!folder)
    return error_no_memory (err);
  bool ok = access (folder, W_OK | X_OK) == 0
            || error_set (err, name, ERROR_NO_OFFSET,
                          "cannot write to its folder: %s; nothing was run", strerror (errno));
  free (folder);
  if (!ok || lstat (name, &st) != 0)
    return ok && can_make_beside (name, err);
  if (!S_ISREG (st.st_mode))
    return error_set (err, name, ERROR_NO_OFFSET,
                      "exists and is not a regular file; nothing was run");
  if (!(st.st_mode & 0222))
    return error_set (err, name, ERROR_NO_OFFSET, "exists and is write-protected; nothing was run");
  return can_make_beside (name, err);
}

bool
record_expand_output (struct record_options *o, const char *executed, const char *name,
                      struct error *err)
{
  const char *slash = strrchr (name, '/');
  const char *output = output_name (o->output, executed, slash ? slash + 1 : name, err);
  o->output = output ? output : o->output;
  return output;
}

bool
record_check_outputs (const struct record_options *o, struct error *err)
{
  return check_output (o->output, err) && (!o->raw || check_output (o->raw, err))
         && (!o->page || check_output (o->page, err));
}

/* Why a process that could have written a profile did not. */
static bool
explain (const struct record_run *run, struct error *err)
{
  if (WIFSIGNALED (run->status) && WTERMSIG (run->status) == SIGKILL && !run->options->live)
    return error_set (err, run->output, ERROR_NO_OFFSET,
                      "no profile: the program was killed (--live keeps its counts)");
  return error_set (err, run->output, ERROR_NO_OFFSET,
                    "no profile: the file could not be written, or the process ran no program that "
                    "can be sampled");
}

bool
record_secure (const struct record_run *run, struct error *err)
{
  struct bbx sidecar;
  recover_all (run);
  uint64_t number = run_of (run->output);
  bbx_read (&sidecar, run->output, number, 0);
  bool ours = number && sidecar.nprocesses == 1
              && sidecar.processes->fixed.pid == (uint32_t) run->pid
              && (int64_t) sidecar.processes->fixed.started >= run->started;
  bbx_free (&sidecar);
  return ours || explain (run, err);
}

void
record_clear_times (const char *profile)
{
  struct bbx_header header;
  char *name;
  if (asprintf (&name, "%s.bbs", profile) < 0)
    return;
  FILE *in = fopen (name, "re");
  if (in && fread (&header, sizeof header, 1, in) == 1
      && memcmp (header.magic, BBS_FILE_MAGIC, sizeof header.magic) == 0
      && header.run != run_of (profile))
    unlink (name);
  if (in)
    fclose (in);
  free (name);
}

void
record_tell_line (const char *text)
{
  static const char name[] = "bbprof record: ";
  if (isatty (STDERR_FILENO))
    header_wrap (stderr, name, sizeof name - 1, HEADER_WIDTH, text);
  else
    fprintf (stderr, "%s%s\n", name, text);
}

size_t
record_visit_others (const struct record_run *run, void (*visit) (const char *profile))
{
  glob_t found;
  size_t n = 0;
  if (!run->options->children || !find (&found, run->output, ".[0-9]*"))
    return 0;
  for (size_t i = 0; i < found.gl_pathc; i++)
    {
      const char *name = found.gl_pathv[i];
      if (bbx_is_name (name) || !run_of (name) || !record_is_since (name, run))
        continue;
      n++;
      if (visit)
        visit (name);
    }
  globfree (&found);
  return n;
}

struct sums {
  uint64_t samples;     /* as the report counts them: a late one stands for several */
  uint64_t nanoseconds; /* of the sampled time; 0: unknown */
  size_t threads;
  bool wall;
};

/* Marks the threads of X that have samples, in X's order; null: no memory. */
static bool *
find_sampled (const struct bbx *x)
{
  const struct bbx_stacks *s = &x->stacks;
  uint32_t *root = calloc (s->nnodes + 1, sizeof *root); /* of each node: the node of its thread */
  bool *sampled = calloc (s->nthreads + 1, sizeof *sampled);
  for (size_t i = 0; root && sampled && i < s->nnodes; i++)
    {
      root[i] = s->nodes[i].parent ? root[s->nodes[i].parent - 1] : (uint32_t) i;
      for (size_t k = 0; s->nodes[i].ticks && k < s->nthreads; k++)
        sampled[k] |= s->threads[k].number == s->nodes[root[i]].address;
    }
  free (root);
  return sampled;
}

/* The time for which thread I was sampled.  In a sum of runs the threads' starts are unknown. */
static uint64_t
time_of_thread (const struct bbx *x, size_t i, bool wall)
{
  const struct bbx_thread *thread = &x->stacks.threads[i];
  if (!wall)
    return thread->cpu;
  return x->nprocesses == 1
             ? (thread->ended ? thread->ended : x->processes->fixed.wall) - thread->begun
             : 0;
}

/* Number and time of the sampled threads, if only some were chosen, or if each has its own
   clock. */
static void
add_threads (struct sums *sums, const struct bbx *x, bool chosen)
{
  bool *sampled = chosen ? find_sampled (x) : NULL;
  sums->threads = sums->nanoseconds = 0;
  for (size_t i = 0; i < x->stacks.nthreads; i++)
    if (!sampled || sampled[i])
      {
        sums->threads++;
        sums->nanoseconds += time_of_thread (x, i, sums->wall);
      }
  free (sampled);
}

static struct sums
add_up (const struct bbx *sidecar, bool chosen)
{
  struct sums sums = { .threads = sidecar->stacks.nthreads };
  for (size_t i = 0; i < sidecar->stacks.nsamplings; i++)
    {
      const struct bbx_sampling *sampling = &sidecar->stacks.samplings[i];
      sums.wall = sampling->clock;
      sums.samples += sampling->ticks;
      sums.nanoseconds += sampling->cpu;
    }
  for (size_t i = 0; sidecar->stacks.nsamplings == 0 && i < sidecar->nprocesses; i++)
    {
      sums.samples += sidecar->processes[i].fixed.samples;
      sums.nanoseconds += sidecar->processes[i].fixed.cpu;
    }
  if (sums.wall || chosen)
    add_threads (&sums, sidecar, chosen);
  return sums;
}

/* True if PROGRAM (may be null) is valgrind's starter. */
static bool
starts_valgrind (const char *program)
{
  const char *slash = program ? strrchr (program, '/') : NULL;
  const char *name = slash ? slash + 1 : program;
  return name && (strcmp (name, "valgrind") == 0 || strcmp (name, "valgrind.bin") == 0);
}

/* The starter is sampled until it starts the tool: about a millisecond, mostly without a tick. */
static bool
under_valgrind (const struct record_run *run, const struct bbx *sidecar)
{
  return starts_valgrind (run->file)
         || (sidecar->nprocesses && starts_valgrind (sidecar->processes[0].program));
}

/* A reason why there are no samples. */
static const char *
hint (const struct record_run *run, const struct sums *sums)
{
  enum { LITTLE = 50000000 }; /* nanoseconds */
  if (run->options->threads)
    return " of the chosen threads";
  return sums->wall || sums->nanoseconds > LITTLE
             ? ""
             : " (little CPU time: try --repeat, --clock=wall)";
}

static void
tell_samples (FILE *out, const struct record_run *run, const struct bbx *sidecar,
              const struct sums *sums)
{
  fprintf (out, "%" PRIu64 " sample%s", sums->samples, plural (sums->samples));
  if (under_valgrind (run, sidecar))
    {
      fputs (" (programs under valgrind cannot be sampled)", out);
      return;
    }
  if (sums->samples == 0)
    {
      fputs (hint (run, sums), out);
      return;
    }
  if (sums->threads > 1)
    fprintf (out, " of %zu threads", sums->threads);
  if (sums->nanoseconds > 0)
    fprintf (out, ", %.0f a second of %s",
             (double) sums->samples * 1e9 / (double) sums->nanoseconds,
             sums->wall ? "each thread" : "CPU time");
}

/* The profiler's own cost is left out on purpose and is not a loss. */
static void
tell_losses (FILE *out, const struct bbx *sidecar)
{
  const char *before = "; lost: ";
  for (size_t i = 0; i < sidecar->nlosses; i++)
    if (sidecar->losses[i].count && strcmp (sidecar->losses[i].cause, BBX_LOST_OWN) != 0)
      {
        fputs (before, out);
        plural_print (out, sidecar->losses[i].count, visible (sidecar->losses[i].cause));
        before = ", ";
      }
}

/* If the profile is of another program than the started one: of one that the process executed
   later, or of the script's interpreter.  With --children, programs behind exec have files of
   their own. */
static void
tell_program (FILE *out, const struct record_run *run, const struct bbx *sidecar)
{
  char *path = realpath (run->file, NULL);
  const char *program = sidecar->nprocesses ? sidecar->processes[0].program : NULL;
  if (path && program && strcmp (path, program) != 0)
    fprintf (out, "; of %s, which %s", visible (program),
             run->options->children ? "runs the script" : "the process ran last");
  free (path);
}

static void
tell (FILE *out, const struct record_run *run, const char *output, unsigned long runs)
{
  struct bbx sidecar;
  bbx_read (&sidecar, output, run_of (output), 0);
  struct sums sums = add_up (&sidecar, run->options->threads);
  tell_samples (out, run, &sidecar, &sums);
  if (runs > 1)
    fprintf (out, ", %lu runs", runs);
  if (run->options->sum && sidecar.nprocesses > 1)
    fprintf (out, ", %zu ranks", sidecar.nprocesses);
  if (run->with_counts)
    fputs (", with the counts that the process made meanwhile", out);
  fprintf (out, ": %s", visible (output));
  if (run->overwritten)
    fputs (" (the process will replace it by its own profile: copy it, or use -o)", out);
  if (run->has_old)
    fprintf (out, " (previous one: %s.old)", visible (output));
  size_t others = record_visit_others (run, NULL);
  if (others)
    fprintf (out, " and %zu more: %s.*", others, visible (output));
  tell_program (out, run, &sidecar);
  if (run->options->timeline)
    {
      if (WIFSIGNALED (run->status))
        record_secure_timeline (run);
      fputs ("; ", out);
      record_tell_timeline (out, run);
    }
  if (run->own_share > 0)
    fprintf (out, "; sampling took %.1f %% of a processor", 100 * run->own_share);
  tell_losses (out, &sidecar);
  bbx_free (&sidecar);
}

void
record_tell (const struct record_run *run, const char *output, unsigned long runs)
{
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream (&text, &size);
  if (out)
    tell (out, run, output, runs);
  if (out && fclose (out) == 0)
    record_tell_line (text);
  free (text);
}

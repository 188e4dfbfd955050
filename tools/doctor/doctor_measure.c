/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples the doctor's own program with `bbprof record', and compares the result with the
   program's own measurements. */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collect/streams/samples_read.h"
#include "model/files/bbx_read.h"
#include "model/files/gmon_read.h"
#include "tools/doctor/doctor.h"
#include "tools/doctor/doctor_file.h"

/* Smaller differences are not reported as a bias, even if they are significant. */
static const double small_difference = 0.01, least_p = 0.001;

/* Files of one trial, in a temporary folder. */
struct place {
  char folder[256], profile[288], sidecar[300], times[300], said[288], complaint[288];
};

static bool
make_place (struct place *p, struct error *err)
{
  const char *parent = getenv ("TMPDIR");
  int n = snprintf (p->folder, sizeof p->folder, "%s/bbprof-doctor.XXXXXX",
                    parent && *parent ? parent : "/tmp");
  if (n >= (int) sizeof p->folder || !mkdtemp (p->folder))
    return error_set (err, NULL, ERROR_NO_OFFSET, "cannot make a folder for temporary files: %s",
                      strerror (errno));
  snprintf (p->profile, sizeof p->profile, "%s/gmon.out", p->folder);
  snprintf (p->sidecar, sizeof p->sidecar, "%s.bbx", p->profile);
  snprintf (p->times, sizeof p->times, "%s.bbs", p->profile);
  snprintf (p->said, sizeof p->said, "%s/said", p->folder);
  snprintf (p->complaint, sizeof p->complaint, "%s/complaint", p->folder);
  return true;
}

static void
remove_place (const struct place *p)
{
  const char *const files[] = { p->profile, p->sidecar, p->times, p->said, p->complaint };
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    unlink (files[i]);
  rmdir (p->folder);
}

extern char **environ;

/* Runs ARGV to its end with its output in files. */
static bool
run (char **argv, const struct place *p, struct error *err)
{
  posix_spawn_file_actions_t actions;
  pid_t child;
  int status = -1;
  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_addopen (&actions, STDOUT_FILENO, p->said, O_WRONLY | O_CREAT | O_TRUNC,
                                    0600);
  posix_spawn_file_actions_addopen (&actions, STDERR_FILENO, p->complaint,
                                    O_WRONLY | O_CREAT | O_TRUNC, 0600);
  int error = posix_spawn (&child, argv[0], &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy (&actions);
  if (error)
    return error_set (err, NULL, ERROR_NO_OFFSET, "cannot run bbprof itself: %s", strerror (error));
  while (waitpid (child, &status, 0) < 0 && errno == EINTR)
    ;
  return true;
}

static bool
record (const struct doctor_trial *t, double seconds, const struct place *p, struct error *err)
{
  char self[4096], rate[16], length[32];
  ssize_t n = readlink ("/proc/self/exe", self, sizeof self - 1);
  if (n < 0)
    return error_set (err, NULL, ERROR_NO_OFFSET, "cannot find bbprof itself: %s",
                      strerror (errno));
  self[n] = '\0';
  snprintf (rate, sizeof rate, "%u", t->rate);
  snprintf (length, sizeof length, "--burn=%g", seconds);
  const char *argv[20]
      = { self, "record",  "--quiet", "--sampler", t->sampler, "--clock", t->wall ? "wall" : "cpu",
          "-o", p->profile };
  int argc = 9;
  if (t->rate)
    {
      argv[argc++] = "-F";
      argv[argc++] = rate;
    }
  const char *const rest[] = { "--", self, "doctor", length };
  memcpy (argv + argc, rest, sizeof rest);
  return run ((char **) argv, p, err);
}

/* The kind of work that a stack belongs to: that of its innermost function of the test program. */
static int
work_of (const struct bbx_stacks *s, const struct doctor_burnt burnt[], uint32_t number)
{
  for (; number; number = s->nodes[number - 1].parent)
    for (int i = 0; i < DOCTOR_WORKS; i++)
      {
        const struct bbx_node *node = &s->nodes[number - 1];
        if (bbx_frame_is_code (node->kind) && node->address >= burnt[i].start
            && node->address < burnt[i].end)
          return i;
      }
  return DOCTOR_WORKS;
}

static void
count (struct doctor_result *r, const struct bbx_stacks *s, const struct doctor_burnt burnt[])
{
  for (size_t i = 0; i < s->nnodes; i++)
    {
      int work = s->nodes[i].ticks ? work_of (s, burnt, (uint32_t) i + 1) : DOCTOR_WORKS;
      *(work < DOCTOR_WORKS ? &r->counted[work] : &r->elsewhere) += s->nodes[i].ticks;
    }
  for (size_t i = 0; i < s->nsamplings; i++)
    {
      const struct bbx_sampling *how = &s->samplings[i];
      uint64_t time = how->clock ? how->wall : how->cpu;
      snprintf (r->used, sizeof r->used, "%.16s", how->sampler);
      r->promised = how->rate;
      r->ticks += how->ticks;
      r->samples += how->samples;
      r->cut += how->cut;
      r->achieved = time ? (double) how->ticks * 1e9 / (double) time : 0;
    }
}

/* The probability that the sum of the squares of 2 or 3 independent standard normal deviates is
   at least CHI. */
static double
chance (double chi, int degrees)
{
  return degrees == 2 ? exp (-chi / 2)
                      : erfc (sqrt (chi / 2)) + sqrt (2 * chi / M_PI) * exp (-chi / 2);
}

/* For CPU time, sleep is not compared: falling asleep takes too little time. */
static void
judge (struct doctor_result *r, const struct doctor_burnt burnt[])
{
  int n = r->trial.wall ? DOCTOR_WORKS : DOCTOR_SLEEP;
  double time = 0, ticks = 0, chi = 0;
  for (int i = 0; i < n; i++)
    {
      time += (double) (r->trial.wall ? burnt[i].wall : burnt[i].cpu);
      ticks += (double) r->counted[i];
    }
  if (time == 0 || ticks == 0)
    return;
  for (int i = 0; i < n; i++)
    {
      r->expected[i] = (double) (r->trial.wall ? burnt[i].wall : burnt[i].cpu) / time;
      double difference = (double) r->counted[i] / ticks - r->expected[i];
      r->worst = fmax (r->worst, fabs (difference));
      /* Of samples, not of ticks: a sample that stands for several ticks is one random event. */
      if (r->expected[i] > 0)
        chi += difference * difference / r->expected[i] * ticks
               * fmin (1, (double) r->samples / (double) r->ticks);
    }
  r->p = chance (chi, n - 1);
}

static bool
read_profile (struct doctor_result *r, const struct place *p, const struct doctor_burnt burnt[])
{
  struct gmon_file file;
  struct gmon_shape shape = gmon_shape_unknown ();
  struct error unread;
  struct bbx sidecar = { 0 };
  bool ok = gmon_open (&file, p->profile, &shape, &unread);
  if (ok)
    {
      bbx_read (&sidecar, p->profile, file.run, file.moment);
      count (r, &sidecar.stacks, burnt);
      bbx_free (&sidecar);
    }
  gmon_close (&file);
  return ok;
}

static bool
has_times (const char *profile)
{
  struct chunks c;
  struct error err;
  char *name = samples_file_name (profile);
  bool has = name && samples_chunks_open (&c, name, &err);
  if (name)
    chunks_close (&c);
  free (name);
  return has;
}

bool
doctor_measure (struct doctor_result *r, const struct doctor_trial *trial, double seconds,
                struct error *err)
{
  char said[1024];
  struct place place;
  struct doctor_burnt burnt[DOCTOR_WORKS];
  *r = (struct doctor_result) { .trial = *trial };
  if (!make_place (&place, err))
    return false;
  bool ok = record (trial, seconds, &place, err);
  if (ok)
    {
      r->times = has_times (place.profile);
      doctor_read_file (place.complaint, r->why, sizeof r->why);
      r->why[strcspn (r->why, "\n")] = '\0';
      doctor_read_file (place.said, said, sizeof said);
      if (!doctor_read_burnt (burnt, said) || !read_profile (r, &place, burnt))
        snprintf (r->why, sizeof r->why, "%s", *r->why ? r->why : "no profile was written");
      else
        judge (r, burnt);
    }
  remove_place (&place);
  return ok;
}

bool
doctor_works (const struct doctor_result *r)
{
  return r->used[0]
         && (strcmp (r->trial.sampler, "auto") == 0 || strcmp (r->used, r->trial.sampler) == 0);
}

bool
doctor_is_right (const struct doctor_result *r)
{
  return r->p >= least_p || (r->ticks && r->worst < small_difference);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "include/bbprof-ranks.h"
#include "tools/files/merge_ranks.h"
#include "tools/program/library_file.h"

/* The MPI whose launcher started this process; null: none did. */
static const char *
find_mpi (const char *mpi)
{
  if (strcmp (mpi, "auto") != 0)
    return mpi;
  return getenv ("OMPI_COMM_WORLD_SIZE")              ? "openmpi"
         : getenv ("PMI_SIZE") || getenv ("PMI_RANK") ? "mpich"
                                                      : NULL;
}

static const struct bbm_job *
load (const char *mpi, struct error *err)
{
  const char *library = library_file (err);
  char *shim;
  if (!library)
    return NULL;
  if (asprintf (&shim, "%.*slibbbprof-%s.so", (int) (basename (library) - library), library, mpi)
      < 0)
    return error_no_memory (err), NULL;
  /* for the parts of an MPI that it loads itself */
  void *handle = dlopen (shim, RTLD_NOW | RTLD_GLOBAL);
  const struct bbm_job *job = handle ? dlsym (handle, "bbm_job") : NULL;
  if (!job)
    error_set (err, shim, ERROR_NO_OFFSET, "the shim for this MPI cannot be used: %.200s",
               dlerror ());
  return job; /* the error may name SHIM */
}

bool
merge_ranks_start (struct merge_ranks *r, const char *mpi, struct error *err)
{
  const char *found = find_mpi (mpi);
  if (!found)
    return error_set (err, NULL, ERROR_NO_OFFSET,
                      "--mpi: neither mpirun of OpenMPI nor that of MPICH has started this "
                      "(--mpi=openmpi or --mpi=mpich takes one)");
  r->job = load (found, err);
  return r->job
         && (r->job->start (&r->rank, &r->size)
             || error_set (err, NULL, ERROR_NO_OFFSET, "--mpi: MPI does not start"));
}

char *
merge_ranks_part (struct error *err)
{
  const char *folder = getenv ("TMPDIR");
  char *name;
  if (!folder)
    folder = access ("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
  if (asprintf (&name, "%s/bbprof-part.%ld", folder, (long) getpid ()) >= 0)
    return name;
  error_no_memory (err);
  return NULL;
}

static void
name_files (struct bbm_files *files, const char *part, const char *output)
{
  char folder[PATH_MAX] = "";
  ssize_t n = readlink ("/proc/self/exe", files->command, sizeof files->command - 1);
  files->command[n > 0 ? n : 0] = '\0';
  snprintf (files->part, sizeof files->part, "%s", part);
  if (*output != '/' && !getcwd (folder, sizeof folder))
    folder[0] = '\0';
  if (snprintf (files->sum, sizeof files->sum, "%s%s%s", folder, *folder ? "/" : "", output)
      >= (int) sizeof files->sum)
    files->sum[0] = '\0';
}

static void
remove_part (const char *part)
{
  char sidecar[PATH_MAX];
  unlink (part);
  if (snprintf (sidecar, sizeof sidecar, "%s.bbx", part) < (int) sizeof sidecar)
    unlink (sidecar);
}

bool
merge_ranks_end (struct merge_ranks *r, const char *part, bool has_part, const char *output,
                 struct error *err)
{
  static struct bbm_files files;
  char why[BBM_WHY] = "";
  name_files (&files, part, output);
  if (!has_part)
    snprintf (why, sizeof why, "%s%s%.200s", err->file ? err->file : "", err->file ? ": " : "",
              err->text);
  bool done = r->job->reduce (&files, why);
  remove_part (part);
  r->job->end ();
  return done || error_set (err, NULL, ERROR_NO_OFFSET, "%s", why);
}

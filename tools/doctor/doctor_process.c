/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts about processes: sandbox, container, C library, unwind tables, and bbprof's own parts. */
#include "config.h"

#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/doctor/doctor.h"
#include "tools/doctor/doctor_file.h"
#include "tools/program/library_file.h"

static void
find_sandbox (struct doctor_facts *facts)
{
  static const char *const modes[] = { "none", "strict", "filter" };
  char word[16];
  if (!doctor_read_field ("/proc/self/status", "Seccomp:", word, sizeof word))
    return;
  unsigned mode = (unsigned) atoi (word);
  struct doctor_fact *f = doctor_add (facts, mode ? DOCTOR_POOR : DOCTOR_PLAIN, "seccomp",
                                      "seccomp", "%s", mode < 3 ? modes[mode] : word);
  if (mode)
    snprintf (f->note, sizeof f->note, "some system calls may be forbidden");
}

/* Searches for traces that container tools leave; these prove nothing. */
static void
find_container (struct doctor_facts *facts)
{
  char groups[4096];
  const char *hint = getenv ("container");
  if (access ("/.dockerenv", F_OK) == 0)
    hint = "/.dockerenv";
  else if (access ("/run/.containerenv", F_OK) == 0)
    hint = "/run/.containerenv";
  else if (doctor_read_file ("/proc/1/cgroup", groups, sizeof groups)
           && (strstr (groups, "docker") || strstr (groups, "kubepods") || strstr (groups, "lxc")))
    hint = "/proc/1/cgroup";
  struct doctor_fact *f = doctor_add (facts, DOCTOR_PLAIN, "container", "container", "%s",
                                      hint ? "probably" : "no sign of one");
  if (hint)
    snprintf (f->note, sizeof f->note, "%.60s; perf events are often forbidden there", hint);
}

static void
find_tracing (struct doctor_facts *facts)
{
  char scope[16];
  if (doctor_read_word ("/proc/sys/kernel/yama/ptrace_scope", scope, sizeof scope))
    doctor_add (facts, DOCTOR_PLAIN, "ptrace_scope", "ptrace_scope", "%s (not needed)", scope);
}

/* Records whether libc and the vDSO have unwind tables. */
struct tables {
  bool libc, vdso;
};

static int
look_at_object (struct dl_phdr_info *info, size_t size, void *tables)
{
  struct tables *t = tables;
  (void) size;
  bool has = false;
  for (int i = 0; i < info->dlpi_phnum; i++)
    has |= info->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME;
  t->libc |= has && strstr (info->dlpi_name, "/libc.so");
  t->vdso |= has && strstr (info->dlpi_name, "vdso");
  return 0;
}

static void
find_unwinding (struct doctor_facts *facts)
{
  struct tables tables = { 0 };
  doctor_add (facts, DOCTOR_PLAIN, "glibc", "C library", "glibc %s", gnu_get_libc_version ());
  bool finds = dlsym (RTLD_DEFAULT, "_dl_find_object") != NULL;
  struct doctor_fact *f = doctor_add (facts, finds ? DOCTOR_GOOD : DOCTOR_POOR, "dl_find_object",
                                      "_dl_find_object", "%s", finds ? "yes" : "no");
  if (!finds)
    snprintf (f->note, sizeof f->note,
              "code of libraries is not found from a signal handler: stacks are cut");
  dl_iterate_phdr (look_at_object, &tables);
  f = doctor_add (facts, tables.libc ? DOCTOR_GOOD : DOCTOR_POOR, "libc_unwind_table",
                  "unwind table of libc", "%s", tables.libc ? "yes" : "no");
  if (!tables.libc)
    snprintf (f->note, sizeof f->note, "stacks end where libc is entered");
  doctor_add (facts, tables.vdso ? DOCTOR_GOOD : DOCTOR_POOR, "vdso_unwind_table",
              "unwind table of the vdso", "%s", tables.vdso ? "yes" : "no");
}

void
doctor_find_process (struct doctor_facts *facts)
{
  find_sandbox (facts);
  find_container (facts);
  find_tracing (facts);
  find_unwinding (facts);
}

void
doctor_find_parts (struct doctor_facts *facts, bool times)
{
  struct error why;
  const char *library = library_file (&why);
  struct doctor_fact *f = doctor_add (facts, library ? DOCTOR_GOOD : DOCTOR_POOR, "library",
                                      "run-time library", "%s", library ? "found" : "no");
  snprintf (f->note, sizeof f->note, "%.119s", library ? library : why.text);
  f = doctor_add (facts, times ? DOCTOR_GOOD : DOCTOR_POOR, "writer", "writer of times", "%s",
                  times ? "works" : "no");
  if (!times)
    snprintf (f->note, sizeof f->note,
              "no times of samples, no traces: bbprof-writer cannot be started (BBPROF_WRITER "
              "names another)");
}

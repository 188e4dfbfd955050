/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why a process cannot be sampled, and what would allow it. */
#include "config.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/outside/session.h"

/* The facts from /proc/PID/status and stat. */
struct facts {
  int group; /* the process that the thread belongs to */
  unsigned user;
  char state;
  unsigned long flags;
};

enum { KERNEL_THREAD = 0x200000 }; /* of FLAGS */

static bool
read_facts (pid_t pid, struct facts *f)
{
  char name[40], line[1024];
  *f = (struct facts) { .group = pid };
  snprintf (name, sizeof name, "/proc/%d/status", (int) pid);
  FILE *in = fopen (name, "re");
  if (!in)
    return false;
  while (fgets (line, sizeof line, in))
    if (sscanf (line, "Tgid: %d", &f->group) == 1 || sscanf (line, "Uid: %*u %u", &f->user) == 1)
      continue;
  fclose (in);
  snprintf (name, sizeof name, "/proc/%d/stat", (int) pid);
  in = fopen (name, "re");
  const char *behind = in && fgets (line, sizeof line, in) ? strrchr (line, ')') : NULL;
  if (behind)
    sscanf (behind, ") %c %*d %*d %*d %*d %*d %lu", &f->state, &f->flags);
  if (in)
    fclose (in);
  return behind != NULL;
}

static bool
is_32_bit (pid_t pid)
{
  unsigned char head[EI_NIDENT];
  char name[40];
  snprintf (name, sizeof name, "/proc/%d/exe", (int) pid);
  const int fd = open (name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  const bool good = fd >= 0 && read (fd, head, sizeof head) == sizeof head
                    && memcmp (head, ELFMAG, SELFMAG) == 0 && head[EI_CLASS] == ELFCLASS32;
  if (fd >= 0)
    close (fd);
  return good;
}

bool
refusal_check (pid_t pid, struct error *err)
{
  struct facts f;
  if (!read_facts (pid, &f))
    return error_set (err, NULL, ERROR_NO_OFFSET, "there is no process %d", (int) pid);
  if (f.group != pid)
    return error_set (err, NULL, ERROR_NO_OFFSET,
                      "%d is a thread of process %d; name that (--threads=%d chooses the thread)",
                      (int) pid, f.group, (int) pid);
  if (f.state == 'Z' || f.state == 'X')
    return error_set (err, NULL, ERROR_NO_OFFSET,
                      "process %d has ended already, and waits for its parent (a zombie)",
                      (int) pid);
  if (f.flags & KERNEL_THREAD)
    return error_set (err, NULL, ERROR_NO_OFFSET,
                      "process %d is a thread of the kernel, without a program", (int) pid);
  if (pid == getpid ())
    return error_set (err, NULL, ERROR_NO_OFFSET, "process %d is bbprof itself", (int) pid);
  if (is_32_bit (pid))
    return error_set (err, NULL, ERROR_NO_OFFSET,
                      "process %d runs a 32-bit program; only 64-bit ones can be sampled",
                      (int) pid);
  return true;
}

static int
read_setting (const char *name, int unknown)
{
  int value = unknown;
  FILE *in = fopen (name, "re");
  if (in && fscanf (in, "%d", &value) != 1)
    value = unknown;
  if (in)
    fclose (in);
  return value;
}

static bool
explain_denied (pid_t pid, int error, enum outside_kernel kernel, struct error *err)
{
  struct facts f;
  const int paranoid = read_setting ("/proc/sys/kernel/perf_event_paranoid", 2);
  if (!read_facts (pid, &f))
    return error_set (err, NULL, ERROR_NO_OFFSET, "process %d has ended", (int) pid);
  if (f.user != geteuid () && geteuid () != 0)
    return error_set (err, NULL, ERROR_NO_OFFSET,
                      "process %d belongs to another user (uid %u): run bbprof as that user, or "
                      "as root",
                      (int) pid, f.user);
  if (paranoid > 2)
    return error_set (err, NULL, ERROR_NO_OFFSET,
                      "process %d cannot be sampled: kernel.perf_event_paranoid is %d; allowed by: "
                      "sysctl kernel.perf_event_paranoid=2, the capability CAP_PERFMON, or root",
                      (int) pid, paranoid);
  if (kernel == OUTSIDE_KERNEL_YES && paranoid > 1)
    return error_set (err, NULL, ERROR_NO_OFFSET,
                      "the kernel cannot be sampled: kernel.perf_event_paranoid is %d; allowed by: "
                      "sysctl kernel.perf_event_paranoid=1, the capability CAP_PERFMON, or root",
                      paranoid);
  return error_set (err, NULL, ERROR_NO_OFFSET,
                    "process %d cannot be sampled: %s (it has more rights than this one, or a "
                    "security module or a container's filter forbids perf_event_open)",
                    (int) pid, strerror (error));
}

bool
refusal_explain (pid_t pid, int error, enum outside_kernel kernel, struct error *err)
{
  struct rlimit limit = { 0 };
  switch (error)
    {
    case EACCES:
    case EPERM: return explain_denied (pid, error, kernel, err);
    case ESRCH:
    case ENOENT: return error_set (err, NULL, ERROR_NO_OFFSET, "process %d has ended", (int) pid);
    case EMFILE:
      getrlimit (RLIMIT_NOFILE, &limit);
      return error_set (err, NULL, ERROR_NO_OFFSET,
                        "process %d has too many threads: each needs a descriptor for each "
                        "processor, and %lu are allowed (ulimit -Hn)",
                        (int) pid, (unsigned long) limit.rlim_max);
    case ENOSYS:
      return error_set (err, NULL, ERROR_NO_OFFSET,
                        "this kernel has no perf_event_open, which samples from outside");
    default:
      return error_set (err, NULL, ERROR_NO_OFFSET, "process %d cannot be sampled: %s", (int) pid,
                        strerror (error));
    }
}

void
refusal_explain_memory (pid_t pid, uint64_t n, int scope, struct error *why)
{
  static const char *const cures[] = {
    "a security module or a container's filter forbids process_vm_readv",
    "kernel.yama.ptrace_scope is 1; allowed by: sysctl kernel.yama.ptrace_scope=0, the capability "
    "CAP_SYS_PTRACE, or root",
    "kernel.yama.ptrace_scope is 2; allowed by: the capability CAP_SYS_PTRACE, or root",
    "kernel.yama.ptrace_scope is 3, which forbids it until the next boot",
  };
  error_set (why, NULL, ERROR_NO_OFFSET,
             "%" PRIu64 " stacks are cut, because the memory of process %d may not be read (%s)", n,
             (int) pid, cures[scope >= 0 && scope <= 3 ? scope : 0]);
}

bool
outside_is_cut (const struct process *p, struct error *why)
{
  if (!p->closed || p->cut == 0)
    return false;
  refusal_explain_memory (p->pid, p->cut, read_setting ("/proc/sys/kernel/yama/ptrace_scope", 0),
                          why);
  return true;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives up system calls in the way that argv[1] names, by prctl, or by syscall if argv[2] is
   "number", or both in a child that is made behind fork's back if it is "clone"; calls f 10 times
   before and 5 times after, and functions that have not run before.  Whatever is not allowed then
   ends the program. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define NOIPA __attribute__ ((noipa))

#define LOAD(field) BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, field))
#define ON(number, verdict) BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), ELSE (verdict)
#define ELSE(verdict) BPF_STMT (BPF_RET | BPF_K, verdict)
#define HEAD                                                                  \
  LOAD (arch), BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0), \
      ELSE (SECCOMP_RET_KILL_PROCESS), LOAD (nr)
#define ALLOW SECCOMP_RET_ALLOW
#define KILL SECCOMP_RET_KILL_PROCESS

/* Nothing that a profiler needs. */
static struct sock_filter harmless[]
    = { HEAD, ON (SYS_socket, KILL), ON (SYS_ptrace, SECCOMP_RET_ERRNO | EPERM), ELSE (ALLOW) };

/* No executable memory may be mapped; memory to read and write may. */
static struct sock_filter no_new_code[] = {
  HEAD, BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 3), LOAD (args[2]),
  BPF_JUMP (BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1), ELSE (KILL), ELSE (ALLOW)
};

static struct sock_filter no_files[]
    = { HEAD, ON (SYS_openat, KILL), ON (SYS_renameat2, KILL), ELSE (ALLOW) };

/* A new file can take the place of an old one, which cannot be removed. */
static struct sock_filter no_removal[]
    = { HEAD, ON (SYS_unlink, KILL), ON (SYS_unlinkat, KILL), ELSE (ALLOW) };

static struct sock_filter no_signals[] = {
  HEAD, ON (SYS_rt_sigaction, KILL), ON (SYS_rt_sigreturn, KILL), ON (SYS_rt_tgsigqueueinfo, KILL),
  ON (SYS_rt_sigprocmask, KILL), ON (SYS_rt_sigtimedwait, KILL), ELSE (ALLOW)
};

/* Almost nothing. */
static struct sock_filter only_output[] = { HEAD,
                                            ON (SYS_exit_group, ALLOW),
                                            ON (SYS_clock_gettime, ALLOW),
                                            BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 1, 0),
                                            ELSE (KILL),
                                            LOAD (args[0]),
                                            ON (1, ALLOW),
                                            ELSE (KILL) };

/* Not closed: the kernel refuses it. */
static struct sock_filter wrong[] = { HEAD, LOAD (args[0]) };

NOIPA void f (void);
NOIPA void
f (void)
{
  __asm__ volatile ("");
}

#define NEW(n) NOIPA void new##n (void); NOIPA void new##n (void) { f (); }
NEW (0) NEW (1) NEW (2) NEW (3) NEW (4)

NOIPA static void
burn (void)
{
  clock_t end = clock () + CLOCKS_PER_SEC / 50;
  while (clock () < end)
    for (volatile int i = 0; i < 10000; i++)
      ;
}

static const struct {
  const char *name;
  struct sock_filter *code;
  size_t length;
} ways[] = {
#define WAY(name) { #name, name, sizeof name / sizeof *name }
  WAY (harmless),   WAY (no_new_code), WAY (no_files),
  WAY (no_removal), WAY (no_signals),  WAY (only_output), WAY (wrong),
};

static long
install (const char *name, int by_number)
{
  struct sock_fprog program = { 0, NULL };
  if (!strcmp (name, "strict"))
    return by_number ? syscall (SYS_seccomp, SECCOMP_SET_MODE_STRICT, 0, NULL)
                     : prctl (PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
    if (!strcmp (name, ways[i].name))
      program = (struct sock_fprog) { (unsigned short) ways[i].length, ways[i].code };
  const void *argument = !strcmp (name, "null")      ? NULL
                         : !strcmp (name, "nowhere") ? (void *) 8
                                                     : &program;
  return by_number ? syscall (SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, argument)
                   : prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, argument);
}

int
main (int argc, char **argv)
{
  for (int i = 0; i < 10; i++)
    f ();
  burn ();
  if (strcmp (argv[1], "unprivileged") != 0)
    prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (argc > 2 && !strcmp (argv[2], "clone")
      && syscall (SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL) != 0)
    {
      int status;
      wait (&status);
      printf ("%x\n", status);
      return 42;
    }
  const char *way = strcmp (argv[1], "unprivileged") ? argv[1] : "only_output";
  errno = 0;
  if (install (way, argc > 2) != 0)
    printf ("refused: %d\n", errno);
  new0 (), new1 (), new2 (), new3 (), new4 ();
  burn ();
  puts ("output");
  fflush (stdout);
  if (!strcmp (way, "no_files"))
    raise (SIGTERM);
  if (!strcmp (way, "strict"))
    syscall (SYS_exit, 42);
  return 42;
}

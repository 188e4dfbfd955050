/* SPDX-License-Identifier: GPL-3.0-or-later */
/* refused PROGRAM ARGUMENT...: runs it where the kernel refuses perf events, as it does for users
   with perf_event_paranoid at 3; or another system call, by another error. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef REFUSED
#define REFUSED SYS_perf_event_open
#define REFUSES EACCES
#endif

int
main (int argc, char **argv)
{
  struct sock_filter code[] = {
    BPF_STMT (BPF_LD | BPF_W | BPF_ABS, offsetof (struct seccomp_data, nr)),
    BPF_JUMP (BPF_JMP | BPF_JEQ | BPF_K, REFUSED, 0, 1),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ERRNO | REFUSES),
    BPF_STMT (BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog filter = { .len = sizeof code / sizeof *code, .filter = code };
  if (argc < 2 || prctl (PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
      || prctl (PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
    {
      perror ("seccomp");
      return 77;
    }
  execvp (argv[1], argv + 1);
  perror (argv[1]);
  return 99;
}

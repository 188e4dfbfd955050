/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Functions that tick themselves: the signal that the process's timer would send is sent by their
   own code, with the processor's flags as that has set them, which a system call keeps. */
#ifndef SELF_TICK_H
#define SELF_TICK_H

#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

/* The library's own ones, behind its back. */
static inline void
stop_timer (void)
{
  static const struct itimerval none = { { 0, 0 }, { 0, 0 } };
  syscall (SYS_setitimer, ITIMER_PROF, &none, NULL);
  for (int timer = 0; timer < 16; timer++)
    syscall (SYS_timer_delete, timer);
}

/* int NAME (int n): n ticks, each behind SET, which finds no carry; after it all flags are as they
   have to be. */
#define PLACE(NAME, SET)                                                                         \
  int NAME (int n);                                                                              \
  __attribute__ ((noipa, aligned (128))) int NAME (int n)                                        \
  {                                                                                              \
    static siginfo_t info = { .si_signo = SIGPROF, .si_code = SI_KERNEL };                       \
    const long pid = getpid (), tid = syscall (SYS_gettid);                                      \
    while (n-- > 0)                                                                              \
      {                                                                                          \
        register long signal __asm__("rdx") = SIGPROF;                                           \
        register const void *what __asm__("r10") = &info;                                        \
        long result = SYS_rt_tgsigqueueinfo;                                                     \
        __asm__ volatile ("leaq -128(%%rsp), %%rsp\n\tclc\n\t" SET                                \
                         "syscall\n\tcld\n\tpushfq\n\tandq $~0x40000, (%%rsp)\n\tpopfq\n\tleaq " \
                         "128(%%rsp), %%rsp"                                                     \
                         : "+a"(result)                                                          \
                         : "D"(pid), "S"(tid), "r"(signal), "r"(what)                            \
                         : "rcx", "r11", "cc", "memory");                                        \
      }                                                                                          \
    return n;                                                                                    \
  }

#endif

/* SPDX-License-Identifier: MIT */
/* What the library defines weakly, so that a program may define it too, and libc's archive does
   not.  bfd, gold and lld take the first archive that defines a name; mold prefers an archive
   whose definition is strong, and would take libc's.  So in libbbprof.a each of these has a
   member of its own with a strong definition (arch/.../strong.S), which leads to the library's;
   the other linkers have taken the library by then, and never take one.  The order is that of
   the slots of __bb_own (arch/.../own.S). */
BBP_STRONG (__cxa_finalize)
BBP_STRONG (__fentry__)
BBP_STRONG (__monstartup)
BBP_STRONG (__sysv_signal)
BBP_STRONG (_exit)
BBP_STRONG (_mcleanup)
BBP_STRONG (_mcount)
BBP_STRONG (chroot)
BBP_STRONG (daemon)
BBP_STRONG (execl)
BBP_STRONG (execle)
BBP_STRONG (execlp)
BBP_STRONG (execv)
BBP_STRONG (execveat)
BBP_STRONG (execvp)
BBP_STRONG (execvpe)
BBP_STRONG (fexecve)
BBP_STRONG (sighold)
BBP_STRONG (siginterrupt)
BBP_STRONG (sigrelse)
BBP_STRONG (sigset)
BBP_STRONG (syscall)

/* SPDX-License-Identifier: MIT */
/* Functions that the library defines weakly, so that a program may define them too, and that libc's
   archive does not define weakly.  bfd, gold and lld take the first archive that defines a name.
   mold prefers an archive with a strong definition, and would take libc's.  So each of these has a
   member of its own in libbbprof.a, with a strong definition (arch/.../strong.S) that jumps to the
   library's.  The other linkers have taken the library by then and never use these members.  The
   order is that of the slots of __bb_own (arch/.../own.S). */
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

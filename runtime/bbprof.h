/* SPDX-License-Identifier: MIT */
/* What a program may call of the profiler that runs in it.  All of it is optional: a profiled program needs no call.
   The names are those of the C libraries since 4.2BSD; programs written for them work unchanged. */
#ifndef BBPROF_H
#define BBPROF_H

#ifdef __cplusplus
extern "C" {
#endif

/* Pause (0) and resume (not 0) calls and samples.  Block counts go on.  No effect before the start. */
void moncontrol (int on);

/* Profile the addresses from LOW to HIGH, from zero.  Ignored while a profile is running; gcc -pg's start-up file
   starts one before main. */
void monstartup (unsigned long low, unsigned long high);

/* Write gmon.out now and stop.  A later monstartup begins from zero, and its end overwrites the file. */
void _mcleanup (void);

/* Write gmon.out now and go on. */
void write_profiling (void);

#ifdef __cplusplus
}
#endif

#endif

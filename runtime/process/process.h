/* SPDX-License-Identifier: MIT */
/* The life of the process: start and stop, dump, exit, fork, exec, commands. */
#ifndef BBP_PROCESS_H
#define BBP_PROCESS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sock_fprog;

#pragma GCC visibility push(hidden)

void bbp_profil_sample (uintptr_t pc, unsigned ticks); /* profil.c; signal */
void bbp_run_describe (struct bbx_run *); /* fills in the current facts about the run */

/* start.c: cold */
bool bbp_start_by_unit (void);    /* false: the calling thread is in here already */
void bbp_start_by_call (void);    /* the program calls bbprof_sampling_start; no lock held */
void bbp_stop (bool stop);        /* for all threads; false: start again */
void bbp_stop_locked (bool stop); /* lock held */
/* The program contains instrumented code, so it is not only sampled from outside.  Writer: the
   thread that starts. */
extern bool bbp_is_instrumented;

/* dump.c: cold */
/* Lock held; ALWAYS false: only if something was counted since the last dump; 0 or -errno. */
int bbp_dump_locked (bool always);
void bbp_dump (void);
const char *bbp_dump_name (void); /* the last dump's file, also if it failed; lock held */
void bbp_dump_in_handler (void);  /* signal; lock held */
void bbp_dump_at_end (bool in_handler);
void bbp_dump_since_now (void); /* the profile begins now */
int bbp_reset_locked (void);    /* lock held: count from zero; 0 or -errno */
/* Lock held: the same; false: no memory, so from now on there is no profile. */
bool bbp_count_from_zero (void);

/* fork.c: cold */
void bbp_fork_start (void);

/* exit.c: cold */
void bbp_exit_start (void);
void bbp_exit_dump (void); /* the process ends, in whatever way */

/* checkpoint.c */
void bbp_checkpoint_run (bool);                 /* cold, lock held: begin or end */
void bbp_checkpoint_tick (const void *context); /* signal */
uint64_t bbp_checkpoint_due (void);             /* time of the next one; any */

/* command.c */
void bbp_on_command (int, siginfo_t *, void *); /* signal */
void bbp_commands_publish (bool taken);         /* any: publishes whether commands are answered */

/* exec.c: cold */
void bbp_exec_begin (void);
int bbp_exec_failed (int result); /* with errno and the RESULT of exec */
void bbp_sandbox_expect (void);   /* cold: a filter may follow that the library cannot see */
void bbp_sandbox_end (void);      /* cold: the process ends, or executes another program */
void bbp_sandbox_resume (void);   /* cold: exec has failed */
void bbp_sandbox_forked (
    bool unprofiled); /* cold, in a forked child; UNPROFILED: it is not profiled */
long bbp_sandbox_enter (const struct sock_fprog *, long number, long a, long b, long c);

/* raw_syscall.c: any */
long bbp_syscall_intercept (long number, long a, long b, long c, long d, long e, long f);
long bbp_syscall_failed (long result);
/* fatal.c */
void bbp_on_fatal (int number, siginfo_t *, void *context); /* signal */
void bbp_dump_before_abort (void);                          /* signal */

#pragma GCC visibility pop

#endif

/* SPDX-License-Identifier: MIT */
/* What all rooms stand on: the lock, memory, text, names of files, files, and what is known of
   the process. */
#ifndef BBP_BASE_H
#define BBP_BASE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/state.h"

struct dl_phdr_info;

#pragma GCC visibility push(hidden)

/* lock.c: the one lock, for all that is cold.  Signals are blocked while it is held, so that no
   handler meets it. */
typedef unsigned long bbp_sigset;
bbp_sigset bbp_signals_block (void);
void bbp_signals_restore (bbp_sigset);
bbp_sigset bbp_lock (void);
bool bbp_lock_try (bbp_sigset *); /* false: somebody has it */
void bbp_unlock (bbp_sigset);
void bbp_lock_reset (void); /* in a forked child: free, whoever held it */

/* handler_stack.c: signal, lock held */
void bbp_on_handler_stack (void (*function) (void *), void *argument);

/* pages.c: zeroed memory from mmap; null when there is none.  Context: any. */
void *bbp_pages_map (size_t bytes);
void bbp_pages_unmap (void *pages, size_t bytes);

/* slice.c: memory for counts, in the live file if there is one.  Zeros at first; null: none to
   be had.  Context: any, but as said.  KIND, NUMBER, OF: see bbprof-live.h. */
struct bbl_head;
void *bbp_slice_map (uint32_t kind, uint32_t number, uint32_t of, size_t bytes);
void bbp_slice_ready (void *);  /* all is there by which it can be understood */
void bbp_slice_unmap (void *);  /* cold, lock held; null: does nothing */
bool bbp_slices_in_file (void); /* new ones are made there */
/* cold: a new, empty file; 0 or -errno; FD may be closed. */
long bbp_slices_open (int fd, const char *path, struct bbl_head **);
bool bbp_slices_leave_file (void); /* cold: whether there is a file, and it still has its name */
void bbp_slices_close (void);      /* cold: new ones are made elsewhere; the file's head is gone */
/* cold: into the live file that now is, or out of it; nobody counting meanwhile. */
void bbp_slices_move (void);

/* loader.c: cold.  Objects as the loader has them, in a mapping of their own, linked by their
   NEXT. */
#define BBP_PAGE_BYTES 4096

/* identity.c: cold */
#define BBP_BUILD_ID_SIZE 64
void bbp_identity_bounds (struct bbp_object *, const struct dl_phdr_info *);
/* null: it has none. */
const unsigned char *bbp_identity_build_id (const struct dl_phdr_info *, size_t *bytes);
/* The same. */
const unsigned char *bbp_identity_note (const struct dl_phdr_info *, const char *name,
                                        uint32_t type, size_t *bytes);
void bbp_identity_complete (struct bbp_object *);
bool bbp_identity_stays (const struct bbp_object *, const struct bbp_object *found);
bool bbp_identity_same (const struct bbp_object *, const struct bbp_object *);
/* The same in every run, on every machine. */
uint64_t bbp_identity_hash (const struct bbp_object *);

#define BBP_PATH_SIZE 4096

/* gmon.c, out.c: cold */
struct bbp_out {
  int fd;
  int error;        /* first one, as errno; once set nothing more is written */
  size_t used;      /* of buffer */
  uint64_t written; /* bytes given to the kernel, or left out as zeros */
  uint64_t limit;   /* RLIMIT_FSIZE: beyond it write () would kill */
  char *memory;     /* instead of a file, if there is no fd: all that was written */
  size_t memory_bytes;
  char temporary[BBP_PATH_SIZE + 64];
  char buffer[16384];
};
long bbp_open_high (const char *path, int flags); /* a descriptor, none of 0 to 2, or -errno */
/* To a file that is there; 0 or -errno. */
int bbp_out_append (int fd, const char *bytes, size_t n, uint64_t *done);
bool bbp_out_open (struct bbp_out *, const char *path); /* opens a temporary file */
/* What must not be replaced, nor written to: errno; 0: nothing. */
int bbp_out_in_the_way (const char *path);
void bbp_out_open_memory (struct bbp_out *); /* in fields of zeros */
/* The memory is the caller's to unmap; false: see error. */
bool bbp_out_close_memory (struct bbp_out *);
void bbp_out_bytes (struct bbp_out *, const void *, size_t);
void bbp_out_zeros (struct bbp_out *, size_t n);
void bbp_out_discard (struct bbp_out *);
bool bbp_out_finish (struct bbp_out *); /* closes, or removes it all; false: see error */
bool bbp_out_rename (struct bbp_out *, const char *path); /* the same */

/* temporary.c: cold, lock held */
struct bbp_text;
void bbp_temporary_name (struct bbp_text *, const char *path); /* of the temporary file for PATH */
/* Those for the profile PATH, of processes that are gone; once in a process. */
void bbp_temporary_remove_stale (const char *path);
void bbp_run_begin (void);
uint64_t bbp_run_started (void); /* nanoseconds since 1970 */
uint64_t bbp_run_began (void);   /* any: CLOCK_MONOTONIC then, nanoseconds */
uint64_t bbp_run_time (void);    /* any: nanoseconds since the run began; 0: there is no clock */
void bbp_run_clocks (uint64_t *wall, uint64_t *cpu); /* any: nanoseconds since the run began */

/* rights.c: files are touched with the rights of who started the program.  Cold, lock held. */
void bbp_rights_start (void);
bool bbp_rights_lower (void); /* false: not possible */
void bbp_rights_restore (void);

/* path.c: where the files go */
/* PATH of BBP_PATH_SIZE bytes; returns it. */
const char *bbp_path_absolute (char *path, const char *name);
void bbp_path_start (void); /* remembers the working directory, and what names are made of */
bool bbp_path_prefixed (char *path, size_t size); /* by GMON_OUT_PREFIX; false: not to be used */
/* NAME as it was meant at the start; false: too long. */
bool bbp_path_of_start (char *path, size_t size, const char *name);
bool bbp_path_next (char *path, size_t size); /* the next dump's */
/* any: how many programs this process has run before; of a process that bbprof record has not
   started itself, from 1. */
unsigned bbp_image (void);
/* OUTPUT with its patterns; in a forked child with its pid; false: too long. */
bool bbp_path_named (char *path, size_t size, const char *output);
bool bbp_path_plain (char *path, size_t size); /* the same, of output=, else gmon.out */

/* message.c: "bbprof: SUBJECT: TEXT" on stderr, if that still is what it was at the start.
   Cold. */
void bbp_message_start (void);
void bbp_message (const char *subject, const char *text);
void bbp_message_line (const char *text);                  /* just that */
void bbp_complain (const char *subject, const char *text); /* the same, but once only */

/* text.c: numbers and strings into a fixed buffer, always terminated */
struct bbp_text {
  char *buffer;
  size_t size, used;
  bool cut;
};
void bbp_text_string (struct bbp_text *, const char *);
void bbp_text_bytes (struct bbp_text *, const char *, size_t);
void bbp_text_number (struct bbp_text *, uint64_t);
void bbp_text_time (struct bbp_text *, uint64_t seconds);
size_t bbp_string_bytes (const char *); /* the terminating zero included */
void bbp_copy_bytes (void *to, const void *from, size_t n);

/* name_letters.c */
struct bbp_name_facts {
  const char *host, *program, *rank;
  uint64_t start; /* seconds since 1970 */
  unsigned pid, dump;
};
const char *bbp_name_expand (struct bbp_text *, const char *pattern, const struct bbp_name_facts *);
bool bbp_name_has (const char *pattern, char letter);

/* clock.c */
void bbp_clock_start (void); /* cold */
/* any; nanoseconds of CLOCK_MONOTONIC, mostly without a system call; 0: not known. */
uint64_t bbp_clock_now (void);

/* process.c */
void bbp_process_start (void);  /* cold */
void bbp_process_disown (void); /* cold; from now on none is bbp_own_process () */
bool bbp_own_process (void);    /* any; false: a child of vfork or of a bare clone */
/* any; the profiled process's, or lent by it to a child of vfork; not a copy. */
bool bbp_profiled_memory (void);
bool bbp_own_memory (void); /* any; false: that of vfork's parent */

/* environment.c: what the program sees of the variables that are for this library.  Cold, but as
   said. */
void bbp_environment_leave (void); /* at the start, when the options are known */
/* For exec: what ENVP has to become, in ROOM, of the SIZE that is asked for first, in pointers;
   0: it stays.  Also a vfork child. */
size_t bbp_environment_room (char *const envp[]);
char *const *bbp_environment_put_back (char *room[], size_t size, char *const envp[]);

/* second_copy.c: cold */
/* There is another one of this library in the process, which does what is to be done. */
bool bbp_is_second_copy (void);
/* libbbprof-record.so is preloaded: the process is to be recorded, whatever its options say. */
bool bbp_record_is_preloaded (void);

/* filter.c, sandbox.c: system calls that the program gives up.  Cold. */
struct sock_filter;
struct sock_fprog;
struct bbp_filter_state;
size_t bbp_filter_room (size_t length);
bool bbp_filter_is_closed (const struct sock_filter *, size_t length);
bool bbp_filter_allows (const struct sock_filter *, size_t length, long number,
                        struct bbp_filter_state *);
/* Any: from HOLD (true) to HOLD (false) the thread runs nothing of the program's, so what was
   found out holds for it. */
void bbp_sandbox_hold (bool);
/* The calling thread, which is the library's own or ends the process, never asks. */
void bbp_sandbox_free (void);
bool bbp_pattern_matches (const char *pattern, const char *text); /* pattern.c */

/* segments.c: lists that only grow, and whose items have numbers, from 1, and never move.  In
   the live file if there is one.  Any context, but as said. */
enum { BBP_SEGMENTS = 14 };
struct bbp_segments {
  uint32_t kind;     /* enum bbl_kind */
  uint32_t first;    /* items of the first segment, a power of 2; each next one has twice as many */
  uint32_t segments; /* at most; 0: BBP_SEGMENTS */
  uint32_t bytes;    /* of an item */
  uint32_t used;     /* the highest number that was given; atomic */
  void *segment[BBP_SEGMENTS]; /* zeros at first; atomic */
};
void *bbp_segments_at (const struct bbp_segments *, uint32_t number); /* null: no such item */
/* Makes it if need be; null: no memory. */
void *bbp_segments_reach (struct bbp_segments *, uint32_t number);
/* A new item's number; 0: no memory. */
uint32_t bbp_segments_add (struct bbp_segments *);
uint32_t bbp_segments_used (const struct bbp_segments *);
uint32_t bbp_segments_room (const struct bbp_segments *, uint32_t i); /* items of segment I */

#pragma GCC visibility pop

#endif

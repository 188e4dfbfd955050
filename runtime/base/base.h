/* SPDX-License-Identifier: MIT */
/* The base of all rooms: the lock, memory, text, file names, output files, and the identity of the
   process. */
#ifndef BBP_BASE_H
#define BBP_BASE_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/base/state.h"

struct dl_phdr_info;

#pragma GCC visibility push(hidden)

/* lock.c: the one lock, for all cold code.  Signals are blocked while it is held, so no handler of
   the holder can try to take it. */
typedef unsigned long bbp_sigset;
bbp_sigset bbp_signals_block (void);
void bbp_signals_restore (bbp_sigset);
bbp_sigset bbp_lock (void);
bool bbp_lock_try (bbp_sigset *); /* false: the lock is held */
void bbp_unlock (bbp_sigset);
/* in a forked child: make it free, even if another thread of the parent held it */
void bbp_lock_reset (void);

/* handler_stack.c: call FUNCTION on the library's own stack.  Signal, lock held. */
void bbp_on_handler_stack (void (*function) (void *), void *argument);
/* the same for code that no handler's rules bind.  Any, lock held. */
void bbp_on_own_stack (void (*function) (void *), void *argument);

/* pages.c: zeroed memory from mmap; null when there is none.  Context: any. */
void *bbp_pages_map (size_t bytes);
/* the same, for pages that are replaced by those of a file: never again used for anything else */
void *bbp_pages_map_apart (size_t bytes);
/* Cold: from now on, bbp_pages_map_above maps memory between FLOOR and the main thread's stack. */
void bbp_pages_choose_above (uintptr_t floor);
void *bbp_pages_map_above (size_t whole_pages);
void bbp_pages_unmap (void *pages, size_t bytes);

/* slice.c: memory for counts, in the live file if there is one; zeroed; null: no memory.  Context:
   any, unless stated otherwise.  KIND, NUMBER, OF: see bbprof-live.h. */
struct bbl_head;
void *bbp_slice_map (uint32_t kind, uint32_t number, uint32_t of, size_t bytes);
/* the same, by bbp_pages_map_above */
void *bbp_slice_map_above (uint32_t kind, uint32_t number, uint32_t of, size_t bytes);
void bbp_slice_ready (void *);  /* marks it valid: its content can be interpreted from now on */
void bbp_slice_unmap (void *);  /* cold, lock held; null is ignored */
bool bbp_slices_in_file (void); /* new slices are created there */
/* cold: use a new, empty file; 0 or -errno; FD may be closed afterwards. */
long bbp_slices_open (int fd, const char *path, struct bbl_head **);
bool bbp_slices_detach_file (void); /* cold: whether there is a file that still has its name */
/* cold: new slices are created elsewhere; the file's header is unmapped */
void bbp_slices_close (void);
/* cold: move all slices into the current live file, or out of it; no thread may count meanwhile. */
void bbp_slices_move (void);

#define BBP_PAGE_BYTES 4096

static inline size_t
bbp_whole_pages (size_t bytes)
{
  return (bytes + BBP_PAGE_BYTES - 1) & -(size_t) BBP_PAGE_BYTES;
}

/* identity.c: cold */
#define BBP_BUILD_ID_SIZE 64
void bbp_identity_bounds (struct bbp_object *, const struct dl_phdr_info *);
/* null: it has no build id. */
const unsigned char *bbp_identity_build_id (const struct dl_phdr_info *, size_t *bytes);
/* null: it has no such note. */
const unsigned char *bbp_identity_note (const struct dl_phdr_info *, const char *name,
                                        uint32_t type, size_t *bytes);
void bbp_identity_complete (struct bbp_object *);
bool bbp_identity_stays (const struct bbp_object *, const struct bbp_object *found);
bool bbp_identity_same (const struct bbp_object *, const struct bbp_object *);
/* The same value in every run, on every machine. */
uint64_t bbp_identity_hash (const struct bbp_object *);

#define BBP_PATH_SIZE 4096

/* out.c: output files.  Cold. */
struct bbp_out {
  int fd;
  int error;        /* the first error, as errno; once set, nothing more is written */
  size_t used;      /* bytes in the buffer */
  uint64_t written; /* bytes given to the kernel, or skipped as zeros */
  uint64_t limit;   /* RLIMIT_FSIZE, bytes; a write beyond it would raise SIGXFSZ */
  char *memory;     /* all output, if there is no fd; null: a file */
  size_t memory_bytes;
  char temporary[BBP_PATH_SIZE + 64];
  char buffer[16384];
};
long bbp_open_high (const char *path, int flags); /* a descriptor above 2, or -errno */
/* Append to an existing file; 0 or -errno. */
int bbp_out_append (int fd, const char *bytes, size_t n, uint64_t *done);
bool bbp_out_open (struct bbp_out *, const char *path); /* creates a temporary file */
/* Returns the errno if PATH is a file that must not be replaced or written; 0: it may be. */
int bbp_out_check_target (const char *path);
void bbp_out_open_memory (struct bbp_out *); /* in a zeroed struct */
/* The caller unmaps the memory; false: see error. */
bool bbp_out_close_memory (struct bbp_out *);
void bbp_out_bytes (struct bbp_out *, const void *, size_t);
void bbp_out_zeros (struct bbp_out *, size_t n);
void bbp_out_discard (struct bbp_out *);
bool bbp_out_finish (struct bbp_out *); /* close, or remove the file; false: see error */
/* rename to PATH, or remove; false: see error */
bool bbp_out_rename (struct bbp_out *, const char *path);

/* temporary.c: cold, lock held */
struct bbp_text;
void bbp_temporary_name (struct bbp_text *, const char *path); /* of the temporary file for PATH */
/* Removes temporary files for the profile PATH of processes that have ended; once a process. */
void bbp_temporary_remove_stale (const char *path);

/* run.c: the run: its id and clocks.  Cold, unless stated otherwise. */
void bbp_run_begin (void);
uint64_t bbp_run_started (void); /* any: nanoseconds since 1970 */
uint64_t bbp_run_began (void);   /* any: CLOCK_MONOTONIC at the start of the run, nanoseconds */
/* any: nanoseconds since the run began; 0: the clock cannot be read */
uint64_t bbp_run_time (void);
void bbp_run_machine (struct bbx_machine *);
void bbp_run_clocks (uint64_t *wall, uint64_t *cpu); /* any: nanoseconds since the run began */

/* rights.c: access files with the rights of the user who started the program.  Cold, lock held. */
void bbp_rights_start (void);
bool bbp_rights_lower (void); /* false: not possible */
void bbp_rights_restore (void);

/* path.c: names of output files. */
/* NAME as an absolute path, in PATH of BBP_PATH_SIZE bytes; returns PATH. */
const char *bbp_path_absolute (char *path, const char *name);
void bbp_path_start (void); /* remembers the working directory and what %-letters stand for */
bool bbp_path_prefixed (char *path, size_t size); /* by GMON_OUT_PREFIX; false: does not apply */
/* NAME relative to the working directory at the start; false: too long. */
bool bbp_path_of_start (char *path, size_t size, const char *name);
bool bbp_path_next (char *path, size_t size); /* the name of the next dump */
/* any: how many programs this process executed before this one; counted from 1 if bbprof record did
   not start the process itself. */
unsigned bbp_image (void);
/* OUTPUT with its %-letters expanded, and the pid appended in a forked child; false: too long. */
bool bbp_path_named (char *path, size_t size, const char *output);
bool bbp_path_plain (char *path, size_t size); /* likewise, of output=, else of "gmon.out" */
bool bbp_path_outdated (char *path, size_t size, unsigned kept); /* of the dump to remove now */
void bbp_path_of_rank (unsigned rank);          /* cold: the process is this rank of several */
bool bbp_path_of_sum (char *path, size_t size); /* of all ranks' profiles together */

/* message.c: "bbprof: SUBJECT: TEXT" on stderr, unless descriptor 2 has changed since the start.
   Cold. */
void bbp_message_start (void);
void bbp_message (const char *subject, const char *text);
void bbp_message_line (const char *text); /* without the prefix */
void bbp_message_once (const char *subject,
                       const char *text); /* likewise, but only the first time */
/* "bbprof: cannot write PATH: REASON", likewise. */
void bbp_message_unwritten (const char *path, const char *reason);

/* text.c: numbers and strings into a fixed buffer that is always terminated */
struct bbp_text {
  char *buffer;
  size_t size, used;
  bool cut;
};
void bbp_text_string (struct bbp_text *, const char *);
void bbp_text_bytes (struct bbp_text *, const char *, size_t);
void bbp_text_number (struct bbp_text *, uint64_t);
void bbp_text_time (struct bbp_text *, uint64_t seconds);
size_t bbp_string_bytes (const char *); /* with the terminating zero */
void bbp_copy_bytes (void *to, const void *from, size_t n);

/* name_letters.c: any */
struct bbp_name_facts {
  const char *host, *program, *rank;
  const char *build; /* the executable's build id; null: not known, and the letter stays */
  uint64_t start;    /* seconds since 1970 */
  unsigned pid, dump;
};
const char *bbp_name_expand (struct bbp_text *, const char *pattern, const struct bbp_name_facts *);
bool bbp_name_has (const char *pattern, char letter);

/* clock.c: CLOCK_MONOTONIC. */
void bbp_clock_start (void); /* cold */
/* any; CLOCK_MONOTONIC in nanoseconds, mostly without a system call; 0: not known. */
uint64_t bbp_clock_now (void);

/* process.c: the identity of the process. */
void bbp_process_start (void);  /* cold */
void bbp_process_disown (void); /* cold; bbp_own_process () is false from now on */
bool bbp_own_process (void);    /* any; false: a child of vfork or of a bare clone */
/* any; memory of the profiled process, or lent by it to a child of vfork; false: a copy. */
bool bbp_profiled_memory (void);
bool bbp_own_memory (void); /* any; false: the memory of vfork's parent */

/* environment.c: hides the library's environment variables from the program.  Cold, unless stated
   otherwise. */
void bbp_environment_hide (void); /* at the start, after the options are read */
/* For exec: bbp_environment_room returns the size of ROOM, in pointers; 0: ENVP needs no change.
   bbp_environment_restore fills ROOM with ENVP and the library's variables.  Also in a vfork
   child. */
size_t bbp_environment_room (char *const envp[]);
char *const *bbp_environment_restore (char *room[], size_t size, char *const envp[]);

/* second_copy.c: cold */
/* Another copy of this library is active in the process, so this copy does nothing. */
bool bbp_is_second_copy (void);
/* libbbprof-record.so is preloaded: the process is recorded whatever its options say. */
bool bbp_record_is_preloaded (void);

/* filter.c, sandbox.c: restrictions of system calls by seccomp.  Cold. */
struct sock_filter;
struct sock_fprog;
struct bbp_filter_state;
size_t bbp_filter_room (size_t length);
bool bbp_filter_is_closed (const struct sock_filter *, size_t length);
bool bbp_filter_allows (const struct sock_filter *, size_t length, long number,
                        struct bbp_filter_state *);
/* Any.  Between keep (true) and keep (false) the thread runs no code of the program's, so one
   answer about filters is valid for the whole time. */
void bbp_sandbox_keep_answer (bool);
/* The calling thread never asks about filters: it is the library's own, or it ends the process. */
void bbp_sandbox_exempt (void);
bool bbp_pattern_matches (const char *pattern, const char *text); /* pattern.c */

/* segments.c: append-only lists; items are numbered from 1 and never move.  In the live file if
   there is one.  Any context, unless stated otherwise. */
enum { BBP_SEGMENTS = 14 };
struct bbp_segments {
  uint32_t kind; /* enum bbl_kind */
  /* items of the first segment, a power of 2; each segment is twice as large as the previous one */
  uint32_t first;
  uint32_t segments;           /* maximum; 0: BBP_SEGMENTS */
  uint32_t bytes;              /* bytes of an item */
  uint32_t used;               /* the highest number in use; atomic */
  void *segment[BBP_SEGMENTS]; /* null until it is needed; atomic */
};
void *bbp_segments_at (const struct bbp_segments *, uint32_t number); /* null: no such item */
/* Creates the item's segment if needed; null: no memory. */
void *bbp_segments_reach (struct bbp_segments *, uint32_t number);
/* A new item's number; 0: no memory. */
uint32_t bbp_segments_add (struct bbp_segments *);
uint32_t bbp_segments_used (const struct bbp_segments *);
/* number of items of segment I */
uint32_t bbp_segments_room (const struct bbp_segments *, uint32_t i);

#pragma GCC visibility pop

#endif
